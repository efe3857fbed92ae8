/** Zod's first issue with a body as the message of a 400. */
import type { z } from "@hono/zod-openapi";

const articles: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "an array",
  boolean: "a boolean",
  string: "a string",
};

/** JSON's names for types that zod names otherwise. */
const jsonTypes: Readonly<Record<string, string>> = { record: "object", int: "integer" };

/** Codes of issues for which schemas of a whole body have a message. */
const wordedCodes: ReadonlySet<string> = new Set<z.core.$ZodIssue["code"]>([
  "custom",
  "invalid_format",
  "invalid_union",
]);

/** `invalid <field>: <why>`, or `body must be <type>`; `prefix` is the path to the checked value. */
export function bodyMessage(issue: z.core.$ZodIssue, prefix: readonly string[] = []): string {
  const field = [...prefix, ...issue.path.map(String)];
  if (issue.code === "invalid_type") {
    const article = articles[issue.expected];
    if (field.length === 0 && article !== undefined) return `body must be ${article}`;
    return `invalid ${fieldName(field)}: expected ${jsonTypes[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "unrecognized_keys") {
    return `invalid ${fieldName([...field, issue.keys[0]!])}: ${issue.message}`;
  }
  // The schema's own words: a name that is the whole body is refused like a name in the path.
  if (issue.path.length === 0 && wordedCodes.has(issue.code)) return issue.message;
  return `invalid ${fieldName(field)}: ${issue.message}`;
}

/** Fields come from the client, so their length is bounded. */
const fieldName = (field: readonly string[]): string => (field.length === 0 ? "body" : field.join(".").slice(0, 80));

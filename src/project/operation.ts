/**
 * One endpoint inside a project, as data: where it is, what it takes, what it does to a draft. HTTP, transaction steps,
 * `features` and the console's OpenAPI document are readings of these objects.
 */
import type * as z from "zod";
import type { Draft } from "./document.ts";
import { isObject, type Json } from "./json.ts";
import { Refusal } from "./refusal.ts";
import type { Params } from "./segments.ts";

export type Method = "GET" | "PUT" | "POST" | "DELETE";

/** What a body has to be. Schemas only check: what is stored is what was sent, with keys that no schema knows. */
export interface Body<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** A missing body is given to the operation as undefined. Default: it is refused. */
  readonly optional?: boolean;
  /** The value may also come wrapped in an object under this key: `{"enabled": true}`. */
  readonly wrapped?: string;
  /** Over HTTP the bytes are the body, whatever they are; a transaction step sends `{"metadata", "data": "<base64>"}`. */
  readonly raw?: boolean;
}

/** What can be said about an endpoint without running it. */
export interface Description {
  /** Its entry in `features`; several endpoints share one. Absent for the service's own. */
  readonly feature?: string;
  readonly method: Method;
  /** Names in braces are those of `segments.ts`. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201;
  readonly body?: Body;
  /** What a success answers with; absent where it is bytes. */
  readonly answer?: z.ZodType;
  /** Refusals of its own, beside those every endpoint of its kind has. */
  readonly refusals?: readonly number[];
}

/** What an operation answers: a value, or the bytes of a stored file. */
export type Outcome =
  | { readonly json: Json }
  | { readonly bytes: Uint8Array; readonly contentType: string; readonly etag?: string };

/** An endpoint inside a project. `run` changes the draft or throws a Refusal; it never sees a request or a file. */
export interface Operation extends Description {
  run(draft: Draft, params: Readonly<Record<string, unknown>>, body: unknown): Outcome | Promise<Outcome>;
}

interface Definition<Path extends string, Value> extends Description {
  readonly path: Path;
  readonly body?: Body<Value>;
  run(draft: Draft, params: Params<Path>, body: Value): Outcome | Promise<Outcome>;
}

/** Defines an operation whose `run` knows the types of its path's names and of its body. */
export function operation<Path extends string, Value = undefined>(definition: Definition<Path, Value>): Operation {
  return {
    ...definition,
    run: (draft, params, body) => definition.run(draft, params as Params<Path>, body as Value),
  };
}

/** Takes a body as what the endpoint described, or refuses it with 400. */
export function checkBody(description: Body | undefined, sent: unknown): unknown {
  if (description === undefined) return undefined;
  if (sent === undefined) {
    if (description.optional) return undefined;
    throw new Refusal(400, "missing body");
  }
  const { wrapped, schema } = description;
  const isWrapped = wrapped !== undefined && isObject(sent) && Object.hasOwn(sent, wrapped);
  const value = isWrapped ? sent[wrapped] : sent;
  const { error } = schema.safeParse(value);
  if (error === undefined) return value;
  const issue = error.issues[0]!;
  const field = [...(isWrapped ? [wrapped] : []), ...issue.path.map(String)];
  throw new Refusal(400, sentence(field, issue));
}

const articles: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "an array",
  boolean: "a boolean",
  string: "a string",
};

/** Zod's names for types where JSON has another. */
const jsonTypes: Readonly<Record<string, string>> = { record: "object", int: "integer", nonoptional: "a value" };

function sentence(field: readonly string[], issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type": {
      const article = articles[issue.expected];
      if (field.length === 0 && article !== undefined) return `body must be ${article}`;
      return `invalid ${fieldName(field)}: expected ${jsonTypes[issue.expected] ?? issue.expected}`;
    }
    case "unrecognized_keys":
      return `invalid ${fieldName([...field, issue.keys[0]!])}: not allowed`;
    default:
      // A name that is the whole body is refused as one in the path is.
      if (issue.path.length === 0 && issue.message.startsWith("malformed")) return issue.message;
      return `invalid ${fieldName(field)}: ${issue.message}`;
  }
}

/** Fields come from the caller, so they are cut. */
const fieldName = (field: readonly string[]): string => (field.length === 0 ? "body" : field.join(".").slice(0, 80));

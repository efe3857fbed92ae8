/** The limits of a watch in one line, from the schema of its settings. Pure. */
import { type JsonSchema, MARKS } from "../../../core/report/json-schema.ts";

type Values = Readonly<Record<string, unknown>>;

function memberText(name: string, { [MARKS]: { unit, side } = {} }: JsonSchema, value: unknown): string | undefined {
  if (name === "delay") return value === 0 ? undefined : `for ${value}\u202fs`;
  if (name === "term") return `sounds again after ${value}\u202f${unit}`;
  if (typeof value !== "number") return typeof value === "string" ? value : undefined;
  return `${side === undefined ? "" : `${side} `}${value}\u202f${unit === "deg" ? "degrees" : unit}`;
}

/**
 * The limits of a watch as text; absent members have their default.
 *
 * @example limitText(schemaOfDepth, { limit: 3 }) // "below 3 m · transducer · for 2 s · sounds again after 5 min"
 */
export function limitText({ properties: { term, ...limits } = {} }: JsonSchema, values: Values = {}): string {
  const texts = Object.entries({ ...limits, ...(term && { term }) }).map(([name, of]) =>
    memberText(name, of, values[name] ?? of.default),
  );
  return texts.filter((text) => text !== undefined).join(" · ");
}

/** The limits of a watch in one line, from the schema of its settings. Pure. */
import type { JsonSchema } from "../../../core/report/json-schema.ts";

type Values = Readonly<Record<string, unknown>>;

/** Units by the words with which descriptions end. */
const units: Readonly<Record<string, string>> = {
  megabytes: "MB",
  "nautical miles": "NM",
  metres: "m",
  minutes: "min",
  seconds: "s",
  knots: "kn",
  volts: "V",
  percent: "%",
  kilopascals: "kPa",
  "degrees Celsius": "°C",
};

function memberText(name: string, { description = "" }: JsonSchema, value: unknown): string | undefined {
  if (name === "delay") return value === 0 ? undefined : `for ${value}\u202fs`;
  if (typeof value !== "number") return typeof value === "string" ? value : undefined;
  const unit = description.slice(description.lastIndexOf(", ") + 2);
  const [side] = /\b(below|above)\b/.exec(description) ?? [];
  return `${side === undefined ? "" : `${side} `}${value}\u202f${units[unit] ?? unit}`;
}

/**
 * The limits of a watch as text; absent members have their default.
 *
 * @example limitText(schemaOfDepth, { limit: 3 }) // "below 3 m · transducer · for 2 s"
 */
export function limitText({ properties = {} }: JsonSchema, values: Values = {}): string {
  const texts = Object.entries(properties).map(([name, of]) => memberText(name, of, values[name] ?? of.default));
  return texts.filter((text) => text !== undefined).join(" · ");
}

/** The limits of a watch in one line, from the schema of its settings. */
import { type JsonSchema, MARKS } from "../../../core/report/json-schema.ts";
import { type DepthReference, depthReferences } from "../data/settings.ts";
import { crewUnit } from "../instruments/crew-unit.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { bytesUnit, numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";

type Values = Readonly<Record<string, unknown>>;

/** The kind of a watch, and the units of the crew. */
interface Reader {
  readonly kind: string;
  readonly units: UnitChoice;
  /** The reference that the sounder's offset gives the depth; undefined while no depth is heard. */
  readonly installed?: DepthReference | undefined;
}

function memberText(
  name: string,
  { [MARKS]: { unit, side } = {} }: JsonSchema,
  value: unknown,
  { kind, units, installed }: Reader,
): string | undefined {
  if (name === "reference") {
    const reference = value === "installed" ? installed : depthReferences.find((each) => each === value);
    return reference === undefined || reference === "installed" ? said(String(value)) : say(`below ${reference}`);
  }
  if (name === "delay") return value === 0 ? undefined : say("for {duration}", { duration: `${value}\u202f${unit}` });
  if (name === "term") return say("sounds again after {duration}", { duration: `${value}\u202f${unit}` });
  if (typeof value !== "number") return typeof value === "string" ? said(value) : undefined;
  const crew = crewUnit({ unit, kind }, units);
  const stored =
    numberText(String(value)) + (unit === "deg" ? "°" : `\u202f${unit === "MB" ? bytesUnit("megabyte") : unit}`);
  const text = crew?.text(value) ?? stored;
  return `${side === undefined ? "" : `${said(side)} `}${text}`;
}

/**
 * The limits of a watch as text; absent members have their default.
 *
 * @example limitText(schemaOfDepth, { kind: "depth", units }, { limit: 3 }) // "below 3 m · transducer · for 2 s · sounds again after 5 min"
 */
export function limitText(
  { properties: { term, ...limits } = {} }: JsonSchema,
  reader: Reader,
  values: Values = {},
): string {
  const texts = Object.entries({ ...limits, ...(term && { term }) }).map(([name, of]) =>
    memberText(name, of, values[name] ?? of.default, reader),
  );
  return texts.filter((text) => text !== undefined).join(" · ");
}

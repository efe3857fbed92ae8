/** The units of all members of all topics, for programs: by path, in hub's words and in UCUM (ucum.org). */
import type { UnitName } from "../n2k/units.ts";
import { type JsonSchema, MARKS } from "../report/json-schema.ts";
import type { ReportUnit } from "../report/unit-words.ts";
import type { TopicDescription } from "./async-api.ts";

export type AnyUnit = UnitName | ReportUnit;

/** UCUM's code of each unit; undefined for one that it cannot write. */
const ucumCodes: Readonly<Record<AnyUnit, string | undefined>> = {
  "%": "%",
  A: "A",
  Ah: "A.h",
  B: "By",
  Hz: "Hz",
  K: "K",
  L: "L",
  "L/h": "L/h",
  MB: "MBy",
  NM: "[nmi_i]",
  Pa: "Pa",
  "Pa/h": "Pa/h",
  T: "T",
  V: "V",
  VA: "V.A",
  W: "W",
  "bit/s": "bit/s",
  dB: "dB",
  "days since 1970-01-01": "d",
  deg: "deg",
  "deg/min": "deg/min",
  "deg/s": "deg/s",
  h: "h",
  hPa: "hPa",
  kPa: "kPa",
  kWh: "kW.h",
  "km/h": "km/h",
  kn: "[kn_i]",
  m: "m",
  "m/s": "m/s",
  min: "min",
  "min from UTC": "min",
  ms: "ms",
  ns: "ns",
  "ns/s": "ns/s",
  ppm: "[ppm]",
  ppt: "[ppth]",
  rpm: "{rev}/min",
  s: "s",
  "s since midnight": "s",
  // The root of the semi-major axis of an orbit: UCUM has whole exponents alone.
  "sqrt(m)": undefined,
  var: "V.A{reactive}",
  "°C": "Cel",
  "‰": "[ppth]",
};

interface Unit {
  readonly unit: AnyUnit;
  readonly ucum?: string;
}

/** The members of a schema that have a unit, by path: `data.alarms[].range`. */
function* unitsIn(schema: JsonSchema, path = ""): Generator<readonly [path: string, unit: Unit]> {
  const { properties = {}, items, anyOf = [] } = schema;
  for (const [name, member] of Object.entries(properties)) {
    const full = path === "" ? name : `${path}.${name}`;
    const kinds = [member, ...(member.anyOf ?? [])];
    if (kinds.some(({ type }) => type === "number" || type === "integer")) {
      const unit = kinds.find((kind) => kind[MARKS] !== undefined)?.[MARKS]?.unit as AnyUnit | undefined;
      const ucum = unit && ucumCodes[unit];
      if (unit !== undefined) yield [full, { unit, ...(ucum !== undefined && { ucum }) }];
    }
    yield* unitsIn(member, full);
  }
  if (items !== undefined) yield* unitsIn(items, `${path}[]`);
  for (const alternative of anyOf) yield* unitsIn(alternative, path);
}

/** The table, as a value: topics by id, with their titles; a member that is missing has no unit. */
export const unitsTable = (topics: readonly TopicDescription[]): object =>
  Object.fromEntries(
    topics.map(({ id, address, title, publicTitle, schema }) => [
      id,
      {
        address,
        title,
        ...(publicTitle !== undefined && { publicTitle }),
        members: Object.fromEntries(unitsIn(schema)),
      },
    ]),
  );

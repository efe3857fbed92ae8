/** Names of messages and fields for user interfaces. */
import type { Definition } from "./definition.ts";
import type { Field, Fields } from "./field.ts";
import { ofUnit, type UnitName } from "./units.ts";

/** Suffixes of field names, by unit. */
const unitSuffixes: Readonly<Record<UnitName, readonly string[]>> = {
  "%": ["Percent", "Pct"],
  "L/h": ["Lh"],
  "Pa/h": ["PaPerHour"],
  "deg/min": ["DegPerMin"],
  "deg/s": ["DegPerSec"],
  "days since 1970-01-01": [],
  "km/h": ["Kmh"],
  "m/s": ["Ms"],
  "min from UTC": [],
  "°C": ["C"],
  A: ["A"],
  Ah: ["Ah"],
  B: ["Bytes"],
  Hz: ["Hz"],
  K: ["K"],
  L: ["Liters", "L"],
  NM: ["Nm"],
  Pa: ["Pa"],
  T: ["Tesla"],
  V: ["V"],
  VA: ["Va"],
  W: ["W"],
  dB: ["Db"],
  deg: ["Deg"],
  h: ["Hours"],
  kPa: ["Kpa"],
  kWh: ["Kwh"],
  kn: ["Knots"],
  m: ["M"],
  min: ["Min"],
  ms: ["Ms"],
  "ns/s": ["NsPerS"],
  ppm: ["Ppm"],
  ppt: ["Ppt"],
  rpm: ["Rpm"],
  s: ["S"],
  "s since midnight": [],
  "sqrt(m)": ["SqrtM"],
  var: ["Var"],
};

/** The unit of a published field, one of `fields`. */
export function unitOf(field: Field | undefined, fields: Fields): string | undefined {
  if (field?.kind === "also") return field.unit?.name ?? unitOf(fields[field.of], fields);
  return field?.kind === "number" || field?.kind === "choice" ? field.unit : undefined;
}

/**
 * The name of a field in words, without its unit.
 *
 * @example fieldLabel("engineSpeedRpm", engineParametersRapid.fields.engineSpeedRpm) // "Engine speed"
 */
export function fieldLabel(name: string, field: Field): string {
  if (field.kind === "number" && field.label !== undefined) return field.label;
  const suffix = (ofUnit(unitSuffixes, unitOf(field, {}) ?? "") ?? []).find((each) => name.endsWith(each)) ?? "";
  const words = name
    .slice(0, name.length - suffix.length)
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const messageLabel = ({ label, title }: Definition): string => label ?? title;

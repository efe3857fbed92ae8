/**
 * What the navigation report tells, quantity by quantity, as a display wants it: its latest value, who said so, and
 * whether it still holds. Pure; the types are the report's own.
 */
import type { NavigationData, NavSourceInfo } from "../nav/report.ts";
import { REMEMBERED_SECONDS, type Reading } from "./freshness.ts";

export type Group = "position" | "speed_course" | "wind_apparent" | "wind_true" | "depth_water" | "date";

/**
 * Seconds after which a source's word is not good any more even though the report still carries it: what the bridge
 * itself allows, and two more for the way. The environment comes more rarely than the depth, whose group it shares.
 */
const sourceLimits: Readonly<Record<Group, number>> = {
  position: 5,
  speed_course: 5,
  wind_apparent: 5,
  wind_true: 5,
  depth_water: 7,
  date: 7,
};
const ENVIRONMENT_LIMIT = 17;

interface Quantity<Value> {
  readonly group: Group;
  readonly limit: number;
  /** Undefined where the report does not have it. */
  readonly of: (data: NavigationData) => Value | null | undefined;
}

const quantity = <Value>(
  group: Group,
  of: (data: NavigationData) => Value | null | undefined,
  limit = sourceLimits[group],
): Quantity<Value> => ({ group, limit, of });

type Place = { readonly latitude: number; readonly longitude: number };

const place = ({ position }: NavigationData): Place | undefined =>
  position?.latitude === undefined || position.longitude === undefined
    ? undefined
    : { latitude: position.latitude, longitude: position.longitude };

/** All that is shown of the report. */
export const quantities = {
  headingTrue: quantity("speed_course", (data) => data.speed_course?.headingTrue),
  headingMagnetic: quantity("speed_course", (data) => data.speed_course?.headingMagnetic),
  cog: quantity("speed_course", (data) => data.speed_course?.cog),
  sog: quantity("speed_course", (data) => data.speed_course?.sog),
  stw: quantity("speed_course", (data) => data.speed_course?.speedThroughWater),
  rateOfTurn: quantity("speed_course", (data) => data.speed_course?.rateOfTurn),
  variation: quantity("speed_course", (data) => data.speed_course?.variation),
  leeway: quantity("speed_course", (data) => data.speed_course?.leeway),
  apparentSpeed: quantity("wind_apparent", (data) => data.wind_apparent?.speed),
  apparentAngle: quantity("wind_apparent", (data) => data.wind_apparent?.angle),
  trueSpeed: quantity("wind_true", (data) => data.wind_true?.speed),
  trueAngle: quantity("wind_true", (data) => data.wind_true?.angle),
  trueDirection: quantity("wind_true", (data) => data.wind_true?.direction),
  depth: quantity("depth_water", (data) => data.depth_water?.depth),
  offset: quantity("depth_water", (data) => data.depth_water?.offset),
  waterTemperature: quantity("depth_water", (data) => data.depth_water?.waterTemperature, ENVIRONMENT_LIMIT),
  outsideTemperature: quantity("depth_water", (data) => data.depth_water?.outsideTemperature, ENVIRONMENT_LIMIT),
  pressure: quantity("depth_water", (data) => data.depth_water?.atmosphericPressure, ENVIRONMENT_LIMIT),
  place: quantity("position", place),
  fix: quantity("position", ({ position }) => position),
  date: quantity("date", ({ date }) => (date?.date === undefined ? undefined : date)),
} as const;

export type QuantityName = keyof typeof quantities;
export type ValueOf<Name extends QuantityName> =
  (typeof quantities)[Name] extends Quantity<infer Value> ? Value : never;

/** What is known of a quantity; times are monotonic milliseconds. */
interface Kept {
  /** Of the latest report. */
  now: unknown;
  source: NavSourceInfo | undefined;
  /** The last value that was one, and when it was measured. */
  last: unknown;
  measured: number;
}

/** Who says so. */
export interface SourceReading {
  readonly name: string;
  readonly pgn: number;
  /** Seconds since its message. */
  readonly age: number;
}

/** Hears reports and answers for each quantity. */
export class NavigationPicture {
  readonly #kept = new Map<QuantityName, Kept>();
  #arrived = Number.NEGATIVE_INFINITY;
  #expireAfter = 0;
  #data: NavigationData = {};

  /** The report as it came last, whatever its age. */
  get data(): NavigationData {
    return this.#data;
  }

  hear(data: NavigationData, arrived: number, expireAfter: number): void {
    this.#data = data;
    this.#arrived = arrived;
    this.#expireAfter = expireAfter;
    for (const [name, { group, of }] of Object.entries(quantities) as [QuantityName, Quantity<unknown>][]) {
      const value = of(data);
      const source = data[group]?.source;
      let kept = this.#kept.get(name);
      if (kept === undefined) {
        kept = { now: undefined, source: undefined, last: undefined, measured: Number.NEGATIVE_INFINITY };
        this.#kept.set(name, kept);
      }
      kept.now = value;
      if (source !== undefined) kept.source = source;
      if (value === undefined || value === null) continue;
      kept.last = value;
      kept.measured = arrived - (source?.age ?? 0) * 1000;
    }
  }

  /** Nothing of before counts: another boat is looked at. */
  clear(): void {
    this.#kept.clear();
    this.#data = {};
    this.#arrived = Number.NEGATIVE_INFINITY;
  }

  read<Name extends QuantityName>(name: Name, now: number): Reading<ValueOf<Name>> {
    const kept = this.#kept.get(name);
    if (kept === undefined) return { kind: "none" };
    const age = (now - kept.measured) / 1000;
    const isReportGood = (now - this.#arrived) / 1000 <= this.#expireAfter;
    const { limit } = quantities[name];
    if (isReportGood && kept.now === null) return { kind: "unknown" };
    if (isReportGood && kept.now !== undefined && age <= limit)
      return { kind: "live", value: kept.last as ValueOf<Name>, age };
    if (kept.last === undefined || age > REMEMBERED_SECONDS) return { kind: "none" };
    return { kind: "dead", value: kept.last as ValueOf<Name>, age };
  }

  /** Who said a quantity last; undefined when nobody has, or when the report does not tell. */
  source(name: QuantityName, now: number): SourceReading | undefined {
    const kept = this.#kept.get(name);
    if (kept?.source === undefined) return undefined;
    const { friendlyName, name: digits, pgn } = kept.source;
    const age = Number.isFinite(kept.measured) ? (now - kept.measured) / 1000 : kept.source.age;
    return { name: friendlyName ?? (digits === "0" ? "unnamed device" : digits), pgn, age };
  }
}

/** The quantities of the navigation report: latest value, source and expiry of each. Pure. */
import type { Position } from "../../../core/nav/great-circle.ts";
import type { NavSourceInfo } from "../../../core/nav/navigation-report.ts";
import type { DataOf } from "../../../core/topics/read-message.ts";
import { DEAD_SHOWN_SECONDS, type Reading, TRANSPORT_SECONDS } from "../data/freshness.ts";

type NavigationData = DataOf<"navigation">;

export type Group = "position" | "speed_course" | "wind_apparent" | "wind_true" | "depth_water" | "date";

/**
 * Age in seconds at which the bridge leaves a value out of its report, to which the expiry of the report is added.
 * Environment messages share a group with the depth but are sent less often.
 */
const groupMaxAgeSeconds: Readonly<Record<Group, number>> = {
  position: 3,
  speed_course: 3,
  wind_apparent: 3,
  wind_true: 3,
  depth_water: 5,
  date: 5,
};
const ENVIRONMENT_MAX_AGE_SECONDS = 15;

interface Quantity<Value> {
  readonly group: Group;
  /** Its name in the group; undefined for a quantity of several members. */
  readonly member?: string;
  readonly maxAgeSeconds: number;
  /**
   * PGNs with the quantity; undefined: any of the group. A group has one source, which may be that of other members.
   */
  readonly pgns: readonly number[] | undefined;
  /** The value; undefined if the report lacks it. */
  readonly of: (data: NavigationData) => Value | null | undefined;
}

const quantity = <Value>(
  group: Group,
  of: (data: NavigationData) => Value | null | undefined,
  { pgns, maxAgeSeconds = groupMaxAgeSeconds[group] }: Partial<Pick<Quantity<Value>, "pgns" | "maxAgeSeconds">> = {},
): Quantity<Value> => ({ group, maxAgeSeconds, pgns, of });

type NumberMember<Of extends Group> = {
  [Name in keyof NonNullable<NavigationData[Of]>]-?: NonNullable<NavigationData[Of]>[Name] extends
    | number
    | null
    | undefined
    ? Name & string
    : never;
}[keyof NonNullable<NavigationData[Of]>];

const member = <Of extends Group>(
  group: Of,
  name: NumberMember<Of>,
  options?: Partial<Pick<Quantity<number>, "pgns" | "maxAgeSeconds">>,
) => ({
  ...quantity(group, (data) => (data[group] as Readonly<Record<string, number | null>> | undefined)?.[name], options),
  member: name,
});

const HEADING = { pgns: [127250] };
/** Computed from positions where no receiver reports a speed. */
const COURSE = { pgns: [129026, 129025, 129029] };
const DEPTH = { pgns: [128267] };
/** The source of the group is that of the depth, or else of another member. */
const ENVIRONMENT = { pgns: [], maxAgeSeconds: ENVIRONMENT_MAX_AGE_SECONDS };

const place = ({ position }: NavigationData): Position | undefined =>
  position?.latitude === undefined || position.longitude === undefined
    ? undefined
    : { latitude: position.latitude, longitude: position.longitude };

export const quantities = {
  headingTrue: member("speed_course", "headingTrue", HEADING),
  headingMagnetic: member("speed_course", "headingMagnetic", HEADING),
  cog: member("speed_course", "cog", COURSE),
  sog: member("speed_course", "sog", COURSE),
  stw: member("speed_course", "speedThroughWater", { pgns: [128259] }),
  rateOfTurn: member("speed_course", "rateOfTurn", { pgns: [127251] }),
  variation: member("speed_course", "variation", { pgns: [127258] }),
  leeway: member("speed_course", "leeway", { pgns: [128000] }),
  apparentSpeed: member("wind_apparent", "speed"),
  apparentAngle: member("wind_apparent", "angle"),
  trueSpeed: member("wind_true", "speed"),
  trueAngle: member("wind_true", "angle"),
  trueDirection: member("wind_true", "direction"),
  depth: member("depth_water", "depth", DEPTH),
  offset: member("depth_water", "offset", DEPTH),
  waterTemperature: member("depth_water", "waterTemperature", ENVIRONMENT),
  outsideTemperature: member("depth_water", "outsideTemperature", ENVIRONMENT),
  pressure: member("depth_water", "atmosphericPressure", ENVIRONMENT),
  place: quantity("position", place),
  fix: quantity("position", ({ position }) => position),
  date: quantity("date", ({ date }) => (date?.date === undefined ? undefined : date)),
} as const;

export type QuantityName = keyof typeof quantities;
export type ValueOf<Name extends QuantityName> =
  (typeof quantities)[Name] extends Quantity<infer Value> ? Value : never;

interface QuantityState {
  /** Value in the latest report. */
  now: unknown;
  source: NavSourceInfo | undefined;
  /** The last value that was neither null nor absent, and its time in monotonic milliseconds. */
  last: unknown;
  measuredAt: number;
}

/** The source of a quantity, as the report describes it. */
export interface SourceReading {
  /** NAME in decimal digits; "0": not known. */
  readonly name: string;
  /** The configured name, or else the model. */
  readonly friendlyName: string | undefined;
  /** Of the message with the value. */
  readonly pgn: number;
  /** Seconds since its last message. */
  readonly age: number;
}

export interface ReportTimes {
  /** Monotonic milliseconds. */
  readonly made: number;
  readonly arrived: number;
  /** Seconds until it expires, and the additional delay of the next one, because the page subscribes only at times. */
  readonly expireAfter: number;
  readonly pause: number;
}

const unheard: ReportTimes = { made: 0, arrived: Number.NEGATIVE_INFINITY, expireAfter: 0, pause: 0 };

/** Stores the latest navigation report and returns the state of each quantity. */
export class LatestNavigation {
  readonly #states = new Map<QuantityName, QuantityState>();
  #times = unheard;
  #data: NavigationData = {};

  /** The latest report, expired or not. */
  get data(): NavigationData {
    return this.#data;
  }

  hear(data: NavigationData, times: ReportTimes): void {
    this.#data = data;
    this.#times = times;
    for (const [name, { group, pgns, of }] of Object.entries(quantities) as [QuantityName, Quantity<unknown>][]) {
      const value = of(data);
      const named = data[group]?.source;
      const source = named !== undefined && pgns?.includes(named.pgn) === false ? undefined : named;
      let state = this.#states.get(name);
      if (state === undefined) {
        state = { now: undefined, source: undefined, last: undefined, measuredAt: Number.NEGATIVE_INFINITY };
        this.#states.set(name, state);
      }
      state.now = value;
      // A value without its own source does not keep its earlier one.
      if (named !== undefined) state.source = source;
      if (value === undefined || value === null) continue;
      state.last = value;
      state.measuredAt = times.made - (source?.age ?? 0) * 1000;
    }
  }

  clear(): void {
    this.#states.clear();
    this.#data = {};
    this.#times = unheard;
  }

  read<Name extends QuantityName>(name: Name, now: number): Reading<ValueOf<Name>> {
    const state = this.#states.get(name);
    if (state === undefined) return { kind: "none" };
    const age = (now - state.measuredAt) / 1000;
    const { made, arrived, expireAfter, pause } = this.#times;
    const delay = (arrived - made) / 1000;
    const isGood = (now - arrived) / 1000 <= expireAfter + pause && delay <= expireAfter + TRANSPORT_SECONDS;
    const longest = quantities[name].maxAgeSeconds + expireAfter + pause + delay;
    if (isGood && state.now === null) return { kind: "unknown" };
    if (isGood && state.now !== undefined && age <= longest)
      return { kind: "live", value: state.last as ValueOf<Name>, age };
    if (state.last === undefined || age > DEAD_SHOWN_SECONDS) return { kind: "none" };
    return { kind: "dead", value: state.last as ValueOf<Name>, age };
  }

  /** The last source of a quantity; undefined if the report names none, or that of another member of the group. */
  source(name: QuantityName, now: number): SourceReading | undefined {
    const state = this.#states.get(name);
    if (state?.source === undefined) return undefined;
    const { name: digits, friendlyName, pgn } = state.source;
    const age = Number.isFinite(state.measuredAt) ? (now - state.measuredAt) / 1000 : state.source.age;
    return { name: digits, friendlyName, pgn, age };
  }
}

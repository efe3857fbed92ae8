/**
 * The position of a receiver. 129029 has the fix, once a second; 129025 has the coordinates, ten times a second. The
 * two messages of a device make one source, whose parts expire separately.
 */
import type { Message } from "../n2k/definition.ts";
import type { gnssPositionForReports } from "../n2k/pgns/for-reports.ts";
import type { positionRapidUpdate } from "../n2k/pgns/gnss.ts";
import { positionIn } from "./great-circle.ts";
import { type FixType, fixTypes } from "./navigation-report.ts";
import { Member } from "./said.ts";
import { SECOND_RATE } from "./sources.ts";

type Fix = Message<typeof gnssPositionForReports>;
type Coordinates = Message<typeof positionRapidUpdate>;

/** A message and its time: monotonic and wall clock, milliseconds. */
export interface Stamped<Value> {
  readonly message: Value;
  readonly arrived: number;
  readonly received: number;
}

/** Age at which either part expires. */
export const MAX_POSITION_AGE_MS = 3000;

const detail = <Name extends keyof Fix>(): Member<NonNullable<Fix[Name]>> => new Member(MAX_POSITION_AGE_MS);

/** Members of the report about a receiver's fix, without the coordinates. */
class FixDetails {
  readonly method = detail<"method">();
  readonly numberOfSatellites = detail<"numberOfSatellites">();
  readonly altitude = detail<"altitude">();
  readonly hdop = detail<"hdop">();
  readonly pdop = detail<"pdop">();
  readonly geoidalSeparation = detail<"geoidalSeparation">();
  readonly integrity = detail<"integrity">();

  hear(fix: Fix, arrived: number): void {
    this.method.hear(fix.method, arrived);
    this.numberOfSatellites.hear(fix.numberOfSatellites, arrived);
    this.altitude.hear(fix.altitude, arrived);
    this.hdop.hear(fix.hdop, arrived);
    this.pdop.hear(fix.pdop, arrived);
    this.geoidalSeparation.hear(fix.geoidalSeparation, arrived);
    this.integrity.hear(fix.integrity, arrived);
  }
}

/** The last messages of a receiver of each kind, those with coordinates apart. */
export interface ReceiverState {
  readonly details: FixDetails;
  readonly fix?: Stamped<Fix> | undefined;
  readonly placedFix?: Stamped<Fix> | undefined;
  readonly coordinates?: Stamped<Coordinates> | undefined;
  readonly placed?: Stamped<Coordinates> | undefined;
}

/** The state of a receiver behind a message; `before`: that before it. */
export function stateAfter(
  message: Fix | Coordinates,
  { arrived, received }: Pick<Stamped<unknown>, "arrived" | "received">,
  before: ReceiverState | undefined,
): ReceiverState {
  if (message.pgn === 129025) {
    const coordinates = { message, arrived, received };
    return {
      details: before?.details ?? new FixDetails(),
      fix: before?.fix,
      placedFix: before?.placedFix,
      coordinates,
      placed: hasCoordinates(coordinates) ? coordinates : before?.placed,
    };
  }
  const fix = { message, arrived, received };
  // The details of a fix end with it.
  const isNew = before === undefined || message.method === NO_FIX;
  const details = isNew ? new FixDetails() : before.details;
  details.hear(message, arrived);
  return {
    details,
    fix,
    placedFix: hasCoordinates(fix) ? fix : before?.placedFix,
    coordinates: before?.coordinates,
    placed: before?.placed,
  };
}

export interface Position {
  readonly hasFix: boolean;
  readonly fixType: FixType;
  /** The code of 129029; 15 when there is none. */
  readonly method: number;
  /** Both or none. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** The message of the coordinates, or else of the fix. */
  readonly from: Stamped<Fix | Coordinates>;
}

/** The coordinates of a receiver that has a fix. */
export const fixIn = (position: Position | undefined) => (position?.hasFix ? positionIn(position) : undefined);

const NO_METHOD = 15;
const NO_FIX = 0;
const ESTIMATED = 6;
const MANUAL = 7;

const hasCoordinates = ({ message }: Stamped<Fix | Coordinates>): boolean => positionIn(message) !== undefined;

const fresh = <Value>(part: Stamped<Value> | undefined, now: number): Stamped<Value> | undefined =>
  part !== undefined && now - part.arrived <= MAX_POSITION_AGE_MS ? part : undefined;

/** The message whose coordinates are valid; undefined without a fix. */
function messageOfCoordinates(
  { placedFix, placed }: ReceiverState,
  method: number,
  now: number,
): Stamped<Fix | Coordinates> | undefined {
  if (method === NO_FIX) return undefined;
  const [fix, coordinates] = [fresh(placedFix, now), fresh(placed, now)];
  return coordinates !== undefined && !(fix !== undefined && fix.arrived >= coordinates.arrived) ? coordinates : fix;
}

const isFix = (from: Stamped<Fix | Coordinates> | undefined, method: number): boolean =>
  from !== undefined && method !== ESTIMATED && method !== MANUAL;

/** The position at `now`; undefined when all parts have expired. */
export function positionAt(state: ReceiverState, now: number): Position | undefined {
  const method = state.details.method.at(now) ?? NO_METHOD;
  const placed = messageOfCoordinates(state, method, now);
  const from = placed ?? fresh(state.fix, now) ?? fresh(state.coordinates, now);
  if (from === undefined) return undefined;
  return {
    hasFix: isFix(placed, method),
    fixType: fixTypeOf(method),
    method,
    latitude: placed?.message.latitude,
    longitude: placed?.message.longitude,
    from,
  };
}

const fixTypeOf = (method: number): FixType => fixTypes[method] ?? "unknown";

/** Best first. */
const byQuality: readonly FixType[] = [
  "rtk_fixed",
  "rtk_float",
  "precise_gnss",
  "dgnss",
  "gnss",
  "unknown",
  "estimated",
  "manual",
  "simulator",
  "no_fix",
];

/** A greater dilution of precision is that of a receiver below deck: 50 m and more. */
const POOR_HDOP = 10;

/**
 * Quality by type of fix, one of poor geometry behind all types; a receiver without a fix is second-rate, and a receiver
 * without coordinates ranks below it.
 */
export function positionQuality(state: ReceiverState, now: number): number {
  if ((fresh(state.fix, now) ?? fresh(state.coordinates, now)) === undefined) return Number.POSITIVE_INFINITY;
  const method = state.details.method.at(now) ?? NO_METHOD;
  const placed = messageOfCoordinates(state, method, now);
  const isPoor = (state.details.hdop.at(now) ?? 0) > POOR_HDOP;
  const quality = byQuality.indexOf(fixTypeOf(method)) + (isPoor ? byQuality.length : 0);
  if (isFix(placed, method)) return quality;
  return quality + (placed === undefined ? 2 * SECOND_RATE : SECOND_RATE);
}

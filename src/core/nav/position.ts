/**
 * The position of a receiver. 129029 has the fix, once a second; 129025 has the coordinates, ten times a second. The
 * two messages of a device make one source, whose parts expire separately.
 */
import type { Message } from "../n2k/definition.ts";
import type { gnssPositionForReports } from "../n2k/pgns/for-reports.ts";
import type { positionRapidUpdate } from "../n2k/pgns/gnss.ts";
import { type FixType, fixTypes } from "./navigation-report.ts";
import { SECOND_RATE } from "./sources.ts";

type Fix = Message<typeof gnssPositionForReports>;
type Coordinates = Message<typeof positionRapidUpdate>;

/** A message and its time: monotonic and wall clock, milliseconds. */
export interface Stamped<Value> {
  readonly message: Value;
  readonly arrived: number;
  readonly received: number;
}

/** The last message of each kind of a receiver. */
export interface ReceiverState {
  readonly fix?: Stamped<Fix> | undefined;
  readonly coordinates?: Stamped<Coordinates> | undefined;
}

export interface Position {
  readonly hasFix: boolean;
  readonly fixType: FixType;
  /** The code of 129029; 15 when there is none. */
  readonly method: number;
  /** Undefined when there are only coordinates. */
  readonly fix: Fix | undefined;
  /** Both or none. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** The message of the coordinates, or else of the fix. */
  readonly from: Stamped<Fix | Coordinates>;
}

/** Age at which either part expires. */
export const MAX_POSITION_AGE_MS = 3000;

const NO_METHOD = 15;
const NO_FIX = 0;
const ESTIMATED = 6;
const MANUAL = 7;

const hasCoordinates = ({ message }: Stamped<Fix | Coordinates>): boolean =>
  message.latitude !== undefined && message.longitude !== undefined;

const fresh = <Value>(part: Stamped<Value> | undefined, now: number): Stamped<Value> | undefined =>
  part !== undefined && now - part.arrived <= MAX_POSITION_AGE_MS ? part : undefined;

const methodOf = (fix: Stamped<Fix> | undefined): number => fix?.message.method ?? NO_METHOD;

/** The message whose coordinates are valid; undefined without a fix. */
function messageOfCoordinates(
  fix: Stamped<Fix> | undefined,
  coordinates: Stamped<Coordinates> | undefined,
): Stamped<Fix | Coordinates> | undefined {
  if (methodOf(fix) === NO_FIX) return undefined;
  const placed = fix !== undefined && hasCoordinates(fix) ? fix : undefined;
  const isLater = coordinates !== undefined && !(placed !== undefined && placed.arrived >= coordinates.arrived);
  return isLater && hasCoordinates(coordinates) ? coordinates : placed;
}

const isFix = (from: Stamped<Fix | Coordinates> | undefined, method: number): boolean =>
  from !== undefined && method !== ESTIMATED && method !== MANUAL;

/** The position at `now`; undefined when both parts have expired. */
export function positionAt(state: ReceiverState, now: number): Position | undefined {
  const fix = fresh(state.fix, now);
  const coordinates = fresh(state.coordinates, now);
  const method = methodOf(fix);
  const placed = messageOfCoordinates(fix, coordinates);
  const from = placed ?? fix ?? coordinates;
  if (from === undefined) return undefined;
  return {
    hasFix: isFix(placed, method),
    fixType: fixTypeOf(method),
    method,
    fix: fix?.message,
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

/**
 * Quality by type of fix; a receiver without a fix is second-rate, and a receiver without coordinates ranks below it.
 */
export function positionQuality(state: ReceiverState, now: number): number {
  const fix = fresh(state.fix, now);
  const coordinates = fresh(state.coordinates, now);
  if (fix === undefined && coordinates === undefined) return Number.POSITIVE_INFINITY;
  const method = methodOf(fix);
  const placed = messageOfCoordinates(fix, coordinates);
  const quality = byQuality.indexOf(fixTypeOf(method));
  if (isFix(placed, method)) return quality;
  return quality + (placed === undefined ? 2 * SECOND_RATE : SECOND_RATE);
}

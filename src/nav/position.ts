/**
 * Where a receiver says it is. 129029 tells of the fix once a second, 129025 the coordinates ten times a second; the two
 * of one device make one source, whose parts go stale each by itself.
 */
import type { Message } from "../n2k/field.ts";
import type { gnssPositionForReports } from "../n2k/pgns/for-reports.ts";
import type { positionRapidUpdate } from "../n2k/pgns/gnss.ts";
import { type FixType, fixTypes } from "./report.ts";
import { SECOND_RATE } from "./sources.ts";

type Fix = Message<typeof gnssPositionForReports>;
type Coordinates = Message<typeof positionRapidUpdate>;

/** A message and its time: monotonic and wall clock, milliseconds. */
export interface Stamped<Value> {
  readonly message: Value;
  readonly arrived: number;
  readonly received: number;
}

/** What a receiver said last. */
export interface PositionHeard {
  readonly fix?: Stamped<Fix> | undefined;
  readonly coordinates?: Stamped<Coordinates> | undefined;
}

export interface Position {
  readonly hasFix: boolean;
  readonly fixType: FixType;
  /** The code of 129029; 15 when there is none. */
  readonly method: number;
  /** Undefined when only coordinates are heard. */
  readonly fix: Fix | undefined;
  /** Both or none. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** The message of the coordinates, else of the fix. */
  readonly from: Stamped<Fix | Coordinates>;
}

/** Milliseconds after which either part is stale. */
export const POSITION_LIMIT = 3000;

const NO_METHOD = 15;
const NO_FIX = 0;
const ESTIMATED = 6;
const MANUAL = 7;

const hasCoordinates = ({ message }: Stamped<Fix | Coordinates>): boolean =>
  message.latitude !== undefined && message.longitude !== undefined;

const fresh = <Value>(part: Stamped<Value> | undefined, now: number): Stamped<Value> | undefined =>
  part !== undefined && now - part.arrived <= POSITION_LIMIT ? part : undefined;

const methodOf = (fix: Stamped<Fix> | undefined): number => fix?.message.method ?? NO_METHOD;

/** The message of the coordinates that hold. */
function whence(
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

/** What holds of it now; one of the parts must be fresh. */
export function positionAt(heard: PositionHeard, now: number): Position | undefined {
  const fix = fresh(heard.fix, now);
  const coordinates = fresh(heard.coordinates, now);
  const method = methodOf(fix);
  const from = whence(fix, coordinates);
  const any = from ?? fix ?? coordinates;
  if (any === undefined) return undefined;
  return {
    hasFix: isFix(from, method),
    fixType: fixTypeOf(method),
    method,
    fix: fix?.message,
    latitude: from?.message.latitude,
    longitude: from?.message.longitude,
    from: any,
  };
}

const fixTypeOf = (method: number): FixType => fixTypes[method] ?? "unknown";

/** Best first. */
const byKind: readonly FixType[] = [
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

/** By kind of fix; a receiver without a fix is second-rate, and one without coordinates comes behind those. */
export function positionQuality(heard: PositionHeard, now: number): number {
  const fix = fresh(heard.fix, now);
  const coordinates = fresh(heard.coordinates, now);
  if (fix === undefined && coordinates === undefined) return Number.POSITIVE_INFINITY;
  const method = methodOf(fix);
  const from = whence(fix, coordinates);
  const kind = byKind.indexOf(fixTypeOf(method));
  if (isFix(from, method)) return kind;
  return kind + (from === undefined ? 2 * SECOND_RATE : SECOND_RATE);
}

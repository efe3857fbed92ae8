/**
 * How old what was heard is, and when it is dead. Pure: ages count from the moment of arrival on this device's monotonic
 * clock, so that a tablet whose calendar is wrong still tells a living value from a dead one.
 */

/** `metadata` of every message. */
export interface Metadata {
  readonly rxDate: string;
  readonly rxTimestamp: number;
  readonly expireAfterSec: number;
}

/** When a message came, monotonic milliseconds, how old it was by then, and after how many seconds it is not believed. */
export interface Stamp {
  readonly arrived: number;
  readonly ageOnArrival: number;
  readonly expireAfter: number;
}

/** Seconds between the reception on the bus and `now`, monotonic milliseconds. */
export const ageOf = ({ arrived, ageOnArrival }: Stamp, now: number): number =>
  ageOnArrival + Math.max(0, now - arrived) / 1000;

export const isExpired = (stamp: Stamp, now: number): boolean => ageOf(stamp, now) > stamp.expireAfter;

/**
 * The stamp of a message. One that the broker had kept may be of any age: only there the boat's clock is asked, in
 * milliseconds since 1970.
 */
export const stampOf = (metadata: Metadata, arrived: number, retained: boolean, boatClock: number): Stamp => ({
  arrived,
  ageOnArrival: retained ? Math.max(0, (boatClock - Date.parse(metadata.rxDate)) / 1000) : 0,
  expireAfter: metadata.expireAfterSec,
});

/** What there is to say of a value. */
export type Reading<Value> =
  /** Heard and good. */
  | { readonly kind: "live"; readonly value: Value; readonly age: number }
  /** The source is there and says that it does not know (`null`). */
  | { readonly kind: "unknown" }
  /** It was good `age` seconds ago and nobody has said so since. */
  | { readonly kind: "dead"; readonly value: Value; readonly age: number }
  /** Nobody has ever said, or it is too long ago to matter. */
  | { readonly kind: "none" };

/** A dead value is shown, struck out, for so many seconds; then it is as if it had never been. */
export const REMEMBERED_SECONDS = 600;

/** Seconds as people say them: 0.4 s, 12 s, 3 min, 2 h, 5 d. */
export function ageText(seconds: number): string {
  if (seconds < 9.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/**
 * Course and speed made good, from successive positions of one receiver: for a boat whose receiver reports no speed.
 * Times are monotonic milliseconds.
 */
import { bearing, degrees } from "./angles.ts";
import { type Vector, vector } from "./closest-approach.ts";
import type { Device } from "./devices.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "./great-circle.ts";

/** Degrees true and knots; no course of a boat that makes no way. */
export interface MadeGood {
  readonly cog: number | undefined;
  readonly sog: number;
}

interface Fix extends Position {
  readonly at: number;
}

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 1000;
/** The shortest times that show a motion, none, and none where the positions waver; the longest that is looked at. */
const LEAST_MS = 10_000;
const REST_MS = 30_000;
const LONG_MS = 50_000;
const MOST_MS = 60_000;
const LEAST_FIXES = 5;
/** A receiver at rest wanders by some metres. */
const LEAST_MILES = 15 / METRES_PER_MILE;
/**
 * The least ratio of the distance made good to the deviation of the positions from its line. A single jump, whenever it
 * happens, has a ratio of six at most, a boat that stopped halfway of seven.
 */
const LEAST_RATIO = 8;
/** Less is no way; in the long time also where the positions waver too much to tell. */
const REST_KNOTS = 0.5;
const WAVERING_KNOTS = 1;
/** A receiver whose positions deviate by more tells nothing. */
const MOST_REST_DEVIATION = 2 * LEAST_MILES;

/** Sums of the places of a straight line fitted by least squares. */
class Sums {
  count = 0;
  #time = 0;
  #timeSquares = 0;
  #east = 0;
  #north = 0;
  #squares = 0;
  #eastTimes = 0;
  #northTimes = 0;

  add(hours: number, { east, north }: Vector): void {
    this.count++;
    this.#time += hours;
    this.#timeSquares += hours * hours;
    this.#east += east;
    this.#north += north;
    this.#squares += east * east + north * north;
    this.#eastTimes += east * hours;
    this.#northTimes += north * hours;
  }

  /** The velocity in knots, and the deviation of the places from it, miles. */
  fit(): { readonly velocity: Vector; readonly deviation: number } {
    const { count } = this;
    const spread = this.#timeSquares - this.#time ** 2 / count;
    const east = (this.#eastTimes - (this.#east * this.#time) / count) / spread;
    const north = (this.#northTimes - (this.#north * this.#time) / count) / spread;
    const all = this.#squares - (this.#east ** 2 + this.#north ** 2) / count;
    const explained = (east * east + north * north) * spread;
    return { velocity: { east, north }, deviation: Math.sqrt(Math.max(0, all - explained) / count) };
  }
}

export class MadeGoodByPositions {
  /** Oldest first. */
  readonly #fixes: Fix[] = [];
  #device: Device | undefined;
  /** Undefined: not computed yet from the last position. */
  #computed: { readonly madeGood: MadeGood | undefined } | undefined;

  /** Takes the position in use. */
  hear(device: Device, { latitude, longitude }: Position, at: number): void {
    if (device !== this.#device) this.#fixes.length = 0;
    this.#device = device;
    const last = this.#fixes.at(-1);
    if (last !== undefined && at - last.at < INTERVAL_MS) return;
    this.#fixes.push({ latitude, longitude, at });
    while (at - this.#fixes[0]!.at > MOST_MS) this.#fixes.shift();
    this.#computed = undefined;
  }

  /** The motion up to the last position; undefined while the positions do not tell. */
  get madeGood(): MadeGood | undefined {
    this.#computed ??= { madeGood: madeGoodOf(this.#fixes) };
    return this.#computed.madeGood;
  }
}

/** The motion in the shortest time that tells it. */
function madeGoodOf(fixes: readonly Fix[]): MadeGood | undefined {
  const last = fixes.at(-1);
  if (last === undefined) return undefined;
  const sums = new Sums();
  for (let index = fixes.length - 1; index >= 0; index--) {
    const fix = fixes[index]!;
    const { range, bearing: direction } = greatCircle(last, fix);
    const duration = last.at - fix.at;
    sums.add(-duration / HOUR_MS, vector(direction, range));
    if (duration < LEAST_MS || sums.count < LEAST_FIXES) continue;
    const { velocity, deviation } = sums.fit();
    const sog = Math.hypot(velocity.east, velocity.north);
    const miles = (sog * duration) / HOUR_MS;
    if (miles >= LEAST_MILES && miles >= LEAST_RATIO * deviation)
      return { sog, cog: bearing(degrees(Math.atan2(velocity.east, velocity.north))) };
    const most = duration >= LONG_MS ? WAVERING_KNOTS : REST_KNOTS;
    if (duration >= REST_MS && sog < most && deviation < MOST_REST_DEVIATION) return { sog: 0, cog: undefined };
  }
  return undefined;
}

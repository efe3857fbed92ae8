/**
 * Receivers that send one position on and on while the boat moves: their places stand still, and another receiver has
 * moved away from its own. Times are monotonic milliseconds.
 */
import type { Device } from "./devices.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "./great-circle.ts";

/** A receiver with a fix. */
export interface Receiver extends Position {
  readonly device: Device;
  /** Its own speed over ground; undefined: it sends none. */
  readonly sog: number | undefined;
}

/** Reports come ten times a second. */
const LOOK_MS = 1000;
/** Time after which the places are looked at: messages with coordinates may be lost. */
const INTERVAL_MS = 30_000;
/** Ten centimetres: two messages of a receiver have different decimals. */
const STILL_DEGREES = 1e-6;
/** A receiver at rest wanders by less, and reports no such speed. */
const MOVED_MILES = 100 / METRES_PER_MILE;
const MOVING_KNOTS = 1;

const isAt = (one: Position, other: Position): boolean =>
  Math.abs(one.latitude - other.latitude) < STILL_DEGREES && Math.abs(one.longitude - other.longitude) < STILL_DEGREES;

export class FrozenReceivers {
  /** Where the receivers were at one time, which is renewed after the interval unless one of them is still there. */
  readonly #places = new Map<Device, Position>();
  #since = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #frozen = new Set<Device>();

  /** Looks at all receivers that have a fix at `now`. */
  observe(now: number, heard: () => readonly Receiver[]): void {
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    this.#frozen.clear();
    const receivers = heard();
    const still = receivers.filter((one) => isAt(one, this.#places.get(one.device) ?? one));
    const isNew = receivers.some(({ device }) => !this.#places.has(device));
    const isDue = now - this.#since >= INTERVAL_MS;
    if (isNew || (isDue && still.length === 0)) {
      this.#since = now;
      this.#places.clear();
      for (const { device, latitude, longitude } of receivers) this.#places.set(device, { latitude, longitude });
      return;
    }
    if (isDue && receivers.some((one) => this.#hasMoved(one))) for (const { device } of still) this.#frozen.add(device);
  }

  isFrozen(device: Device): boolean {
    return this.#frozen.has(device);
  }

  #hasMoved(receiver: Receiver): boolean {
    const { device, sog = 0 } = receiver;
    return sog >= MOVING_KNOTS && greatCircle(this.#places.get(device)!, receiver).range >= MOVED_MILES;
  }
}

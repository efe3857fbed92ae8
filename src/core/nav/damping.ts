/**
 * Damped wind: exponential averages of speed and angle. The angle is averaged as a vector, so that the mean of 359 and
 * 1 is 0; the vector is not normalized between steps.
 */
import { degrees, radians } from "./angles.ts";
import type { ApparentWind } from "./wind.ts";

interface UnitVector {
  readonly x: number;
  readonly y: number;
}

const unitVector = (angle: number): UnitVector => ({ x: Math.cos(radians(angle)), y: Math.sin(radians(angle)) });

export class WindDamper {
  readonly #maxGapMs: number;
  /** Monotonic time of the last value. */
  #last = 0;
  #speed: number | undefined;
  #vector: UnitVector | undefined;

  /** `maxGapMs`: after a longer silence the average is restarted. */
  constructor(maxGapMs: number) {
    this.#maxGapMs = maxGapMs;
  }

  /** The damped value; its angle between -180 and 180. */
  get wind(): ApparentWind {
    const vector = this.#vector;
    return { speed: this.#speed, angle: vector && degrees(Math.atan2(vector.y, vector.x)) };
  }

  /** Adds a value that arrived at a monotonic time in milliseconds, with a time constant in seconds (0: no damping). */
  step(wind: ApparentWind, at: number, seconds: number): void {
    if (at - this.#last > this.#maxGapMs) {
      this.restart(wind, at);
      return;
    }
    const gain = seconds === 0 ? 1 : 1 - Math.exp((this.#last - at) / 1000 / seconds);
    this.#last = at;
    const speed = this.#speed;
    this.#speed = speed === undefined || wind.speed === undefined ? wind.speed : speed + gain * (wind.speed - speed);
    const before = this.#vector;
    const next = wind.angle === undefined ? undefined : unitVector(wind.angle);
    this.#vector =
      before && next ? { x: before.x + gain * (next.x - before.x), y: before.y + gain * (next.y - before.y) } : next;
  }

  /** Restarts the average with a value. */
  restart(wind: ApparentWind, at: number): void {
    this.#last = at;
    this.#speed = wind.speed;
    this.#vector = wind.angle === undefined ? undefined : unitVector(wind.angle);
  }
}

/**
 * A wind that calms down: exponential averages of speed and angle. The angle is averaged as a vector, so that the mean
 * of 359 and 1 is 0; the vector is not made one long again between steps.
 */
import { degrees, radians } from "./angles.ts";
import type { ApparentWind } from "./wind.ts";

export interface Damper {
  /** Takes the next value in, `at` monotonic milliseconds, with a time constant in seconds (0: no damping). */
  step(wind: ApparentWind, at: number, seconds: number): void;
  /** Forgets what was and begins with this value. */
  restart(wind: ApparentWind, at: number): void;
  /** The damped value; its angle within ±180. */
  wind(): ApparentWind;
}

/** `longestGap` in milliseconds: after a longer silence the average begins anew. */
export function createDamper(longestGap: number): Damper {
  let last = 0;
  let speed: number | undefined;
  let vector: { x: number; y: number } | undefined;

  const unit = (angle: number): { x: number; y: number } => ({
    x: Math.cos(radians(angle)),
    y: Math.sin(radians(angle)),
  });
  const restart: Damper["restart"] = (wind, at) => {
    last = at;
    speed = wind.speed;
    vector = wind.angle === undefined ? undefined : unit(wind.angle);
  };
  return {
    restart,
    step(wind, at, seconds) {
      if (at - last > longestGap) return restart(wind, at);
      const gain = seconds === 0 ? 1 : 1 - Math.exp((last - at) / 1000 / seconds);
      last = at;
      speed = speed === undefined || wind.speed === undefined ? wind.speed : speed + gain * (wind.speed - speed);
      const next = wind.angle === undefined ? undefined : unit(wind.angle);
      if (vector === undefined || next === undefined) vector = next;
      else vector = { x: vector.x + gain * (next.x - vector.x), y: vector.y + gain * (next.y - vector.y) };
    },
    wind: () => ({ speed, angle: vector === undefined ? undefined : degrees(Math.atan2(vector.y, vector.x)) }),
  };
}

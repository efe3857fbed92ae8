/** The last minutes of the wind: the legs, and the angles of the last tacks. Pure. */
import type { TrendPoint } from "../trend/trend-points.ts";

/** The legs: the way, and the same way with the wind from the other side. */
export const legs = {
  "port upwind": { way: "upwind", otherTack: "starboard upwind", otherSide: "starboard" },
  "starboard upwind": { way: "upwind", otherTack: "port upwind", otherSide: "port" },
  "port downwind": { way: "downwind", otherTack: "starboard downwind", otherSide: "starboard" },
  "starboard downwind": { way: "downwind", otherTack: "port downwind", otherSide: "port" },
} as const;
export type Leg = keyof typeof legs;
export const legNames = Object.keys(legs) as readonly Leg[];

export const legOf = (windAngle: number): Leg =>
  `${windAngle < 0 ? "port" : "starboard"} ${Math.abs(windAngle) < 90 ? "upwind" : "downwind"}`;

/** A boat has settled on a leg after this time, and the end of a leg is the turn into the next. */
const SETTLED_SECONDS = 60;
const TURN_SECONDS = 10;

/** The mean angle off the bow of the last settled minute of each leg, without its side; points oldest first. */
export function tackAngles(points: readonly TrendPoint[]): ReadonlyMap<Leg, number> {
  const angles = new Map<Leg, number>();
  /** Angles of the present leg with the seconds for which each stands; a gap counts for nothing. */
  let run: { readonly angle: number; readonly seconds: number }[] = [];
  const finish = (): void => {
    let [skipped, counted, sum] = [0, 0, 0];
    for (const { angle, seconds } of run.toReversed()) {
      if (skipped < TURN_SECONDS) skipped += seconds;
      else if (counted < SETTLED_SECONDS) {
        counted += seconds;
        sum += Math.abs(angle) * seconds;
      }
    }
    if (counted >= SETTLED_SECONDS) angles.set(legOf(run[0]!.angle), sum / counted);
  };
  for (const [index, { at, value: angle }] of points.entries()) {
    if (angle === null) continue;
    if (run.length > 0 && legOf(angle) !== legOf(run[0]!.angle)) {
      finish();
      run = [];
    }
    run.push({ angle, seconds: (points[index + 1]?.at ?? 0) - at });
  }
  finish();
  return angles;
}

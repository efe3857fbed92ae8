/** The last minutes of the wind: its shift, its strongest gust, the angles of the last tacks. Pure. */

/** Values of equal steps of time, oldest first, with null for a gap. */
export type Past = readonly (number | null)[];

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** The lowest and the highest value; undefined without values. Directions must be unwrapped. */
export function spanOf(past: Past): Span | undefined {
  const known = past.filter((value) => value !== null);
  // biome-ignore lint/plugin: the last minutes
  return known.length === 0 ? undefined : { low: Math.min(...known), high: Math.max(...known) };
}

/** The side that the wind comes from, and the half of the compass. */
export const legs = ["port upwind", "starboard upwind", "port downwind", "starboard downwind"] as const;
export type Leg = (typeof legs)[number];

export const legOf = (windAngle: number): Leg =>
  `${windAngle < 0 ? "port" : "starboard"} ${Math.abs(windAngle) < 90 ? "upwind" : "downwind"}`;

export const otherTack = (leg: Leg): Leg =>
  (leg.startsWith("port") ? leg.replace("port", "starboard") : leg.replace("starboard", "port")) as Leg;

/** A boat has settled on a leg after this time, and the end of a leg is the turn into the next. */
const SETTLED_SECONDS = 60;
const TURN_SECONDS = 10;

/** The mean angle off the bow of the last settled minute of each leg, without its side. */
export function tackAngles(windAngles: Past, step: number): ReadonlyMap<Leg, number> {
  const [settled, turn] = [SETTLED_SECONDS / step, TURN_SECONDS / step];
  const angles = new Map<Leg, number>();
  let run: number[] = [];
  const finish = (): void => {
    if (run.length < settled + turn) return;
    const steady = run.slice(-settled - turn, -turn);
    angles.set(legOf(run[0]!), steady.reduce((sum, value) => sum + Math.abs(value), 0) / steady.length);
  };
  for (const value of windAngles) {
    if (value === null) continue;
    if (run.length > 0 && legOf(value) !== legOf(run[0]!)) {
      finish();
      run = [];
    }
    run.push(value);
  }
  finish();
  return angles;
}

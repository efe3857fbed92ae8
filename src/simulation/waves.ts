/** Sums of sines: they look like weather and swell, come out the same each time, and know their own integral. */

/** One sine: how far it swings, the seconds it takes, and where it stands at the start, in turns. */
export type Sine = readonly [amplitude: number, period: number, phase?: number];

const TURN = 2 * Math.PI;

/** A function of seconds that swings around zero. */
export const waves =
  (...sines: readonly Sine[]): ((seconds: number) => number) =>
  (seconds) =>
    sines.reduce(
      (sum, [amplitude, period, phase = 0]) => sum + amplitude * Math.sin(TURN * (seconds / period + phase)),
      0,
    );

/** The way that a speed of `waves(...sines)` makes; it swings around zero too. */
export const wayOf = (...sines: readonly Sine[]): ((seconds: number) => number) =>
  waves(...sines.map(([amplitude, period, phase = 0]): Sine => [(amplitude * period) / TURN, period, phase - 0.25]));

/** `value` brought into 0 to below `modulus`. */
export const wrap = (value: number, modulus: number): number => {
  const rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
};

/** From 0 to 1 while `value` goes from `from` to `to`, without a corner at either end. */
export const smoothStep = (from: number, to: number, value: number): number => {
  const part = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return part * part * (3 - 2 * part);
};

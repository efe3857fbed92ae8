/** Sums of sines, which resemble weather and swell, are deterministic, and have a closed integral. */

/** A sine: amplitude, period in seconds, phase in turns. */
export type Sine = readonly [amplitude: number, period: number, phase?: number];

const TURN = 2 * Math.PI;

/** A function of seconds with mean zero. */
export const waves =
  (...sines: readonly Sine[]): ((seconds: number) => number) =>
  (seconds) =>
    sines.reduce(
      (sum, [amplitude, period, phase = 0]) => sum + amplitude * Math.sin(TURN * (seconds / period + phase)),
      0,
    );

/** The integral of `waves(...sines)`, with mean zero. */
export const integralOf = (...sines: readonly Sine[]): ((seconds: number) => number) =>
  waves(...sines.map(([amplitude, period, phase = 0]): Sine => [(amplitude * period) / TURN, period, phase - 0.25]));

/** `value` modulo `modulus`, never negative. */
export const wrap = (value: number, modulus: number): number => {
  const rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
};

/** Rises from 0 to 1 while `value` goes from `from` to `to`, with a continuous derivative. */
export const smoothStep = (from: number, to: number, value: number): number => {
  const part = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return part * part * (3 - 2 * part);
};

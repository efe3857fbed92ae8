/** The dial of a gauge: its angles, ends and numbers. Pure. */

export interface Dial {
  /** Ends of the scale, in the unit that is shown. */
  readonly low: number;
  readonly high: number;
  /** Degrees from the top to its ends, clockwise positive. */
  readonly from: number;
  readonly to: number;
}

/** The dial is open below, where the number is shown. */
const OPEN_DEGREES = 120;

export const dialOf = (low: number, high: number): Dial => ({ low, high, from: -OPEN_DEGREES, to: OPEN_DEGREES });

/** A whole turn with zero at the top: -180 to 180 for winds, 0 to 360 for directions. */
export const turnOf = (isSided: boolean): Dial =>
  isSided ? { low: -180, high: 180, from: -180, to: 180 } : { low: 0, high: 360, from: 0, to: 360 };

/** Degrees from the top for a value; a value beyond the scale is at its end. */
export function angleOn({ low, high, from, to }: Dial, value: number): number {
  const part = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return from + part * (to - from);
}

/** There is room for at most seven numbers. */
const MOST_STEPS = 6;

/** The numbers of a scale: multiples of 1, 2, 3 or 5 times a power of ten; multiples of 60 for a whole turn. */
export function numbersOn({ low, high, from, to }: Dial): readonly number[] {
  const isTurn = to - from === 360;
  const span = high - low;
  const power = 10 ** Math.floor(Math.log10(span / MOST_STEPS));
  const step = isTurn ? 60 : [1, 2, 3, 5, 10].map((one) => one * power).find((one) => span / one <= MOST_STEPS)!;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  // The ends of a whole turn coincide.
  return Array.from({ length: isTurn ? count - 1 : count }, (_, at) => (first + at + (isTurn ? 1 : 0)) * step);
}

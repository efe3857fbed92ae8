/**
 * Numbers as text. Decoding scales a raw number to an integer count of its last decimal; these write it out with the
 * point in its place and no zeros behind, without going through a double's shortest form.
 */

/** ".001" for 1, ".12" for 120, "" for 0: the fraction of a number, by its digits. */
const fractions = (digits: number): readonly string[] =>
  Array.from({ length: 10 ** digits }, (_, value) =>
    value === 0 ? "" : `.${String(value).padStart(digits, "0").replace(/0+$/, "")}`,
  );

const FRACTION = [[""], fractions(1), fractions(2), fractions(3)] as const;

/** Up to three decimals: one look into a table. */
const short = (decimals: 1 | 2 | 3): ((scaled: number) => string) => {
  const power = 10 ** decimals;
  const fraction = FRACTION[decimals];
  const write = (scaled: number): string => {
    if (scaled < 0) return `-${write(-scaled)}`;
    const whole = Math.floor(scaled / power);
    return whole + fraction[scaled - whole * power]!;
  };
  return write;
};

/** More decimals: the digits padded, zeros cut. */
const long = (decimals: number): ((scaled: number) => string) => {
  const power = 10 ** decimals;
  const write = (scaled: number): string => {
    if (scaled < 0) return `-${write(-scaled)}`;
    const whole = Math.floor(scaled / power);
    let rest = scaled - whole * power;
    if (rest === 0) return String(whole);
    let digits = decimals;
    while (rest % 10 === 0) {
      rest /= 10;
      digits--;
    }
    const text = String(rest);
    return `${whole}.${ZEROS[digits - text.length]}${text}`;
  };
  return write;
};

const ZEROS = Array.from({ length: 10 }, (_, count) => "0".repeat(count));

/** `fixed[d](n)` is n / 10^d in decimal digits, for integers within ±2^53. */
export const fixed: readonly ((scaled: number) => string)[] = [
  (scaled) => String(scaled + 0),
  short(1),
  short(2),
  short(3),
  ...[4, 5, 6, 7, 8, 9, 10].map(long),
];

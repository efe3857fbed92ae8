/** Spans of monotonic time, milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Between which readings a value has grown: from the reading before its first step to the one after its last. A moment,
 * `otherwise`, if it has not.
 */
export function growthOf<Reading extends { readonly at: number }>(
  readings: readonly Reading[],
  hasGrown: (after: Reading, before: Reading) => boolean,
  otherwise: number,
): Span {
  const steps = readings.slice(1).flatMap((after, index) => {
    const before = readings[index]!;
    return hasGrown(after, before) ? [{ from: before.at, to: after.at }] : [];
  });
  return { from: steps[0]?.from ?? otherwise, to: steps.at(-1)?.to ?? otherwise };
}

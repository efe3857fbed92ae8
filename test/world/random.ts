/** Chance from a seed: the same seed gives the same world. */

export interface Random {
  /** 0 to 1, without 1. */
  (): number;
  between(low: number, high: number): number;
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
  /** The time to the next of events that come once in `meanMs`. */
  wait(meanMs: number): number;
}

/** The generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return Object.assign(next, {
    integer,
    between: (low: number, high: number) => low + next() * (high - low),
    chance: (probability: number) => next() < probability,
    pick: <Item>(list: readonly Item[]): Item => list[integer(0, list.length - 1)]!,
    wait: (meanMs: number) => -Math.log(1 - next()) * meanMs,
  });
}

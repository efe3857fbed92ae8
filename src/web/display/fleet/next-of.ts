/** Which of several boats a tap means. Pure. */

/** The boat that a tap chooses of those near it, the nearest first: the next tap at that place is for another one. */
export const nextOf = (near: readonly string[], chosen: string | undefined): string | undefined =>
  near[(chosen === undefined ? 0 : near.indexOf(chosen) + 1) % near.length];

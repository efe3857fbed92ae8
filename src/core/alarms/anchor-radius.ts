/** The radius of an anchor watch. Free of zod, which a page does not load. */

/** The least and the greatest radius, metres. */
export const ANCHOR_RADIUS: readonly [least: number, greatest: number] = [5, 1000];

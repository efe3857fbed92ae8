/** Forces of the wind (World Meteorological Organization, Manual on Codes, table 1100). */

/** Lower limits of the Beaufort forces 1 to 12, knots. */
const limits = [1, 4, 7, 11, 17, 22, 28, 34, 41, 48, 56, 64] as const;

export const MAX_FORCE = limits.length;

export const beaufort = (knots: number): number => limits.filter((limit) => Math.round(knots) >= limit).length;

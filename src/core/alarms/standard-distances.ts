/** Distances that watches keep unless the crew sets others, nautical miles. Free of zod, which a page does not load. */
export const GUARD_RADIUS = 1;
export const LEG_DISTANCE = 0.1;

/** Severities, times and distances of the alarms that pages need too: free of zod, which a page does not load. */

/**
 * The severities of alarms, the most dangerous first. An emergency endangers lives: it is never quiet, and no answer to
 * `all` acknowledges it. A caution makes no sound.
 */
export const severities = ["emergency", "alarm", "warning", "caution"] as const;
export type Severity = (typeof severities)[number];

/** Whether it calls for help without an answer: a crew may know of a warning and let it wait for daylight. */
export const isGrave = (severity: Severity): boolean => severity === "emergency" || severity === "alarm";

export const SILENCE_MS = 30_000;

/**
 * An alarm without an answer for this time becomes louder on the displays and goes to every outlet. A silence lasts as
 * long, and the way from the foredeck to the screen takes as long.
 */
export const ESCALATE_AFTER_MS = 30_000;

/** Time after a start within which the alarms that last are raised again. */
export const RAISED_WITHIN_MS = 90_000;

/** Age of what was kept over a start, beyond which it is of another voyage. */
export const KEPT_STATE_MS = 600_000;

/** The least and the greatest radius of an anchor watch, metres. */
export const ANCHOR_RADIUS: readonly [least: number, greatest: number] = [5, 1000];

/** Distances that watches keep unless the crew sets others, nautical miles. */
export const GUARD_RADIUS = 1;
export const LEG_DISTANCE = 0.1;

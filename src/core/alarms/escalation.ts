/** The time after which an alarm without an answer escalates. Free of zod, which a page does not load. */

/**
 * An alarm without an answer for this time becomes louder on the displays and goes to every outlet. A silence lasts as
 * long, and the way from the foredeck to the screen takes as long.
 */
export const ESCALATE_AFTER_MS = 30_000;

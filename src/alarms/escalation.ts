/** When nobody answers an alarm. Without zod, which a page does not load. */

/**
 * An alarm that nobody has answered for so long becomes louder on the displays and goes to every outlet: as long as a silence
 * lasts, and as it takes from the foredeck to the screen.
 */
export const ESCALATE_AFTER_MS = 30_000;

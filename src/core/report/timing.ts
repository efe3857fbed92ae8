/** Intervals of the reports, and expiry of messages. */

/** Seconds after which a message expires, unless its topic has another expiry. */
export const EXPIRE_AFTER_SECONDS = 60;
export const NAVIGATION_EXPIRES_AFTER_SECONDS = 2;
/** About 99 years: an identity never expires. */
export const IDENTITY_EXPIRES_AFTER_SECONDS = 3_124_137_600;

/** Intervals at which a report without a change is published. */
export const NAVIGATION_REPEAT_MS = 1000;
export const AIS_REPEAT_MS = 10_000;

/** Above the expiry of every value of the boat. */
const MAX_EXPIRE_AFTER_SECONDS = 86_400;

/**
 * `expireAfterSec` of a message that any client of the broker may have published: at most a day, and that of most
 * topics if it is not a number of seconds.
 */
export const expiryOf = (expireAfterSec: unknown): number =>
  typeof expireAfterSec === "number" && expireAfterSec > 0
    ? Math.min(expireAfterSec, MAX_EXPIRE_AFTER_SECONDS)
    : EXPIRE_AFTER_SECONDS;

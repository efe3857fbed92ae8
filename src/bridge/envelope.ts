/** What stands around `data` in every message: when it was received and when it is no longer true. */

/** Seconds after which a message is stale, for all but the navigation report. */
export const EXPIRE_AFTER_SECONDS = 60;

const MILLISECONDS = Array.from({ length: 1000 }, (_, millisecond) => String(millisecond).padStart(3, "0"));

/**
 * Makes the function that writes `,"metadata":{…}` for a wall-clock time in milliseconds since 1970. Thousands of
 * messages share a second, so its text is made once.
 */
export function createMetadata(expireAfterSeconds = EXPIRE_AFTER_SECONDS, more = ""): (wall: number) => string {
  let second = Number.NaN;
  let head = "";
  let tail = "";
  return (wall) => {
    const whole = Math.floor(wall / 1000);
    if (whole !== second) {
      second = whole;
      head = `,"metadata":{"rxDate":"${new Date(whole * 1000).toISOString().slice(0, -4)}`;
      tail = `Z","rxTimestamp":${whole},"expireAfterSec":${expireAfterSeconds}${more}}`;
    }
    return head + MILLISECONDS[Math.floor(wall - whole * 1000)] + tail;
  };
}

/**
 * Dates and times of day as text, UTC. `Date.prototype.toISOString` also looks up the machine's time zone: a
 * microsecond per call, ten milliseconds for the first one.
 */

const SECONDS_A_DAY = 86_400;
const MILLISECONDS_A_DAY = SECONDS_A_DAY * 1000;
const YEAR_10000 = Date.UTC(10_000) / 1000;

const padded = (value: number, length: number): string => String(value).padStart(length, "0");
/** "07" and "007" for 7. */
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => padded(value, 2));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, value) => padded(value, 3));

/** The last day and its text: a report has the same date as the one before. */
let lastDay = Number.NaN;
let lastDate = "";

/** "2026-11-21" for days since 1970-01-01. */
export function dateText(days: number): string {
  if (days !== lastDay) {
    const date = new Date(days * MILLISECONDS_A_DAY);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    lastDate = `${padded(year, 4)}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
    lastDay = days;
  }
  return lastDate;
}

/** "08:14:26" for seconds since midnight, truncated; the leap second is 23:59:60. */
export function timeText(seconds: number): string {
  if (seconds >= SECONDS_A_DAY) return "23:59:60";
  const whole = Math.floor(seconds);
  return `${TWO_DIGITS[Math.floor(whole / 3600)]}:${TWO_DIGITS[Math.floor(whole / 60) % 60]}:${TWO_DIGITS[whole % 60]}`;
}

/** Whether a text of ISO 8601 begins with a day of the calendar: `Date.parse` takes 30 February for 1 March. */
export function beginsWithDay(text: string): boolean {
  const day = text.slice(0, 10);
  return dateText(dayOf(Date.parse(`${day}T00:00:00Z`))) === day;
}

/** The day, since 1970-01-01, of a wall-clock time in milliseconds. */
export const dayOf = (wall: number): number => Math.floor(wall / MILLISECONDS_A_DAY);

/** Days since 1970-01-01 of a date; undefined for one that the calendar does not have. */
export function daysOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? dayOf(date.getTime()) : undefined;
}

/** Milliseconds since 1970 of a day and a time in seconds since midnight. */
export const timestampOf = (days: number, seconds: number): number => days * MILLISECONDS_A_DAY + seconds * 1000;

/** The last second and its text, "2026-11-21T08:14:26.": thousands of stamps share a second. */
let lastSecond = Number.NaN;
let lastText = "";

/**
 * "2026-11-21T08:14:26.123Z" for a wall-clock time in milliseconds since 1970, truncated. Before 1970 and after the
 * year 9999 the same as `toISOString`; throws a RangeError for an invalid time.
 */
export function isoTime(wall: number): string {
  const second = Math.floor(wall / 1000);
  if (second !== lastSecond) {
    if (!(second >= 0 && second < YEAR_10000)) return new Date(wall).toISOString();
    const days = Math.floor(second / SECONDS_A_DAY);
    lastText = `${dateText(days)}T${timeText(second - days * SECONDS_A_DAY)}.`;
    lastSecond = second;
  }
  return `${lastText}${THREE_DIGITS[Math.floor(wall - second * 1000)]}Z`;
}

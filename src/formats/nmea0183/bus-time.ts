/**
 * The time of sentences. The report has the time of a message, truncated to the second, and its fraction; the ages of
 * the groups give the arrival of the messages with the time and the position.
 *
 *      message of the time   message of the position      report        sentence that is not about the position
 *     ──────────┼──────────────────────┼────────────────────┼──────────────────┼────────►
 *           its own time            fix time                               clock time
 */
import { beginsWithDay, dateText, dayOf, timestampOf } from "../../core/text/date.ts";

/** A moment by the time on the bus, if known. */
export interface Moment {
  /** `hh:mm:ss.ss` */
  readonly time?: string;
  /** `yyyy-mm-dd` */
  readonly date?: string;
}

/** The members of a report that are read here; none of them is checked. */
interface Report {
  readonly date?: Timed;
  readonly position?: Timed;
}

type Timed = Readonly<Record<string, unknown>> & { readonly source?: { readonly age?: unknown } };

/** Limit above the age of every group of a report. */
const MAX_AGE_MS = 60_000;

/** Time from the message of a group to the report; 0 if the report does not have it. */
function ageMs(group: Timed | undefined): number {
  const age = group?.source?.age;
  return typeof age === "number" && age >= 0 && age * 1000 <= MAX_AGE_MS ? age * 1000 : 0;
}

export const fixAgeMs = (report: Report): number => ageMs(report.position);

export const fixMoment = (report: Report): Moment => momentAt(report, -fixAgeMs(report));

/**
 * The moment `sinceMs` after a report. After a leap second the next second comes twice, as in the clocks of computers.
 */
export function momentAt({ date: told }: Report, sinceMs: number): Moment {
  const days = daysIn(told?.date);
  const seconds = secondsOf(told?.time, told?.fraction);
  if (seconds === undefined) return days === undefined ? {} : { date: dateText(days) };
  const ms = Math.round(timestampOf(days ?? 0, seconds) + ageMs(told) + sinceMs);
  const day = dayOf(ms);
  const time = timeOf(ms - timestampOf(day, 0));
  return days === undefined ? { time } : { time, date: dateText(day) };
}

const padded = (value: number): string => String(Math.floor(value)).padStart(2, "0");

/** Milliseconds since midnight as text, truncated to the hundredth. */
const timeOf = (ms: number): string =>
  `${padded(ms / 3_600_000)}:${padded((ms / 60_000) % 60)}:${padded((ms / 1000) % 60)}.${padded((ms / 10) % 100)}`;

/** Days since 1970; undefined for a date that the calendar does not have, such as the 31st of April. */
function daysIn(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d$/.test(text) || !beginsWithDay(text)) return undefined;
  return dayOf(Date.parse(text));
}

/** Seconds since midnight; 23:59:60 is the leap second. */
function secondsOf(text: unknown, fraction: unknown): number | undefined {
  const [, hours, minutes, seconds] =
    (typeof text === "string" && /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)$/.exec(text)) || [];
  if (hours === undefined) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole + (typeof fraction === "number" && fraction >= 0 && fraction < 1 ? fraction : 0);
}

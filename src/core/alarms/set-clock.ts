/**
 * A clock that is set. Alarms keep the times that they have told, which are names for programs; beside such a time stands
 * by how much the clock has been set since, so that the time since then is known to everybody.
 */
import { inUnit } from "../report/marks.ts";
import { decimal } from "../report/number.ts";

/** The clock of a computer is slewed by milliseconds each second, and set by more. */
const LEAST_STEP_MS = 500;
const LEAST_SECONDS = 2;

/** Of a time before it in the report: `rxDate` less that time and these seconds is how long ago it was. */
export const clockSet = inUnit(
  "s",
  decimal(0),
  (seconds) => `${seconds} by which the clock of the boat has been set since, negative: back; absent: it was not set`,
);

export class SetClock {
  /** The wall clock minus the monotonic one, milliseconds; it changes only when the wall clock is set. */
  offset = Number.NaN;

  observe(now: number, wall: number): void {
    if (!(Math.abs(wall - now - this.offset) < LEAST_STEP_MS)) this.offset = wall - now;
  }
}

/** The seconds of `clockSet` between two offsets of `SetClock`. */
export function clockSetSec(before: number, now: number): number | undefined {
  const seconds = Math.round((now - before) / 1000);
  return Math.abs(seconds) < LEAST_SECONDS ? undefined : seconds;
}

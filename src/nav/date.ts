/** Date and time of day as text, UTC. */

const MILLISECONDS_A_DAY = 86_400_000;

/** "2026-11-21" for days since 1970-01-01. */
export const dateText = (days: number): string => new Date(days * MILLISECONDS_A_DAY).toISOString().slice(0, 10);

const two = (value: number): string => String(value).padStart(2, "0");

/** "08:14:26" for seconds since midnight, fractions cut off; the leap second is 23:59:60. */
export function timeText(seconds: number): string {
  if (seconds >= 86_400) return "23:59:60";
  const whole = Math.floor(seconds);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** The day, since 1970-01-01, of a wall-clock time in milliseconds. */
export const dayOf = (wall: number): number => Math.floor(wall / MILLISECONDS_A_DAY);

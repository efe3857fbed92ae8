/** Numbers, durations and quantities as people read them. Pure. */

/** A number with fixed decimals; no sign before a zero. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** A number with one decimal below 100: 4.2, 15.3, 104. */
export const tenths = (value: number): string => fixed(value, Math.abs(value) < 99.95 ? 1 : 0);

/** A duration: 0.4 s, 12 s, 3 min, 2 h, 5 d. */
export function durationText(seconds: number): string {
  if (seconds < 9.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** The time that values cover, cut to whole units: 45 s, 9 min, 23 h. */
export function spanText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}

/** Minutes as text: 4:30, 1 h 05. */
export function minutesText(minutes: number): string {
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(Math.floor(minutes % 60)).padStart(2, "0")}`;
  const seconds = Math.round(minutes * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

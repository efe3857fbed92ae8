/**
 * The severities of alarms, the most dangerous first. An emergency endangers lives: it is never quiet, and no answer to
 * `all` acknowledges it.
 */
export const severities = ["emergency", "alarm", "warning"] as const;
export type Severity = (typeof severities)[number];

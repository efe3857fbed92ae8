/** Names of measurements and fields, which the writer and the readers of the history share. Pure functions. */

/** `Battery Status` becomes `battery_status`. */
export const measurementName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/** The measurement of the navigation report. */
export const NAVIGATION = "navigation";

/** The measurement of an alarm that has ended: its tags have the members of the history, its field the duration. */
export const ALARM = "alarm";
export const ALARM_SECONDS = "seconds";

/** Field of the measurement `navigation`: `depth_water_depth`. */
export const navigationField = (group: string, member: string): string => `${group}_${member}`;

/** The name of a field in queries to an engine: `battery_status_voltageV`. */
export const seriesName = (measurement: string, field: string): string => `${measurement}_${field}`;

/** The text of a tag: control characters and backslashes, which would escape what follows, become `_`. */
export const tagText = (text: string): string => text.replaceAll(/[^ -~\u00a1-\uffff]|\\/g, "_");

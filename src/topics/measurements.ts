/** Names of measurements and fields, which writer and readers of the history share. Pure. */

/** `Battery Status` becomes `battery_status`. */
export const measurementName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/** Field of the measurement `navigation`: `depth_water_depth`. */
export const navigationField = (group: string, member: string): string => `${group}_${member}`;

/** The text of a tag: control characters and backslashes, which would escape what follows, become `_`. */
export const tagText = (text: string): string => text.replaceAll(/[^ -~\u00a1-\uffff]|\\/g, "_");

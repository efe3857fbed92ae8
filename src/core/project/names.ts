/** The patterns of names, in paths and in bodies. */

/** Entries of most sections, groups, instances, applications. */
export const shortName = /^[a-zA-Z0-9-]+$/;

export const projectId = /^[a-zA-Z0-9-]{1,63}$/;

/** Settings and parameters. A name of dots alone would be a step in the folder tree for many tools that handle URLs. */
export const dottedName = /^(?!\.+$)[a-zA-Z0-9.-]+$/;
export const parameterName = dottedName;

/** A decimal without leading zeros: one number has one URL. */
export const decimal = /^(0|[1-9][0-9]*)$/;

/** Zone of a front panel's label, 16 to 35, and its region; without a region it is the default text. */
export interface LegendKey {
  readonly zone: number;
  readonly region?: string;
}

export const legendZone = /^(1[6-9]|2[0-9]|3[0-5])(?:\.([a-zA-Z0-9-]+))?$/;

/** Reads `16` or `16.FR`; undefined for another text. */
export function parseLegendKey(text: string): LegendKey | undefined {
  const [, zone, region] = legendZone.exec(text) ?? [];
  if (zone === undefined) return undefined;
  return region === undefined ? { zone: Number(zone) } : { zone: Number(zone), region };
}

/**
 * Values that cannot be: a sensor that has failed, or a device that writes bytes of another message. They are published as they came
 * (and are no reserved codes, which are no values at all), and raise no alarm by themselves.
 */

import { METRES_PER_MILE } from "../nav/great-circle.ts";
import type { NavigationData } from "../nav/navigation-report.ts";

type Range = readonly [least: number, most: number];

/** Beyond what boats, engines, batteries and weather have had. */
export const ranges = {
  /** The strongest gust that was measured is 220 knots. */
  windKnots: [0, 220],
  boatKnots: [0, 200],
  /** The deepest trench has 10,935 m. */
  depthMetres: [0, 11_000],
  coolantCelsius: [-60, 200],
  batteryVolts: [0, 300],
  /** Half the way around the earth. */
  crossTrackMetres: [-10_800 * METRES_PER_MILE, 10_800 * METRES_PER_MILE],
} as const satisfies Readonly<Record<string, Range>>;

/** The value; undefined for one that cannot be. */
export const plausible = (value: number | null | undefined, [least, most]: Range): number | undefined =>
  value != null && value >= least && value <= most ? value : undefined;

/** The report without what cannot be. */
export function plausibleReport(navigation: NavigationData): NavigationData {
  const { speed_course: course, wind_true, wind_apparent, depth_water: water } = navigation;
  const { boatKnots, windKnots, depthMetres } = ranges;
  return {
    ...navigation,
    ...(course && { speed_course: { ...course, sog: plausible(course.sog, boatKnots) ?? null } }),
    ...(wind_true && { wind_true: { ...wind_true, speed: plausible(wind_true.speed, windKnots) ?? null } }),
    ...(wind_apparent && {
      wind_apparent: { ...wind_apparent, speed: plausible(wind_apparent.speed, windKnots) ?? null },
    }),
    ...(water && { depth_water: { ...water, depth: plausible(water.depth, depthMetres) } }),
  };
}

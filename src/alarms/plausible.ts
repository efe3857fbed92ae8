/** The navigation report without impossible values, so that they raise no alarm; `n2k` does the same for messages. */
import type { NavigationData } from "../nav/navigation-report.ts";

type Range = readonly [least: number, most: number];

/** Limits beyond the records of boats and weather. */
const ranges = {
  /** The strongest gust ever measured had 220 knots. */
  windKnots: [0, 220],
  boatKnots: [0, 200],
  /** The deepest trench has 10,935 m. */
  depthMetres: [0, 11_000],
} as const satisfies Readonly<Record<string, Range>>;

/** The value; undefined if it is impossible. */
const plausible = (value: number | null | undefined, [least, most]: Range): number | undefined =>
  value != null && value >= least && value <= most ? value : undefined;

/** The report without impossible values. */
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

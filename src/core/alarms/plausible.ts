/** The navigation report without impossible values, so that they raise no alarm; `n2k` does the same for messages. */
import type { NavigationData } from "../nav/navigation-report.ts";
import { canBe, plausibleRanges, type Range } from "../nav/plausible.ts";

const plausible = (value: number | null | undefined, range: Range): number | undefined =>
  value != null && canBe(value, range) ? value : undefined;

/** The report without impossible values. */
export function plausibleReport(navigation: NavigationData): NavigationData {
  const { speed_course: course, wind_true, wind_apparent, depth_water: water } = navigation;
  const { boatKnots, windKnots, depthMetres } = plausibleRanges;
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

/** Own ship for the AIS report: position and motion from the navigation report, with its decimals. */
import { formatOf, type NumberFormat, rounded } from "../report/number.ts";
import { type Position, positionIn } from "./great-circle.ts";
import type { NavigationData } from "./navigation-report.ts";
import { direction, knots, latitude, longitude } from "./report-numbers.ts";

/** Position and motion; degrees true and knots. */
export interface OwnShip extends Position {
  readonly cog?: number | undefined;
  readonly sog?: number | undefined;
}

const formats = {
  latitude: formatOf(latitude),
  longitude: formatOf(longitude),
  cog: formatOf(direction),
  sog: formatOf(knots),
};

const roundedIfKnown = (value: number | null | undefined, format: NumberFormat): number | undefined =>
  value == null ? undefined : rounded(value, format);

/** Own ship; undefined while the position is unknown. */
export function ownShipOf({ position, speed_course: course }: NavigationData): OwnShip | undefined {
  const place = positionIn(position ?? {});
  if (place === undefined) return undefined;
  return {
    latitude: rounded(place.latitude, formats.latitude),
    longitude: rounded(place.longitude, formats.longitude),
    cog: roundedIfKnown(course?.cog, formats.cog),
    sog: roundedIfKnown(course?.sog, formats.sog),
  };
}

/** The values of the way to the held destination as the course API has them: SI units, angles in radians. */

import { bearing, radians } from "../../../core/nav/angles.ts";
import { METRES_PER_MILE } from "../../../core/nav/great-circle.ts";
import { rounded } from "../../../core/util/rounded.ts";
import type { Value } from "../../../formats/signalk/row.ts";
import type { CourseValues } from "../course-messages.ts";
import type { CourseInfo } from "./shapes.ts";

const SECONDS_PER_HOUR = 3600;
/** A time to go beyond this, a century, is no date that `Date` has to show. */
const LONGEST_SECONDS = 3_155_760_000;

/** `wall` is milliseconds since 1970. */
export function calcValuesOf(values: CourseValues, info: CourseInfo, wall: number): Readonly<Record<string, Value>> {
  const { distance, track, crossTrack, fromStart, velocityMadeGood, timeToGo, variation } = values;
  const seconds = timeToGo === undefined ? undefined : timeToGo * SECONDS_PER_HOUR;
  const remaining = info.targetArrivalTime === null ? undefined : (Date.parse(info.targetArrivalTime) - wall) / 1000;
  const given: Readonly<Record<string, Value | undefined>> = {
    crossTrackError: metres(crossTrack),
    bearingTrackTrue: track === undefined ? undefined : angle(track),
    bearingTrackMagnetic: track === undefined || variation === undefined ? undefined : angle(track - variation),
    distance: metres(distance),
    bearingTrue: angle(values.bearing),
    bearingMagnetic: variation === undefined ? undefined : angle(values.bearing - variation),
    velocityMadeGood:
      velocityMadeGood === undefined ? undefined : rounded((velocityMadeGood * METRES_PER_MILE) / SECONDS_PER_HOUR, 3),
    timeToGo: seconds === undefined ? undefined : Math.round(seconds),
    estimatedTimeOfArrival:
      seconds === undefined || seconds > LONGEST_SECONDS ? undefined : new Date(wall + seconds * 1000).toISOString(),
    targetSpeed:
      remaining === undefined || !(remaining > 0) ? undefined : rounded((distance * METRES_PER_MILE) / remaining, 3),
    previousPoint: fromStart === undefined ? undefined : { distance: metres(fromStart) },
  };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

const metres = <Miles extends number | undefined>(miles: Miles) =>
  (miles === undefined ? undefined : rounded(miles * METRES_PER_MILE, 2)) as Miles;
const angle = (degrees: number): number => rounded(radians(bearing(degrees)), 9);

/** The course that hub-link holds, at the paths of version 2: `navigation.course`, which has no place in the tree. */

import type { Telling } from "./model.ts";
import { type Row, row, type Value } from "./row.ts";

/** SI units; angles in radians. */
export interface CourseReport {
  /** As the API shows it; members that are null have no value. */
  readonly info: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, Value>>;
}

type CourseRow = Row<CourseReport> & Pick<Telling, "isFixed" | "isStreamed">;

const infos = {
  startTime: "Time at which the destination was set",
  targetArrivalTime: "Time at which the boat is to arrive",
  activeRoute: "Route that the boat follows",
  arrivalCircle: "Radius of the circle of arrival, metres",
  nextPoint: "Point to which the boat is steered",
  previousPoint: "Point at which the leg begins",
} as const;

/** Values of the way, as `calcValues` of the API has them, with their units. */
const calculatedValues = {
  crossTrackError: ["Distance from the track, positive to the right of it", "m"],
  bearingTrackTrue: ["Direction of the leg, true", "rad"],
  bearingTrackMagnetic: ["Direction of the leg, magnetic", "rad"],
  distance: ["Distance to the next point", "m"],
  bearingTrue: ["Bearing of the next point, true", "rad"],
  bearingMagnetic: ["Bearing of the next point, magnetic", "rad"],
  velocityMadeGood: ["Speed towards the next point", "m/s"],
  timeToGo: ["Distance divided by the speed towards the next point", "s"],
  estimatedTimeOfArrival: ["Time at the next point with this speed"],
  targetSpeed: ["Speed that brings the boat there in time", "m/s"],
} as const satisfies Readonly<Record<string, readonly [description: string, units?: string]>>;

export const courseRows: readonly CourseRow[] = [
  ...Object.entries(infos).map(([name, description]) => ({
    ...row<CourseReport>(
      `navigation.course.${name}`,
      name,
      [description],
      ({ info }) => (info[name] ?? undefined) as Value | undefined,
    ),
    isFixed: true,
    isStreamed: true,
  })),
  ...Object.entries(calculatedValues).map(([name, [description, units]]) => ({
    ...row<CourseReport>(
      `navigation.course.calcValues.${name}`,
      name,
      [description, units],
      ({ values }) => values[name],
    ),
    isStreamed: true,
  })),
];

/** The beginnings of the paths of version 1, which a plotter and hub-link give alike. */
export const courseLines: readonly string[] = ["navigation.courseGreatCircle.", "navigation.courseRhumbline."];

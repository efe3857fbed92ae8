/**
 * The course API of Signal K version 2, read: the waypoint that the plotter on the bus steers to, and the values of the
 * way to it.
 */
import { Hono } from "hono";
import type { Value } from "../../signalk/row.ts";
import type { Env } from "../signalk-app.ts";

/** The value of the boat at a path. */
type ValueAt = (path: string) => Value | undefined;

const COURSE = "navigation.courseGreatCircle";

/** Values of version 1 by their names of version 2. */
const calculated = {
  crossTrackError: "crossTrackError",
  distance: "nextPoint.distance",
  bearingTrue: "nextPoint.bearingTrue",
  bearingMagnetic: "nextPoint.bearingMagnetic",
  velocityMadeGood: "nextPoint.velocityMadeGood",
  timeToGo: "nextPoint.timeToGo",
} as const;

export function courseApp(valueAt: ValueAt): Hono<Env> {
  const pointAt = (name: string) => {
    const position = valueAt(`${COURSE}.${name}.position`);
    const label = valueAt(`${COURSE}.${name}.name`);
    // The route of the bus is no resource, so that its points are places.
    return position === undefined ? null : { type: "Location", position, ...(label !== undefined && { name: label }) };
  };
  return new Hono<Env>()
    .get("/", (c) => {
      const nextPoint = pointAt("nextPoint");
      // The bus does not say when the course was set, nor the circle of arrival.
      return c.json({
        startTime: null,
        targetArrivalTime: null,
        arrivalCircle: 0,
        activeRoute: null,
        nextPoint,
        previousPoint: nextPoint === null ? null : pointAt("previousPoint"),
      });
    })
    .get("/calcValues", (c) => {
      const values = Object.entries(calculated).map(([name, path]) => [name, valueAt(`${COURSE}.${path}`)] as const);
      return c.json({
        calcMethod: "GreatCircle",
        ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
      });
    });
}

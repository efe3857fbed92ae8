/**
 * The course API of Signal K version 2: the waypoint that the boat is steered to, by the course that hub-link holds or
 * else by the plotter on the bus, and the values of the way to it.
 */
import { type Context, Hono } from "hono";
import type * as z from "zod";
import type { Value } from "../../../formats/signalk/row.ts";
import type { Env } from "../signalk-env.ts";
import { jsonBody, refusing } from "./bodies.ts";
import type { Course } from "./course.ts";
import { completed } from "./replies.ts";
import { type CourseInfo, courseBodies } from "./shapes.ts";

export interface CourseAppOptions {
  /** The value of the boat at a path. */
  valueAt(path: string): Value | undefined;
  /** The course that hub-link holds; without it the API is read-only. */
  readonly course: Course | undefined;
  /** The values of the way to the held destination, SI units; undefined without one. */
  values(): Readonly<Record<string, Value>> | undefined;
}

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

export function courseApp({ valueAt, course, values }: CourseAppOptions): Hono<Env> {
  const ofBus = (): CourseInfo => {
    const nextPoint = pointAt(valueAt, "nextPoint");
    const previousPoint = nextPoint === null ? null : pointAt(valueAt, "previousPoint");
    // The bus does not say when the course was set, nor the circle of arrival.
    const arrivalCircle = course?.info.arrivalCircle ?? 0;
    return { startTime: null, targetArrivalTime: null, arrivalCircle, activeRoute: null, nextPoint, previousPoint };
  };
  const valuesOfBus = () =>
    Object.fromEntries(
      Object.entries(calculated).flatMap(([name, path]) => {
        const value = valueAt(`${COURSE}.${path}`);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const app = new Hono<Env>()
    .get("/", (c) => c.json(course?.isHeld ? course.info : ofBus()))
    .get("/calcValues", (c) => c.json({ calcMethod: "GreatCircle", ...(course?.isHeld ? values() : valuesOfBus()) }));
  if (course !== undefined) addWriting(app, course);
  return app;
}

/** A point of the plotter. The route of the bus is no resource, so that its points are places. */
function pointAt(valueAt: CourseAppOptions["valueAt"], name: string): CourseInfo["nextPoint"] {
  const position = valueAt(`${COURSE}.${name}.position`);
  const label = valueAt(`${COURSE}.${name}.name`);
  if (position === undefined) return null;
  return { type: "Location", position, ...(label !== undefined && { name: label }) } as CourseInfo["nextPoint"];
}

function addWriting(app: Hono<Env>, course: Course): void {
  const changing = (c: Context<Env>, change: () => Promise<void>) =>
    refusing(c, async () => {
      await change();
      return completed(c);
    });
  /** Changes the course by the body of a request. */
  const put = <Body extends z.ZodType>(path: string, shape: Body, change: (body: z.infer<Body>) => Promise<void>) =>
    app.put(path, ...jsonBody, (c) => changing(c, async () => change(shape.parse(await bodyOf(c)))));
  app.delete("/", (c) => changing(c, () => course.clear()));
  put("/destination", courseBodies.destination, (body) => course.setDestination(body));
  put("/activeRoute", courseBodies.activeRoute, (body) => course.setRoute(body));
  put("/activeRoute/nextPoint", courseBodies.nextPoint, (body) => course.nextPoint(body));
  put("/activeRoute/pointIndex", courseBodies.pointIndex, (body) => course.pointIndex(body));
  put("/activeRoute/reverse", courseBodies.reverse, (body) => course.reverse(body));
  put("/arrivalCircle", courseBodies.arrivalCircle, (body) => course.setArrivalCircle(body));
  put("/targetArrivalTime", courseBodies.targetArrivalTime, (body) => course.setTargetArrivalTime(body));
  app.put("/activeRoute/refresh", (c) => changing(c, () => course.refresh()));
  app.put("/restart", (c) => changing(c, () => course.restart()));
}

/** The body; an empty one counts as an empty object. */
async function bodyOf({ req }: Context<Env>): Promise<unknown> {
  const text = await req.text();
  return text.trim() === "" ? {} : JSON.parse(text);
}

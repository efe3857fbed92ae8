/**
 * The course that hub-link holds: a destination or a route that a client with a token has set. It is stored, survives a
 * restart, and goes to no bus.
 *
 * While hub-link holds a course, its clients get this one in place of that of a plotter on the bus, until a person
 * clears it. The bus does not say whether a person or the plotter's own route has changed the plotter's waypoint, so
 * that the later of the two is unknown; a rule by it would change the course of a tablet under way.
 */
import type { Position } from "../../../core/nav/great-circle.ts";
import { createExclusive } from "../../../core/util/exclusive.ts";
import { Refused, storing } from "./refused.ts";
import type { Resources } from "./resources.ts";
import {
  type CourseBodies,
  type CourseInfo,
  type CoursePoint,
  type Kind,
  MAX_NAME,
  type Route,
  type Waypoint,
} from "./shapes.ts";

export interface CourseOptions {
  /** The course of an earlier start. */
  readonly stored: CourseInfo | undefined;
  readonly resources: Resources;
  /** Stores the course before the promise resolves. */
  save(course: CourseInfo): Promise<void>;
  /** Where the boat is now; undefined while that is unknown. */
  position(): Position | undefined;
  /** Milliseconds since 1970. */
  wall(): number;
}

const noCourse: CourseInfo = {
  startTime: null,
  targetArrivalTime: null,
  arrivalCircle: 0,
  activeRoute: null,
  nextPoint: null,
  previousPoint: null,
};

type ActiveRoute = NonNullable<CourseInfo["activeRoute"]>;

export class Course {
  readonly #options: CourseOptions;
  readonly #listeners: ((before: CourseInfo) => void)[] = [];
  #info: CourseInfo;
  /** Changes are stored one after the other. */
  readonly #inTurn = createExclusive();

  constructor(options: CourseOptions) {
    this.#options = options;
    this.#info = options.stored ?? noCourse;
    options.resources.listen((kind, id) => this.#resourceChanged(kind, id));
  }

  get info(): CourseInfo {
    return this.#info;
  }

  /** Whether there is a destination. */
  get isHeld(): boolean {
    return this.#info.nextPoint !== null;
  }

  /** Calls a function after each change, with the course before it. */
  listen(listener: (before: CourseInfo) => void): void {
    this.#listeners.push(listener);
  }

  /** The point of the route behind the next one; undefined without one. */
  get followingPoint(): CoursePoint | undefined {
    const { activeRoute } = this.#info;
    const route = activeRoute === null ? undefined : this.#routeAt(activeRoute.href);
    if (activeRoute === null || route === undefined) return undefined;
    const following = activeRoute.pointIndex + 1;
    return following < pointsOf(route) ? pointOf(route, following, activeRoute.reverse) : undefined;
  }

  clear(): Promise<void> {
    return this.#change(({ arrivalCircle }) => ({ ...noCourse, arrivalCircle }));
  }

  /** Ends the course to a person who is back on board; another course stays. */
  endFor(isReleased: (press: string) => boolean): Promise<void> {
    return this.#change((before) => {
      const { press } = before.nextPoint ?? {};
      if (press === undefined || !isReleased(press)) return before;
      return { ...noCourse, arrivalCircle: before.arrivalCircle };
    });
  }

  /** A position may have a name, which the sentences show, and be that of a person overboard. */
  setDestination(body: CourseBodies["destination"], more: Pick<CoursePoint, "name" | "press"> = {}): Promise<void> {
    return this.#change((before) => ({
      ...before,
      startTime: this.#now(),
      arrivalCircle: body.arrivalCircle ?? before.arrivalCircle,
      activeRoute: null,
      nextPoint: "href" in body ? this.#waypointAt(body.href) : { type: "Location", position: body.position, ...more },
      previousPoint: this.#boat(),
    }));
  }

  setRoute({ href, pointIndex, reverse, arrivalCircle }: CourseBodies["activeRoute"]): Promise<void> {
    return this.#change((before) => {
      const route = this.#routeAt(href);
      if (route === undefined) throw new Refused(404, `There is no ${href}.`);
      const name = route.name ?? "";
      const started = { ...before, startTime: this.#now(), arrivalCircle: arrivalCircle ?? before.arrivalCircle };
      return this.#along(started, route, { href: ownHref(href), name, pointIndex, pointTotal: 0, reverse });
    });
  }

  /** Goes on by a number of points, back if it is negative. */
  nextPoint({ value }: CourseBodies["nextPoint"]): Promise<void> {
    return this.#changeRoute((active) => ({ ...active, pointIndex: active.pointIndex + value }));
  }

  pointIndex({ value }: CourseBodies["pointIndex"]): Promise<void> {
    return this.#changeRoute((active) => ({ ...active, pointIndex: value }));
  }

  /** The same point stays the next one, unless another is given. */
  reverse({ pointIndex }: CourseBodies["reverse"]): Promise<void> {
    return this.#changeRoute((active, route) => ({
      ...active,
      pointIndex: pointIndex ?? pointsOf(route) - 1 - active.pointIndex,
      reverse: !active.reverse,
    }));
  }

  /** Reads the route again; the next point is the one at its place, wherever that is in the route now. */
  refresh(): Promise<void> {
    return this.#change((before) => this.#refreshed(before));
  }

  /** The leg begins where the boat is. */
  restart(): Promise<void> {
    return this.#change((before) => {
      if (before.nextPoint === null) throw new Refused(400, "There is no destination.");
      return { ...before, previousPoint: this.#boat() };
    });
  }

  setArrivalCircle({ value }: CourseBodies["arrivalCircle"]): Promise<void> {
    return this.#change((before) => ({ ...before, arrivalCircle: value }));
  }

  setTargetArrivalTime({ value }: CourseBodies["targetArrivalTime"]): Promise<void> {
    return this.#change((before) => ({ ...before, targetArrivalTime: value }));
  }

  /** Applies a change, stores the result, and tells the listeners. */
  #change(change: (before: CourseInfo) => CourseInfo): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#info;
      const after = change(before);
      if (after === before) return;
      await storing(this.#options.save(after));
      this.#info = after;
      for (const listener of this.#listeners) listener(before);
    });
  }

  #changeRoute(change: (active: ActiveRoute, route: Route) => ActiveRoute): Promise<void> {
    return this.#change((before) => {
      const { activeRoute, route } = this.#activeRouteOf(before);
      return this.#along(before, route, change(activeRoute, route));
    });
  }

  #activeRouteOf({ activeRoute }: CourseInfo): { readonly activeRoute: ActiveRoute; readonly route: Route } {
    if (activeRoute === null) throw new Refused(400, "There is no active route.");
    const route = this.#routeAt(activeRoute.href);
    if (route === undefined) throw new Refused(400, `There is no ${activeRoute.href} any more.`);
    return { activeRoute, route };
  }

  /** The course to a point of a route; an index beyond its ends means the first or last point. */
  #along(before: CourseInfo, route: Route, active: ActiveRoute): CourseInfo {
    const pointTotal = pointsOf(route);
    const pointIndex = Math.max(0, Math.min(active.pointIndex, pointTotal - 1));
    const { reverse } = active;
    return {
      ...before,
      activeRoute: { ...active, pointIndex, pointTotal },
      nextPoint: pointOf(route, pointIndex, reverse),
      previousPoint: pointIndex === 0 ? this.#boat() : pointOf(route, pointIndex - 1, reverse),
    };
  }

  /** The course by the active route as it is now. */
  #refreshed(before: CourseInfo): CourseInfo {
    const { nextPoint, previousPoint } = before;
    const { activeRoute, route } = this.#activeRouteOf(before);
    const pointTotal = pointsOf(route);
    const { reverse } = activeRoute;
    // A round trip has a place twice: the nearest of its numbers is meant.
    const formerly = activeRoute.pointIndex;
    const [found] = Array.from({ length: pointTotal }, (_, at) => at)
      .filter((at) => isSamePlace(pointOf(route, at, reverse), nextPoint))
      .sort((one, other) => Math.abs(one - formerly) - Math.abs(other - formerly));
    const pointIndex = found ?? Math.min(formerly, pointTotal - 1);
    return {
      ...before,
      activeRoute: { ...activeRoute, name: route.name ?? "", pointIndex, pointTotal },
      nextPoint: pointOf(route, pointIndex, reverse),
      previousPoint: pointIndex === 0 ? previousPoint : pointOf(route, pointIndex - 1, reverse),
    };
  }

  /** A changed waypoint or route is steered to as it is now; that of a removed one stays. */
  #resourceChanged(kind: Kind, id: string): void {
    const href = `/resources/${kind}/${id}`;
    const isGone = this.#options.resources.get(kind, id) === undefined;
    const { activeRoute, nextPoint } = this.#info;
    if (isGone || (activeRoute?.href !== href && nextPoint?.href !== href)) return;
    const changed = this.#change((before) => {
      if (before.activeRoute?.href === href) return this.#refreshed(before);
      return before.nextPoint?.href === href ? { ...before, nextPoint: this.#waypointAt(href) } : before;
    });
    // The course as it was is still valid.
    changed.catch(() => {});
  }

  #waypointAt(href: string): CoursePoint {
    const waypoint = this.#options.resources.get("waypoints", idIn(href)) as Waypoint | undefined;
    if (waypoint === undefined) throw new Refused(404, `There is no ${href}.`);
    const { name, type = "Waypoint", feature } = waypoint;
    return {
      href: ownHref(href),
      type,
      position: placeOf(feature.geometry.coordinates),
      ...(name !== undefined && { name }),
    };
  }

  #routeAt(href: string): Route | undefined {
    return this.#options.resources.get("routes", idIn(href)) as Route | undefined;
  }

  #boat(): CoursePoint {
    const position = this.#options.position();
    if (position === undefined) throw new Refused(400, "The position of the boat is not known.");
    const { latitude, longitude } = position;
    return { type: "VesselPosition", position: { latitude, longitude } };
  }

  #now(): string {
    return new Date(this.#options.wall()).toISOString();
  }
}

const idIn = (href: string): string => href.slice(href.lastIndexOf("/") + 1).toLowerCase();
/** As the resources are called here: a client may write a UUID in capitals. */
const ownHref = (href: string): string => `${href.slice(0, href.lastIndexOf("/") + 1)}${idIn(href)}`;

const placeOf = ([longitude, latitude, altitude]: readonly number[]): CoursePoint["position"] => ({
  latitude: latitude!,
  longitude: longitude!,
  ...(altitude !== undefined && { altitude }),
});

const pointsOf = ({ feature }: Route): number => feature.geometry.coordinates.length;

/** A point of a route, counted from the end at which the boat begins. */
function pointOf({ feature }: Route, index: number, isReversed: boolean): CoursePoint {
  const { coordinates } = feature.geometry;
  const at = isReversed ? coordinates.length - 1 - index : index;
  const name = feature.properties?.coordinatesMeta?.[at]?.name?.slice(0, MAX_NAME);
  return { type: "RoutePoint", position: placeOf(coordinates[at]!), ...(name !== undefined && { name }) };
}

const isSamePlace = (one: CoursePoint, other: CoursePoint | null): boolean =>
  one.position.latitude === other?.position.latitude && one.position.longitude === other.position.longitude;

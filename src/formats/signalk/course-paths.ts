/**
 * Paths of the way to a waypoint. Signal K distinguishes great circle and rhumb line; hub does not publish by which the
 * plotter computes, and over a leg both agree, so that the values are at the paths of both.
 */

import type { Message } from "../../core/n2k/definition.ts";
import { crossTrackError, navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import { radians } from "../../core/nav/angles.ts";
import { positionIn } from "../../core/nav/great-circle.ts";
import { type PgnPaths, pgn } from "./pgn-rows.ts";
import { type Known, quantity } from "./row.ts";

type Waypoint = NonNullable<Message<typeof routeWaypointInformation>["waypoints"]>[number];

/** A waypoint of the route, counted from the one that the boat is steered to. */
const waypointAt = (
  { waypoints = [] }: Message<typeof routeWaypointInformation>,
  { waypointId }: Known,
  offset: number,
): Waypoint | undefined => {
  const index = waypointId === undefined ? -1 : waypoints.findIndex((each) => each.waypointId === waypointId);
  return index === -1 ? undefined : waypoints[index + offset];
};

/** Speed towards the waypoint, knots: the part of the speed over ground that is along the bearing. */
function towards(
  { bearingToWaypoint, bearingReference }: Message<typeof navigationData>,
  { motion }: Known,
): number | undefined {
  const { cog, sog, variation } = motion ?? {};
  const declination = bearingReference === "Magnetic" ? variation : 0;
  if (bearingToWaypoint === undefined || cog == null || sog == null || declination === undefined) return undefined;
  return sog * Math.cos(radians(bearingToWaypoint + declination - cog));
}

/** Slower than this the time to go is no forecast, metres a second. */
const LEAST_SPEED = 0.1;

/** The position of the waypoint before or after. */
const ofNeighbour = (course: string, point: string, offset: 1 | -1, marks: { readonly beyondSchema?: true } = {}) =>
  pgn(
    routeWaypointInformation,
    course,
    {
      waypoints: {
        path: `${point}.position`,
        description: "Position of the waypoint in the route",
        value: (message, known) => {
          const { latitude, longitude } = waypointAt(message, known, offset) ?? {};
          return positionIn({ latitude, longitude });
        },
      },
    },
    marks,
  );

const ofCourse = (course: string): readonly PgnPaths[] => [
  pgn(crossTrackError, course, { xte: "crossTrackError" }),
  pgn(navigationData, `${course}.nextPoint`, {
    distanceToWaypoint: "distance",
    destinationLatitude: {
      path: "position",
      description: "Position of the waypoint",
      value: ({ destinationLatitude: latitude, destinationLongitude: longitude }) =>
        positionIn({ latitude, longitude }),
    },
    bearingToWaypoint: {
      path: "velocityMadeGood",
      description: "Speed towards the waypoint, computed of bearing, course and speed over ground",
      units: "m/s",
      value: (message, known) => quantity(towards(message, known), "kn"),
    },
  }),
  pgn(navigationData, `${course}.nextPoint`, {
    distanceToWaypoint: {
      path: "timeToGo",
      description: "Distance divided by the speed towards the waypoint",
      units: "s",
      value: (message, known) => {
        const speed = quantity(towards(message, known), "kn");
        const { distanceToWaypoint: distance } = message;
        return speed === undefined || distance === undefined || speed < LEAST_SPEED
          ? undefined
          : Math.round(distance / speed);
      },
    },
  }),
  ...(["True", "Magnetic"] as const).map((reference) =>
    pgn(
      navigationData,
      `${course}.nextPoint`,
      { bearingToWaypoint: `bearing${reference}` },
      { when: { bearingReference: reference } },
    ),
  ),
  pgn(routeWaypointInformation, course, { routeName: "activeRoute.name" }, { beyondSchema: true }),
  ...(["previousPoint", "nextPoint", "followingPoint"] as const).map((point, index) =>
    pgn(
      routeWaypointInformation,
      course,
      {
        waypoints: {
          path: `${point}.name`,
          description: "Name of the waypoint in the route",
          value: (message, known) => waypointAt(message, known, index - 1)?.name,
        },
      },
      { beyondSchema: true },
    ),
  ),
  ofNeighbour(course, "previousPoint", -1),
  ofNeighbour(course, "followingPoint", 1, { beyondSchema: true }),
];

export const coursePaths: readonly PgnPaths[] = ["courseGreatCircle", "courseRhumbline"].flatMap((line) =>
  ofCourse(`navigation.${line}`),
);

/**
 * Routes and waypoints in the databases of plotters. A long list comes in several messages, each with the number of its
 * first item.
 */

import { pgn } from "../definition.ts";
import { OffOn, RouteDirection, WaypointIdentification, WaypointNavigation, WaypointRouteStatus } from "../lookups.ts";
import { choice, code, days, integer, key, latitude, lauText, longitude, repeat, reserved, timeOfDay } from "../verbs.ts";
import { s16, s32, u2, u3, u4, u8, u16, u32, withoutReservedCodes } from "../wire.ts";

const options = { transport: "fast", about: "route", beyondDocument: "fields" } as const;
const service = (name: string) => ({ ...options, publicTitle: `Route and WP Service - ${name}` });
const title = "Route and Waypoint Service";

const waypoint = { waypointId: integer(u16), name: lauText() } as const;
const waypointWithPosition = { ...waypoint, latitude: latitude(s32), longitude: longitude(s32) } as const;

/** The head of a list of the waypoints of one route. */
const listOfRoute = {
  startRps:          key(integer(u16, { note: "route position sequence number of the first item" })),
  numberOfItems:     integer(u16),
  numberOfWaypoints: integer(u16),
  databaseId:        key(integer(u16)),
  routeId:           key(integer(u16)),
} as const;

export const routeWaypointInformation = pgn(129285, "Route/Waypoint Information", {
  startRps:          key(integer(u16, { note: "route position sequence number of the first item" })),
  numberOfItems:     integer(u16),
  databaseId:        key(integer(u16)),
  routeId:           key(integer(u16)),
  direction:         choice(u3, RouteDirection),
  supplementaryData: choice(u2, OffOn),
  _reserved:         reserved(3),
  routeName:         lauText(),
  _reserved2:        reserved(8),
  waypoints:         repeat(waypointWithPosition),
}, { ...options, publicTitle: "Navigation - Route/WP Information" });

export const databaseList = pgn(130064, title, {
  startDatabaseId:   key(integer(u16)),
  numberOfItems:     integer(u16),
  numberOfDatabases: integer(u16),
  databases: repeat({
    databaseId:         integer(u16),
    name:               lauText(),
    time:               timeOfDay(u32),
    date:               days(u16),
    positionResolution: code(u4, {}, { note: "0: coarser than 0.1 min; each step up to 4 is ten times finer" }),
    _reserved:          reserved(4),
    numberOfRoutes:     integer(u16),
    numberOfWaypoints:  integer(u32),
    numberOfBytes:      integer(u32, { unit: "B" }),
  }),
}, service("Database List"));

export const routeList = pgn(130065, title, {
  startRouteId:   key(integer(u16)),
  numberOfItems:  integer(u16),
  numberOfRoutes: integer(u16),
  databaseId:     key(integer(u16)),
  routes: repeat({
    routeId:                integer(u16),
    name:                   lauText(),
    _reserved:              reserved(2),
    waypointIdentification: choice(u2, WaypointIdentification),
    status:                 choice(u4, WaypointRouteStatus),
  }),
}, service("Route List"));

export const routeAttributes = pgn(130066, title, {
  databaseId:             key(integer(u16)),
  routeId:                key(integer(u16)),
  name:                   lauText(),
  time:                   timeOfDay(u32),
  date:                   days(u16),
  lastChange:             integer(withoutReservedCodes(u8), { note: "bit field" }),
  numberOfWaypoints:      integer(u16),
  criticalParameters:     integer(withoutReservedCodes(u8), { note: "bit field" }),
  navigationMethod:       choice(u2, WaypointNavigation),
  waypointIdentification: choice(u2, WaypointIdentification),
  status:                 choice(u4, WaypointRouteStatus),
  xteLimitM:              integer(s16, { unit: "m" }),
}, service("Route/WP-List Attributes"));

export const routeWaypointPositions = pgn(130067, title, {
  ...listOfRoute,
  waypoints: repeat(waypointWithPosition),
}, service("Route - WP Name & Position"));

export const routeWaypointNames = pgn(130068, title, {
  ...listOfRoute,
  waypoints: repeat(waypoint),
}, service("Route - WP Name"));

export const legLimits = pgn(130069, title, {
  startRps:      key(integer(u16, { note: "route position sequence number of the first item" })),
  numberOfItems: integer(u16),
  numberOfLegs:  integer(u16, { note: "waypoints that have a limit or method" }),
  legs: repeat({
    databaseId:       integer(u16),
    routeId:          integer(u16),
    rps:              integer(u16),
    xteLimitM:        integer(s16, { unit: "m" }),
    navigationMethod: choice(u2, WaypointNavigation),
    _reserved:        reserved(6),
  }),
}, service("XTE Limit & Navigation Method"));

export const waypointList = pgn(130074, title, {
  startWaypointId:   key(integer(u16)),
  numberOfItems:     integer(u16),
  numberOfWaypoints: integer(u16),
  databaseId:        key(integer(u16)),
  _reserved:         reserved(16),
  waypoints:         repeat(waypointWithPosition),
}, service("WP List - WP Name & Position"));

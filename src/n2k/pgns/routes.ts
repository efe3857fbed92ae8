/** Routes and waypoints as plotters keep them in their databases, and as they hand them on. */
import { choice, code, days, integer, latitude, lauText, longitude, pgn, repeat, s16, s32, skip, timeOfDay, u2, u3, u4, u8, u16, u32, whole } from "../field.ts";
import { OffOn, RouteDirection, WaypointIdentification, WaypointNavigation, WaypointRouteStatus } from "../lookups.ts";

const options = { transport: "fast", beyondDocument: true } as const;
const service = (name: string) => ({ ...options, publicTitle: `Route and WP Service - ${name}` });
const title = "Route and Waypoint Service";

const waypoint = { waypointId: integer(u16), name: lauText() } as const;
const waypointWithPosition = { ...waypoint, latitude: latitude(s32), longitude: longitude(s32) } as const;

/** The numbers that the lists of waypoints of one route begin with. */
const listOfRoute = {
  startRps:          integer(u16, { note: "route position sequence number of the first item" }),
  numberOfItems:     integer(u16),
  numberOfWaypoints: integer(u16),
  databaseId:        integer(u16),
  routeId:           integer(u16),
} as const;

export const routeWaypointInformation = pgn(129285, "Route/Waypoint Information", {
  startRps:          integer(u16, { note: "route position sequence number of the first item" }),
  numberOfItems:     integer(u16),
  databaseId:        integer(u16),
  routeId:           integer(u16),
  direction:         choice(u3, RouteDirection),
  supplementaryData: choice(u2, OffOn),
  _reserved:         skip(3),
  routeName:         lauText(),
  _reserved2:        skip(8),
  waypoints:         repeat(waypointWithPosition),
}, { ...options, publicTitle: "Navigation - Route/WP Information" });

export const databaseList = pgn(130064, title, {
  startDatabaseId:   integer(u16),
  numberOfItems:     integer(u16),
  numberOfDatabases: integer(u16),
  databases: repeat({
    databaseId:         integer(u16),
    name:               lauText(),
    time:               timeOfDay(u32),
    date:               days(u16),
    positionResolution: code(u4, {}, { note: "0 coarser than 0.1 min, then steps of ten to 4" }),
    _reserved:          skip(4),
    numberOfRoutes:     integer(u16),
    numberOfWaypoints:  integer(u32),
    numberOfBytes:      integer(u32),
  }),
}, service("Database List"));

export const routeList = pgn(130065, title, {
  startRouteId:   integer(u16),
  numberOfItems:  integer(u16),
  numberOfRoutes: integer(u16),
  databaseId:     integer(u16),
  routes: repeat({
    routeId:                integer(u16),
    name:                   lauText(),
    _reserved:              skip(2),
    waypointIdentification: choice(u2, WaypointIdentification),
    status:                 choice(u4, WaypointRouteStatus),
  }),
}, service("Route List"));

export const routeAttributes = pgn(130066, title, {
  databaseId:             integer(u16),
  routeId:                integer(u16),
  name:                   lauText(),
  time:                   timeOfDay(u32),
  date:                   days(u16),
  lastChange:             integer(whole(u8), { note: "bit field" }),
  numberOfWaypoints:      integer(u16),
  criticalParameters:     integer(whole(u8), { note: "bit field" }),
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
  startRps:      integer(u16, { note: "route position sequence number of the first item" }),
  numberOfItems: integer(u16),
  numberOfLegs:  integer(u16, { note: "waypoints with a limit or method of their own" }),
  legs: repeat({
    databaseId:       integer(u16),
    routeId:          integer(u16),
    rps:              integer(u16),
    xteLimitM:        integer(s16, { unit: "m" }),
    navigationMethod: choice(u2, WaypointNavigation),
    _reserved:        skip(6),
  }),
}, service("XTE Limit & Navigation Method"));

export const waypointList = pgn(130074, title, {
  startWaypointId:   integer(u16),
  numberOfItems:     integer(u16),
  numberOfWaypoints: integer(u16),
  databaseId:        integer(u16),
  _reserved:         skip(16),
  waypoints:         repeat(waypointWithPosition),
}, service("WP List - WP Name & Position"));

/** All definitions, by chapter. */

import type { Definition } from "../definition.ts";
import * as diagnostics from "../j1939/diagnostics.ts";
import * as engine from "../j1939/engine.ts";
import * as ais from "./ais.ts";
import * as alerts from "./alerts.ts";
import { assumed } from "./assumed.ts";
import * as dsc from "./dsc.ts";
import * as electrical from "./electrical.ts";
import * as environment from "./environment.ts";
import * as gnss from "./gnss.ts";
import * as propulsion from "./propulsion.ts";
import * as route from "./route.ts";
import * as routes from "./routes.ts";
import * as steering from "./steering.ts";
import * as system from "./system.ts";
import * as targets from "./targets.ts";
import * as titleOnly from "./title-only.ts";
import * as vehicle from "./vehicle.ts";
import * as water from "./water.ts";
import * as watermaker from "./watermaker.ts";

const { nauticalLeeway, ...onWater } = water;

const inOrder = (definitions: readonly Definition[]): readonly Definition[] =>
  definitions.toSorted((a, b) => a.pgn - b.pgn);

/** Definitions published as PGN messages, by chapter. */
export const chapters: Readonly<Record<string, readonly Definition[]>> = {
  "Vehicle (SAE J1939)": inOrder(Object.values(vehicle)),
  "Engine (SAE J1939)": inOrder([...Object.values(engine), ...Object.values(diagnostics)]),
  Alerts: inOrder(Object.values(alerts)),
  Steering: inOrder(Object.values(steering)),
  Propulsion: inOrder(Object.values(propulsion)),
  Electrical: inOrder(Object.values(electrical)),
  "Assumed layouts": assumed.map(({ definition }) => definition),
  Water: inOrder(Object.values(onWater)),
  Targets: inOrder(Object.values(targets)),
  GNSS: inOrder(Object.values(gnss)),
  Route: inOrder(Object.values(route)),
  "Routes and waypoints": inOrder(Object.values(routes)),
  AIS: inOrder(Object.values(ais)),
  DSC: inOrder(Object.values(dsc)),
  Environment: inOrder(Object.values(environment)),
  Watermaker: inOrder(Object.values(watermaker)),
  "Title only": inOrder(Object.values(titleOnly)),
};

/** Definitions published as PGN messages, in the order of their numbers. */
export const definitions: readonly Definition[] = inOrder(Object.values(chapters).flat());

/** Definitions that only the reports read. */
export const reportOnly: readonly Definition[] = inOrder([...Object.values(system), nauticalLeeway]);

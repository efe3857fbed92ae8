/** All PGNs with a row of fields in the document, by chapter. */

import type { Definition } from "../field.ts";
import * as alerts from "./alerts.ts";
import * as electrical from "./electrical.ts";
import * as environment from "./environment.ts";
import * as gnss from "./gnss.ts";
import * as propulsion from "./propulsion.ts";
import * as route from "./route.ts";
import * as steering from "./steering.ts";
import * as targets from "./targets.ts";
import * as vehicle from "./vehicle.ts";
import * as water from "./water.ts";

const chapters = { alerts, electrical, environment, gnss, propulsion, route, steering, targets, vehicle, water };

const { nauticalLeeway, ...published } = Object.assign({}, ...Object.values(chapters)) as Record<string, Definition>;

/** Published as PGN messages, in the order of their numbers. */
export const definitions: readonly Definition[] = Object.values(published).sort((a, b) => a.pgn - b.pgn);

/** Read for the reports, not published by themselves. */
export const reportOnly: readonly Definition[] = [nauticalLeeway!];

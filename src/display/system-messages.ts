/** PGNs of the instruments and of the page of engines, tanks and batteries, and the keys of their messages. Pure. */
import { type Definition, isPublished } from "../n2k/field.ts";
import { keyNames } from "../n2k/layout.ts";
import {
  acInputStatus,
  acOutputStatus,
  batteryConfigurationStatus,
  batteryStatus,
  binarySwitchBankStatus,
  chargerStatus,
  dcDetailedStatus,
  fluidLevel,
  inverterStatus,
} from "../n2k/pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "../n2k/pgns/environment.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  engineParametersStaticAlternate,
  transmissionParametersDynamic,
} from "../n2k/pgns/propulsion.ts";
import { crossTrackError, navigationData, setDriftRapidUpdate } from "../n2k/pgns/route.ts";
import { attitude, headingTrackControl, rudder } from "../n2k/pgns/steering.ts";
import { distanceLog } from "../n2k/pgns/water.ts";
import { publicKeys } from "./public-systems.ts";

/** The messages that the instruments read beside the navigation report. */
const instrumentDefinitions: readonly Definition[] = [
  headingTrackControl,
  rudder,
  attitude,
  distanceLog,
  crossTrackError,
  navigationData,
  setDriftRapidUpdate,
];

const systemDefinitions: readonly Definition[] = [
  engineParametersRapid,
  engineParametersDynamic,
  engineParametersStaticAlternate,
  transmissionParametersDynamic,
  binarySwitchBankStatus,
  acInputStatus,
  acOutputStatus,
  fluidLevel,
  dcDetailedStatus,
  chargerStatus,
  batteryStatus,
  inverterStatus,
  batteryConfigurationStatus,
  temperature,
  temperatureExtendedRange,
];

export const instrumentPgns: readonly number[] = instrumentDefinitions.map(({ pgn }) => pgn);
export const systemPgns: readonly number[] = [...systemDefinitions.map(({ pgn }) => pgn), ...publicKeys.keys()];

const keysByPgn = new Map<number, readonly string[]>([
  ...[...instrumentDefinitions, ...systemDefinitions].map(
    (each) => [each.pgn, keyNames(each).filter(isPublished)] as const,
  ),
  ...publicKeys,
]);

/** The values of the key fields of a message, such as its instance, fluid type or temperature source. */
export const keyOf = (data: { readonly pgn: number; readonly [name: string]: unknown }): string =>
  (keysByPgn.get(data.pgn) ?? []).map((name) => data[name] ?? "").join("/");

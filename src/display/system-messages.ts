/** PGNs of the page of engines, tanks and batteries, and the keys of their messages. Pure. */
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
  transmissionParametersDynamic,
} from "../n2k/pgns/propulsion.ts";

const definitions: readonly Definition[] = [
  engineParametersRapid,
  engineParametersDynamic,
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

export const systemPgns: readonly number[] = definitions.map(({ pgn }) => pgn);

const keysByPgn = new Map(definitions.map((each) => [each.pgn, keyNames(each).filter(isPublished)]));

/** The values of the key fields of a message, such as its instance, fluid type or temperature source. */
export const keyOf = (data: { readonly pgn: number; readonly [name: string]: unknown }): string =>
  (keysByPgn.get(data.pgn) ?? []).map((name) => data[name] ?? "").join("/");

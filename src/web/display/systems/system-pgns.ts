/** The PGNs that the page of engines, tanks and batteries and the trends of its values read. */
import type { Definition } from "../../../core/n2k/definition.ts";
import { activeTroubleCodes } from "../../../core/n2k/j1939/diagnostics.ts";
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
} from "../../../core/n2k/pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "../../../core/n2k/pgns/environment.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  engineParametersStaticAlternate,
  transmissionParametersDynamic,
} from "../../../core/n2k/pgns/propulsion.ts";
import { publicKeys } from "./public-systems.ts";

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
  activeTroubleCodes,
];

export const systemPgns: readonly number[] = [...systemDefinitions.map(({ pgn }) => pgn), ...publicKeys.keys()];

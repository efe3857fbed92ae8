/** The messages from which the navigation report is made. */
import { exactDecodersOf, type Read } from "../n2k/decode.ts";
import type { MessageOf } from "../n2k/definition.ts";
import {
  actualPressure,
  environmentalParameters,
  environmentalParametersDeprecated,
  temperature,
  temperatureExtendedRange,
} from "../n2k/pgns/environment.ts";
import { gnssPositionForReports, magneticVariationForReports, windDataForReports } from "../n2k/pgns/for-reports.ts";
import { cogSogRapidUpdate, datum, localTimeOffset, positionRapidUpdate, systemTime } from "../n2k/pgns/gnss.ts";
import { rateOfTurn, vesselHeading } from "../n2k/pgns/steering.ts";
import { nauticalLeeway, speedWaterReferenced, waterDepth } from "../n2k/pgns/water.ts";

/** Definitions by which the messages are decoded. */
export const navigatorDefinitions = [
  systemTime,
  vesselHeading,
  rateOfTurn,
  magneticVariationForReports,
  nauticalLeeway,
  speedWaterReferenced,
  waterDepth,
  positionRapidUpdate,
  cogSogRapidUpdate,
  gnssPositionForReports,
  localTimeOffset,
  datum,
  windDataForReports,
  environmentalParameters,
  environmentalParametersDeprecated,
  temperature,
  actualPressure,
  temperatureExtendedRange,
] as const;

export type NavigatorMessage = MessageOf<typeof navigatorDefinitions>;

/** Decoders of the navigator's messages by PGN. */
export const createNavigatorReaders = (): ReadonlyMap<number, Read<NavigatorMessage>> =>
  exactDecodersOf(navigatorDefinitions);

/** The messages from which the navigation report is made. */
import { exactDecoderOf, type Read } from "../n2k/decode.ts";
import type { Definition, Message } from "../n2k/field.ts";
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
import { memoize } from "../util/memoize.ts";

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

type Decoded<Definitions extends readonly unknown[]> = {
  [Index in keyof Definitions]: Definitions[Index] extends (typeof navigatorDefinitions)[number]
    ? Message<Definitions[Index]>
    : never;
}[number];

/** A message of the navigation report. */
export type NavigatorMessage = Decoded<typeof navigatorDefinitions>;

const readerOf = memoize(
  (definition: Definition) => exactDecoderOf(definition) as Read<Message<Definition>> as Read<NavigatorMessage>,
);

/** Decoders of the navigator's messages by PGN. */
export const createNavigatorReaders = (): ReadonlyMap<number, Read<NavigatorMessage>> =>
  new Map(navigatorDefinitions.map((definition: Definition) => [definition.pgn, readerOf(definition)]));

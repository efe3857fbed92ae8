/** Which AIS messages make up the picture of the ships around, and what kind of station sends each of them. */
import type { AisTransceiver } from "../n2k/lookups.ts";
import {
  aisAidsToNavigationReport,
  aisClassAPositionReport,
  aisClassAStaticAndVoyageData,
  aisClassBExtendedPositionReport,
  aisClassBPositionReport,
  aisClassBStaticDataPartA,
  aisClassBStaticDataPartB,
  aisSarAircraftPositionReport,
  aisUtcAndDateReport,
} from "../n2k/pgns/ais.ts";

/** Kinds of stations, in the words of the report. */
export const aisClasses = ["A", "B", "AtoN", "SAR", "Base", "SART"] as const;
export type AisClass = (typeof aisClasses)[number];

/**
 * What these messages say, under the names of their fields: each has some of them, and no two mean different things by the
 * same name. Every `Message` of `aisPgns` is one. Lists of codes may hold numbers for all their types tell; these hold strings.
 */
export interface AisMessage {
  readonly pgn: (typeof aisPgns)[number]["pgn"];
  /** Absent when it is no number of a station. */
  readonly mmsi?: number;
  /** Message number of ITU-R M.1371. */
  readonly messageId?: number;
  /** By which channel the boat's transponder heard it, or that it is the transponder's own. */
  readonly transceiver?: string | number;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly cogDeg?: number;
  readonly sogKnots?: number;
  readonly headingDeg?: number;
  readonly rateOfTurnDegPerMin?: number;
  readonly navStatus?: string | number;
  readonly name?: string;
  readonly callsign?: string;
  readonly imoNumber?: number;
  readonly shipType?: number;
  readonly shipTypeName?: string;
  readonly atonType?: string | number;
  readonly lengthM?: number;
  readonly beamM?: number;
  readonly toBowM?: number;
  /** The edge of an aid to navigation that points to true north is its bow. */
  readonly toNorthM?: number;
  readonly toStarboardM?: number;
  readonly draftM?: number;
  readonly destination?: string;
}

/** The definitions by which these messages are to be decoded. */
export const aisPgns = [
  aisClassAPositionReport,
  aisClassBPositionReport,
  aisClassBExtendedPositionReport,
  aisAidsToNavigationReport,
  aisUtcAndDateReport,
  aisClassAStaticAndVoyageData,
  aisSarAircraftPositionReport,
  aisClassBStaticDataPartA,
  aisClassBStaticDataPartB,
] as const;

const ownMarks: ReadonlySet<unknown> = new Set<(typeof AisTransceiver)[number]>([
  "Channel A VDL transmission",
  "Channel B VDL transmission",
  "Own information not broadcast",
]);

/** Whether the boat's transponder says that the message is its own: one that it has sent, or only tells the bus. */
export const isOwnMessage = ({ transceiver }: AisMessage): boolean => ownMarks.has(transceiver);

/** What a message tells about the kind of its sender; static data are not `certain` and give way to what is. */
export interface Sender {
  readonly class: AisClass;
  readonly certain: boolean;
}

/** The first three digits of a search and rescue transmitter, a man-overboard device and an EPIRB (ITU-R M.585). */
const isDistressTransmitter = (mmsi: number): boolean => [970, 972, 974].includes(Math.floor(mmsi / 1e6));

/** Message 11 of ITU-R M.1371 has the layout of a base station's message 4, but is the answer of a ship that was asked. */
const UTC_RESPONSE = 11;

/** The kind of station that sent a message. */
export function senderOf({ pgn, messageId }: AisMessage, mmsi: number): Sender {
  if (isDistressTransmitter(mmsi)) return { class: "SART", certain: true };
  switch (pgn) {
    case aisClassAPositionReport.pgn:
      return { class: "A", certain: true };
    case aisClassBPositionReport.pgn:
    case aisClassBExtendedPositionReport.pgn:
      return { class: "B", certain: true };
    case aisAidsToNavigationReport.pgn:
      return { class: "AtoN", certain: true };
    case aisSarAircraftPositionReport.pgn:
      return { class: "SAR", certain: true };
    case aisUtcAndDateReport.pgn:
      return messageId === UTC_RESPONSE ? { class: "A", certain: false } : { class: "Base", certain: true };
    case aisClassAStaticAndVoyageData.pgn:
      return { class: "A", certain: false };
    case aisClassBStaticDataPartA.pgn:
    case aisClassBStaticDataPartB.pgn:
      return { class: "B", certain: false };
  }
}

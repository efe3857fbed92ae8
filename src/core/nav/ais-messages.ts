/** The AIS messages from which the AIS report is made, and the kind of station that sends each of them. */
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

/** Kinds of stations, as they are published. */
export const aisClasses = ["A", "B", "AtoN", "SAR", "Base", "SART"] as const;
export type AisClass = (typeof aisClasses)[number];

export const HIGHEST_MMSI = 999_999_999;
/** Maximum targets that are kept and published. */
export const MAX_TARGETS = 1000;

/**
 * The fields of these messages: each has some of them, and none means different things in two messages. Every `Message`
 * of `aisPgns` is assignable. Choices are strings, but their types allow numbers.
 */
export interface AisMessage {
  readonly pgn: (typeof aisPgns)[number]["pgn"];
  /** MMSI; absent when it is not available. */
  readonly mmsi?: number;
  /** Message number of ITU-R M.1371. */
  readonly messageId?: number;
  /** Channel on which the boat's transponder received the message, or a mark that it is the transponder's own. */
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
  /** Offsets of an aid to navigation; its edge to true north counts as its bow. */
  readonly toNorthM?: number;
  readonly toStarboardM?: number;
  readonly draftM?: number;
  readonly destination?: string;
  /** Time of arrival: days since 1970 and seconds since midnight. */
  readonly etaDate?: number;
  readonly etaTime?: number;
  readonly specialManeuver?: string | number;
  /** True for an aid to navigation that exists as a message only. */
  readonly virtual?: boolean;
  /** True for a floating aid to navigation that has left its place. */
  readonly offPosition?: boolean;
}

/** Definitions by which the messages are decoded. */
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

const ownTransceivers: ReadonlySet<unknown> = new Set<(typeof AisTransceiver)[number]>([
  "Channel A VDL transmission",
  "Channel B VDL transmission",
  "Own information not broadcast",
]);

/** Whether the boat's transponder marks the message as its own: sent by radio, or on the bus only. */
export const isOwnMessage = ({ transceiver }: AisMessage): boolean => ownTransceivers.has(transceiver);

/** The kind of the sender of a message. Static data gives a kind that is not `certain`; a certain one overrules it. */
export interface Sender {
  readonly class: AisClass;
  readonly certain: boolean;
}

/**
 * Beacons by the first three digits of their MMSIs: search and rescue transmitters, man-overboard devices, EPIRBs
 * (ITU-R M.585).
 */
const beacons = { 970: "SART", 972: "MOB", 974: "EPIRB" } as const;
type Beacon = (typeof beacons)[keyof typeof beacons];

/** The kind of distress beacon to which an MMSI belongs; undefined for other stations. */
export const beaconOf = (mmsi: number): Beacon | undefined =>
  (beacons as Readonly<Record<number, Beacon>>)[Math.floor(mmsi / 1e6)];

/** Whether an MMSI is that of an aircraft, whatever it sends: 111, and the three digits of a country (ITU-R M.585). */
const isAircraft = (mmsi: number): boolean => mmsi >= 111_200_000 && mmsi < 111_800_000;

/** Whether a message tells the navigational status; the status 15, which is none, is "not defined". */
export const hasStatus = (message: AisMessage): boolean =>
  message.pgn === aisClassAPositionReport.pgn && !isLongRange(message);

const LONG_RANGE = 27;

/**
 * Message 27 of ITU-R M.1371, for receivers far away: its position has tenths of a minute and its speed whole knots, its
 * status may be unknown, and stations of both classes send it.
 */
export const isLongRange = ({ pgn, messageId }: AisMessage): boolean =>
  pgn === aisClassAPositionReport.pgn && messageId === LONG_RANGE;

/** Distress state of a beacon, or of a ship by its navigational status. */
export type DistressState = "active" | "test";

/**
 * The state after a message, given the state before. The status 15 of a beacon is a test, every other one an alert. A
 * message without a status keeps the state; a beacon first heard by one counts as active.
 */
export function distressAfter(
  message: AisMessage,
  mmsi: number,
  before: DistressState | undefined,
): DistressState | undefined {
  if (message.navStatus === "AIS-SART") return "active";
  if (beaconOf(mmsi) === undefined) return hasStatus(message) ? undefined : before;
  if (!hasStatus(message)) return before ?? "active";
  return message.navStatus === undefined ? "test" : "active";
}

/**
 * Message 11 of ITU-R M.1371 has the layout of a base station's message 4, but is the response of a ship to an inquiry.
 */
const UTC_RESPONSE = 11;

/** The kind of station that sent a message. */
export function senderOf({ pgn, messageId }: AisMessage, mmsi: number): Sender {
  if (beaconOf(mmsi) !== undefined) return { class: "SART", certain: true };
  if (isAircraft(mmsi)) return { class: "SAR", certain: true };
  switch (pgn) {
    case aisClassAPositionReport.pgn:
      return { class: "A", certain: messageId !== LONG_RANGE };
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

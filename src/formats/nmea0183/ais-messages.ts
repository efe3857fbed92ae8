/**
 * AIS messages (ITU-R M.1371-5, annex 8) from the PGNs that carry them: one line for each field, as in the standard.
 */
import {
  AisAssignedMode,
  AisBand,
  AisCommunicationState,
  AisMode,
  AisSpecialManeuver,
  AisTimeStampStatus,
  AisUnitType,
  AisVersion,
  AtonType,
  Availability,
  NavigationStatus,
  PositionAccuracy,
  PositionFixDevice,
} from "../../core/n2k/lookups.ts";
import { HIGHEST_MMSI } from "../../core/nav/ais-messages.ts";
import { daysOf, timestampOf } from "../../core/text/date.ts";
import {
  type AisData,
  appendText,
  type BitField,
  BitReader,
  choice,
  codeOf,
  computed,
  flag,
  number,
  type Reading,
  text,
  zeros,
} from "./six-bit.ts";

const MS_TO_KNOTS = 3600 / 1852;

const mmsi = number(30, "mmsi", 0);
const repeat = number(2, "repeatIndicator", 0);
const accuracy = choice(1, "positionAccuracy", PositionAccuracy, 0);
const raim = flag("raim");
/** Position in 1/10000 minutes; 181 and 91 degrees stand for not available. */
const longitude = number(28, "longitude", 181 * 600_000, { times: 600_000, min: -180 * 600_000, max: 180 * 600_000 });
const latitude = number(27, "latitude", 91 * 600_000, { times: 600_000, min: -90 * 600_000, max: 90 * 600_000 });
const speed = number(10, "sogMs", 1023, { times: MS_TO_KNOTS * 10, max: 1022 });
const course = number(12, "cogDeg", 3600, { times: 10, turn: 3600 });
const heading = number(9, "headingDeg", 511, { turn: 360 });
const navStatus = choice(4, "navStatus", NavigationStatus, 15);
const fixingDevice = choice(4, "positionFixingDevice", PositionFixDevice, 0);
const dte = choice(1, "dte", Availability, 1);
const communication = number(19, "communicationState", 0);
const shipType = number(8, "shipType", 0);

/** Seconds of the minute, or the state of the positioning system in their place. */
const timeStamp = computed(
  6,
  ({ timeStamp: seconds, timeStampStatus }) =>
    typeof seconds === "number" ? seconds & 63 : (codeOf(AisTimeStampStatus, timeStampStatus) ?? 60),
  (raw, data) => {
    if (raw < 60) data.timeStamp = raw;
    else if (raw > 60) data.timeStampStatus = AisTimeStampStatus[raw as keyof typeof AisTimeStampStatus];
  },
);

/**
 * The field has the square root of the rate of turn, 4.733 steps for one degree per minute. Receivers convert the codes
 * above the rates as if they were rates, to 127.5 (no information) and 126.6 degrees per minute (turning, without an
 * indicator that measures it). Here such a code is no rate.
 */
const rateOfTurn = computed(
  8,
  ({ rateOfTurnDegPerMin: rate }) => {
    if (typeof rate !== "number") return -128;
    const tenths = Math.round(Math.abs(rate) * 10);
    if (tenths === 1275) return -128;
    const steps = tenths === 1266 ? 127 : Math.min(126, Math.round(4.733 * Math.sqrt(Math.abs(rate))));
    return rate < 0 ? -steps : steps;
  },
  (raw, data) => {
    if (Math.abs(raw) < 127) data.rateOfTurnDegPerMin = Math.sign(raw) * (raw / 4.733) ** 2;
  },
  true,
);

const metres = (value: unknown): number => (typeof value === "number" ? value : 0);
const within = (value: number, max: number): number => Math.max(0, Math.min(max, Math.round(value)));

/** A size minus a distance, in whole metres, so that both add up to the rounded size. */
const rest = (size: unknown, distance: number, max: number): number => within(Math.round(metres(size)) - distance, max);

/**
 * Distances from the antenna to bow, stern, port and starboard side, from two of them and the size of the ship. If the
 * place of the antenna is not known, the distances to bow and to port are zeros, and the others are length and beam
 * (ITU-R M.1371, dimension of ship and reference for position).
 */
function dimensions(toBowMember: string): BitField {
  const toBow = (data: AisData): number => within(metres(data[toBowMember]), 511);
  const toStarboard = (data: AisData): number => {
    const isPlaced = typeof data[toBowMember] === "number" && typeof data.toStarboardM === "number";
    return within(metres(isPlaced ? data.toStarboardM : (data.beamM ?? data.toStarboardM)), 63);
  };
  return {
    bits: 30,
    write(out, data) {
      out.append(toBow(data), 9);
      out.append(rest(data.lengthM, toBow(data), 511), 9);
      out.append(rest(data.beamM, toStarboard(data), 63), 6);
      out.append(toStarboard(data), 6);
    },
    read(from, data) {
      const [bow = 0, stern = 0, port = 0, starboard = 0] = [9, 9, 6, 6].map((bits) => from.take(bits));
      if (bow + stern > 0) data.lengthM = bow + stern;
      if (port + starboard > 0) data.beamM = port + starboard;
      if (bow === 0 && port === 0) return;
      data[toBowMember] = bow;
      data.toStarboardM = starboard;
    },
  };
}

const shipDimensions = dimensions("toBowM");

/** The date of a month and a day in the year that brings it closest to today. */
function closestDays(month: number, day: number, today: number): number | undefined {
  const year = new Date(timestampOf(today, 0)).getUTCFullYear();
  const dates = [year - 1, year, year + 1].flatMap((each) => daysOf(each, month, day) ?? []);
  return dates.sort((one, other) => Math.abs(one - today) - Math.abs(other - today))[0];
}

/** A date in days since 1970, UTC: year, month and day, or month and day. */
const date = (member: string, hasYear: boolean): BitField => ({
  bits: hasYear ? 23 : 9,
  write(out, { [member]: days }) {
    const known = typeof days === "number" ? new Date(timestampOf(days, 0)) : undefined;
    if (hasYear) out.append(known?.getUTCFullYear() ?? 0, 14);
    out.append(known === undefined ? 0 : known.getUTCMonth() + 1, 4);
    out.append(known?.getUTCDate() ?? 0, 5);
  },
  read(from, data) {
    const year = hasYear ? (from.take(14) ?? 0) : undefined;
    const [month = 0, day = 0] = [from.take(4), from.take(5)];
    const isYear = year === undefined || (year >= 1970 && year < 2149);
    const days =
      !isYear || month === 0 || day === 0
        ? undefined
        : year === undefined
          ? closestDays(month, day, from.today)
          : daysOf(year, month, day);
    if (days !== undefined) data[member] = days;
  },
});

/** A time of day in seconds: hours, minutes and perhaps seconds. */
const time = (member: string, hasSeconds: boolean): BitField => ({
  bits: hasSeconds ? 17 : 11,
  write(out, { [member]: seconds }) {
    const known = typeof seconds === "number" ? Math.floor(seconds) : undefined;
    out.append(known === undefined ? 24 : Math.floor(known / 3600) % 24, 5);
    out.append(known === undefined ? 60 : Math.floor(known / 60) % 60, 6);
    if (hasSeconds) out.append(known === undefined ? 60 : known % 60, 6);
  },
  read(from, data) {
    const [hours = 24, minutes = 60, seconds = 60] = [from.take(5), from.take(6), hasSeconds ? from.take(6) : 0];
    if (hours < 24 && minutes < 60 && seconds < 60) data[member] = hours * 3600 + minutes * 60 + seconds;
  },
});

/** The number of the message, of which a PGN may carry several. */
interface TypeField extends BitField {
  readonly types: readonly number[];
}

const typeField = (types: readonly [number, ...number[]]): TypeField => ({
  types,
  ...computed(
    6,
    (data) => typeOf(types, data),
    (raw, data) => {
      data.messageId = raw;
    },
  ),
});

const head = (...types: readonly [number, ...number[]]): readonly [TypeField, ...BitField[]] => [
  typeField(types),
  repeat,
  mmsi,
];

const typeOf = (types: readonly number[], { messageId }: AisData): number =>
  types.find((type) => type === messageId) ?? types[0]!;

/**
 * The end of the message continues the name of an aid to navigation, with at most 14 characters, up to a whole byte.
 */
const nameExtension: BitField = {
  bits: 0,
  write(out, { name }) {
    const rest = typeof name === "string" ? name.slice(20, 34).trimEnd() : "";
    appendText(out, rest, rest.length);
    out.append(0, (8 - (out.length % 8)) % 8);
  },
  read(from, data) {
    const rest = from.text(Math.min(14, Math.floor(from.left / 6)));
    if (rest !== "" && typeof data.name === "string") data.name = data.name.padEnd(20) + rest;
  },
};

/** Text of variable length, to the end of the message. */
const textOf = (most: number): BitField => ({
  bits: 0,
  write(out, { text: said }) {
    const kept = typeof said === "string" ? said.slice(0, most).trimEnd() : "";
    appendText(out, kept, kept.length);
  },
  read(from, data) {
    const said = from.text(Math.min(most, Math.floor(from.left / 6)));
    if (said !== "") data.text = said;
  },
});

const isTender = (own: unknown): boolean => typeof own === "number" && Math.floor(own / 1e7) === 98;

/** A tender has the number of its mother ship in place of its dimensions; its own number begins with 98. */
const dimensionsOrMothership: BitField = {
  bits: 30,
  write(out, data) {
    const { mmsi: own, mothershipMmsi } = data;
    if (isTender(own) && typeof mothershipMmsi === "number") out.append(mothershipMmsi, 30);
    else shipDimensions.write(out, data);
  },
  read(from, data) {
    if (!isTender(data.mmsi)) {
      shipDimensions.read(from, data);
      return;
    }
    const mothership = from.take(30);
    if (mothership !== undefined && mothership > 0) data.mothershipMmsi = mothership;
  },
};

/** The number of the part of message 24, which is 1. */
const partB = computed(
  2,
  () => 1,
  () => {},
);

const position: readonly BitField[] = [accuracy, longitude, latitude];
const motion: readonly BitField[] = [speed, ...position, course, heading, timeStamp];

type Layout = readonly [TypeField, ...BitField[]];

const aisMessages: Readonly<Record<number, Layout>> = {
  129038: [
    ...head(1, 2, 3),
    navStatus,
    rateOfTurn,
    ...motion,
    choice(2, "specialManeuver", AisSpecialManeuver, 0),
    zeros(3),
    raim,
    communication,
  ],
  129793: [
    ...head(4, 11),
    date("date", true),
    time("time", true),
    ...position,
    fixingDevice,
    zeros(10),
    raim,
    communication,
  ],
  129794: [
    ...head(5),
    choice(2, "aisVersion", AisVersion, 0),
    number(30, "imoNumber", 0),
    text(7, "callsign"),
    text(20, "name"),
    shipType,
    shipDimensions,
    fixingDevice,
    date("etaDate", false),
    time("etaTime", false),
    number(8, "draftM", 0, { times: 10 }),
    text(20, "destination"),
    dte,
    zeros(1),
  ],
  129798: [
    ...head(9),
    number(12, "altitudeM", 4095, { max: 4094 }),
    number(10, "sogMs", 1023, { times: MS_TO_KNOTS, max: 1022 }),
    ...position,
    course,
    timeStamp,
    zeros(8),
    dte,
    zeros(3),
    zeros(1),
    raim,
    zeros(1),
    communication,
  ],
  129039: [
    ...head(18),
    zeros(8),
    ...motion,
    zeros(2),
    choice(1, "unitType", AisUnitType, 1),
    flag("integratedDisplay"),
    flag("dsc"),
    choice(1, "band", AisBand, 0),
    flag("canHandleMessage22"),
    choice(1, "mode", AisMode, 0),
    raim,
    // A unit without SOTDMA has no communication state and sends this one.
    choice(1, "communicationStateType", AisCommunicationState, 1),
    { ...number(19, "communicationState", 0b110_0000_0000_0000_0110), read: communication.read },
  ],
  129040: [
    ...head(19),
    zeros(8),
    ...motion,
    zeros(4),
    text(20, "name"),
    shipType,
    shipDimensions,
    fixingDevice,
    raim,
    dte,
    choice(1, "mode", AisMode, 0),
    zeros(4),
  ],
  129041: [
    ...head(21),
    choice(5, "atonType", AtonType, 0),
    text(20, "name"),
    ...position,
    dimensions("toNorthM"),
    fixingDevice,
    timeStamp,
    flag("offPosition"),
    number(8, "atonStatus", 0),
    raim,
    flag("virtual"),
    choice(1, "assignedMode", AisAssignedMode, 0),
    zeros(1),
    nameExtension,
  ],
  129801: [
    ...head(12),
    number(2, "sequenceNumber", 0),
    number(30, "destinationMmsi", 0),
    flag("retransmit"),
    zeros(1),
    textOf(156),
  ],
  129802: [...head(14), zeros(2), textOf(161)],
  // The number of the part, 0 and 1, follows the head.
  129809: [...head(24), zeros(2), text(20, "name")],
  129810: [
    ...head(24),
    partB,
    shipType,
    text(7, "vendorId"),
    text(7, "callsign"),
    dimensionsOrMothership,
    fixingDevice,
    zeros(2),
  ],
};

/** The position of a class A station for receivers far away (message 27), in tenths of a minute and whole knots. */
const longRange: Layout = [
  ...head(27),
  accuracy,
  raim,
  navStatus,
  number(18, "longitude", 181 * 600, { times: 600, min: -180 * 600, max: 180 * 600 }),
  number(17, "latitude", 91 * 600, { times: 600, min: -90 * 600, max: 90 * 600 }),
  number(6, "sogMs", 63, { times: MS_TO_KNOTS, max: 62 }),
  number(9, "cogDeg", 511, { turn: 360 }),
  zeros(2),
];

/** All layouts with their PGNs. A PGN with several is written by that of its `messageId`, or else by the first. */
const layouts: readonly (readonly [pgn: number, Layout])[] = [
  ...Object.entries(aisMessages).map(([pgn, layout]) => [Number(pgn), layout] as const),
  [129038, longRange],
];

export const aisPgns: readonly number[] = Object.keys(aisMessages).map(Number);

/** The fields by which a message is written; undefined for a PGN that is not AIS. */
export function aisFieldsOf(pgn: number, { messageId }: AisData): readonly BitField[] | undefined {
  const ofPgn = layouts.filter(([each]) => each === pgn).map(([, layout]) => layout);
  return ofPgn.find(([{ types }]) => types.some((type) => type === messageId)) ?? ofPgn[0];
}

/** Layouts by the number of the message; message 24 has two parts, which are two PGNs. */
const layoutsByType = new Map(layouts.flatMap((each) => each[1][0].types.map((type) => [type, each] as const)));
const staticReports = layouts.filter(([, [{ types }]]) => types.includes(24));
const STATIC_REPORT = 24;
/** Bits before the number of the part of message 24. */
const PART_AT = 38;
/** Maximum number of bits at the end of a message that a transponder leaves out. */
const MAX_SHORT = 8;

/** A message from its payload, with its PGN; undefined if it is none of these, too short, or without a station. */
export function readAis(
  payload: string,
  fillBits: number,
  reading: Reading,
): { readonly pgn: number; readonly data: Readonly<Record<string, unknown>> } | undefined {
  const type = new BitReader(payload, fillBits, reading).take(6);
  const layout =
    type === STATIC_REPORT
      ? staticReports[partOf(new BitReader(payload, fillBits, reading)) ?? 2]
      : layoutsByType.get(type ?? 0);
  if (layout === undefined) return undefined;
  const from = new BitReader(payload, fillBits, reading);
  const [pgn, fields] = layout;
  if (from.left < fields.reduce((sum, { bits }) => sum + bits, 0) - MAX_SHORT) return undefined;
  const data: Record<string, unknown> = {};
  for (const field of fields) field.read(from, data);
  return typeof data.mmsi === "number" && data.mmsi <= HIGHEST_MMSI ? { pgn, data } : undefined;
}

function partOf(from: BitReader): number | undefined {
  from.take(PART_AT);
  return from.take(2);
}

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
  PositionFixDevice,
} from "../n2k/lookups.ts";
import {
  type AisData,
  appendText,
  type BitField,
  choice,
  codeOf,
  computed,
  flag,
  number,
  text,
  zeros,
} from "./six-bit.ts";

const MS_TO_KNOTS = 3600 / 1852;
const DAY_MS = 86_400_000;

const mmsi = number(30, "mmsi", 0);
const repeat = number(2, "repeatIndicator", 0);
const accuracy = flag("positionAccuracy", "High");
const raim = flag("raim");
/** Position in 1/10000 minutes; 181 and 91 degrees stand for not available. */
const longitude = number(28, "longitude", 181 * 600_000, { times: 600_000, min: -180 * 600_000 });
const latitude = number(27, "latitude", 91 * 600_000, { times: 600_000, min: -90 * 600_000 });
const speed = number(10, "sogMs", 1023, { times: MS_TO_KNOTS * 10, max: 1022 });
const course = number(12, "cogDeg", 3600, { times: 10, turn: 3600 });
const heading = number(9, "headingDeg", 511, { turn: 360 });
const fixingDevice = choice(4, "positionFixingDevice", PositionFixDevice, 0);
const dte = choice(1, "dte", Availability, 1);
const communication = number(19, "communicationState", 0);
const shipType = number(8, "shipType", 0);

/** Seconds of the minute, or the state of the positioning system in their place. */
const timeStamp = computed(6, ({ timeStamp: seconds, timeStampStatus }) =>
  typeof seconds === "number" ? seconds & 63 : (codeOf(AisTimeStampStatus, timeStampStatus) ?? 60),
);

/**
 * The field has the square root of the rate of turn, 4.733 steps for one degree per minute. Receivers convert the codes
 * above the rates as if they were rates, to 127.5 (no information) and 126.6 degrees per minute (turning, without an
 * indicator that measures it).
 */
const rateOfTurn = computed(8, ({ rateOfTurnDegPerMin: rate }) => {
  if (typeof rate !== "number") return -128;
  const tenths = Math.round(Math.abs(rate) * 10);
  if (tenths === 1275) return -128;
  const steps = tenths === 1266 ? 127 : Math.min(126, Math.round(4.733 * Math.sqrt(Math.abs(rate))));
  return rate < 0 ? -steps : steps;
});

const metres = (value: unknown): number => (typeof value === "number" ? value : 0);
const within = (value: number, max: number): number => Math.max(0, Math.min(max, Math.round(value)));

/** A size minus a distance, in whole metres, so that both add up to the rounded size. */
const rest = (size: unknown, distance: number, max: number): number => within(Math.round(metres(size)) - distance, max);

/**
 * Distances from the antenna to bow, stern, port and starboard side, from two of them and the size of the ship. If the
 * place of the antenna is not known, the distances to bow and to port are zeros, and the others are length and beam
 * (ITU-R M.1371, dimension of ship and reference for position).
 */
function dimensions(toBowMember: string): readonly BitField[] {
  const toBow = (data: AisData): number => within(metres(data[toBowMember]), 511);
  const toStarboard = (data: AisData): number => {
    const isPlaced = typeof data[toBowMember] === "number" && typeof data.toStarboardM === "number";
    return within(metres(isPlaced ? data.toStarboardM : (data.beamM ?? data.toStarboardM)), 63);
  };
  return [
    computed(9, toBow),
    computed(9, (data) => rest(data.lengthM, toBow(data), 511)),
    computed(6, (data) => rest(data.beamM, toStarboard(data), 63)),
    computed(6, toStarboard),
  ];
}

const shipDimensions = dimensions("toBowM");

/** A part of a date in days since 1970, UTC. */
const partOfDate = (bits: number, member: string, part: (date: Date) => number): BitField =>
  computed(bits, ({ [member]: days }) => (typeof days === "number" ? part(new Date(days * DAY_MS)) : 0));

/** A part of a time of day in seconds; `absent` is the code of the part. */
const partOfTime = (bits: number, member: string, seconds: number, count: number, absent: number): BitField =>
  computed(bits, ({ [member]: time }) => (typeof time === "number" ? Math.floor(time / seconds) % count : absent));

const head = (...types: readonly [number, ...number[]]): readonly BitField[] => [
  computed(6, (data) => typeOf(types, data)),
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
};

/** Text of variable length, at most 161 characters. */
const safetyText: BitField = {
  bits: 0,
  write(out, { text: said }) {
    const kept = typeof said === "string" ? said.slice(0, 161).trimEnd() : "";
    appendText(out, kept, kept.length);
  },
};

/** A tender has the number of its mother ship in place of its dimensions; its own number begins with 98. */
const dimensionsOrMothership: BitField = {
  bits: 30,
  write(out, data) {
    const { mmsi: own, mothershipMmsi } = data;
    const isTender = typeof own === "number" && Math.floor(own / 1e7) === 98;
    if (isTender && typeof mothershipMmsi === "number") out.append(mothershipMmsi, 30);
    else for (const each of shipDimensions) each.write(out, data);
  },
};

const position: readonly BitField[] = [accuracy, longitude, latitude];
const motion: readonly BitField[] = [speed, ...position, course, heading, timeStamp];

/** Messages by PGN. */
export const aisMessages: Readonly<Record<number, readonly BitField[]>> = {
  129038: [
    ...head(1, 2, 3),
    choice(4, "navStatus", NavigationStatus, 15),
    rateOfTurn,
    ...motion,
    choice(2, "specialManeuver", AisSpecialManeuver, 0),
    zeros(3),
    raim,
    communication,
  ],
  129793: [
    ...head(4, 11),
    partOfDate(14, "date", (date) => date.getUTCFullYear()),
    partOfDate(4, "date", (date) => date.getUTCMonth() + 1),
    partOfDate(5, "date", (date) => date.getUTCDate()),
    partOfTime(5, "time", 3600, 24, 24),
    partOfTime(6, "time", 60, 60, 60),
    partOfTime(6, "time", 1, 60, 60),
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
    ...shipDimensions,
    fixingDevice,
    partOfDate(4, "etaDate", (date) => date.getUTCMonth() + 1),
    partOfDate(5, "etaDate", (date) => date.getUTCDate()),
    partOfTime(5, "etaTime", 3600, 24, 24),
    partOfTime(6, "etaTime", 60, 60, 60),
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
    number(19, "communicationState", 0b110_0000_0000_0000_0110),
  ],
  129040: [
    ...head(19),
    zeros(8),
    ...motion,
    zeros(4),
    text(20, "name"),
    shipType,
    ...shipDimensions,
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
    ...dimensions("toNorthM"),
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
  129802: [...head(14), zeros(2), safetyText],
  // The number of the part, 0 and 1, follows the head.
  129809: [...head(24), zeros(2), text(20, "name")],
  129810: [
    ...head(24),
    computed(2, () => 1),
    shipType,
    text(7, "vendorId"),
    text(7, "callsign"),
    dimensionsOrMothership,
    fixingDevice,
    zeros(2),
  ],
};

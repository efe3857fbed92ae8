/** Paths of the AIS report: other ships, aids to navigation, search and rescue. */
import { AtonType } from "../../core/n2k/lookups.ts";
import type { AisReport } from "../../core/nav/ais-report.ts";
import { numberIn, quantity, type Row, row, type Texts, textIn, type Value } from "./row.ts";

export type Target = AisReport["data"]["targets"][number];

/** A row of a target. A value that hardly ever changes is `fixed`; others are sent with each message of the ship. */
export interface TargetRow extends Row<Target> {
  readonly isFixed?: true;
  /** A property of the vessel without its own time and source, as in the schema. */
  readonly isPlain?: true;
  /** It may be older than the last message. */
  readonly isPosition?: true;
}

const ofTarget = numberIn<Target>();
const fixed = (...of: Parameters<typeof row<Target>>): TargetRow => ({ ...row(...of), isFixed: true });
const plain = (...of: Parameters<typeof row<Target>>): TargetRow => ({ ...fixed(...of), isPlain: true });

const beyondSchema = (one: TargetRow): TargetRow => ({ ...one, beyondSchema: true });

const navigationStates: Texts = {
  "Under way using engine": "motoring",
  "At anchor": "anchored",
  "Not under command": "not under command",
  "Restricted maneuverability": "restricted manouverability",
  "Constrained by her draught": "constrained by draft",
  Moored: "moored",
  Aground: "aground",
  "Engaged in Fishing": "fishing",
  "Under way sailing": "sailing",
  "Power-driven vessel towing astern": "towing < 200m",
  "Power-driven vessel pushing ahead or towing alongside": "pushing",
};

/** Ship types by the first digit of the code. */
const cargoShips: Readonly<Record<number, string>> = {
  2: "Wing In Ground",
  4: "High speed craft",
  6: "Passenger ship",
  7: "Cargo ship",
  8: "Tanker",
  9: "Other",
};

/** Name of a ship type in the specification, which differs from the public database for ships that carry cargo. */
function shipTypeName(type: number, typeName: string | undefined): string | undefined {
  const ship = cargoShips[Math.floor(type / 10)];
  if (ship === undefined) return type === 59 ? "RR Resolution No.18" : typeName;
  const digit = type % 10;
  if (digit === 9) return `${ship} (no ${ship === "Wing In Ground" ? "other" : "additional"} information)`;
  if (digit === 1 && !["Wing In Ground", "Passenger ship"].includes(ship)) return `${ship} carrying dangerous goods`;
  return digit === 0 || digit > 4 ? ship : `${ship} hazard cat ${"ABCD"[digit - 1]}`;
}

/** Names of the types of aids to navigation in the specification, by code. */
const aidNames: Readonly<Record<number, string>> = {
  1: "Reference Point",
  2: "RACON",
  3: "Fixed Structure Off Shore",
  5: "Light, Without Sectors",
  6: "Light, With Sectors",
  7: "Leading Light Front",
  8: "Leading Light Rear",
  9: "Beacon, Cardinal N",
  10: "Beacon, Cardinal E",
  11: "Beacon, Cardinal S",
  12: "Beacon, Cardinal W",
  13: "Beacon, Port Hand",
  14: "Beacon, Starboard Hand",
  15: "Beacon, Preferred Channel Port Hand",
  16: "Beacon, Preferred Channel Starboard Hand",
  17: "Beacon, Isolated Danger",
  18: "Beacon, Safe Water",
  19: "Beacon, Special Mark",
  20: "Cardinal Mark N",
  21: "Cardinal Mark E",
  22: "Cardinal Mark S",
  23: "Cardinal Mark W",
  24: "Port Hand Mark",
  25: "Starboard Hand Mark",
  26: "Preferred Channel Port Hand",
  27: "Preferred Channel Starboard Hand",
  28: "Isolated danger",
  29: "Safe Water",
  30: "Special Mark",
  31: "Light Vessel/LANBY/Rigs",
};

/** Code of a type by its name in the report. */
const aidCodes = new Map(Object.entries(AtonType).map(([code, name]): [string, number] => [name, Number(code)]));

const aidType = ({ typeName }: Target): Value | undefined => {
  const id = aidCodes.get(typeName ?? "");
  const name = id === undefined ? undefined : aidNames[id];
  return name === undefined ? undefined : { id, name };
};

const shipType = ({ type, typeName }: Target): Value | undefined => {
  const name = type === undefined ? undefined : shipTypeName(type, typeName);
  return name === undefined ? undefined : { id: type, name };
};

const given = (value: number | undefined, member: string): Value | undefined =>
  value === undefined ? undefined : { [member]: value };

/**
 * The antenna's distance from the centre line, starboard positive as in every program; the schema's text has the other
 * sign.
 */
const fromCentre = ({ dimensions: { beam, toStarboard } = {} }: Target): Value | undefined =>
  beam === undefined || toStarboard === undefined ? undefined : quantity(beam / 2 - toStarboard, "m");

const SECONDS = 60;
const METRES = 1852;

const approach = ({ cpa, tcpa }: Target): Value | undefined =>
  cpa === undefined || tcpa === undefined
    ? undefined
    : { distance: Math.round(cpa * METRES), timeTo: Math.round(tcpa * SECONDS) };

const mmsi = plain("mmsi", "mmsi", ["MMSI"], (target) => String(target.mmsi).padStart(9, "0"));
const name = plain("name", "name", ["Name"], (target) => target.name);
const position: TargetRow = {
  ...row<Target>("navigation.position", "position", ["Position"], (target) => target.position),
  isPosition: true,
};
const aisClass = fixed("sensors.ais.class", "class", ["AIS class"], (target) => classNames[target.class]);

const ofMovers: readonly TargetRow[] = [
  ofTarget("navigation.courseOverGroundTrue", "cog", "deg", "Course over ground, from true north"),
  ofTarget("navigation.speedOverGround", "sog", "kn", "Speed over ground"),
  fixed(
    "navigation.closestApproach",
    "cpa, tcpa",
    ["Distance and time of the closest approach, metres and seconds"],
    approach,
  ),
];

const ofDimensions: readonly TargetRow[] = [
  fixed("design.length", "dimensions.length", ["Length, metres"], ({ dimensions }) =>
    given(dimensions?.length, "overall"),
  ),
  fixed("design.beam", "dimensions.beam", ["Beam", "m"], ({ dimensions }) => dimensions?.beam),
  fixed(
    "sensors.ais.fromBow",
    "dimensions.toBow",
    ["Antenna behind the bow, metres"],
    ({ dimensions }) => dimensions?.toBow,
  ),
  fixed(
    "sensors.ais.fromCenter",
    "dimensions",
    [
      "Antenna off the centre line, starboard positive as programs read it (the schema: “-ve to starboard, +ve to port”), metres",
    ],
    fromCentre,
  ),
];

const ofShips: readonly TargetRow[] = [
  ...ofMovers,
  plain("communication.callsignVhf", "callsign", ["Call sign"], ({ callsign }) => callsign),
  plain("registrations.imo", "imo", ["IMO number"], ({ imo }) => (imo === undefined ? undefined : `IMO ${imo}`)),
  ofTarget("navigation.headingTrue", "heading", "deg", "Heading, from true north"),
  ofTarget("navigation.rateOfTurn", "rot", "deg/min", "Rate of turn, starboard positive"),
  row("navigation.state", "navStatus", ["Navigational status"], ({ navStatus }) => textIn(navigationStates, navStatus)),
  fixed("navigation.destination.commonName", "destination", ["Destination"], ({ destination }) => destination),
  fixed("navigation.destination.eta", "eta", ["Time of arrival at the destination, UTC"], ({ eta }) => eta),
  beyondSchema(
    fixed("navigation.specialManeuver", "blueSign", ["`engaged` while it shows the blue sign"], ({ blueSign }) =>
      blueSign === undefined ? undefined : blueSign ? "engaged" : "not engaged",
    ),
  ),
  fixed("design.aisShipType", "type", ["Type of ship"], shipType),
  fixed("design.draft", "draft", ["Draught, metres"], ({ draft }) => given(draft, "maximum")),
  ...ofDimensions,
];

const classNames: Readonly<Record<Target["class"], string>> = {
  A: "A",
  B: "B",
  AtoN: "ATON",
  SAR: "SAR",
  Base: "BASE",
  SART: "SART",
};

/** The place of the targets of a class in the tree, and their rows. */
export interface Station {
  readonly root: "vessels" | "atons" | "aircraft" | "sar";
  readonly rows: readonly TargetRow[];
}

const ships: Station = { root: "vessels", rows: [mmsi, name, position, aisClass, ...ofShips] };

/** Base stations are not in the specification. */
export const stations: Readonly<Record<Target["class"], Station | undefined>> = {
  A: ships,
  B: ships,
  AtoN: {
    root: "atons",
    rows: [
      mmsi,
      name,
      position,
      aisClass,
      ...ofDimensions,
      fixed("atonType", "typeName", ["Type of aid to navigation"], aidType),
      beyondSchema(fixed("virtual", "virtual", ["Only its messages exist"], (aid) => aid.virtual)),
      beyondSchema(fixed("offPosition", "offPosition", ["It has left its place"], (aid) => aid.offPosition)),
    ],
  },
  SAR: { root: "aircraft", rows: [mmsi, beyondSchema(name), position, aisClass, ...ofMovers] },
  SART: { root: "sar", rows: [mmsi, beyondSchema(name), position, beyondSchema(aisClass), ...ofMovers] },
  Base: undefined,
};

/** @example contextOf("vessels", 299001100) // "vessels.urn:mrn:imo:mmsi:299001100" */
export const contextOf = (root: Station["root"], mmsi: number): string =>
  `${root}.urn:mrn:imo:mmsi:${String(mmsi).padStart(9, "0")}`;

/**
 * The kinds of alarms with their words for the display. Free of zod, which a page does not load: `definitions.ts` has the
 * rest of each kind.
 */

interface Words {
  readonly watched: string;
  /** The kind of thing that the number of a subject stands for; absent: the text says it. */
  readonly subject?: "MMSI" | "engine" | "battery";
  /** Its text alone tells what it is about. */
  readonly isToldByText?: true;
  /** Its metres are depths, which are in other units than lengths. */
  readonly isOfDepth?: true;
  /** Of a boat that seems to be in a harbour it is one warning, until the crew calls the place her berth. */
  readonly endsAtBerth?: true;
}

/** Within one severity the most dangerous kind comes first. */
const words = {
  manOverboard: { watched: "Man overboard", subject: "MMSI" },
  distress: { watched: "Distress", subject: "MMSI" },
  alert: { watched: "Alerts of devices" },
  external: { watched: "Alarms of other programs" },
  cpa: { watched: "Ships", subject: "MMSI", endsAtBerth: true },
  guardZone: { watched: "Guard zone", subject: "MMSI", endsAtBerth: true },
  depth: { watched: "Depth", isOfDepth: true },
  depthLost: { watched: "Depth lost in shallow water", isOfDepth: true },
  anchor: { watched: "Anchor" },
  position: { watched: "Position" },
  positionJump: { watched: "Jumps of the position" },
  positionFrozen: { watched: "Position that stands still" },
  receivers: { watched: "Positions of two receivers" },
  network: { watched: "Network" },
  dataLost: { watched: "Data for alarms", isToldByText: true },
  engineTemperature: { watched: "Engine temperature", subject: "engine" },
  oilPressure: { watched: "Oil pressure", subject: "engine" },
  engine: { watched: "Warnings of engines", subject: "engine" },
  transmission: { watched: "Warnings of transmissions", subject: "engine" },
  pilot: { watched: "Reports of the autopilot", isToldByText: true },
  newDevice: { watched: "New devices" },
  limits: { watched: "Limits of your own" },
  beaconTest: { watched: "Beacons under test", subject: "MMSI" },
  safetyMessage: { watched: "Safety messages", subject: "MMSI" },
  lostTarget: { watched: "Ships lost", subject: "MMSI" },
  depthFalling: { watched: "Depth that falls fast", isOfDepth: true },
  crossTrack: { watched: "Distance from the leg" },
  arrival: { watched: "Arrival at the waypoint" },
  windShift: { watched: "Wind shifts" },
  wind: { watched: "Wind" },
  pressure: { watched: "Barometer" },
  batteryVoltage: { watched: "Battery voltage", subject: "battery" },
  batteryHigh: { watched: "High battery voltage", subject: "battery" },
  batteryCharge: { watched: "Battery charge", subject: "battery" },
  converter: { watched: "Chargers, inverters, generators", isToldByText: true },
  shorePower: { watched: "Shore power" },
  clock: { watched: "Clock" },
  fault: { watched: "Faults of hub" },
  disk: { watched: "Disk" },
} satisfies Readonly<Record<string, Words>>;

export type AlarmKind = keyof typeof words;
export const alarmKinds = Object.keys(words) as readonly AlarmKind[];
export const alarmWords: Readonly<Record<AlarmKind, Words>> = words;

/** Whether the metres of a kind are depths; a kind of a newer hub-cand is none. */
export const isOfDepth = (kind = ""): boolean => (words as Readonly<Record<string, Words>>)[kind]?.isOfDepth ?? false;

/** Subject of a man overboard that no emitter reports, but a button on board. */
export const BUTTON = 0;

/** Persons that the button has marked and not released: their list fits the payload of a command. */
export const MAX_PERSONS = 6;

/** The highest number of a person: two digits fit a mark. The next person gets the lowest number that is free. */
export const MAX_PERSON_NUMBER = 99;

/** No MMSI is a lower number: these count the calls by radio without an MMSI. */
export const LEAST_MMSI = 10;
/** The least MMSI of a ship or a beacon, which has nine digits; lower subjects are emitters and numbers of calls. */
export const LEAST_SHIP_MMSI = 100_000_000;

/**
 * Each alarm of docs/alarms.md: something for which it rings, after its seconds; its near miss, for which it does not;
 * its end, as the table there says; and each of its settings by its effect.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { definitionOf } from "../../../src/core/alarms/definitions.ts";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import type { Surroundings } from "../../../src/core/alarms/surroundings.ts";
import { type AlarmKind, alarmKinds } from "../../../src/core/alarms/words.ts";
import { ArrivalStatus } from "../../../src/core/n2k/lookups.ts";
import { createVoyage, northOf, passing, ship, underWay, type Voyage } from "./voyage.ts";

/** Surroundings of a second; messages are heard and commands given by the voyage. */
type Leg = (second: number, voyage: Voyage) => Partial<Surroundings>;

interface Row {
  /** Settings without which it has nothing to watch. */
  readonly on?: object;
  /** The leg before, and its seconds. */
  readonly before?: Leg;
  readonly lead?: number;
  /** The leg during which the alarm rings. */
  readonly rings: Leg;
  /** When the leg has come to it, seconds. */
  readonly from?: number;
  /** A leg during which it does not ring, though it nearly does, and the one before. */
  readonly near: Leg;
  readonly nearBefore?: Leg;
  /** The leg by which it ends, and the seconds that it takes where the table says no time, but the value is a mean. */
  readonly ends: Leg;
  readonly settles?: number;
  /** A leg that is back by less than the margin, by which it does not end. */
  readonly holds?: Leg;
  /** Each member beside `enabled` and `delay`, with a value by which it does not ring. */
  readonly not?: object;
}

const hears =
  (...messages: readonly object[]): Leg =>
  (_second, voyage) => {
    for (const message of messages) voyage.hear(message as never);
    return {};
  };

const sails = (more: object = {}, reports: Partial<Surroundings> = {}): Leg => {
  const navigation = underWay(5, more);
  return () => ({ navigation, ...reports });
};

const depths =
  (depth: (second: number) => number, offset?: number): Leg =>
  (second) => ({
    navigation: underWay(5, { depth_water: { depth: depth(second), ...(offset !== undefined && { offset }) } }),
  });

/** A position some nautical miles north of the boat. */
const north = (miles: number) => ({ latitude: 52 + miles / 60, longitude: 4 });

const receiver = (id: number, miles: number) => ({ id, name: `Receiver ${id}`, hdop: undefined, ...north(miles) });

const wind = (direction: number) => ({
  wind_true: { speed: 12, angle: 40, direction, reference: "water" as const, computed: true },
});

const nothing: Leg = () => ({});

const commands =
  (target: string, payload: string): Leg =>
  (_second, voyage) => {
    voyage.command(target, payload);
    return {};
  };

/** At an anchor watch, some metres from the anchor. */
const anchored =
  (metres: number): Leg =>
  (_second, voyage) => {
    if (voyage.monitor.anchorWatch === undefined) voyage.command("anchorWatch", "{}");
    return { navigation: underWay(0.5, { position: { ...underWay(0).position!, ...north(metres / 1852) } }) };
  };

const oil = (oilPressureKpa: number): Leg =>
  hears({ pgn: 127488, engineInstance: 0, engineSpeedRpm: 2000 }, { pgn: 127489, engineInstance: 0, oilPressureKpa });
const battery = (voltageV: number): Leg => hears({ pgn: 127508, instance: 0, voltageV });
const charge = (stateOfChargePercent: number): Leg =>
  hears({ pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent });
const free = (megabytes: number): Leg => sails({}, { disk: { path: "/var/lib", freeBytes: megabytes * 1e6 } });

const offLeg =
  (xte: number): Leg =>
  (second, voyage) => {
    hears({ pgn: 129283, xte })(second, voyage);
    return { navigation: underWay(5) };
  };

const shore =
  (line1VoltageV: number): Leg =>
  (second, voyage) => {
    hears({ pgn: 127503, instance: 0, line1VoltageV })(second, voyage);
    return { navigation: underWay(0) };
  };

/** At five knots, with a position that stands still. */
const stuck: Leg = (_second, voyage) => {
  voyage.receiver.wanders = false;
  return { navigation: underWay(5) };
};

/** The pressure by its fall, pascals. */
const barometer =
  (fall: (second: number) => number): Leg =>
  (second) => ({ navigation: underWay(5, { depth_water: { atmosphericPressure: 101_000 - fall(second) } }) });

const freezer = { id: "freezer", member: "depth_water.waterTemperature", above: 20, text: "Too warm" };

const table: Readonly<Record<AlarmKind, Row>> = {
  manOverboard: {
    rings: hears({ pgn: 127233, status: 0, emitterId: 7 }),
    near: hears({ pgn: 127233, status: 2, emitterId: 7 }),
    ends: nothing,
  },
  distress: {
    rings: hears({ pgn: 129808, format: "Distress", address: "2440000010" }),
    near: hears({ pgn: 129808, format: "All Ships", category: "Safety", address: "2440000010" }),
    ends: nothing,
  },
  beaconTest: {
    rings: hears({ pgn: 127233, status: 2, emitterId: 7 }),
    near: hears({ pgn: 127233, status: 0, emitterId: 7 }),
    ends: nothing,
  },
  alert: {
    rings: hears({ pgn: 126983, alertType: 2, alertSystem: 5, alertSubSystem: 2, alertId: 104, state: "Active" }),
    near: hears({ pgn: 126983, alertType: 2, alertSystem: 5, alertSubSystem: 2, alertId: 104, state: "Normal" }),
    ends: hears({ pgn: 126983, alertType: 2, alertSystem: 5, alertSubSystem: 2, alertId: 104, state: "Normal" }),
    settles: 3,
  },
  external: {
    rings: commands("external/bilge", '{"severity":"warning","message":"Bilge"}'),
    near: commands("external/bilge", ""),
    ends: commands("external/bilge", ""),
  },
  cpa: {
    rings: sails({}, { targets: [passing(1, 0.1, 5)] }),
    not: { limit: 0.05, minutes: 4 },
    near: sails({}, { targets: [passing(1, 0.26, 5)] }),
    ends: sails({}, { targets: [passing(1, 0.4, 5)] }),
  },
  guardZone: {
    rings: sails({}, { targets: [ship(1, { range: 0.5 })] }),
    not: { radius: 0.3 },
    near: sails({}, { targets: [ship(1, { range: 1.01 })] }),
    ends: sails({}, { targets: [ship(1, { range: 1.2 })] }),
    holds: sails({}, { targets: [ship(1, { range: 1.05 })] }),
  },
  lostTarget: {
    rings: sails({}, { targets: [ship(1, { range: 0.5, placedAt: 0 })] }),
    not: { radius: 0.3 },
    near: sails({}, { targets: [ship(1, { range: 0.5, heardAt: 900_000 })] }),
    ends: sails({}, { targets: [ship(1, { range: 0.5, heardAt: 2_000_000 })] }),
    settles: 3,
  },
  safetyMessage: {
    rings: hears({ pgn: 129802, mmsi: 244_000_001, text: "BUOY ADRIFT" }),
    near: hears({ pgn: 129802, mmsi: 972_000_001, text: "MOB ACTIVE" }),
    ends: nothing,
  },
  depth: {
    rings: depths(() => 2.2, -0.5),
    not: { limit: 1, reference: "transducer" },
    near: depths(() => 2),
    ends: depths(() => 2.3),
    settles: 7,
    holds: depths(() => 2.2),
  },
  depthLost: {
    before: depths(() => 3),
    rings: sails(),
    not: { limit: 2.5 },
    nearBefore: depths(() => 5),
    near: sails(),
    ends: depths(() => 3),
  },
  // Half a metre a second from 14 m, which is a slope of the ground that ends at 5 m.
  depthFalling: {
    from: 9,
    rings: depths((second) => Math.max(5, 14 - second / 2)),
    not: { seconds: 5 },
    near: depths((second) => Math.max(8, 14 - second / 4)),
    ends: depths(() => 9),
    settles: 8,
    holds: depths((second) => 8 - second / 4),
  },
  anchor: {
    before: sails(),
    rings: anchored(60),
    not: { radius: 80 },
    near: anchored(39),
    ends: anchored(30),
    holds: anchored(38),
  },
  position: {
    before: sails(),
    rings: () => ({ navigation: {} }),
    nearBefore: () => ({ navigation: {} }),
    near: () => ({ navigation: {} }),
    ends: sails(),
  },
  positionJump: {
    before: sails({}, { receivers: [receiver(1, 0)] }),
    rings: sails({}, { receivers: [receiver(1, 0.5)] }),
    not: { limit: 1 },
    near: sails({}, { receivers: [receiver(1, 0.09)] }),
    ends: sails({}, { receivers: [receiver(1, 0.5)] }),
  },
  receivers: {
    rings: sails({}, { receivers: [receiver(1, 0), receiver(2, 0.2)] }),
    not: { limit: 500 },
    near: sails({}, { receivers: [receiver(1, 0), receiver(2, 0.055)] }),
    ends: sails({}, { receivers: [receiver(1, 0), receiver(2, 0.02)] }),
    holds: sails({}, { receivers: [receiver(1, 0), receiver(2, 0.05)] }),
  },
  network: { rings: sails({}, { heardAt: 0 }), near: sails({}, { heardAt: undefined }), ends: sails() },
  dataLost: { before: depths(() => 20), rings: sails(), nearBefore: sails(), near: sails(), ends: depths(() => 20) },
  engineTemperature: {
    rings: hears({ pgn: 127489, engineInstance: 0, coolantTempC: 98.5 }),
    not: { limit: 99 },
    near: hears({ pgn: 127489, engineInstance: 0, coolantTempC: 98 }),
    ends: hears({ pgn: 127489, engineInstance: 0, coolantTempC: 95 }),
    holds: hears({ pgn: 127489, engineInstance: 0, coolantTempC: 95.5 }),
  },
  oilPressure: {
    rings: oil(60),
    not: { limit: 50 },
    near: oil(100),
    ends: oil(120),
    holds: oil(110),
  },
  engine: {
    rings: hears({ pgn: 127489, engineInstance: 0, discreteStatus1: 1 }),
    near: hears({ pgn: 127489, engineInstance: 0, discreteStatus1: 1 << 10 }),
    ends: hears({ pgn: 127489, engineInstance: 0, discreteStatus1: 0 }),
  },
  transmission: {
    rings: hears({ pgn: 127493, engineInstance: 0, discreteStatus1: 1 }),
    near: hears({ pgn: 127493, engineInstance: 0, discreteStatus1: 1 << 5 }),
    ends: hears({ pgn: 127493, engineInstance: 0, discreteStatus1: 0 }),
  },
  pilot: {
    rings: hears({ pgn: 127237, offHeadingExceeded: 1 }),
    near: hears({ pgn: 127237, offHeadingExceeded: 0 }),
    ends: hears({ pgn: 127237, offHeadingExceeded: 0 }),
  },
  limits: {
    on: { rows: [freezer] },
    rings: sails({ depth_water: { waterTemperature: 25 } }),
    not: { rows: [{ ...freezer, above: 30 }] },
    near: sails({ depth_water: { waterTemperature: 20 } }),
    ends: sails({ depth_water: { waterTemperature: 18 } }),
    holds: sails({ depth_water: { waterTemperature: 19.9 } }),
  },
  crossTrack: {
    rings: offLeg(400),
    not: { limit: 0.5 },
    near: offLeg(185),
    ends: offLeg(100),
    holds: offLeg(180),
  },
  windShift: {
    from: 45,
    before: sails(wind(100)),
    lead: 1300,
    rings: sails(wind(160)),
    not: { limit: 90 },
    near: sails(wind(125)),
    ends: sails(wind(100)),
    settles: 39,
    holds: sails(wind(125)),
  },
  wind: {
    rings: sails({ wind_apparent: { speed: 35, angle: 40 } }),
    not: { limit: 40 },
    near: sails({ wind_apparent: { speed: 30, angle: 40 } }),
    ends: sails({ wind_apparent: { speed: 27, angle: 40 } }),
    settles: 19,
    holds: sails({ wind_apparent: { speed: 28, angle: 40 } }),
  },
  batteryVoltage: {
    rings: battery(11.7),
    not: { limit: 11, nominal: { 0: 6 } },
    near: battery(11.8),
    ends: battery(12.2),
    holds: battery(12),
  },
  batteryHigh: {
    rings: battery(17),
    not: { limit: 18 },
    near: battery(15.5),
    ends: battery(15.2),
    holds: battery(15.4),
  },
  arrival: {
    rings: hears({ pgn: 129284, arrivalStatus: "Perpendicular Crossed" }),
    near: hears({ pgn: 129284, arrivalStatus: ArrivalStatus[0] }),
    ends: hears({ pgn: 129284, arrivalStatus: ArrivalStatus[0] }),
  },
  positionFrozen: {
    from: 73,
    rings: stuck,
    not: { limit: 1 },
    near: sails(),
    ends: (second) => ({ navigation: northOf(2.6 * second, underWay(5)) }),
    settles: 13,
  },
  pressure: {
    from: 30,
    before: barometer(() => 0),
    rings: barometer((second) => Math.min(second * 10, 400)),
    not: { limit: 5 },
    near: barometer((second) => Math.min(second * 10, 290)),
    ends: barometer((second) => Math.max(0, 400 - 10 * second)),
    settles: 21,
    holds: barometer(() => 250),
  },
  batteryCharge: {
    rings: charge(15),
    not: { limit: 10 },
    near: charge(20),
    ends: charge(25),
    holds: charge(22),
  },
  converter: {
    rings: hears({ pgn: 127507, chargerInstance: 0, operatingState: "Fault" }),
    near: hears({ pgn: 127507, chargerInstance: 0, operatingState: "Float" }),
    ends: hears({ pgn: 127507, chargerInstance: 0, operatingState: "Float" }),
  },
  shorePower: {
    before: () => ({ navigation: underWay(0) }),
    lead: 610,
    rings: shore(60),
    not: { limit: 50 },
    near: shore(90),
    ends: shore(100),
    holds: shore(95),
  },
  clock: { rings: sails({}, { clockAheadSec: 60 }), near: sails(), ends: sails({ date: "2026-11-21" }) },
  newDevice: {
    rings: sails({}, { newDevices: [{ addr: 42, label: "Logger" }] }),
    near: sails({}, { newDevices: [] }),
    ends: sails({}, { newDevices: [] }),
    settles: 3,
  },
  fault: { rings: sails({}, { faultyParts: ["findings"] }), near: sails(), ends: sails() },
  disk: { rings: free(150), not: { limit: 100 }, near: free(200), ends: free(220), holds: free(210) },
};

const running = { pgn: 127488, engineInstance: 0, engineSpeedRpm: 2000 };
const standing = { ...running, engineSpeedRpm: 0 };
const gear = (discreteStatus1: number): Leg => hears({ pgn: 127489, engineInstance: 0, discreteStatus1 });
const obstacle = (cpa: number): Leg => sails({}, { targets: [passing(1, cpa, 5, { sog: 0 }, 5)] });
const steered = (members: object): Leg => hears({ pgn: 127237, ...members });

/** A ship that passes in five minutes, at an anchor watch that the boat has lain at for two minutes. */
const inRoads =
  (cpa: number, sog: number): Leg =>
  (_second, voyage) => {
    if (voyage.monitor.anchorWatch === undefined) voyage.command("anchorWatch", "{}");
    return { navigation: underWay(0), targets: [passing(1, cpa, 5, { sog }, 0)] };
  };

/** A wind of 25 knots with gusts of 35, or of more, for some seconds of each ten. */
const gusty =
  (seconds: number, gust = 10): Leg =>
  (second) => ({
    ...sails({ wind_apparent: { speed: 25, angle: 40 } })(0, undefined as never),
    gust: second % 10 < seconds ? gust : 0,
  });

/** A station of AIS that calls each second. */
const beacon =
  (mmsi: number, distress: "active" | "test" | undefined): Leg =>
  (second) => ({ navigation: underWay(5), targets: [ship(mmsi, { distress, heardAt: 1_001_000 + 1000 * second })] });

/** A device of AIS that is heard or not, at sea without ships. */
const receiverOfAis = (isThere: boolean): Leg => sails({}, { aisSources: new Set([40]), isHeard: () => isThere });

const starts = (members: object): Leg => hears({ pgn: 127514, generatorInstance: 1, ...members });

/** What else a row of the documentation names. */
const also: readonly (readonly [kind: AlarmKind, what: string, row: Row])[] = [
  [
    "engineTemperature",
    "reported by the engine",
    {
      rings: hears(running, { pgn: 127489, engineInstance: 0, discreteStatus1: 1 << 1 }),
      near: gear(1 << 10),
      ends: gear(0),
    },
  ],
  [
    "oilPressure",
    "reported by an engine that does not stand",
    {
      rings: hears(running, { pgn: 127489, engineInstance: 0, discreteStatus1: 1 << 2 }),
      near: hears(standing, { pgn: 127489, engineInstance: 0, discreteStatus1: 1 << 2 }),
      ends: hears(running, { pgn: 127489, engineInstance: 0, discreteStatus1: 0 }),
    },
  ],
  [
    "pilot",
    "off track",
    {
      rings: steered({ offTrackExceeded: 1 }),
      near: steered({ offTrackExceeded: 0, override: 1 }),
      ends: steered({ offTrackExceeded: 0 }),
    },
  ],
  [
    "pilot",
    "at the limit of the rudder",
    {
      rings: steered({ rudderLimitExceeded: 1 }),
      near: steered({ rudderLimitExceeded: 2 }),
      ends: steered({ rudderLimitExceeded: 0 }),
    },
  ],
  [
    "pilot",
    "silent while it steers",
    {
      before: steered({ steeringMode: "Heading Control" }),
      from: 10,
      rings: nothing,
      nearBefore: steered({ steeringMode: "Main Steering" }),
      near: nothing,
      ends: steered({ steeringMode: "Heading Control" }),
      holds: nothing,
    },
  ],
  [
    "pilot",
    "to standby by itself",
    {
      before: steered({ steeringMode: "Heading Control" }),
      rings: steered({ steeringMode: "Main Steering" }),
      nearBefore: steered({ steeringMode: "Main Steering" }),
      near: steered({ steeringMode: "Main Steering" }),
      ends: steered({ steeringMode: "Heading Control" }),
      holds: steered({ steeringMode: "Main Steering" }),
    },
  ],
  [
    "cpa",
    "a ship with way on, at an anchor that is watched",
    {
      before: inRoads(0.5, 6),
      lead: 130,
      rings: inRoads(0.09, 6),
      near: inRoads(0.11, 6),
      ends: inRoads(0.13, 6),
      settles: 30,
      holds: inRoads(0.12, 6),
    },
  ],
  [
    "cpa",
    "a ship that swings, at an anchor that is watched",
    {
      before: inRoads(0.5, 6),
      lead: 130,
      rings: inRoads(0.05, 2),
      near: inRoads(0.05, 1.9),
      ends: inRoads(0.13, 2),
      settles: 30,
    },
  ],
  ["wind", "in gusts", { from: 14, rings: gusty(5), near: gusty(3), ends: gusty(0), settles: 10, holds: gusty(4) }],
  ["wind", "in one gust", { from: -7, rings: gusty(10, 20), near: gusty(3, 20), ends: gusty(0) }],
  [
    "manOverboard",
    "a beacon by AIS",
    { rings: beacon(972_000_001, "active"), near: beacon(972_000_001, "test"), ends: nothing },
  ],
  [
    "distress",
    "a beacon by AIS",
    { rings: beacon(974_000_001, "active"), near: beacon(974_000_001, "test"), ends: nothing },
  ],
  [
    "distress",
    "a ship with the status of a beacon",
    { rings: beacon(244_000_001, "active"), near: beacon(244_000_001, undefined), ends: nothing },
  ],
  [
    "beaconTest",
    "a beacon by AIS",
    { rings: beacon(970_000_001, "test"), near: beacon(970_000_001, "active"), ends: nothing },
  ],
  [
    "dataLost",
    "ships",
    {
      before: receiverOfAis(true),
      rings: receiverOfAis(false),
      nearBefore: receiverOfAis(false),
      near: receiverOfAis(false),
      ends: receiverOfAis(true),
    },
  ],
  [
    "converter",
    "the automatic start of a generator",
    {
      rings: starts({ offReason: 18 }),
      near: starts({ offReason: 16 }),
      ends: starts({ offReason: 0 }),
    },
  ],
  [
    "converter",
    "the automatic start of a generator that cannot stop",
    {
      rings: starts({ onReason: 10 }),
      near: starts({ onReason: 9, operatingState: 6 }),
      ends: starts({ onReason: 0 }),
    },
  ],
  ["cpa", "a ship without way", { rings: obstacle(0.1), near: obstacle(0.3), ends: obstacle(0.6) }],
  [
    "converter",
    "an inverter",
    {
      rings: hears({ pgn: 127509, inverterInstance: 0, operatingState: "Fault" }),
      near: hears({ pgn: 127509, inverterInstance: 0, operatingState: "Invert" }),
      ends: hears({ pgn: 127509, inverterInstance: 0, operatingState: "Invert" }),
    },
  ],
  [
    "dataLost",
    "the wind",
    {
      before: sails(wind(100)),
      rings: sails(),
      nearBefore: sails(),
      near: sails(),
      ends: sails(wind(100)),
    },
  ],
  [
    "dataLost",
    "the course",
    {
      before: sails(),
      rings: () => ({ navigation: { ...underWay(5), speed_course: { cog: null, sog: null } } }),
      nearBefore: () => ({ navigation: { ...underWay(5), speed_course: { cog: null, sog: null } } }),
      near: () => ({ navigation: { ...underWay(5), speed_course: { cog: null, sog: null } } }),
      ends: sails(),
    },
  ],
  [
    "batteryVoltage",
    "of 24 V",
    {
      before: hears({ pgn: 127513, instance: 0, nominalVoltageV: "24" }, { pgn: 127508, instance: 0, voltageV: 25 }),
      rings: battery(23.4),
      near: battery(23.6),
      ends: battery(24.4),
    },
  ],
];

/** Longer than any alarm of the table takes. */
const SECONDS = 150;
/** Longer than the margins have to hold. */
const HOLD_SECONDS = 10;

/** A voyage of a kind with its leg before. */
function voyageOf(kind: AlarmKind, settings: object, row: Row, before = row.before): Voyage {
  const { lead = 10 } = row;
  const voyage = createVoyage();
  voyage.settings({ [kind]: settings });
  if (before !== undefined) voyage.sail(lead, (second) => before(second, voyage));
  return voyage;
}

/** Seconds of a leg until an alarm of the kind rings, or until none does; undefined: it does not come to that. */
function secondsOf(voyage: Voyage, kind: AlarmKind, leg: Leg, rings = true, most = SECONDS): number | undefined {
  for (let second = 0; second < most; second++) {
    const { alarms } = voyage.sail(1, () => leg(second, voyage));
    if (alarms.some((alarm) => alarm.kind === kind) === rings) return second;
  }
  return undefined;
}

/** The seconds in which an alarm with its delay has to have rung. */
const mostOf = (kind: AlarmKind, { from = 0 }: Row): number =>
  Math.max(SECONDS, alarmSettings.byDefault[kind].delay + from + 5);

const secondsTo = (kind: AlarmKind, settings: object): number | undefined =>
  secondsOf(voyageOf(kind, settings, table[kind]), kind, table[kind].rings, true, mostOf(kind, table[kind]));

const rowsOfTable = readFileSync("docs/alarms.md", "utf8").split("\n");
/** The column "ends" of the table of the documentation, which test/web/docs/chapters.test.ts asks for. */
const endOf = (kind: AlarmKind): string =>
  (rowsOfTable.find((row) => row.startsWith(`| \`${kind}\` |`)) ?? "").split("|").at(-2)?.trim() ?? "";

/** Seconds that the column says; three where it says none. */
function secondsSaid(end: string): number {
  const [, number, unit] = /(\d+|a) (minute|second)/.exec(end) ?? [];
  return number === undefined ? 3 : (number === "a" ? 1 : Number(number)) * (unit === "minute" ? 60 : 1);
}

const cases: readonly (readonly [title: string, kind: AlarmKind, row: Row])[] = [
  ...alarmKinds.map((kind) => [kind, kind, table[kind]] as const),
  ...also.map(([kind, what, row]) => [`${kind}, ${what}`, kind, row] as const),
];

describe.each(cases)("%s", (_, kind, row) => {
  const { on, not = {}, from = 0, near, nearBefore, rings, ends, settles, holds } = row;
  const byDefault = alarmSettings.byDefault[kind];
  const enabled = { enabled: true, ...on };
  const until = (voyage: Voyage): void =>
    expect(secondsOf(voyage, kind, rings, true, mostOf(kind, row))).toBe(byDefault.delay + from);

  test("rings after its seconds, and not for less", () => {
    until(voyageOf(kind, enabled, row));
    // A mean goes on for a while.
    if (byDefault.delay === 0 || from > 0) return;
    const voyage = voyageOf(kind, enabled, row);
    voyage.sail(byDefault.delay + from, (second) => rings(second, voyage));
    expect(secondsOf(voyage, kind, ends)).toBeUndefined();
  });

  test("does not ring at its near miss", () => {
    expect(secondsOf(voyageOf(kind, enabled, row, nearBefore), kind, near)).toBeUndefined();
  });

  test("ends as the documentation says", () => {
    const end = endOf(kind);
    const seconds = settles ?? secondsSaid(end);
    const voyage = voyageOf(kind, enabled, row);
    until(voyage);
    const isLatched = definitionOf(kind).isLatched === true;
    if (isLatched) {
      expect(secondsOf(voyage, kind, ends, false, seconds + SECONDS)).toBeUndefined();
      const { alarms } = voyage.sail(1, () => ends(0, voyage));
      for (const { id } of alarms) voyage.command(id, "acknowledge");
      expect(secondsOf(voyage, kind, ends, false)).toBeLessThan(5);
      return;
    }
    const ended = secondsOf(voyage, kind, ends, false, seconds + SECONDS)!;
    // The three seconds of every end may follow the minutes of the table.
    expect(ended).toBeGreaterThanOrEqual(seconds);
    expect(ended).toBeLessThanOrEqual(seconds + 3);
  });

  if (holds !== undefined || (row === table[kind] && endOf(kind) === "within"))
    test("does not end within its margin", () => {
      const voyage = voyageOf(kind, enabled, row);
      until(voyage);
      expect(secondsOf(voyage, kind, holds!, false, (settles ?? 3) + HOLD_SECONDS)).toBeUndefined();
    });

  if (row !== table[kind]) return;
  test("has its settings", () => {
    const seconds = byDefault.delay + from;
    expect(secondsTo(kind, { ...on }), "enabled by default").toBe(byDefault.enabled ? seconds : undefined);
    expect(secondsTo(kind, { ...on, enabled: false }), "enabled").toBeUndefined();
    expect(secondsTo(kind, { ...enabled, delay: byDefault.delay + 2 }), "delay").toBe(seconds + 2);
    for (const [member, value] of Object.entries(not))
      expect(secondsTo(kind, { ...enabled, [member]: value }), member).toBeUndefined();
    // The term of an answer has a test of its own.
    const members = Object.keys(byDefault).filter((member) => member !== "term");
    expect(members.sort()).toEqual(["enabled", "delay", ...Object.keys(not)].sort());
  });
});

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
const coolant = (coolantTempC: number): Leg => hears({ pgn: 127489, engineInstance: 0, coolantTempC });
const engineBits = (discreteStatus1: number): Leg => hears({ pgn: 127489, engineInstance: 0, discreteStatus1 });
const gearBits = (discreteStatus1: number): Leg => hears({ pgn: 127493, engineInstance: 0, discreteStatus1 });
const battery = (voltageV: number): Leg => hears({ pgn: 127508, instance: 0, voltageV });
const charge = (stateOfChargePercent: number): Leg =>
  hears({ pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent });
const charger = (operatingState: string): Leg => hears({ pgn: 127507, chargerInstance: 0, operatingState });
const inverter = (operatingState: string): Leg => hears({ pgn: 127509, inverterInstance: 0, operatingState });
const free = (megabytes: number): Leg => sails({}, { disk: { path: "/var/lib", freeBytes: megabytes * 1e6 } });
const person = (status: number): Leg => hears({ pgn: 127233, status, emitterId: 7 });
const alert = (state: string): Leg =>
  hears({ pgn: 126983, alertType: 2, alertSystem: 5, alertSubSystem: 2, alertId: 104, state });
const call = (members: object): Leg => hears({ pgn: 129808, address: "2440000010", ...members });
const passes = (cpa: number): Leg => sails({}, { targets: [passing(1, cpa, 5)] });
const shipAt = (range: number, more: object = {}): Leg => sails({}, { targets: [ship(1, { range, ...more })] });
const receiversAt = (...miles: readonly number[]): Leg =>
  sails({}, { receivers: miles.map((each, index) => receiver(index + 1, each)) });
const water = (waterTemperature: number): Leg => sails({ depth_water: { waterTemperature } });
const apparent = (speed: number): Leg => sails({ wind_apparent: { speed, angle: 40 } });
const trueWind = (direction: number): Leg => sails(wind(direction));
const arrives = (arrivalStatus: string): Leg => hears({ pgn: 129284, arrivalStatus });
const devices = (...newDevices: readonly { addr: number; label: string }[]): Leg => sails({}, { newDevices });
const withoutFix: Leg = () => ({ navigation: {} });

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

/** A row by the values at which it does not ring, rings, and ends, and one by which it does not end. */
const by = <Value>(leg: (value: Value) => Leg, near: Value, rings: Value, ends: Value, holds?: Value): Row => ({
  ...{ near: leg(near), rings: leg(rings), ends: leg(ends) },
  ...(holds !== undefined && { holds: leg(holds) }),
});

/** A row of something that is there, and is no more; where it never was nothing rings. */
const lost = (there: Leg, gone: Leg): Row => ({
  before: there,
  rings: gone,
  nearBefore: gone,
  near: gone,
  ends: there,
});

const table: Readonly<Record<AlarmKind, Row>> = {
  manOverboard: { rings: person(0), near: person(2), ends: nothing },
  distress: {
    rings: call({ format: "Distress" }),
    near: call({ format: "All Ships", category: "Safety" }),
    ends: nothing,
  },
  beaconTest: { rings: person(2), near: person(0), ends: nothing },
  alert: { ...by(alert, "Normal", "Active", "Normal"), settles: 3 },
  external: by((said) => commands("external/bilge", said), "", '{"severity":"warning","message":"Bilge"}', ""),
  cpa: { ...by(passes, 0.26, 0.1, 0.4), not: { limit: 0.05, minutes: 4 } },
  guardZone: { ...by(shipAt, 1.01, 0.5, 1.2, 1.05), not: { radius: 0.3 } },
  lostTarget: {
    ...by((more: object) => shipAt(0.5, more), { heardAt: 900_000 }, { placedAt: 0 }, { heardAt: 2_000_000 }),
    ...{ not: { radius: 0.3 }, settles: 3 },
  },
  safetyMessage: {
    rings: hears({ pgn: 129802, mmsi: 244_000_001, text: "BUOY ADRIFT" }),
    near: hears({ pgn: 129802, mmsi: 972_000_001, text: "MOB ACTIVE" }),
    ends: nothing,
  },
  depth: {
    ...{ rings: depths(() => 2.2, -0.5), near: depths(() => 2), ends: depths(() => 2.3), holds: depths(() => 2.2) },
    ...{ not: { limit: 1, reference: "transducer" }, settles: 7 },
  },
  depthLost: {
    ...lost(
      depths(() => 3),
      sails(),
    ),
    nearBefore: depths(() => 5),
    not: { limit: 2.5 },
  },
  // Half a metre a second from 14 m, which is a slope of the ground that ends at 5 m.
  depthFalling: {
    rings: depths((second) => Math.max(5, 14 - second / 2)),
    near: depths((second) => Math.max(8, 14 - second / 4)),
    ends: depths(() => 9),
    holds: depths((second) => 8 - second / 4),
    ...{ from: 9, not: { seconds: 5 }, settles: 8 },
  },
  anchor: { ...by(anchored, 39, 60, 30, 38), before: sails(), not: { radius: 80 } },
  position: lost(sails(), withoutFix),
  positionJump: { ...by(receiversAt, 0.09, 0.5, 0.5), before: receiversAt(0), not: { limit: 1 } },
  receivers: { ...by((miles) => receiversAt(0, miles), 0.055, 0.2, 0.02, 0.05), not: { limit: 500 } },
  network: { rings: sails({}, { heardAt: 0 }), near: sails({}, { heardAt: undefined }), ends: sails() },
  dataLost: lost(
    depths(() => 20),
    sails(),
  ),
  engineTemperature: { ...by(coolant, 98, 98.5, 95, 95.5), not: { limit: 99 } },
  oilPressure: { ...by(oil, 100, 60, 120, 110), not: { limit: 50 } },
  engine: by(engineBits, 1 << 10, 1, 0),
  transmission: by(gearBits, 1 << 5, 1, 0),
  pilot: by((offHeadingExceeded) => hears({ pgn: 127237, offHeadingExceeded }), 0, 1, 0),
  limits: { ...by(water, 20, 25, 18, 19.9), on: { rows: [freezer] }, not: { rows: [{ ...freezer, above: 30 }] } },
  crossTrack: { ...by(offLeg, 185, 400, 100, 180), not: { limit: 0.5 } },
  windShift: {
    ...by(trueWind, 125, 160, 100, 125),
    ...{ before: trueWind(100), lead: 1300, from: 45, not: { limit: 90 }, settles: 39 },
  },
  wind: { ...by(apparent, 30, 35, 27, 28), not: { limit: 40 }, settles: 19 },
  batteryVoltage: { ...by(battery, 11.8, 11.7, 12.2, 12), not: { limit: 11, nominal: { 0: 6 } } },
  batteryHigh: { ...by(battery, 15.5, 17, 15.2, 15.4), not: { limit: 18 } },
  arrival: by(arrives, ArrivalStatus[0], "Perpendicular Crossed", ArrivalStatus[0]),
  positionFrozen: {
    ...{ rings: stuck, near: sails(), ends: (second) => ({ navigation: northOf(2.6 * second, underWay(5)) }) },
    ...{ from: 73, not: { limit: 1 }, settles: 13 },
  },
  pressure: {
    before: barometer(() => 0),
    rings: barometer((second) => Math.min(second * 10, 400)),
    near: barometer((second) => Math.min(second * 10, 290)),
    ends: barometer((second) => Math.max(0, 400 - 10 * second)),
    holds: barometer(() => 250),
    ...{ from: 30, not: { limit: 5 }, settles: 21 },
  },
  batteryCharge: { ...by(charge, 20, 15, 25, 22), not: { limit: 10 } },
  converter: by(charger, "Float", "Fault", "Float"),
  shorePower: {
    ...by(shore, 90, 60, 100, 95),
    ...{ before: () => ({ navigation: underWay(0) }), lead: 610, not: { limit: 50 } },
  },
  clock: { rings: sails({}, { clockAheadSec: 60 }), near: sails(), ends: sails({ date: "2026-11-21" }) },
  newDevice: { rings: devices({ addr: 42, label: "Logger" }), near: devices(), ends: devices(), settles: 3 },
  fault: { rings: sails({}, { faultyParts: ["findings"] }), near: sails(), ends: sails() },
  disk: { ...by(free, 200, 150, 220, 210), not: { limit: 100 } },
};

const running = { pgn: 127488, engineInstance: 0, engineSpeedRpm: 2000 };
const bitsAt = (speed: object, discreteStatus1: number): Leg =>
  hears(speed, { pgn: 127489, engineInstance: 0, discreteStatus1 });
const obstacle = (cpa: number): Leg => sails({}, { targets: [passing(1, cpa, 5, { sog: 0 }, 5)] });
const steered = (members: object): Leg => hears({ pgn: 127237, ...members });
const steers = steered({ steeringMode: "Heading Control" });
const stands = steered({ steeringMode: "Main Steering" });

/** A ship that passes in five minutes, at an anchor watch that the boat has lain at for two minutes. */
const inRoads =
  (cpa: number, sog: number): Leg =>
  (_second, voyage) => {
    if (voyage.monitor.anchorWatch === undefined) voyage.command("anchorWatch", "{}");
    return { navigation: underWay(0), targets: [passing(1, cpa, 5, { sog }, 0)] };
  };
const watched = { before: inRoads(0.5, 6), lead: 130, settles: 30 };

/** A wind of 25 knots with gusts of 35, or of more, for some seconds of each ten. */
const gusty =
  (seconds: number, gust = 10): Leg =>
  (second) => ({ ...apparent(25)(0, undefined as never), gust: second % 10 < seconds ? gust : 0 });

/** A station of AIS that calls each second. */
const beacon =
  (mmsi: number, distress: "active" | "test" | undefined): Leg =>
  (second) => ({ navigation: underWay(5), targets: [ship(mmsi, { distress, heardAt: 1_001_000 + 1000 * second })] });

/** A device of AIS that is heard or not, at sea without ships. */
const receiverOfAis = (isThere: boolean): Leg => sails({}, { aisSources: new Set([40]), isHeard: () => isThere });

const starts = (members: object): Leg => hears({ pgn: 127514, generatorInstance: 1, ...members });
const withoutCourse: Leg = () => ({ navigation: { ...underWay(5), speed_course: { cog: null, sog: null } } });
const of24V = hears({ pgn: 127513, instance: 0, nominalVoltageV: "24" }, { pgn: 127508, instance: 0, voltageV: 25 });

/** What else a row of the documentation names. */
const also: readonly (readonly [kind: AlarmKind, what: string, row: Row])[] = [
  [
    "engineTemperature",
    "reported by the engine",
    { rings: bitsAt(running, 1 << 1), near: engineBits(1 << 10), ends: engineBits(0) },
  ],
  [
    "oilPressure",
    "reported by an engine that does not stand",
    { rings: bitsAt(running, 4), near: bitsAt({ ...running, engineSpeedRpm: 0 }, 4), ends: bitsAt(running, 0) },
  ],
  [
    "pilot",
    "off track",
    by(steered, { offTrackExceeded: 0, override: 1 }, { offTrackExceeded: 1 }, { offTrackExceeded: 0 }),
  ],
  ["pilot", "at the limit of the rudder", by((rudderLimitExceeded) => steered({ rudderLimitExceeded }), 2, 1, 0)],
  ["pilot", "silent while it steers", { ...lost(steers, nothing), nearBefore: stands, from: 10, holds: nothing }],
  ["pilot", "to standby by itself", { ...lost(steers, stands), holds: stands }],
  [
    "cpa",
    "a ship with way on, at an anchor that is watched",
    { ...by((cpa) => inRoads(cpa, 6), 0.11, 0.09, 0.13, 0.12), ...watched },
  ],
  [
    "cpa",
    "a ship that swings, at an anchor that is watched",
    { rings: inRoads(0.05, 2), near: inRoads(0.05, 1.9), ends: inRoads(0.13, 2), ...watched },
  ],
  ["wind", "in gusts", { ...by(gusty, 3, 5, 0, 4), from: 14, settles: 10 }],
  ["wind", "in one gust", { from: -7, rings: gusty(10, 20), near: gusty(3, 20), ends: gusty(0) }],
  [
    "manOverboard",
    "by AIS",
    { rings: beacon(972_000_001, "active"), near: beacon(972_000_001, "test"), ends: nothing },
  ],
  ["distress", "by AIS", { rings: beacon(974_000_001, "active"), near: beacon(974_000_001, "test"), ends: nothing }],
  [
    "distress",
    "a ship with the status of a beacon",
    { rings: beacon(244_000_001, "active"), near: beacon(244_000_001, undefined), ends: nothing },
  ],
  ["beaconTest", "by AIS", { rings: beacon(970_000_001, "test"), near: beacon(970_000_001, "active"), ends: nothing }],
  ["dataLost", "ships", lost(receiverOfAis(true), receiverOfAis(false))],
  ["dataLost", "the wind", lost(trueWind(100), sails())],
  ["dataLost", "the course", lost(sails(), withoutCourse)],
  ["converter", "the automatic start of a generator", by((offReason) => starts({ offReason }), 16, 18, 0)],
  [
    "converter",
    "the automatic start of a generator that cannot stop",
    by(starts, { onReason: 9, operatingState: 6 }, { onReason: 10 }, { onReason: 0 }),
  ],
  ["converter", "an inverter", by(inverter, "Invert", "Fault", "Invert")],
  ["cpa", "a ship without way", by(obstacle, 0.3, 0.1, 0.6)],
  ["batteryVoltage", "of 24 V", { ...by(battery, 23.6, 23.4, 24.4), before: of24V }],
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

/** Each setting of each alarm by its effect: something for which the alarm rings, and how each member changes that. */
import { expect, test } from "vitest";
import { type AlarmKind, alarmKinds } from "../../../src/core/alarms/definitions.ts";
import type { Surroundings } from "../../../src/core/alarms/monitor.ts";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import { createVoyage, passing, ship, underWay, type Voyage } from "./voyage.ts";

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

const freezer = { id: "freezer", member: "depth_water.waterTemperature", above: 20, text: "Too warm" };

const table: Readonly<Record<AlarmKind, Row>> = {
  manOverboard: { rings: hears({ pgn: 127233, status: 0, emitterId: 7 }) },
  distress: { rings: hears({ pgn: 129808, format: "Distress", address: "2440000010" }) },
  beaconTest: { rings: hears({ pgn: 127233, status: 2, emitterId: 7 }) },
  alert: {
    rings: hears({ pgn: 126983, alertType: 2, alertSystem: 5, alertSubSystem: 2, alertId: 104, state: "Active" }),
  },
  external: {
    rings: (_second, voyage) => {
      voyage.command("external/bilge", '{"severity":"warning","message":"Bilge"}');
      return {};
    },
  },
  cpa: { rings: sails({}, { targets: [passing(1, 0.1, 5)] }), not: { limit: 0.05, minutes: 4 } },
  guardZone: { rings: sails({}, { targets: [ship(1, { range: 0.5 })] }), not: { radius: 0.3 } },
  lostTarget: { rings: sails({}, { targets: [ship(1, { range: 0.5, heardAt: 0 })] }), not: { radius: 0.3 } },
  safetyMessage: { rings: hears({ pgn: 129802, mmsi: 244_000_001, text: "BUOY ADRIFT" }) },
  depth: { rings: depths(() => 1.5, 0.7), not: { limit: 1, reference: "surface" } },
  depthLost: { before: depths(() => 3), rings: sails(), not: { limit: 2.5 } },
  // Half a metre a second from 14 m, which is a slope of the ground that ends at 5 m.
  depthFalling: { rings: depths((second) => Math.max(5, 14 - second / 2)), not: { seconds: 5 } },
  anchor: {
    before: sails(),
    rings: (second, voyage) => {
      if (second === 0) voyage.command("anchorWatch", "{}");
      return { navigation: underWay(0.5, { position: { ...underWay(0).position!, ...north(60 / 1852) } }) };
    },
    not: { radius: 80 },
  },
  position: { before: sails(), rings: () => ({ navigation: {} }) },
  positionJump: {
    before: sails({}, { receivers: [receiver(1, 0)] }),
    rings: sails({}, { receivers: [receiver(1, 0.5)] }),
    not: { limit: 1 },
  },
  receivers: { rings: sails({}, { receivers: [receiver(1, 0), receiver(2, 0.2)] }), not: { limit: 500 } },
  network: { rings: sails({}, { heardAt: 0 }) },
  dataLost: { before: depths(() => 20), rings: sails() },
  engineTemperature: { rings: hears({ pgn: 127489, engineInstance: 0, coolantTempC: 105 }), not: { limit: 110 } },
  oilPressure: {
    rings: hears(
      { pgn: 127488, engineInstance: 0, engineSpeedRpm: 2000 },
      { pgn: 127489, engineInstance: 0, oilPressureKpa: 60 },
    ),
    not: { limit: 50 },
  },
  engine: { rings: hears({ pgn: 127489, engineInstance: 0, discreteStatus1: 1 }) },
  transmission: { rings: hears({ pgn: 127493, engineInstance: 0, discreteStatus1: 1 }) },
  pilot: { rings: hears({ pgn: 127237, offHeadingExceeded: 1 }) },
  limits: {
    on: { rows: [freezer] },
    rings: sails({ depth_water: { waterTemperature: 25 } }),
    not: { rows: [{ ...freezer, above: 30 }] },
  },
  crossTrack: {
    rings: (second, voyage) => {
      hears({ pgn: 129283, xte: 400 })(second, voyage);
      return { navigation: underWay(5) };
    },
    not: { limit: 0.5 },
  },
  windShift: { before: sails(wind(100)), lead: 1300, rings: sails(wind(160)), not: { limit: 90 } },
  wind: { rings: sails({ wind_apparent: { speed: 35, angle: 40 } }), not: { limit: 40 } },
  batteryVoltage: {
    rings: hears({ pgn: 127508, instance: 0, voltageV: 11 }),
    not: { limit: 10, nominal: { 0: 6 } },
  },
  batteryHigh: { rings: hears({ pgn: 127508, instance: 0, voltageV: 17 }), not: { limit: 18 } },
  arrival: { rings: hears({ pgn: 129284, arrivalStatus: "Arrival Circle Entered" }) },
  positionFrozen: {
    rings: (_second, voyage) => {
      voyage.receiver.wanders = false;
      return { navigation: underWay(5) };
    },
    not: { limit: 1 },
  },
  pressure: {
    before: sails({ depth_water: { atmosphericPressure: 101_000 } }),
    rings: (second) => ({
      navigation: underWay(5, { depth_water: { atmosphericPressure: 101_000 - Math.min(second * 10, 400) } }),
    }),
    not: { limit: 5 },
  },
  batteryCharge: {
    rings: hears({ pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 15 }),
    not: { limit: 10 },
  },
  converter: { rings: hears({ pgn: 127507, chargerInstance: 0, operatingState: "Fault" }) },
  shorePower: {
    before: () => ({ navigation: underWay(0) }),
    lead: 610,
    rings: (second, voyage) => {
      hears({ pgn: 127503, instance: 0, line1VoltageV: 60 })(second, voyage);
      return { navigation: underWay(0) };
    },
    not: { limit: 50 },
  },
  clock: { rings: sails({}, { clockAheadSec: 60 }) },
  newDevice: { rings: sails({}, { newDevices: [{ addr: 42, label: "Logger" }] }) },
  fault: { rings: sails({}, { faultyParts: ["findings"] }) },
  disk: { rings: sails({}, { disk: { path: "/var/lib", freeBytes: 150e6 } }), not: { limit: 100 } },
};

/** Longer than any alarm of the table takes. */
const SECONDS = 150;

/** Seconds until an alarm of the kind rings; undefined: it does not. */
function secondsTo(kind: AlarmKind, settings: object): number | undefined {
  const { before, lead = 10, rings } = table[kind];
  const voyage = createVoyage();
  voyage.settings({ [kind]: settings });
  if (before !== undefined) voyage.sail(lead, (second) => before(second, voyage));
  for (let second = 0; second < SECONDS; second++) {
    const { alarms } = voyage.sail(1, () => rings(second, voyage));
    if (alarms.some((alarm) => alarm.kind === kind)) return second;
  }
  return undefined;
}

test.each(alarmKinds)("%s", (kind) => {
  const { on, not = {} } = table[kind];
  const byDefault = alarmSettings.byDefault[kind];
  const seconds = secondsTo(kind, { enabled: true, ...on });
  expect(seconds).toBeDefined();
  expect(secondsTo(kind, { ...on }), "enabled by default").toBe(byDefault.enabled ? seconds : undefined);
  expect(secondsTo(kind, { ...on, enabled: false }), "enabled").toBeUndefined();
  const delay = byDefault.delay + 2;
  expect(secondsTo(kind, { enabled: true, ...on, delay }), "delay").toBe(seconds! + 2);
  for (const [member, value] of Object.entries(not))
    expect(secondsTo(kind, { enabled: true, ...on, [member]: value }), member).toBeUndefined();
  // The term of an answer has a test of its own.
  const members = Object.keys(byDefault).filter((member) => member !== "term");
  expect(members.sort()).toEqual(["enabled", "delay", ...Object.keys(not)].sort());
});

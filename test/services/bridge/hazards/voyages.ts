/** A voyage for each hazard: frames of the bus and commands, after which an alarm of the kind rings. */

import type { ActiveAlarm, AlarmsData } from "../../../../src/core/alarms/report.ts";
import type { AlarmKind } from "../../../../src/core/alarms/words.ts";
import { deviceNameBytes } from "../../../../src/core/n2k/device-name.ts";
import type { PartRow } from "../../../../src/services/bridge/part.ts";
import { type Said, setUp, start, topic } from "../alarm-bus.ts";
import { named } from "../named.ts";

type Boat = ReturnType<typeof setUp>;

interface Voyage {
  /** Settings of the kind; it is on. */
  readonly settings?: object;
  readonly sail: (boat: Boat) => void;
}

const at = (latitude: number, from = 3): Said => ({ pgn: 129025, from, latitude, longitude: 4 });
const course = (sogMs: number): Said => ({ pgn: 129026, cogReference: "True", cogDeg: 0, sogMs });
const underWay = [at(52), course(3)] as const;
const berth = [at(52), course(0)] as const;
const depth = (depthM: number): Said => ({ pgn: 128267, depthM });
const wind = (windAngleDeg: number, windSpeedMs = 8): Said => ({
  ...{ pgn: 130306, windSpeedMs, windAngleDeg },
  reference: "True (ground referenced to North)",
});
/** A ship some miles north of the boat, which steers north. */
const ship = (north: number, sogMs: number): Said => ({
  ...{ pgn: 129039, messageId: 18, mmsi: 244_000_001, latitude: 52 + north / 60, longitude: 4, sogMs, cogDeg: 0 },
});
const beacon = { pgn: 129038, latitude: 52.0021584, longitude: 4, sogMs: 0 };
const timeAt = (second: number): Said => ({
  ...{ pgn: 126992, source: 0, date: Math.floor(start / 86_400_000), time: (start % 86_400_000) / 1000 + second },
});

/** The address claim of a device of its own. */
const claimOf = (from: number): Said => ({
  pgn: 60928,
  from,
  hex: Buffer.from(deviceNameBytes(named(from))).toString("hex"),
});

/** Some seconds under way with these messages. */
const under =
  (seconds: number, ...messages: readonly Said[]): Voyage["sail"] =>
  ({ sail }) =>
    sail(seconds, ...underWay, ...messages);
/** The one leg after the other. */
const legs =
  (...all: readonly Voyage["sail"][]): Voyage["sail"] =>
  (boat) => {
    for (const leg of all) leg(boat);
  };
const command =
  (target: string, payload: string): Voyage["sail"] =>
  ({ bridge }) =>
    bridge.command(`${topic}/${target}/set`, payload);

export const voyages: Readonly<Record<AlarmKind, Voyage>> = {
  manOverboard: { sail: under(3, { ...beacon, mmsi: 972_123_456, navStatus: "AIS-SART" }) },
  distress: {
    sail: under(3, {
      ...{ pgn: 129808, format: "Distress", category: "Distress", natureOfDistress: "Sinking" },
      ...{ address: "2446600000", latitude: 52.0021584, longitude: 4 },
    }),
  },
  beaconTest: { sail: under(3, { ...beacon, mmsi: 970_123_456 }) },
  alert: {
    sail: under(
      3,
      ...[
        { pgn: 126983, alertType: 2, alertCategory: 1, silenced: false, acknowledged: false, state: "Active" },
        { pgn: 126985, languageId: 0, text: "Bilge water high" },
      ].map((each) => ({
        ...{ from: 7, alertSystem: 5, alertSubSystem: 2, alertId: 104, dataSourceName: "a101020304050607" },
        ...{ dataSourceInstance: 0, dataSourceIndex: 1, ...each },
      })),
    ),
  },
  external: {
    sail: legs(command("external/bilge", '{"severity":"warning","message":"Water in the bilge"}'), under(3)),
  },
  cpa: { sail: under(20, ship(0.5, 0)) },
  guardZone: { sail: under(20, ship(0.8, 3)) },
  lostTarget: { sail: legs(under(5, ship(0.8, 3)), under(310)) },
  safetyMessage: { sail: under(3, { pgn: 129802, messageId: 14, mmsi: 2_442_000, text: "BUOY ADRIFT" }) },
  depth: { sail: under(10, depth(1.5)) },
  depthLost: { sail: legs(under(5, depth(4)), under(25)) },
  depthFalling: {
    sail: (boat) => {
      for (let second = 0; second < 25; second++) under(1, depth(8 - second * 0.2))(boat);
    },
  },
  anchor: {
    sail: legs(under(3), command("anchorWatch", '{"radius":30}'), ({ sail }) => sail(20, at(52.001), course(1))),
  },
  position: { sail: legs(under(5), ({ sail }) => sail(20, course(3))) },
  positionJump: { sail: legs(under(5), ({ sail }) => sail(2, at(52.1), course(3))) },
  receivers: { sail: under(40, at(52.002, 4)) },
  network: { sail: legs(under(5), ({ sail }) => sail(40)) },
  dataLost: { sail: legs(under(20, depth(20)), under(45)) },
  engineTemperature: { sail: under(10, { pgn: 127489, engineInstance: 0, coolantTempC: 105 }) },
  oilPressure: {
    sail: under(
      10,
      { pgn: 127488, engineInstance: 1, engineSpeedRpm: 2000 },
      { pgn: 127489, engineInstance: 1, oilPressureKpa: 60 },
    ),
  },
  engine: { sail: under(10, { pgn: 127489, engineInstance: 0, discreteStatus1: 8 }) },
  transmission: { sail: under(10, { pgn: 127493, engineInstance: 0, discreteStatus1: 8 }) },
  pilot: { sail: under(10, { pgn: 127237, from: 9, offHeadingExceeded: 1 }) },
  limits: {
    settings: { rows: [{ id: "freezer", pgn: 130316, member: "actualTempC", above: -10, text: "Freezer is warm" }] },
    sail: under(10, { pgn: 130316, instance: 4, source: "Freezer Temperature", actualTempC: -3 }),
  },
  arrival: { sail: under(5, { pgn: 129284, arrivalStatus: "Arrival Circle Entered" }) },
  positionFrozen: {
    sail: (boat) => {
      boat.receiver.wanders = false;
      under(90)(boat);
    },
  },
  pressure: {
    sail: ({ sail }) => {
      for (const pressure of [101_200, 101_150, 101_080, 101_000, 100_930, 100_860, 100_860, 100_860])
        sail(30, ...underWay, { pgn: 130314, instance: 0, source: "Atmospheric", pressurePa: pressure });
    },
  },
  batteryHigh: { sail: under(40, { pgn: 127508, instance: 0, voltageV: 17 }) },
  crossTrack: { sail: under(20, { pgn: 129283, xte: 300 }) },
  windShift: { sail: legs(under(1300, wind(0)), under(300, wind(60))) },
  wind: { sail: under(20, wind(40, 20)) },
  batteryVoltage: { sail: under(40, { pgn: 127508, instance: 0, voltageV: 11.2 }) },
  batteryCharge: { sail: under(40, { pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 12 }) },
  converter: { sail: under(10, { pgn: 127507, chargerInstance: 1, operatingState: "Fault" }) },
  shorePower: {
    sail: ({ sail, wait }) => {
      wait(610, ...berth);
      sail(70, ...berth, { pgn: 127503, instance: 0, numLines: 1, line1VoltageV: 60 });
    },
  },
  clock: {
    sail: ({ sail, compareClock }) => {
      for (let second = 0; second < 70; second++) {
        sail(1, ...underWay, timeAt(second));
        compareClock(7_200_000);
      }
    },
  },
  newDevice: {
    sail: legs(
      under(20, claimOf(3)),
      ({ bridge }) => bridge.command("can/can0/findings/baseline/set", "{}"),
      under(10, claimOf(3)),
      under(20, claimOf(3), claimOf(42)),
    ),
  },
  fault: { sail: under(5) },
  disk: { sail: under(70) },
};

/** Text that must not appear in words for people. */
export const NOT_WORDS = /undefined|\bnull\b|NaN|Infinity|\[object|\{\w*\}/;

/** A part that fails whenever it is due. */
const failing: PartRow = {
  name: "planted",
  create: () => ({
    due: Number.NEGATIVE_INFINITY,
    advance() {
      throw new Error("planted");
    },
  }),
};

export interface Sailed {
  /** The alarm of the kind. */
  readonly alarm: ActiveAlarm;
  readonly report: AlarmsData;
  readonly publisher: Boat["publisher"];
  readonly boat: Boat;
}

/** Sails the voyage of a kind; throws where the alarm does not ring. */
export function sailed(kind: AlarmKind): Sailed {
  const disk = () => (kind === "disk" ? { path: "/var/lib", freeBytes: 150e6 } : undefined);
  const boat = setUp(start, { disk }, kind === "fault" ? [failing] : []);
  const { settings, sail } = voyages[kind];
  boat.bridge.configure(new Map([["alarms", { name: "alarms", [kind]: { enabled: true, ...settings } }]]));
  sail(boat);
  const report = boat.reports().at(-1)!;
  const alarm = report.alarms.find((each) => each.kind === kind);
  if (alarm === undefined) throw new Error(`${kind} does not ring: ${boat.ringing().join(", ")}`);
  return { alarm, report, publisher: boat.publisher, boat };
}

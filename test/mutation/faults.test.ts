/** The faults can still be planted: what they change is where they look for it. `npm run mutation` sees them caught. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AlarmKind } from "../../src/alarms/definitions.ts";

interface Fault {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly tests: { readonly files: readonly string[]; readonly pattern?: RegExp; readonly program?: string };
}

const { faults } = (await import("./faults.mjs" as string)) as { readonly faults: readonly Fault[] };

test.each(faults)("$name: planted at one place of $file", ({ file, from, to, tests }) => {
  expect(readFileSync(file, "utf8").split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
  for (const path of tests.files) expect(existsSync(path), path).toBe(true);
});

test("each is another one", () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

/** A fault of each row of the table of docs/alarms.md. */
const faultOf: Readonly<Record<AlarmKind, string>> = {
  manOverboard: "a call of distress that has just been heard is over",
  distress: "a distress call by radio is a routine one",
  alert: "an emergency alert is a warning",
  external: "an alarm of a program has any id",
  cpa: "a ship that drifts ahead does not ring",
  guardZone: "the guard zone is outside of itself",
  depth: "shallow water is deep",
  depthLost: "a depth that is lost in shallow water is well",
  anchor: "a boat that drags is in its circle",
  position: "a position that is lost is well",
  positionJump: "a receiver that jumps is believed",
  receivers: "two receivers never differ",
  network: "a silent network is well",
  dataLost: "data that are lost are well",
  engineTemperature: "a hot engine is well",
  oilPressure: "the oil pressure of a standing engine rings",
  engine: "a lamp of the ignition rings",
  transmission: "a hot transmission is a warning",
  pilot: "an autopilot off track is so quietly",
  newDevice: "a new device that is gone again is forgotten",
  limits: "a limit of the crew's own is for another instance",
  beaconTest: "a vessel in distress is a test of a beacon",
  safetyMessage: "a safety message of AIS is not shown",
  lostTarget: "a ship that is lost is forgotten",
  depthFalling: "a swell is a slope",
  crossTrack: "a boat off the leg is sent farther away",
  windShift: "the wind shifts against itself",
  wind: "a gale is a calm",
  batteryVoltage: "an empty battery of 24 V has the limit of one of 12 V",
  batteryCharge: "an empty battery is charged",
  converter: "a charger at fault is well",
  shorePower: "the shore's power is missed at sea",
  clock: "a clock that differs is right",
  disk: "a full disk has room",
};

test.each(Object.entries(faultOf))("the alarm %s has a fault: %s", (_, name) => {
  expect(faults.map((fault) => fault.name)).toContain(name);
});

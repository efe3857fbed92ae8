/** Engines and transmissions that report alarms of their own: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { engineBits, transmissionBits } from "../../../src/alarms/hazards/engine.ts";
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../../src/n2k/lookups.ts";
import { setUp } from "../alarm-bus.ts";

const littleEndian = (value: number): string =>
  (value & 0xff).toString(16).padStart(2, "0") + (value >> 8).toString(16).padStart(2, "0");

/**
 * 127489 by hand: 26 bytes, status 1 in bytes 20 and 21, status 2 in 22 and 23, the rest not available but the
 * instance.
 */
const dynamic = (status1: number, status2 = 0, instance = 0) => ({
  pgn: 127489,
  hex: `0${instance}${"ff".repeat(18)}ff${littleEndian(status1)}${littleEndian(status2)}7f7f`,
});
const rpm = (engineSpeedRpm: number, engineInstance = 0) => ({ pgn: 127488, engineInstance, engineSpeedRpm });
/** 127493 by hand: 8 bytes, the status in byte 6. */
const transmission = (status: number) => ({ pgn: 127493, hex: `00fcffffffff${littleEndian(status).slice(0, 2)}ff` });

const bitsOfEngine = [
  ...EngineStatus1.map((name, bit) => [name, 1 << bit, 0] as const),
  ...EngineStatus2.map((name, bit) => [name, 0, 1 << bit] as const),
];
const meant = bitsOfEngine.filter(([name]) => engineBits[name] !== undefined);

describe("a bit of 127489", () => {
  test.each(meant)("%s rings after five seconds and ends", (name, status1, status2) => {
    const { severity } = engineBits[name]!;
    const { sail, ringing } = setUp();
    sail(4, rpm(1500), dynamic(status1, status2));
    expect(ringing()).toEqual([]);
    sail(4, rpm(1500), dynamic(status1, status2));
    const [id, ...rest] = ringing()[0]!.split(" ");
    expect(ringing()).toHaveLength(1);
    expect(id).toMatch(/^engine-0-[a-z][a-zA-Z0-9]+$/);
    expect(rest.join(" ")).toBe(`${severity} active ${name.toLowerCase()}, reported by the engine`);
    sail(5, rpm(1500), dynamic(0));
    expect(ringing()).toEqual([]);
  });

  test.each([...new Set(bitsOfEngine.map(([name]) => name))].filter((name) => engineBits[name] === undefined))(
    "%s is a state, or an alarm of its own",
    (name) => {
      const { sail, ringing } = setUp();
      const [, status1, status2] = bitsOfEngine.find(([each]) => each === name)!;
      sail(20, rpm(1500), dynamic(status1, status2));
      expect(ringing().filter((each) => each.startsWith("engine-"))).toEqual([]);
    },
  );

  test.each(meant.filter(([name]) => engineBits[name]!.whileRunning))(
    "%s is a lamp of the ignition while the engine stands",
    (_, status1, status2) => {
      const { sail, ringing } = setUp();
      sail(20, rpm(0), dynamic(status1, status2));
      expect(ringing()).toEqual([]);
    },
  );

  test("all ones is a device that has none", () => {
    const { sail, ringing } = setUp();
    sail(20, rpm(1500), dynamic(0xffff, 0xffff), transmission(0xff));
    expect(ringing()).toEqual([]);
  });

  test("of each engine for itself", () => {
    const { sail, ringing } = setUp();
    sail(10, rpm(1500), rpm(1500, 1), dynamic(1 << 8), dynamic(1 << 8, 0, 1));
    expect(ringing().map((each) => each.split(" ")[0])).toEqual(["engine-0-waterInFuel", "engine-1-waterInFuel"]);
  });
});

test("what the engine reports stands beside what it measures", () => {
  const { sail, ringing } = setUp();
  sail(10, rpm(1500), { pgn: 127489, engineInstance: 0, coolantTempC: 23.2, oilPressureKpa: 160, discreteStatus1: 6 });
  expect(ringing()).toEqual([
    "engineTemperature-0 alarm active reported by the engine; measured 23.2 °C",
    "oilPressure-0 alarm active reported by the engine; measured 160 kPa",
  ]);
});

describe("a bit of 127493", () => {
  test.each(TransmissionStatus.map((name, bit) => [name, bit] as const))("%s rings and ends", (name, bit) => {
    const { sail, ringing } = setUp();
    sail(8, rpm(1500), transmission(1 << bit));
    expect(ringing()).toHaveLength(1);
    expect(ringing()[0]).toContain(`${transmissionBits[name].severity} active ${name.toLowerCase()}, reported by the`);
    sail(5, rpm(1500), transmission(0));
    expect(ringing()).toEqual([]);
  });

  test("with what it measures", () => {
    const { sail, ringing } = setUp();
    sail(8, { pgn: 127493, engineInstance: 1, oilTempC: 63.4, discreteStatus1: 2 });
    expect(ringing()).toEqual([
      "transmission-1-overTemperature alarm active over temperature, reported by the transmission; measured 63.4 °C",
    ]);
  });
});

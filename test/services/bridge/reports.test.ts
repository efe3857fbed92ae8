/** The reports through the bridge: messages as devices send them in, topics out, and when. */

import { describe, expect, test } from "vitest";
import { worldMagneticModel } from "../../../src/adapters/node/magnetic-model.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { isoAddressClaim } from "../../../src/core/n2k/pgns/system.ts";
import type { NavigationReport } from "../../../src/core/nav/navigation-report.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";
import { type MemoryBridgeOptions, memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";
import { named } from "./named.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);

const definitionOf = (pgn: number): Definition => definitions.find((each) => each.pgn === pgn)!;
const position = { pgn: 129025, latitude: 52, longitude: 4 };
const log = (speedWaterKnots: number) => ({ pgn: 128259, speedWaterKnots });

/** A bridge on a bus, at milliseconds since the start. */
const setUp = (options: MemoryBridgeOptions = {}) => {
  const { bridge, publisher, log: lines } = memoryBridge(options);
  const burst = createBursts();
  const at = new Map<object, number>();
  let now = 0;
  /** Advances the time as the daemon does, 50 ms at a time; `speak` is called before each step. */
  const sail = (milliseconds: number, speak: (elapsed: number) => void = () => {}): void => {
    for (let elapsed = 0; elapsed < milliseconds; elapsed += 50) {
      speak(elapsed);
      const before = publisher.messages.length;
      bridge.advance(now, start + now);
      for (const message of publisher.messages.slice(before)) at.set(message, now);
      now += 50;
    }
  };
  const send = (source: number, pgn: number, payload: Uint8Array): void => {
    const before = publisher.messages.length;
    bridge.take(burst([{ source, pgn, hex: Buffer.from(payload).toString("hex"), at: start + now }]));
    for (const message of publisher.messages.slice(before)) at.set(message, now);
  };
  return {
    publisher,
    log: lines,
    bridge,
    sail,
    send,
    say: (source: number, message: { readonly pgn: number }): void =>
      send(source, message.pgn, encoderOf(definitionOf(message.pgn))(message as never)),
    claim: (source: number, name: bigint): void => send(source, isoAddressClaim.pgn, deviceNameBytes(name)),
    configure: (navigation: object | undefined): void => {
      bridge.configure(new Map(navigation && [["navigation", { name: "navigation", ...navigation }]]));
    },
    /** The latest report. */
    navigation: (): NavigationReport => publisher.payloads("can/can0/navigation").at(-1) as NavigationReport,
    /** Times at which a topic was published, milliseconds since the start. */
    times: (topic: string): number[] =>
      publisher.messages.filter((message) => message.topic === topic).map((message) => at.get(message)!),
  };
};

/** Milliseconds from one to the next. */
const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - times[index]!);

describe("settings that change while sailing", () => {
  const twoLogs = () => {
    const boat = setUp();
    boat.claim(3, named(3));
    boat.claim(8, named(8));
    return {
      ...boat,
      speak: (): void => {
        boat.say(3, log(3));
        boat.say(8, log(8));
      },
      // The wire carries hundredths of m/s.
      speed: () => Math.round(boat.navigation().data.speed_course!.speedThroughWater!),
    };
  };

  test("a priority takes another source at once, by NAME or by friendly name, and says that it is configured", () => {
    const { sail, speak, speed, configure, navigation } = twoLogs();
    // A source takes over only after it has sent for five seconds.
    sail(6000, speak);
    expect([speed(), navigation().metadata.configLoaded]).toEqual([3, false]);
    configure({ priority: { speed: [String(named(8))] } });
    sail(1000, speak);
    expect([speed(), navigation().metadata.configLoaded]).toEqual([8, true]);
    configure({ friendlyNames: { [String(named(3))]: "Keel" }, priority: { speed: ["Keel"] } });
    sail(1000, speak);
    expect(speed()).toBe(3);
    expect(navigation().data.speed_course?.source).toMatchObject({ name: String(named(3)), friendlyName: "Keel" });
    configure(undefined);
    sail(1000, speak);
    expect(navigation().metadata.configLoaded).toBe(false);
  });

  test("a broken entry is warned of and changes nothing", () => {
    const { sail, speak, speed, configure, navigation, log: lines } = twoLogs();
    configure({ windDamping: "fast" });
    // A source takes over only after it has sent for five seconds.
    sail(6000, speak);
    expect([speed(), navigation().metadata.configLoaded]).toEqual([3, false]);
    configure({ priority: { speed: [String(named(8))] } });
    sail(1000, speak);
    configure({ priority: { speed: [String(named(3))] }, windDamping: "fast" });
    sail(1000, speak);
    expect([speed(), navigation().metadata.configLoaded]).toEqual([8, true]);
    expect(lines.lines.map(({ level, fields }) => [level, fields])).toEqual(
      Array(2).fill([
        "warn",
        { code: "SETTING_IGNORED", entry: "navigation", reason: "windDamping: must be a number of seconds" },
      ]),
    );
  });
});

test("own ship in the AIS report has the position and the motion over ground of the navigation report", () => {
  const { sail, say, publisher } = setUp();
  const speak = (source: number, message: object): void => say(source, message as { pgn: number });
  sail(2000, () => {
    speak(3, { pgn: 129025, latitude: 0, longitude: 0 });
    speak(3, { pgn: 129026, cogReference: "True", cogDeg: 90, sogMs: 3.09 });
    // The heading and the speed through the water would give another approach.
    speak(4, { pgn: 127250, headingDeg: 250, reference: "True" });
    speak(4, log(2));
    speak(7, { pgn: 129038, mmsi: 244_123_456, latitude: 1 / 60, longitude: 2 / 60, cogDeg: 180, sogMs: 3.09 });
  });
  // 6 kn each. The target is 2 NM to the east and 1 NM to the north and draws near by 6 kn in both directions:
  // TCPA = r·v / v·v = 18 / 72 h = 15 min, CPA = |r × v| / |v| = 6 / 8.49 = 0.71 NM.
  expect(publisher.payloads("can/can0/ais").at(-1)).toMatchObject({
    data: { targets: [{ mmsi: 244_123_456, range: 2.24, bearing: 63.4, cpa: 0.71, tcpa: 15 }] },
  });
});

describe("what the options hand to the reports", () => {
  test("a date before the day on which hub was built is that of an earlier rollover of GPS weeks", () => {
    const now = { pgn: 126992, date: 20778, time: 29666.9 } as { pgn: number };
    const before = { ...now, date: 20778 - 1024 * 7 } as { pgn: number };
    const dateAfter = (message: { readonly pgn: number }): unknown => {
      const boat = setUp({ notBefore: start });
      boat.sail(1000, () => boat.say(3, message));
      return boat.navigation().data.date;
    };
    expect(dateAfter(now)).not.toHaveProperty("source.correctedDays");
    expect(dateAfter(before)).toMatchObject({ date: "2026-11-21", source: { correctedDays: 7168 } });
  });

  test("the stream of the navigation report is the only important one", () => {
    const publisher = memoryPublisher();
    const opened = new Map<string, boolean>();
    const open = publisher.stream.bind(publisher);
    publisher.stream = (topic, options) => {
      opened.set(topic, options?.important ?? false);
      return open(topic, options);
    };
    const { say, sail } = setUp({ publisher });
    sail(1000, () => say(3, position));
    expect([...opened].filter(([, isImportant]) => isImportant)).toEqual([["can/can0/navigation", true]]);
    expect([...opened.keys()]).toContain("can/can0/device/3/pgn/129025");
  });
});

test("variation comes from the World Magnetic Model only where settings ask for it, and is named", async () => {
  const { sail, say, configure, navigation } = setUp({ magneticModel: await worldMagneticModel() });
  const speak = (): void => {
    say(3, position);
    say(4, { pgn: 127250, headingDeg: 100, variationDeg: 7, reference: "Magnetic" } as { pgn: number });
  };
  sail(500, speak);
  expect(navigation().data.speed_course).toMatchObject({ variation: 7, headingTrue: 107 });
  expect(navigation().data.speed_course).not.toHaveProperty("variationSource");
  configure({ variation: "model" });
  sail(500, speak);
  const { variation, variationSource, headingTrue, headingMagnetic } = navigation().data.speed_course!;
  expect(variationSource).toBe("WMM 2025");
  // The Dutch coast in 2026.
  expect(variation).toBeGreaterThan(1.5);
  expect(variation).toBeLessThan(3);
  expect(headingTrue! - headingMagnetic!).toBeCloseTo(variation!, 6);
});

describe("how often", () => {
  test("AIS: every second while something changes, else every ten", () => {
    const { sail, say, times } = setUp();
    const report = (latitude: number) => ({ pgn: 129038, mmsi: 244_123_456, latitude, longitude: 4 });
    sail(30_000);
    expect(times("can/can0/ais")).toEqual([0, 10_000, 20_000]);
    sail(10_000, (elapsed) => say(3, report(52 + elapsed / 1e6)));
    const busy = times("can/can0/ais").slice(3);
    expect(busy).toHaveLength(10);
    expect(new Set(gaps(busy))).toEqual(new Set([1000]));
  });

  test("retained messages are repeated within 30 s and expire after 60 s", () => {
    const { sail, claim, say, times, publisher } = setUp();
    claim(3, named(3));
    sail(120_000, () => say(3, position));
    for (const topic of ["can/can0/devices", "can/can0/device/3/infos"]) {
      expect(times(topic).length, topic).toBeGreaterThan(3);
      expect(Math.max(...gaps(times(topic))), topic).toBeLessThanOrEqual(30_000);
      expect(publisher.messages.filter((message) => message.topic === topic).every(({ retain }) => retain)).toBe(true);
      for (const message of publisher.payloads(topic))
        expect(message).toMatchObject({ metadata: { expireAfterSec: 60 } });
    }
  });
});

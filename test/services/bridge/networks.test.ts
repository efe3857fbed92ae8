/** Several networks at one bridge: addresses, devices that a bridge between networks repeats, reports. */
import { describe, expect, test } from "vitest";
import { MAX_FURTHER_NETWORKS } from "../../../src/core/can/networks.ts";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import { FrameCounter } from "../../../src/formats/recording/frame-counter.ts";
import { memoryInterface } from "../../support/memory/interface-monitor.ts";
import { type MemoryBridgeOptions, memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts, type TestPacket } from "./bursts.ts";
import { named } from "./named.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
const further = (name: string) => ({
  name,
  monitor: memoryInterface({ interface: name, state: "UNKNOWN", up: true }),
  counters: () => ({ ...noCounts, frames: 7, lost: { kernel: 1, ring: 2 }, unusedTransducers: { SAUNA: 2 } }),
});

const setUp = (names: readonly string[] = ["can1"], more: MemoryBridgeOptions = {}) => {
  const machine = () => ({ publishRefused: 0, dropped: 0, backlogBytes: 0, memoryBytes: 0 });
  const { bridge, publisher, log } = memoryBridge({
    prefix: "boat",
    monitor: new FrameCounter("can0"),
    ...more,
    findings: true,
    layouts: true,
    vitals: { bus: () => noCounts, machine },
  });
  bridge.setNetworks(names.map(further), 0);
  const bursts = [0, ...names].map(() => createBursts(start));
  /** Says something on a network, at milliseconds since the start; its wall clock may be ahead of the computer's. */
  const say = (network: number, at: number, packet: TestPacket, aheadMs = 0): void => {
    const batch = bursts[network]!([{ ...packet, at: start + at + aheadMs }]);
    // The monotonic clock is the computer's; a writer begins its own with its first packet.
    new Float64Array(batch.bytes.buffer, batch.bytes.byteOffset)[1] = at * 1000;
    bridge.take(batch, network);
  };
  const claim = (network: number, at: number, source: number, name: bigint): void =>
    say(network, at, { pgn: 60928, hex: Buffer.from(deviceNameBytes(name)).toString("hex"), source });
  const headings = (): string[] =>
    publisher.messages
      .map(({ topic, payload }) => `${topic} ${/"headingDeg":([\d.]+)/.exec(payload ?? "")?.[1]}`)
      .filter((text) => text.includes("/pgn/127250"))
      .map((text) => text.replace("boat/device/", "").replace("pgn/127250 ", ""));
  const last = <Data>(topic: string): Data => (publisher.payloads(`boat/${topic}`).at(-1) as { data: Data }).data;
  return { bridge, publisher, log, say, claim, headings, last };
};

/** A magnetic heading of so many steps of 0.01 rad. */
const heading = (steps: number): string => {
  const bytes = Buffer.from("ff0000ff7fff7ffd", "hex");
  bytes.writeUInt16LE(steps * 100, 1);
  return bytes.toString("hex");
};
const degrees = (steps: number): string => String(Math.round(((steps / 100) * 180 * 1000) / Math.PI) / 1000);

describe("several networks", () => {
  test("have addresses of their own, 256 apart, up to the last", () => {
    const names = Array.from({ length: MAX_FURTHER_NETWORKS }, (_, index) => `can${index + 1}`);
    const { say, headings, last, bridge } = setUp(names);
    [0, 1, 7].forEach((network) => {
      say(network, network, { pgn: 127250, hex: heading(network + 1), source: 253 });
      say(network, network, { pgn: 127250, hex: heading(100), source: 254 });
      say(network, network, { pgn: 60928, hex: "ff", source: 254 });
    });
    expect(headings()).toEqual([`253/${degrees(1)}`, `509/${degrees(2)}`, `2045/${degrees(8)}`]);
    bridge.advance(5000, start + 5000);
    expect(last("devices")).toMatchObject({ count: 3, peers: [{ addr: 253 }, { addr: 509 }, { addr: 2045 }] });
  });

  test("feed one navigation report, which chooses by NAME", () => {
    const { say, claim, last, bridge } = setUp();
    const compass = named(7);
    bridge.configure(new Map([["navigation", { name: "navigation", priority: { heading: [String(compass)] } }]]));
    claim(0, 0, 5, named(1));
    claim(1, 0, 5, compass);
    for (let at = 100; at <= 6100; at += 100) {
      say(0, at, { pgn: 127250, hex: heading(100), source: 5 });
      say(1, at, { pgn: 127250, hex: heading(200), source: 5 });
    }
    const { headingMagnetic } = last<{ speed_course: { headingMagnetic: number } }>("navigation").speed_course;
    expect(headingMagnetic).toBeCloseTo(Number(degrees(200)), 0);
  });

  test("have one device in Home Assistant for one that is on both, by its lowest address", () => {
    const { say, claim, bridge, publisher } = setUp(["can1"], {
      homeAssistant: { prefix: "homeassistant", interface: "can0", version: "1", hostname: "boat" },
    });
    claim(0, 0, 5, named(7));
    claim(1, 0, 5, named(7));
    for (let at = 100; at <= 5000; at += 100) {
      say(0, at, { pgn: 127250, hex: heading(100), source: 5 });
      say(1, at, { pgn: 127250, hex: heading(100), source: 5 });
      bridge.advance(at, start + at);
    }
    const configs = [...publisher.states].filter(([topic]) => /^homeassistant\/device\/.*\/config$/.test(topic));
    const ofDevice = configs.filter(([, payload]) => payload.includes("/device/"));
    expect(ofDevice).toHaveLength(1);
    expect(ofDevice[0]![1]).toContain("/device/5/pgn/127250");
    expect(ofDevice[0]![1]).not.toContain("/device/261/");
  });

  test("publish a device that a bridge repeats once, under the address of its first network", () => {
    const { say, claim, headings, last, bridge } = setUp();
    const compass = named(7);
    claim(1, 0, 9, compass);
    claim(0, 1, 5, compass);
    claim(1, 2, 4, named(8));
    // The network that is heard first is taken, and the other one repeats it.
    for (let at = 1000; at < 1500; at += 100) {
      say(1, at, { pgn: 127250, hex: heading(at / 100), source: 9 });
      say(0, at + 3, { pgn: 127250, hex: heading(at / 100), source: 5 });
    }
    expect(headings()).toEqual([10, 11, 12, 13, 14].map((steps) => `5/${degrees(steps)}`));
    // A PGN that the bridge does not pass on.
    say(1, 1600, { pgn: 128267, hex: "0064000000000000", source: 9 });
    bridge.advance(2000, start + 2000);
    expect(last("device/5/pgn/128267")).toMatchObject({ depthM: 1 });
    expect(last("devices")).toMatchObject({ count: 2, peers: [{ addr: 5, name: Number(compass) }, { addr: 260 }] });
    // The other network takes over.
    say(0, 4000, { pgn: 127250, hex: heading(40), source: 5 });
    expect(headings().at(-1)).toBe(`5/${degrees(40)}`);
    bridge.advance(7000, start + 7000);
    expect(last("devices/known")).toMatchObject({ devices: [{ addr: 5, name: String(compass) }, { addr: 260 }] });
    // The device is gone from the first network.
    for (let at = 10_000; at <= 200_000; at += 10_000) {
      say(1, at, { pgn: 127250, hex: heading(50), source: 9 });
      bridge.advance(at, start + at);
    }
    expect(headings().at(-1)).toBe(`265/${degrees(50)}`);
    expect(last("devices")).toMatchObject({ count: 1, peers: [{ addr: 265 }] });
    expect(last("devices/known")).toMatchObject({ devices: [{ addr: 260 }, { addr: 265, name: String(compass) }] });
  });

  test("return to the first network after a gap", () => {
    const { say, claim, headings } = setUp();
    claim(0, 0, 5, named(7));
    claim(1, 1, 5, named(7));
    for (let step = 10; step < 180; step++) {
      if (step < 50 || step >= 80) say(0, step * 100, { pgn: 127250, hex: heading(step), source: 5 });
      say(1, step * 100 + 7, { pgn: 127250, hex: heading(300 + step), source: 5 });
    }
    const steps = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `5/${degrees(from + at)}`);
    // Silent for two seconds, and heard again for five.
    expect(headings()).toEqual([...steps(10, 50), ...steps(369, 430), ...steps(130, 180)]);
  });

  test.each([0, 1])("recognize one that is late, number %i: it says nothing that is known already", (late) => {
    const { say, claim, headings, log, publisher } = setUp();
    claim(0, 0, 5, named(7));
    claim(1, 1, 5, named(7));
    const prompt = 1 - late;
    /** A heading each 500 ms, its number; a network says it 15 s later. */
    const run = (from: number, to: number, isPromptHeard = true): readonly string[] => {
      const before = headings().length;
      const sayAll = (network: number, step: number, at: number) => {
        // With a deviation no payload recurs.
        const bytes = Buffer.from(heading(step % 600), "hex");
        bytes.writeInt16LE(step, 3);
        say(network, at, { pgn: 127250, hex: bytes.toString("hex"), source: 5 });
        const depth = Buffer.from("ff000000000000ff", "hex");
        depth.writeUInt32LE(step, 1);
        if (step % 16 === 0) say(network, at, { pgn: 128267, hex: depth.toString("hex"), source: 5 });
      };
      for (let step = from; step < to; step++) {
        if (isPromptHeard) sayAll(prompt, step, step * 500);
        if (step >= 30) sayAll(late, step - 30, step * 500 + 7);
      }
      return headings().slice(before);
    };
    const steps = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `5/${degrees((from + at) % 600)}`);
    run(10, 1200);
    expect(log.lines.filter(({ fields }) => fields.code === "NETWORK_LATE")).toMatchObject([
      { level: "warn", fields: { network: late === 0 ? "the first" : "can1", behindSec: 15 } },
    ]);
    expect(run(1200, 1220)).toEqual(steps(1200, 1220));
    expect(run(1220, 1226, false)).toEqual([]);
    expect(run(1226, 1240)).toEqual(steps(1226, 1240));
    const depths = publisher.messages.flatMap(({ topic, payload }) =>
      topic.endsWith("/pgn/128267") ? [Number(/"depthM":([\d.]+)/.exec(payload!)![1])] : [],
    );
    expect(depths.slice(-2)).toEqual([12.16, 12.32]);
    // The other one falls silent: what it has said comes once, and then what it has not.
    expect(run(1240, 1280, false)).toEqual(steps(1244, 1250));
  });

  test.each([
    ["recur", (step: number) => step % 253],
    ["are the same for minutes", (step: number) => Math.floor(step / 900)],
  ])("learn of no delay by data that %s", (_, value) => {
    const { say, claim, log } = setUp();
    claim(0, 0, 5, named(7));
    claim(1, 1, 5, named(7));
    for (let step = 0; step < 3000; step++)
      for (const network of [0, 1])
        say(network, step * 100 + 7 * network, { pgn: 127250, hex: heading(value(step)), source: 5 });
    expect(log.lines.filter(({ fields }) => fields.code === "NETWORK_LATE")).toEqual([]);
  });

  test("a device that moves on one network keeps its address on the other; a NAME without an address leaves one", () => {
    const { claim, last, bridge } = setUp();
    const compass = named(7);
    const listed = (at: number): unknown => {
      bridge.advance(at, start + at);
      return last<{ peers: readonly { addr: number }[] }>("devices").peers.map(({ addr }) => addr);
    };
    claim(0, 0, 5, compass);
    claim(1, 1, 5, compass);
    claim(0, 2, 6, compass);
    expect(listed(1000)).toEqual([6]);
    claim(0, 2000, 254, compass);
    expect(listed(3000)).toEqual([261]);
    // Another device takes the address: the first one is on one network only.
    claim(0, 3001, 5, compass);
    claim(1, 3002, 5, named(1));
    expect(listed(4000)).toEqual([5, 261]);
  });

  test("the reports of the boat have the clock of the first network or the computer, not that of a further one", () => {
    const { say, bridge, publisher } = setUp();
    const sayUntil = (network: number, from: number, until: number, aheadMs: number): void => {
      for (let at = from; at <= until; at += 50) say(network, at, { pgn: 127250, hex: heading(1), source: 5 }, aheadMs);
    };
    /** Seconds by which each report so far is later than the start. */
    const seconds = (): readonly number[] =>
      publisher.messages
        .filter(({ topic }) => !topic.includes("/pgn/"))
        .map(({ payload }) => JSON.parse(payload!) as { metadata: { rxDate: string } })
        .map(({ metadata }) => (Date.parse(metadata.rxDate) - start) / 1000);
    sayUntil(1, 0, 500, 3_600_000);
    expect(seconds()).toEqual([]);
    bridge.advance(1000, start + 1000);
    sayUntil(1, 1050, 20_000, 3_600_000);
    expect(seconds().length).toBeGreaterThan(190);
    expect(Math.max(...seconds())).toBeCloseTo(20, 0);
    // The computer's clock is set; no report is due.
    bridge.advance(20_001, start + 30_001);
    sayUntil(1, 20_050, 30_000, 3_600_000);
    expect(Math.max(...seconds())).toBeCloseTo(40, 0);
    sayUntil(0, 30_050, 40_000, 60_000);
    sayUntil(1, 40_050, 50_000, 3_600_000);
    expect(Math.max(...seconds())).toBeCloseTo(110, 0);
  });

  test("are in the report of the interface and in the health; the findings are those of the first", () => {
    const { say, last, bridge, publisher } = setUp(["can1", "yd-raw+tcp://10.0.0.1:1457"]);
    say(1, 0, { pgn: 127250, hex: heading(1), source: 5 });
    for (let at = 0; at < 70_000; at += 1000) bridge.advance(at, start + at);
    expect(last("interface")).toMatchObject({
      interface: "can0",
      networks: [
        { interface: "can1", firstAddr: 256, up: true },
        { interface: "yd-raw+tcp://10.0.0.1:1457", firstAddr: 512, up: true },
      ],
    });
    expect(last("health")).toMatchObject({
      frames: 0,
      networks: [
        // Messages that came whole are packets too.
        { interface: "can1", firstAddr: 256, frames: 7, framesLost: 3, packets: 1, unusedTransducers: { SAUNA: 2 } },
        { interface: "yd-raw+tcp://10.0.0.1:1457", firstAddr: 512, frames: 7, framesLost: 3, packets: 0 },
      ],
    });
    expect(last("traffic")).toMatchObject({ devices: [] });
    expect(bridge.boat.interface.networks.map(({ interface: name, up }) => [name, up])).toEqual([
      ["can1", true],
      ["yd-raw+tcp://10.0.0.1:1457", true],
    ]);
    const before = publisher.payloads("boat/interface").length;
    bridge.setNetworks([further("can1")], 70_000);
    bridge.advance(71_000, start + 71_000);
    expect(publisher.payloads("boat/interface").length).toBe(before + 1);
    expect(last<{ networks: unknown }>("interface").networks).toHaveLength(1);
  });

  test("a network that is replaced takes its devices with it; packets of one that has gone are dropped", () => {
    const { say, claim, last, bridge, headings } = setUp();
    claim(1, 0, 5, named(1));
    bridge.advance(1000, start + 1000);
    expect(last("devices")).toMatchObject({ count: 1 });
    bridge.setNetworks([further("can2")], 1000);
    bridge.advance(2000, start + 2000);
    expect(last("devices")).toMatchObject({ count: 0 });
    expect(bridge.counters().packetsTaken).toBe(1);
    bridge.setNetworks([], 2000);
    say(1, 2001, { pgn: 127250, hex: heading(1), source: 5 });
    expect(headings()).toEqual([]);
  });

  test("a PGN of assumed layout is told apart for the senders of each network", () => {
    const { say, bridge, last } = setUp();
    say(1, 0, { pgn: 127490, hex: "00ffffffffffffff", source: 5 });
    bridge.advance(2000, start + 2000);
    expect(last("layouts")).toMatchObject({ messages: [{ addr: 261, pgn: 127490 }] });
  });

  test("memory is bounded on hostile networks", () => {
    const { say, claim, bridge } = setUp();
    for (let source = 0; source < 254; source++) {
      claim(0, source, source, named(source));
      claim(1, source, source, named(source));
    }
    for (let pgn = 127_000; pgn < 128_000; pgn++) say(1, 1000, { pgn, hex: "00", source: 1 });
    expect(bridge.kept).toBeLessThan(8000);
  });
});

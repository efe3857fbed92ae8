/** The topic of the findings, and the commands to its baseline. */
import { expect, test } from "vitest";
import type { TrafficData } from "../../../src/core/findings/traffic-report.ts";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import { FrameCounter } from "../../../src/formats/recording/frame-counter.ts";
import { connection, framed } from "../../formats/nmea0183/input/heard.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";
import { named } from "./named.ts";

const topic = "boat/findings";
const command = `${topic}/baseline/set`;
const first = named(1);
const second = named(2);
const claimOf = (name: bigint, at: number) => ({
  source: 10,
  pgn: 60928,
  hex: Buffer.from(deviceNameBytes(name)).toString("hex"),
  at,
});

const setUp = (findings = true) => {
  const { bridge, publisher, log } = memoryBridge({ prefix: "boat", findings });
  const start = Date.UTC(2026, 10, 21);
  const burst = createBursts(start);
  let now = 0;
  return {
    bridge,
    publisher,
    log,
    /** Devices with these NAMEs claim their addresses each second. */
    sail: (seconds: number, ...names: readonly bigint[]): void => {
      for (let second = 0; second < seconds; second++, now += 1000) {
        const claims = names.map((name, index) => ({
          source: 10 + index,
          pgn: 60928,
          hex: Buffer.from(deviceNameBytes(name)).toString("hex"),
          at: start + now,
        }));
        bridge.take(burst(claims));
        for (let at = 50; at < 1000; at += 50) bridge.advance(now + at, start + now + at);
      }
    },
    kinds: (): unknown[] => (bridge.boat.findings.latest?.findings ?? []).map(({ kind }) => kind),
    baseline: (): { devices: { name: string }[] } | undefined =>
      JSON.parse(publisher.states.get(command) ?? "null") ?? undefined,
  };
};

test("the findings are retained when they change, and again after half a minute", () => {
  const { publisher, sail } = setUp();
  sail(12, first);
  expect(publisher.messages.filter((message) => message.topic === topic && !message.retain)).toEqual([]);
  expect(publisher.payloads(topic)).toHaveLength(1);
  sail(30, first);
  expect(publisher.payloads(topic).length).toBeGreaterThanOrEqual(2);
});

test("the traffic is published every ten seconds: share, period and jitter by device and PGN, the greatest share first", () => {
  const { publisher, bridge } = setUp();
  const start = Date.UTC(2026, 10, 21);
  const burst = createBursts(start);
  const heading = (source: number, at: number) => ({ source, pgn: 127250, hex: "ff00000000000000", at });
  for (let at = 0; at < 60_000; at += 100) {
    const isOdd = (at / 100) % 2 === 1;
    // Every other message of the second device is 50 ms late.
    const others = at % 1000 === 0 ? [heading(20, start + at + (at % 2000 === 0 ? 50 : 0))] : [];
    bridge.take(burst([heading(10, start + at), ...others]));
    if (isOdd) bridge.advance(at, start + at);
  }
  const messages = publisher.payloads("boat/traffic").map((payload) => (payload as { data: TrafficData }).data);
  expect(messages.length).toBeGreaterThanOrEqual(4);
  expect(messages.length).toBeLessThanOrEqual(6);
  expect(publisher.messages.find((message) => message.topic === "boat/traffic")?.retain).toBe(false);
  const { loadPercent, devices } = messages.at(-1)!;
  expect(devices.map(({ addr }) => addr)).toEqual([10, 20]);
  expect(devices[0]).toMatchObject({
    incomplete: 0,
    pgns: [{ pgn: 127250, streams: 1, periodMs: 100, jitterMs: 0, nominalMs: 100 }],
  });
  expect(devices[1]!.pgns[0]).toMatchObject({ periodMs: 1000, jitterMs: 50 });
  expect(devices[0]!.loadPercent / devices[1]!.loadPercent).toBeCloseTo(10, 0);
  // A single frame of eight bytes has 131 bits and those that are stuffed; ten and one a second of 250 kbit/s.
  expect(loadPercent).toBeGreaterThan((11 * 131) / 2500);
  expect(loadPercent).toBeLessThan((11 * 160) / 2500);
});

test("without the option nothing is published, and a command is passed over", () => {
  const { bridge, publisher, sail } = setUp(false);
  bridge.command(command, "{}");
  sail(10, first);
  expect(publisher.messages.filter((message) => message.topic.startsWith(topic))).toEqual([]);
});

test("a baseline is taken, retained, compared with and removed", () => {
  const { bridge, sail, kinds, baseline } = setUp();
  sail(10, first);
  bridge.command(command, "{}");
  sail(2, first);
  expect(baseline()?.devices.map(({ name }) => name)).toEqual([String(first)]);
  sail(30, first, second);
  expect(kinds()).toContain("newDevice");
  bridge.command(command, "");
  sail(6, first, second);
  expect(kinds()).not.toContain("newDevice");
});

test("what is no baseline is counted, and the baseline is retained again", () => {
  const { bridge, publisher, log, sail, baseline } = setUp();
  sail(10, first);
  bridge.command(command, "{}");
  sail(2, first);
  const before = baseline();
  const hostile = ["[", "7", '{"devices":[]}', `{"takenAt":"2026-11-21T00:00:00Z","devices":${"[".repeat(10_000)}`];
  for (const payload of hostile) {
    bridge.command(command, payload);
    sail(2, first);
  }
  bridge.command(command, undefined);
  sail(2, first);
  expect(baseline()).toEqual(before);
  expect(publisher.messages.filter((message) => message.topic === command)).toHaveLength(2 + hostile.length);
  expect(bridge.counters().commandsSkipped).toEqual({ tooLong: 1, notUnderstood: hostile.length, withoutEffect: 0 });
  expect(log.lines.some(({ fields }) => fields?.code === "COMMAND_REFUSED")).toBe(true);
});

test("of a flood of commands one a second is read", () => {
  const { bridge, publisher, sail } = setUp();
  sail(10, first);
  for (let at = 10_000; at < 13_000; at += 50) {
    for (let count = 0; count < 20; count++) bridge.command(command, `{"takenAt":${count}}`);
    bridge.advance(at, Date.UTC(2026, 10, 21) + at);
  }
  expect(bridge.counters().commandsSkipped.notUnderstood).toBe(3);
  expect(publisher.messages.filter((message) => message.topic === command)).toHaveLength(3);
});

test("commands to alarms have 1024 bytes at most", () => {
  const { bridge, sail } = setUp();
  sail(1, first);
  const message = (text: string): string => JSON.stringify({ severity: "warning", message: text });
  bridge.command("boat/alarms/external/bilge/set", message("a".repeat(199)) + " ".repeat(804));
  bridge.command("boat/alarms/external/bilge/set", message("€".repeat(340)));
  expect(bridge.counters().commandsSkipped.tooLong).toBe(2);
});

test("each network has findings of its own, which go with it", () => {
  const { bridge, sail } = setUp();
  const start = Date.UTC(2026, 10, 21);
  const burst = createBursts(start);
  const network = { name: "can1", monitor: new FrameCounter("can1"), counters: () => noCounts };
  bridge.setNetworks([network], 0);
  sail(1, first);
  for (let second = 1; second < 30; second++) {
    const names = [first, second % 2 === 0 ? named(2) : first];
    const claims = names.map((name, turn) => claimOf(name, start + second * 1000 + turn));
    bridge.take(burst(claims), 1);
    bridge.take(burst([claimOf(first, start + second * 1000 + 5)]));
    for (let at = 50; at < 1000; at += 50) bridge.advance(second * 1000 + at, start + second * 1000 + at);
  }
  const { findings } = bridge.boat.findings.latest!;
  expect(findings.map(({ id, devices = [] }) => [id, devices.map(({ addr }) => addr)])).toEqual([
    ["addressWar-10@1", [266, 266]],
  ]);
  expect(findings[0]!.measured).toMatch(/ \(network can1\)$/);
  bridge.setNetworks([], 30_000);
  for (let at = 30_000; at < 36_000; at += 50) bridge.advance(at, start + at);
  expect(bridge.boat.findings.latest!.findings).toEqual([]);
});

test("talkers have no bytes and no periods of their own; weeks that have rolled over are found on each network", () => {
  const { bridge } = memoryBridge({ prefix: "boat", findings: true });
  const start = Date.UTC(2026, 10, 21, 12);
  const network = { name: "nmea0183+udp://", monitor: new FrameCounter("nmea0183+udp://"), counters: () => noCounts };
  bridge.setNetworks([network], 0);
  const networks = ["nmea0183+tcp://10.0.0.1:10110", network.name].map((url) => ({
    ...connection(url),
    burst: createBursts(start),
  }));
  for (let now = 0; now < 180_000; now += 1000) {
    const time = new Date(start + now).toISOString().slice(11, 19).replaceAll(":", "");
    const sentences = [
      `$GPRMC,${time}.00,A,5213.0000,N,00454.0000,E,5.0,010.0,070407,,,A`,
      "$GPVTG,010.0,T,,M,5.0,N,,K,A",
      "$IIXDR,C,80.0,C,ENGINE#0",
    ];
    for (const [number, { hear, burst }] of networks.entries()) {
      const packets = hear(sentences.map((each) => framed(each)).join("")).map(({ source, pgn, payload }) => ({
        ...{ source, pgn, at: start + now },
        hex: Buffer.from(payload).toString("hex"),
      }));
      bridge.take(burst(packets), number);
    }
    for (let at = 0; at < 1000; at += 100) bridge.advance(now + at, start + now + at);
  }
  expect(bridge.boat.findings.latest!.findings.map(({ id }) => id)).toEqual(["weekRollover-151", "weekRollover-151@1"]);
});

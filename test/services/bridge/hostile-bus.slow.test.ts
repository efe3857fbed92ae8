/** Hostile and defective devices: the bridge goes on, and its memory and its log are bounded. */

import { describe, expect, test } from "vitest";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { shared } from "../../core/n2k/public-table.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts, type TestPacket } from "./bursts.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26);
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const setUp = ({ asNode = false, maxRate = undefined as number | undefined } = {}) => {
  const sent: number[] = [];
  const send = (id: number): boolean => {
    sent.push(id);
    return true;
  };
  const { bridge, publisher, log } = memoryBridge({
    unknown: true,
    allPgns: true,
    publicPgns: () => shared,
    maxRate,
    findings: true,
    ...(asNode && { node: { sender: { send }, uniqueNumber: 1_000_000, softwareVersion: "1" } }),
  });
  if (asNode) bridge.sourceChanged({ isUp: true, hasChanged: true }, 0);
  const burst = createBursts(start);
  const hear = (packets: readonly TestPacket[]): void => {
    for (let at = 0; at < packets.length; at += 200) bridge.take(burst(packets.slice(at, at + 200)));
  };
  const devices = (): { count: number; peers: { addr: number }[] } =>
    JSON.parse(publisher.states.get("can/can0/devices")!).data;
  /** Everything published is JSON in ASCII. */
  const readAll = (): void => {
    const texts = publisher.messages.map(({ payload }) => payload ?? "null");
    expect(texts.filter((text) => !/^[ -~]*$/.test(text))).toEqual([]);
    for (const text of texts) JSON.parse(text);
  };
  return { publisher, log, bridge, hear, devices, readAll, sent };
};

/** 20 000 claims in 20 s: ten bus loads of nothing else. */
const claimStorm = (nameOf: (index: number) => bigint): TestPacket[] =>
  Array.from({ length: 20_000 }, (_, index) => ({
    pgn: 60928,
    hex: hexOf(deviceNameBytes(nameOf(index))),
    source: (index * 7) % 256,
    at: start + index,
  }));

describe("a hostile bus", () => {
  test.each<[string, (index: number) => bigint]>([
    ["ever new NAMEs", (index) => BigInt(index) * 0x123456789abcdn],
    ["NAMEs that go down, so that each claim wins", (index) => 0xffff_ffff_ffff_ffffn - BigInt(index)],
    ["one NAME from every address", () => 0xc050_a000_0001_0001n],
    ["a NAME of all ones", () => 0xffff_ffff_ffff_ffffn],
    ["a NAME of zero", () => 0n],
    ["NAMEs that wander by one address", (index) => BigInt(index % 256)],
  ])("a storm of claims, %s: at most 252 devices, states of no others, a handful of lines", (_, nameOf) => {
    const { publisher, log, bridge, hear, devices, readAll } = setUp();
    hear(claimStorm(nameOf));
    bridge.advance(30_000, start + 30_000);
    expect(devices().count).toBeLessThanOrEqual(254);
    expect(devices().peers.every(({ addr }) => addr < 254)).toBe(true);
    expect(publisher.states.size).toBeLessThanOrEqual(254 + 5);
    // The findings keep 254 devices and contests, 1024 NAMEs with an address and without, claims and requests of 256
    // addresses; the memory of devices has 252.
    expect(bridge.kept).toBeLessThanOrEqual(2048 + 252 + 2 * (254 + 1024 + 256));
    expect(log.lines.length).toBeLessThanOrEqual(2);
    expect(bridge.counters().decodeErrors).toBe(0);
    readAll();
  });

  test("more streams than anybody has, held to a rate: those beyond a number are not held", () => {
    const { hear, bridge, publisher } = setUp({ maxRate: 0.01 });
    const batteries = Array.from({ length: 250 * 100 }, (_, index) => ({
      pgn: 127508,
      hex: `${hexOf(Uint8Array.of(index % 250))}b004ff7fffffff`,
      source: Math.floor(index / 250),
      at: start + index,
    }));
    hear(batteries);
    hear(batteries.map((battery) => ({ ...battery, at: battery.at + 26_000 })));
    // The findings keep 4096 streams.
    expect(bridge.kept).toBeLessThanOrEqual(16_384 + 4096 + 2048);
    const heard = publisher.messages.filter(({ topic }) => topic.endsWith("127508")).length;
    expect(heard).toBe(2 * 25_000 - 16_384);
  });
});

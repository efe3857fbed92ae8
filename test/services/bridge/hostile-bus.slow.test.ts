/** Hostile and defective devices: the bridge goes on, and its memory and its log are bounded. */

import { describe, expect, test } from "vitest";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { productInformation } from "../../../src/core/n2k/pgns/system.ts";
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

  test("the same storm at a node: it sends at most what a node may, and ends with an address or none", () => {
    const { bridge, hear, sent, log } = setUp({ asNode: true });
    hear(claimStorm((index) => BigInt(index) * 0x123456789abcdn));
    bridge.advance(30_000, start + 30_000);
    // A claim every 20 ms and a request every 100 ms, in 30 s, with room for frames of its own.
    expect(sent.length).toBeLessThanOrEqual(30_000 / 20 + 30_000 / 100 + 100);
    expect(log.lines.length).toBeLessThanOrEqual(6);
  });

  test("product information in pieces and cut off: only whole messages count", () => {
    const { hear, publisher, bridge, readAll } = setUp();
    const whole = encoderOf(productInformation)({ pgn: 126996, modelId: "Whole" });
    const name = hexOf(deviceNameBytes(42n));
    hear([{ pgn: 60928, hex: name, source: 9, at: start }]);
    for (let length = 0; length < whole.length; length++) {
      hear([{ pgn: 126996, hex: hexOf(whole.subarray(0, length)), source: 9, at: start + length }]);
    }
    bridge.advance(1000, start + 1000);
    const infos = (): object => JSON.parse(publisher.states.get("can/can0/device/9/infos")!).data;
    expect(infos()).not.toHaveProperty("productInfo");
    hear([{ pgn: 126996, hex: hexOf(whole), source: 9, at: start + 2000 }]);
    bridge.advance(3000, start + 3000);
    expect(infos()).toHaveProperty("productInfo.modelId", "Whole");
    readAll();
  });

  test("252 sources that come and go for hours: memory does not grow", () => {
    const { hear, bridge, publisher, log } = setUp();
    const sizes: number[] = [];
    const day = 24 * 3600;
    for (let second = 0; second < day; second += 200) {
      hear(
        Array.from({ length: 252 }, (_, source) => ({
          pgn: source % 2 === 0 ? 60928 : 127250,
          hex: hexOf(deviceNameBytes(BigInt(source + 1000 * (second % 1000)))),
          source,
          at: start + second * 1000 + source,
        })),
      );
      // All have been silent for 180 s when the next ones come.
      bridge.advance((second + 199) * 1000, start + (second + 199) * 1000);
      sizes.push(bridge.kept);
      publisher.clear();
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2048);
    expect(Math.max(...sizes.slice(-100))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 100)));
    expect(log.lines.length).toBeLessThanOrEqual(day / 60);
  });

  test("every PGN and every source with garbage, at once: topics are opened and closed, nothing is thrown", () => {
    const { hear, bridge, log, readAll } = setUp();
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const packets = Array.from({ length: 30_000 }, (_, index) => ({
      pgn: index % 3 === 0 ? random(0x40000) : 126_000 + random(5000),
      hex: hexOf(Uint8Array.from({ length: random(40) }, () => random(256))),
      source: random(256),
      at: start + index,
    }));
    hear(packets);
    expect(bridge.counters().decodeErrors).toBe(0);
    expect(log.lines.length).toBeLessThanOrEqual(10);
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

  test("messages that cannot be decoded, thousands of them: one line a minute", () => {
    const { hear, bridge, publisher, log } = setUp();
    publisher.stream = () => {
      throw new Error("broken");
    };
    hear(
      Array.from({ length: 12_000 }, (_, index) => ({
        pgn: 127250,
        hex: "07007dff7f2ffffd",
        source: index % 250,
        at: start + index * 10,
      })),
    );
    expect(bridge.counters().decodeErrors).toBe(12_000);
    expect(log.lines.map(({ fields }) => fields.leftOut)).toEqual([undefined, 5999]);
  });
});

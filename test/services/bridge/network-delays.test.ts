import { expect, test } from "vitest";
import { Packet } from "../../../src/core/ports/packet-batch.ts";
import { NetworkDelays } from "../../../src/services/bridge/network-delays.ts";

const [ONE, OTHER] = [5, 261];
const LATE_MS = 15_000;

test("of two networks that change their roles, the one that was late is so no more", () => {
  const late: number[] = [];
  const delays = new NetworkDelays(ONE, (address) => late.push(address));
  const say = (source: number, arrived: number, number: number): void =>
    delays.hear(
      Object.assign(new Packet(), { source, pgn: 127_250, arrived, bytes: Uint8Array.of(number >> 8, number), end: 2 }),
    );
  /** A message each second, by one network at once and by the other one later. */
  const run = (first: number, from: number, to: number): void => {
    for (let second = from; second < to; second++) {
      say(first, second * 1000, second);
      say(first === ONE ? OTHER : ONE, second * 1000 + 1, second - LATE_MS / 1000);
    }
  };
  run(ONE, 100, 500);
  expect([delays.of(ONE), delays.of(OTHER)]).toEqual([0, LATE_MS + 1]);
  run(OTHER, 500, 1500);
  expect([delays.of(ONE), delays.of(OTHER)]).toEqual([LATE_MS + 1, 0]);
  expect(late).toEqual([OTHER, ONE]);
});

import { expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { memoryPublisher } from "../../src/adapters/memory/publisher.ts";
import { Bridge } from "../../src/bridge/bridge.ts";
import { createTally } from "../../src/bridge/tally.ts";
import { type BusCounters, discardReasons, type PacketSource } from "../../src/ports/packet-source.ts";
import { createBursts } from "./bursts.ts";

const nothing: BusCounters = {
  frames: 0,
  ignored: { standard: 0, remote: 0, error: 0, noAddress: 0 },
  packets: { single: 0, fast: 0, isoTp: 0 },
  lost: { kernel: 0, ring: 0 },
  discarded: Object.fromEntries(discardReasons.map((reason) => [reason, 0])) as BusCounters["discarded"],
  malformed: 0,
};

/** A tally over a source that counts what it is told to. */
const setUp = () => {
  let counters = nothing;
  const source: PacketSource = {
    async *batches() {},
    counters: () => counters,
    setFraming: () => {},
    close: () => {},
  };
  const log = memoryLog();
  const publisher = memoryPublisher();
  const bridge = new Bridge({ prefix: "can/can0", interface: "replay", publisher, log });
  const tally = createTally({ source, bridge, publisher, log });
  const count = (more: Partial<BusCounters>): void => {
    counters = { ...counters, ...more };
  };
  return { bridge, log, tally, count, burst: createBursts() };
};

test("a bus on which nothing is lost is no news", () => {
  const { tally, count, log } = setUp();
  count({ frames: 1000, packets: { single: 900, fast: 10, isoTp: 0 } });
  for (let now = 0; now < 300_000; now += 50) tally.advance(now);
  expect(log.lines).toEqual([]);
});

test("what was lost is told once a minute, by reason, with what has grown since", () => {
  const { tally, count, log } = setUp();
  tally.advance(0);
  count({ discarded: { ...nothing.discarded, fastOrder: 2 }, lost: { kernel: 5, ring: 0 } });
  for (let now = 50; now < 60_000; now += 50) tally.advance(now);
  expect(log.lines).toEqual([]);
  tally.advance(60_000);
  count({ discarded: { ...nothing.discarded, fastOrder: 3 } });
  for (let now = 60_050; now <= 180_000; now += 50) tally.advance(now);
  expect(log.lines.map(({ level, values }) => [level, values])).toEqual([
    ["warn", { fastOrder: 2, lostInKernel: 5 }],
    ["warn", { fastOrder: 1 }],
  ]);
});

test("messages that no layout fits are told with their PGN", () => {
  const { tally, bridge, burst, log } = setUp();
  tally.advance(0);
  bridge.take(burst([1, 2, 3].map(() => ({ pgn: 127750, hex: "01 02" }))));
  tally.advance(60_000);
  expect(log.lines).toMatchObject([{ level: "warn", values: { refused127750: 3 } }]);
});

test("at the end all is told", () => {
  const { tally, bridge, burst, count, log } = setUp();
  bridge.take(burst([{ pgn: 65280, hex: "00" }]));
  count({ frames: 3, packets: { single: 1, fast: 1, isoTp: 1 }, malformed: 4 });
  tally.advance(0);
  tally.finish();
  expect(log.lines.at(-1)).toEqual({
    level: "info",
    sentence: "counted",
    values: { frames: 3, packets: 3, published: 0, unknown: 1, malformed: 4 },
  });
});

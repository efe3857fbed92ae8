import { expect, test } from "vitest";
import { type BusCounters, noCounts } from "../../../../src/core/ports/packet-source.ts";
import { LossReporter } from "../../../../src/services/bridge/health/loss-reporter.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { createBursts } from "../bursts.ts";

/** A reporter over a source whose counts a test sets. */
const setUp = () => {
  let counters = noCounts;
  const source = { counters: () => counters };
  const { bridge, publisher, log } = memoryBridge();
  const losses = new LossReporter({ source, bridge, publisher, log });
  const count = (more: Partial<BusCounters>): void => {
    counters = { ...counters, ...more };
  };
  return { bridge, log, losses, count, burst: createBursts() };
};

test("a bus on which nothing is lost is no news", () => {
  const { losses, count, log } = setUp();
  count({ frames: 1000, packets: { single: 900, fast: 10, isoTp: 0 } });
  for (let now = 0; now < 300_000; now += 50) losses.advance(now);
  expect(log.lines).toEqual([]);
});

test("what was lost is told once a minute, by reason, with what has grown since", () => {
  const { losses, count, log } = setUp();
  losses.advance(0);
  count({ discarded: { ...noCounts.discarded, fastOrder: 2 }, lost: { kernel: 5, ring: 0 } });
  for (let now = 50; now < 60_000; now += 50) losses.advance(now);
  expect(log.lines).toEqual([]);
  losses.advance(60_000);
  count({ discarded: { ...noCounts.discarded, fastOrder: 3 } });
  for (let now = 60_050; now <= 180_000; now += 50) losses.advance(now);
  expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ["warn", { code: "LOSSES", fastOrder: 2, lostInKernel: 5 }],
    ["warn", { code: "LOSSES", fastOrder: 1 }],
  ]);
});

test("messages that no layout fits are told with their PGN", () => {
  const { losses, bridge, burst, log } = setUp();
  losses.advance(0);
  bridge.take(burst([1, 2, 3].map(() => ({ pgn: 127750, hex: "01 02" }))));
  losses.advance(60_000);
  expect(log.lines).toMatchObject([{ level: "warn", fields: { refused127750: 3 } }]);
});

test("at the end all is told", () => {
  const { losses, bridge, burst, count, log } = setUp();
  bridge.take(burst([{ pgn: 65280, hex: "00" }]));
  count({ frames: 3, packets: { single: 1, fast: 1, isoTp: 1 }, malformed: 4 });
  losses.advance(0);
  losses.finish();
  expect(log.lines.at(-1)).toEqual({
    level: "info",
    message: "counted",
    fields: { frames: 3, packets: 3, published: 0, unknown: 1, malformed: 4 },
  });
});

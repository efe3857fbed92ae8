import { expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { SeldomLog } from "../../src/bridge/seldom-log.ts";

test("SeldomLog writes one line a minute of each sentence, and says how many it left out", () => {
  const log = memoryLog();
  const seldom = new SeldomLog(log);
  for (let now = 0; now < 150_000; now += 100) {
    seldom.now = now;
    seldom.error("broken", { now });
    if (now === 50) seldom.warn("never");
    if (now === 70_000) seldom.info("once", { a: 1 });
  }
  expect(log.lines).toEqual([
    { level: "error", sentence: "broken", values: { now: 0 } },
    { level: "error", sentence: "broken", values: { now: 60_000, leftOut: 599 } },
    { level: "info", sentence: "once", values: { a: 1 } },
    { level: "error", sentence: "broken", values: { now: 120_000, leftOut: 599 } },
  ]);
});

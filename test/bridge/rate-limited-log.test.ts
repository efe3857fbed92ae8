import { expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { RateLimitedLog } from "../../src/bridge/rate-limited-log.ts";

test("RateLimitedLog writes one line a minute of each message, and says how many it left out", () => {
  const log = memoryLog();
  let now = 0;
  const limited = new RateLimitedLog(log, () => now);
  const code = "DECODE_FAILED";
  for (; now < 150_000; now += 100) {
    limited.error("broken", { code, now });
    if (now === 50) limited.warn("rare", { code });
    if (now === 70_000) limited.info("once", { a: 1 });
  }
  expect(log.lines).toEqual([
    { level: "error", message: "broken", fields: { code, now: 0 } },
    { level: "error", message: "broken", fields: { code, now: 60_000, leftOut: 599 } },
    { level: "info", message: "once", fields: { a: 1 } },
    { level: "error", message: "broken", fields: { code, now: 120_000, leftOut: 599 } },
  ]);
});

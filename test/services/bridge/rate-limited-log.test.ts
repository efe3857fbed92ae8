import { expect, test } from "vitest";
import { RateLimitedLog } from "../../../src/services/bridge/rate-limited-log.ts";
import { memoryLog } from "../../support/memory/log.ts";

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

test("a line about one interface or NAME does not silence the same line about another one", () => {
  const log = memoryLog();
  let now = 0;
  const limited = new RateLimitedLog(log, () => now);
  for (; now < 61_000; now += 500) {
    limited.warn("off", { code: "BUS_OFF", interface: now % 1000 === 0 ? "can0" : "can1" });
    limited.warn("twice", { code: "NAME_TWICE", name: now % 1000 === 0 ? 1n : 2n });
  }
  const about = log.lines.map(({ fields: { interface: name, name: ofDevice, leftOut } }) => [
    name ?? ofDevice,
    leftOut,
  ]);
  const once = [["can0"], [1n], ["can1"], [2n]].map(([subject]) => [subject, undefined]);
  expect(about).toEqual([...once, ...once.map(([subject]) => [subject, 59])]);
});

test("any number of NAMEs have nine lines a minute, and leave the interfaces theirs", () => {
  const log = memoryLog();
  let now = 0;
  const limited = new RateLimitedLog(log, () => now);
  for (let name = 0n; name < 1000n; name++) limited.warn("twice", { code: "NAME_TWICE", name });
  expect(log.lines).toHaveLength(9);
  for (const name of ["can0", "can1"]) limited.warn("off", { code: "BUS_OFF", interface: name });
  expect(log.lines).toHaveLength(11);
  now = 60_000;
  for (const name of [2000n, 2001n]) limited.warn("twice", { code: "NAME_TWICE", name });
  expect(log.lines).toHaveLength(13);
});

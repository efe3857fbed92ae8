/** When past alarms rang, in the words of a screen, without a browser: each time names its zone. */
import { afterEach, expect, test } from "vitest";
import type { PastAlarm } from "../../../../src/web/display/alarms/alarms.ts";
import { endedText, whenText } from "../../../../src/web/display/alarms/past-alarms.tsx";
import { changeSettings } from "../../../../src/web/display/data/settings.ts";

const zone = process.env.TZ;

afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  changeSettings({ timeZone: "UTC" });
});

const alarm = (more: Partial<PastAlarm>): PastAlarm => ({
  id: "depth",
  kind: "depth",
  title: "Shallow water",
  severity: "alarm",
  since: "2026-11-21T23:50:10.000Z",
  ...more,
});

const until = "2026-11-22T00:20:10.000Z";
const acknowledged = "2026-11-22T00:05:59.000Z";

test.each([
  ["UTC", "America/New_York", {}, "23:50 UTC, its end is not known, no answer"],
  ["UTC", "America/New_York", { until }, "23:50 UTC, for 30\u202fmin, no answer"],
  ["UTC", "America/New_York", { until, acknowledged }, "23:50 UTC, for 30\u202fmin, acknowledged 2026-11-22 00:05 UTC"],
  ["local", "America/New_York", { until, acknowledged }, "18:50 LT, for 30\u202fmin, acknowledged 19:05 LT"],
  ["local", "Pacific/Auckland", { until, acknowledged }, "12:50 LT, for 30\u202fmin, acknowledged 13:05 LT"],
] as const)("%s at %s, %o: %s", (timeZone, TZ, more, text) => {
  process.env.TZ = TZ;
  changeSettings({ timeZone });
  expect(whenText(alarm(more), false)).toBe(text);
});

test("an alarm that lasts, and one that has ended without an answer", () => {
  expect(whenText(alarm({ until }), true)).toBe("23:50 UTC, lasts, no answer");
  expect(endedText(alarm({ until }))).toBe("2026-11-21 23:50 UTC, for 30\u202fmin");
  expect(endedText(alarm({ endedBefore: until }))).toBe("2026-11-21 23:50 UTC, its end is not known");
  process.env.TZ = "Pacific/Auckland";
  changeSettings({ timeZone: "local" });
  expect(endedText(alarm({ until }))).toBe("2026-11-22 12:50 LT, for 30\u202fmin");
});

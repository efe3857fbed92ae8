/** The words of an alarm beside its title. */
import { expect, test } from "vitest";
import { alarmText, inReportUnits } from "../../../src/core/alarms/alarm-text.ts";

test.each([
  [{ kind: "clock", unit: "s", value: 7200 }, "2 h"],
  [{ kind: "clock", unit: "s", value: 2.34 }, "2.3 s"],
  [{ kind: "wind", unit: "kn", value: 38.88, limit: 30 }, "38.9 kn, limit 30.0 kn"],
  [{ kind: "depth", unit: "m", value: 1.74, limit: 2, text: "below the keel" }, "1.7 m, limit 2.0 m, below the keel"],
  [{ kind: "anchor", unit: "m", value: 42.4, limit: 40 }, "42 m, limit 40 m"],
  [{ kind: "cpa", unit: "nm", value: 0.066, limit: 0.25, minutes: 4.5 }, "0.07 nm in 4:30"],
  [{ kind: "windShift", unit: "°", value: 47.6, limit: 30, text: "veers" }, "48°, limit 30°, veers"],
  [{ kind: "batteryCharge", unit: "%", value: 12, limit: 20 }, "12 %, limit 20 %"],
  [{ kind: "oilPressure", unit: "kPa", value: 60.4, limit: 100 }, "60 kPa, limit 100 kPa"],
  [{ kind: "disk", unit: "MB", value: 150.2, limit: 20_000 }, "150 MB, limit 20.0 GB"],
  [{ kind: "limits", unit: "rpm", value: 3512.5, limit: 3400 }, "3513 rpm, limit 3400 rpm"],
  [{ kind: "limits", value: 7.25, limit: 6, text: "Too fast" }, "7.3, limit 6.0, Too fast"],
  [{ kind: "limits", unit: "m", value: 2.34, limit: 2.5, text: "Shoal" }, "2.3 m, limit 2.5 m, Shoal"],
  [{ kind: "manOverboard", bearing: 12, range: 0.13, text: "AIS beacon" }, "012°, 0.13 nm, AIS beacon"],
  [{ kind: "position" }, ""],
] as const)("%o is said as %s", (alarm, text) => {
  expect(alarmText(alarm)).toBe(text);
});

test("a number and its unit stay on one line of a screen", () => {
  expect(alarmText({ kind: "wind", unit: "kn", value: 38.88 }, inReportUnits("\u202f"))).toBe("38.9\u202fkn");
});

import { describe, expect, test } from "vitest";
import { defaultAlarmSettings, readAlarmSettings } from "../../src/alarms/settings.ts";

describe("readAlarmSettings", () => {
  test("without an entry: every alarm is on, with limits that suit most boats", () => {
    const { settings, warnings } = readAlarmSettings(undefined);
    expect(warnings).toEqual([]);
    expect(settings).toBe(defaultAlarmSettings);
    expect(Object.values(settings).every(({ enabled }) => enabled)).toBe(true);
    expect(settings.depth).toEqual({ enabled: true, limit: 2, delay: 2 });
  });

  test("members that are absent have their default", () => {
    const { settings, warnings } = readAlarmSettings({
      name: "alarms",
      depth: { limit: 3.5 },
      wind: { enabled: false },
    });
    expect(warnings).toEqual([]);
    expect(settings.depth).toEqual({ enabled: true, limit: 3.5, delay: 2 });
    expect(settings.wind.enabled).toBe(false);
    expect(settings.cpa).toEqual(defaultAlarmSettings.cpa);
  });

  test("an alarm with an invalid member keeps its settings, the others are changed", () => {
    const { settings: before } = readAlarmSettings({ depth: { limit: 4 } });
    const { settings, warnings } = readAlarmSettings(
      { depth: { limit: "3" }, wind: { limit: 25, dely: 3 }, cpa: { limit: 0.5 }, fire: {}, oilPressure: 7 },
      before,
    );
    expect(settings.depth.limit).toBe(4);
    expect(settings.wind).toEqual(defaultAlarmSettings.wind);
    expect(settings.cpa.limit).toBe(0.5);
    expect(warnings).toEqual([
      "depth limit must be a number of metres",
      "oilPressure must be an object",
      "wind has no member dely",
      "fire is no alarm",
    ]);
  });

  test.each([null, 7, "depth", []])("%j is no entry, and the settings in force stay", (entry) => {
    const { settings: before } = readAlarmSettings({ depth: { limit: 4 } });
    expect(readAlarmSettings(entry, before)).toEqual({ settings: before, warnings: ["the entry must be an object"] });
  });
});

import { describe, expect, test } from "vitest";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import { warningText } from "../../../src/core/report/read-entry.ts";

describe("alarmSettings.read", () => {
  test("without an entry: every alarm is on but those that only some crews want, with limits that suit most boats", () => {
    const { settings, warnings } = alarmSettings.read(undefined);
    expect(warnings).toEqual([]);
    expect(settings).toBe(alarmSettings.byDefault);
    const off = Object.entries(settings).filter(([, { enabled }]) => !enabled);
    expect(off.map(([kind]) => kind)).toEqual([
      ...["guardZone", "newDevice", "lostTarget", "crossTrack", "windShift", "shorePower"],
    ]);
    expect(settings.depth).toEqual({ enabled: true, limit: 2, term: 5, reference: "installed", delay: 2 });
  });

  test("members that are absent have their default", () => {
    const { settings, warnings } = alarmSettings.read({
      name: "alarms",
      depth: { limit: 3.5 },
      wind: { enabled: false },
    });
    expect(warnings).toEqual([]);
    expect(settings.depth).toEqual({ enabled: true, limit: 3.5, term: 5, reference: "installed", delay: 2 });
    expect(settings.wind.enabled).toBe(false);
    expect(settings.cpa).toEqual(alarmSettings.byDefault.cpa);
  });

  test("an alarm with an invalid member keeps its settings, the others are changed", () => {
    const { settings: before } = alarmSettings.read({ depth: { limit: 4 } });
    const { settings, warnings } = alarmSettings.read(
      { depth: { limit: "3" }, wind: { limit: 25, dely: 3 }, cpa: { limit: 0.5 }, fire: {}, oilPressure: 7 },
      before,
    );
    expect(settings.depth.limit).toBe(4);
    expect(settings.wind).toEqual(alarmSettings.byDefault.wind);
    expect(settings.cpa.limit).toBe(0.5);
    expect(warnings.map(warningText)).toEqual([
      "depth limit: must be a number of metres",
      "oilPressure: must be an object",
      "wind: has no member dely",
      "fire: is no alarm",
    ]);
  });

  test.each([null, 7, "depth", []])("%j is no entry, and the settings in force stay", (entry) => {
    const { settings: before } = alarmSettings.read({ depth: { limit: 4 } });
    expect(alarmSettings.read(entry, before)).toEqual({
      settings: before,
      warnings: [{ path: [], problem: "the entry must be an object" }],
    });
  });

  const row = { id: "freezer", pgn: 130316, member: "actualTempC", above: -10, text: "Freezer is warm" };

  test.each([
    [row, []],
    [{ ...row, below: -40, instance: 4, device: "Box", seconds: 60, severity: "alarm" }, []],
    [{ ...row, pgn: undefined, member: "speed_course.sog" }, []],
    [{ ...row, member: "temperature" }, [": names no number of the message"]],
    [{ ...row, pgn: 1 }, [": names no number of the message"]],
    [{ ...row, pgn: undefined, member: "speed_course.__proto__" }, [": names no number of the message"]],
    [{ ...row, above: undefined }, [": type a number above or below which it rings"]],
    [{ ...row, below: -5 }, [": the number above has to be the greater one"]],
    [{ ...row, id: "my freezer" }, [" id: must be letters, digits and hyphens"]],
  ])("a row of limits: %j", (one, faults) => {
    const { warnings } = alarmSettings.read({ limits: { rows: [one] } });
    expect(warnings.map(warningText)).toEqual(faults.map((fault) => `limits rows no. 1${fault}`));
  });

  test("a row that cannot be used leaves the others in force, at the start too", () => {
    const other = { ...row, id: "other" };
    const { settings } = alarmSettings.read({ limits: { rows: [{ ...row, member: "no" }, other], delay: 9 } });
    expect(settings.limits).toMatchObject({ delay: 9, rows: [{ id: "other" }] });
    expect(settings.limits.rows).toHaveLength(1);
  });

  test("of rows with one id the first applies, as do the first fifty rows", () => {
    const same = alarmSettings.read({
      limits: { rows: [row, { ...row, above: -5 }, { ...row, id: "other" }], delay: 9 },
    });
    expect(same.warnings.map(warningText)).toEqual(["limits rows no. 2: has the id of a row above"]);
    expect(same.settings.limits).toMatchObject({ delay: 9, rows: [row, { id: "other" }] });
    const many = alarmSettings.read({
      limits: { rows: Array.from({ length: 51 }, (_, at) => ({ ...row, id: `${at}` })) },
    });
    expect(many.warnings.map(warningText)).toEqual(["limits rows no. 51: is more than 50 rows"]);
    expect(many.settings.limits.rows).toHaveLength(50);
  });
});

import { describe, expect, test } from "vitest";
import type { Device } from "../../../src/core/nav/devices.ts";
import { navigationSettings, rankIn } from "../../../src/core/nav/settings.ts";
import { warningText } from "../../../src/core/report/read-entry.ts";

describe("navigationSettings.read", () => {
  test("takes over what the entry says", () => {
    const { settings, warnings } = navigationSettings.read({
      name: "navigation",
      windDamping: 0.5,
      ownMmsi: 244123456,
      friendlyNames: { "13868994482250310209": "Masthead wind", "0": "Zero" },
      priority: { position: ["GPS bow", "13868994482250310209"], heading: ["Gyro"], depth: [] },
      variation: "model",
      somethingElse: true,
    });
    expect(warnings.map(warningText)).toEqual(["somethingElse: is no member"]);
    expect(settings).toEqual({
      windDamping: 0.5,
      ownMmsi: 244123456,
      friendlyNames: new Map([
        ["0", "Zero"],
        ["13868994482250310209", "Masthead wind"],
      ]),
      priority: { position: ["GPS bow", "13868994482250310209"], heading: ["Gyro"], depth: [] },
      variation: "model",
      configLoaded: true,
    });
  });

  const before = navigationSettings.read({ windDamping: 7, priority: { wind: ["5"] } }).settings;

  test.each<[string, unknown, string]>([
    ["damping below zero", { windDamping: -1 }, "windDamping: must be 0 or more"],
    ["damping as text", { windDamping: "2" }, "windDamping: must be a number of seconds"],
    ["an MMSI of ten digits", { ownMmsi: 2441234567 }, "ownMmsi: must be an MMSI"],
    ["an MMSI as text", { ownMmsi: "244123456" }, "ownMmsi: must be an MMSI"],
    ["another source of variation", { variation: "guess" }, 'variation: must be "bus" or "model"'],
    ["names in a list", { friendlyNames: ["a"] }, "friendlyNames: must be an object"],
    ["priority as a list", { priority: [] }, "priority: must be an object"],
    ["a single item", { priority: { wind: "1" } }, "priority wind: must be a list"],
    ["null", null, "the entry must be an object"],
    ["a number", 5, "the entry must be an object"],
    ["a text", "navigation", "the entry must be an object"],
    ["a list", [1], "the entry must be an object"],
  ])("an entry broken by %s warns and leaves what was in force", (_, entry, warning) => {
    const withMore = typeof entry === "object" && !Array.isArray(entry) ? entry && { windDamping: 3, ...entry } : entry;
    const { settings, warnings } = navigationSettings.read(withMore, before);
    expect(settings).toEqual(before);
    expect(warnings.map(warningText)).toEqual([warning]);
    expect(navigationSettings.read(withMore).settings).toBe(navigationSettings.byDefault);
  });

  test.each<[string, object, string]>([
    ["a NAME in hex", { friendlyNames: { c0ffee: "x" } }, "friendlyNames c0ffee: is no NAME in decimal digits"],
    [
      "a NAME of 65 bits",
      { friendlyNames: { "18446744073709551616": "x" } },
      "friendlyNames 18446744073709551616: is no NAME in decimal digits",
    ],
    ["a name that is no text", { friendlyNames: { "1": 2 } }, "friendlyNames 1: must be a string"],
    ["an empty name", { friendlyNames: { "1": "" } }, "friendlyNames 1: must not be empty"],
    ["an unknown quantity", { priority: { engine: [] } }, "priority engine: is no quantity"],
    ["a quantity of every object", { priority: { constructor: [] } }, "priority constructor: is no quantity"],
    [
      "a NAME without quotes",
      { priority: { wind: [12] } },
      "priority wind no. 1: must be a NAME in decimal digits, in quotes, or a friendly name",
    ],
    ["an empty item", { priority: { wind: ["a", ""] } }, "priority wind no. 2: must not be empty"],
  ])("warns of %s and uses the rest", (_, part, warning) => {
    const { settings, warnings } = navigationSettings.read({ name: "navigation", windDamping: 3, ...part }, before);
    expect(warnings.map(warningText)).toEqual([warning]);
    expect({ ...settings, priority: {} }).toEqual({
      ...navigationSettings.byDefault,
      windDamping: 3,
      configLoaded: true,
    });
  });

  test("leaves out bad items only", () => {
    const { settings, warnings } = navigationSettings.read({
      friendlyNames: { "1": "One", two: "Two" },
      priority: { wind: [3, "One", null, "2"], nothing: [] },
    });
    expect(settings.friendlyNames).toEqual(new Map([["1", "One"]]));
    expect(settings.priority).toEqual({ wind: ["One", "2"] });
    expect(warnings).toHaveLength(4);
  });
});

describe("rankIn", () => {
  const device = (name: bigint | undefined): Device => ({ name, digits: String(name ?? 0), order: 0, address: 0 });
  const names = ({ name, digits }: Device): readonly string[] =>
    name === undefined ? [] : digits === "7" ? ["7", "Gyro"] : [digits];

  test("a device is found by its NAME or its friendly name, whichever comes first", () => {
    const place = rankIn(["Gyro", "5", "7", "5"], names);
    expect([device(7n), device(5n), device(6n)].map(place)).toEqual([0, 1, 4]);
  });

  test("without a list all are alike", () => {
    expect([undefined, []].map((list) => rankIn(list, names)(device(7n)))).toEqual([0, 0]);
  });
});

/** Dangers that no single value shows: gusts, the barometer, a receiver or a pilot that has failed, batteries. */
import { describe, expect, test } from "vitest";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import { createVoyage, northOf, underWay, type Voyage } from "./voyage.ts";

const ids = ({ alarms }: { readonly alarms: readonly { readonly id: string }[] }) => alarms.map(({ id }) => id);
const wind = (speed: number): NavigationData => underWay(5, { wind_apparent: { speed, angle: 40 } });

test.each([
  [
    "that gusts from 26 to 40 knots each ten seconds",
    (s: number) => 33 + 7 * Math.sin((s * 2 * Math.PI) / 10),
    ["wind"],
  ],
  ["that gusts each twelve seconds", (s: number) => 33 + 7 * Math.sin((s * 2 * Math.PI) / 12), ["wind"]],
  ["of 45 knots for four seconds", (s: number) => (s >= 60 && s <= 64 ? 45 : 20), ["wind"]],
  ["of 45 knots for two seconds", (s: number) => (s >= 60 && s <= 62 ? 45 : 20), []],
  ["of 44 knots for four seconds", (s: number) => (s >= 60 && s <= 64 ? 44 : 20), []],
  ["above the limit a third of the time", (s: number) => (s % 30 < 9 ? 33 : 26), []],
])("wind: %s", (_, speed, expected) => {
  const voyage = createVoyage();
  const heard = new Set<string>();
  for (let second = 0; second < 300; second++)
    for (const id of ids(voyage.sail(1, () => ({ navigation: wind(speed(second)) })))) heard.add(id);
  expect([...heard]).toEqual(expected);
  voyage.sail(40, () => ({ navigation: wind(20) }));
  expect(voyage.alarm("wind")).toBeUndefined();
});

describe("the barometer", () => {
  const pressure = (hectopascals: number) => ({
    navigation: underWay(5, { depth_water: { atmosphericPressure: hectopascals * 100 } }),
  });

  test.each([
    [2.9, undefined],
    [3.2, { severity: "warning", limit: 3 }],
    [6.2, { severity: "warning", limit: 6 }],
    [10.2, { severity: "alarm", limit: 10 }],
  ])("falls by %d hPa in three hours", (fall, expected) => {
    const voyage = createVoyage();
    voyage.sail(10_700, (second) => pressure(1015 - (fall * second) / 10_700));
    if (expected === undefined) expect(voyage.alarm("pressure")).toBeUndefined();
    else expect(voyage.alarm("pressure")).toMatchObject({ ...expected, unit: "hPa", text: "in three hours" });
  });

  test("is said to fall although it is wrong now and then", () => {
    const voyage = createVoyage();
    voyage.sail(4000, (second) => pressure(second % 1000 === 999 ? 1000 : 1015 - second / 1000));
    expect(voyage.alarm("pressure")).toMatchObject({ severity: "warning", limit: 3 });
  });

  test("sounds again at six, though the warning at three was acknowledged, and ends when it no longer falls", () => {
    const voyage = createVoyage();
    voyage.sail(4000, (second) => pressure(1015 - second / 1000));
    voyage.command("pressure", "acknowledge");
    expect(voyage.sail(600, (second) => pressure(1011 - second / 1000)).alarms[0]).toMatchObject({
      state: "acknowledged",
    });
    expect(voyage.sail(1700, (second) => pressure(1010.4 - second / 1000)).alarms[0]).toMatchObject({
      state: "active",
    });
    expect(voyage.sail(11_000, () => pressure(1008.7)).alarms).toEqual([]);
  });

  test.each([
    ["another barometer", () => 1008],
    ["one wrong value", (second: number) => (second === 100 ? 1000 : 1015)],
  ])("is not said to fall by %s", (_, later) => {
    const voyage = createVoyage();
    voyage.sail(600, () => pressure(1015));
    expect(voyage.sail(600, (second) => pressure(later(second))).alarms).toEqual([]);
  });

  test("falls also while it is off", () => {
    const voyage = createVoyage();
    voyage.sail(600, () => pressure(1015));
    voyage.sail(5400, () => ({ navigation: underWay(5) }));
    expect(ids(voyage.sail(120, () => pressure(1009)))).toEqual(["pressure"]);
  });
});

describe("a position that stands still", () => {
  const still = (voyage: Voyage, seconds: number, navigation: NavigationData) => {
    voyage.receiver.wanders = false;
    return voyage.sail(seconds, () => ({ navigation }));
  };

  test.each([
    ["while the log says six knots", underWay(0, { speed_course: { cog: null, sog: 0, speedThroughWater: 6 } }), true],
    [
      "not in a current of three knots",
      underWay(0, { speed_course: { cog: null, sog: 0, speedThroughWater: 3 } }),
      false,
    ],
    ["not at the berth", underWay(0.3), false],
  ])("%s", (_, navigation, rings) => {
    expect(ids(still(createVoyage(), 200, navigation)).includes("positionFrozen")).toBe(rings);
  });

  test("not where the boat sails in circles", () => {
    const voyage = createVoyage();
    const circle = (second: number) => northOf(30 * Math.sin(second / 10), underWay(6));
    expect(voyage.sail(300, (second) => ({ navigation: circle(second) })).alarms).toEqual([]);
  });
});

describe("a pilot", () => {
  const says = (voyage: Voyage, seconds: number, steeringMode?: string) =>
    ids(
      voyage.sail(seconds, () => {
        if (steeringMode !== undefined) voyage.hear({ pgn: 127237, steeringMode } as never);
        return { navigation: underWay(5) };
      }),
    );

  test.each([
    ["acknowledged", (voyage: Voyage) => void voyage.command("pilot-3-standby", "acknowledge"), "Main Steering"],
    ["set to steer again", () => {}, "Track Control"],
  ])("that goes to standby is a warning until it is %s", (_, answer, mode) => {
    const voyage = createVoyage();
    says(voyage, 30, "Track Control");
    expect(says(voyage, 120, "Main Steering")).toEqual(["pilot-3-standby"]);
    expect(voyage.alarm("pilot-3-standby")).toMatchObject({ severity: "warning" });
    answer(voyage);
    expect(says(voyage, 5, mode)).toEqual([]);
  });

  test("that was off for a night is missed as soon as before", () => {
    const voyage = createVoyage();
    says(voyage, 30, "Main Steering");
    voyage.moveTo(30_000);
    says(voyage, 30, "Track Control");
    expect(says(voyage, 20)).toEqual(["pilot-3-silent"]);
  });

  test.each([["is steered by its buttons", "Heading Control", "Follow-Up Device"]])(
    "that %s does not ring",
    (_, before, after) => {
      const voyage = createVoyage();
      says(voyage, 30, before);
      expect(says(voyage, 60, after)).toEqual([]);
    },
  );
});

describe("a battery of 12 V", () => {
  const volts = (voyage: Voyage, seconds: number, voltageV: number) =>
    voyage.sail(seconds, () => {
      voyage.hear({ pgn: 127508, instance: 0, voltageV });
      return {};
    });

  test.each([[16.2], [25], [30]])("that was equalised at %d V is none of 24 V afterwards", (peak) => {
    const voyage = createVoyage();
    volts(voyage, 300, 12.9);
    volts(voyage, 100, peak);
    expect(ids(volts(voyage, 60, 12.9))).toEqual([]);
    expect(volts(voyage, 40, 11.5).alarms).toMatchObject([{ id: "batteryVoltage-0", limit: 11.8 }]);
  });

  test("by the crew's word, whatever is measured and received", () => {
    const voyage = createVoyage();
    voyage.settings({ batteryVoltage: { nominal: { 0: 24 } } });
    voyage.hear({ pgn: 127513, instance: 0, nominalVoltageV: 12 });
    expect(volts(voyage, 40, 19).alarms).toMatchObject([{ id: "batteryVoltage-0", limit: 23.6 }]);
  });
});

test("a caution of a device is shown and makes no sound, however long", () => {
  const voyage = createVoyage();
  voyage.hear({ pgn: 126983, alertType: 8, alertSystem: 5, alertSubSystem: 2, alertId: 104, state: "Active" } as never);
  expect(voyage.sail(120, () => ({})).alarms).toMatchObject([
    { kind: "alert", severity: "caution", unanswered: undefined },
  ]);
});

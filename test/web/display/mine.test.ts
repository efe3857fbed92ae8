import { describe, expect, test } from "vitest";
import { angleOn, dialOf, numbersOn, turnOf } from "../../../src/web/display/mine/dial.ts";
import { resized, screenAddress, screenOfHash, storedScreens } from "../../../src/web/display/mine/screens.ts";

const six = ["depth", "sog", "heel", "headingTrue", "waypointDistance", "pressure"];

describe("screens of the page Mine", () => {
  test("the six values of earlier versions are the one screen", () => {
    expect(storedScreens(six)).toEqual([six]);
  });

  test("up to four screens of 1, 2, 3, 4, 6 or 9 values are kept, and nothing else", () => {
    const screens = [["depth"], ["rose/winds", "gauge/sog", "heel"], six, [...six, "trip", "log", "stw"]];
    expect(storedScreens(screens)).toBe(screens);
    for (const other of [undefined, null, "depth", [], [[]], [["a", "b", "c", "d", "e"]], [[1]], [...screens, ["a"]]])
      expect(storedScreens(other)).toBeUndefined();
  });

  test("a screen that grows keeps its values, and gets others that it lacks", () => {
    expect(resized(["sog"], 3, ["depth", "sog", "heel"])).toEqual(["sog", "depth", "heel"]);
    expect(resized(["sog", "heel", "depth"], 1, ["depth"])).toEqual(["sog"]);
    expect(resized(["a"], 4, ["a", "b"])).toEqual(["a", "b", "a", "a"]);
  });

  test("an address names its screen", () => {
    expect([0, 1, 3].map(screenAddress)).toEqual(["mine", "mine/2", "mine/4"]);
    expect(["#/mine", "#/mine/2", "#/mine/4", "#/mine/x", "#/mine/0"].map((hash) => screenOfHash(hash, 2))).toEqual([
      0, 1, 0, 0, 0,
    ]);
  });
});

describe("dials", () => {
  test("a value stands in its part of the scale, or at its end", () => {
    const dial = dialOf(0, 12);
    expect([0, 3, 6, 12, 14, -1].map((value) => angleOn(dial, value))).toEqual([-120, -60, 0, 120, 120, -120]);
    expect([-90, 0, 45].map((value) => angleOn(turnOf(true), value))).toEqual([-90, 0, 45]);
    expect([0, 90, 270].map((value) => angleOn(turnOf(false), value))).toEqual([0, 90, 270]);
  });

  test("numbers are round", () => {
    expect(numbersOn(dialOf(0, 12))).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect(numbersOn(dialOf(-40, 40))).toEqual([-40, -20, 0, 20, 40]);
    expect(numbersOn(dialOf(0, 98.4))).toEqual([0, 20, 40, 60, 80]);
    expect(numbersOn(dialOf(950, 1050))).toEqual([960, 980, 1000, 1020, 1040]);
    expect(numbersOn(turnOf(true))).toEqual([-120, -60, 0, 60, 120, 180]);
    expect(numbersOn(turnOf(false))).toEqual([60, 120, 180, 240, 300, 360]);
  });
});

import { describe, expect, test } from "vitest";
import { spanText } from "../../../src/core/text/quantity.ts";
import { legOf, legs, tackAngles } from "../../../src/web/display/sailing/past.ts";
import { extentOf, singleValue, type TrendPoint } from "../../../src/web/display/trend/trend-points.ts";

/** A number of seconds on an angle of the wind, or without one, in steps of two or other ones. */
const leg = (seconds: number, value: number | null, step = 2) => ({ seconds, value, step });

/** The points of legs, one after the other, the last of which ends now. */
function sailed(...legs: readonly ReturnType<typeof leg>[]): readonly TrendPoint[] {
  let at = -legs.reduce((sum, { seconds }) => sum + seconds, 0);
  return legs.flatMap(({ seconds, value, step }) =>
    Array.from({ length: seconds / step }, () => {
      at += step;
      return singleValue(at - step, value);
    }),
  );
}

describe("the last minutes", () => {
  test("lowest and highest with the time that is known, not with its gaps", () => {
    const points = sailed(leg(100, null), leg(40, 241), leg(20, 238, 10), leg(300, null), leg(60, 362));
    const gust = { at: -1, low: 200, value: 210, high: 400 };
    expect(extentOf(points, 600)).toEqual({ low: 238, high: 362, seconds: 120 });
    expect(extentOf([...points, gust], 600)).toEqual({ low: 200, high: 400, seconds: 120 });
    expect(extentOf(sailed(leg(590, 3, 10)), 600)).toEqual({ low: 3, high: 3, seconds: 600 });
    expect(extentOf(sailed(leg(20, null)), 600)).toBeUndefined();
  });

  test.each([
    [4, "4 s"],
    [119.6, "2 min"],
    [171, "2 min"],
    [600, "10 min"],
    [3600, "1 h"],
    [86_300, "23 h"],
    [90 * 86_400, "90 d"],
  ])("%d seconds are told as %s", (seconds, text) => expect(spanText(seconds)).toBe(text));

  test("legs", () => {
    expect([-40, 40, -150, 150].map(legOf)).toEqual([
      "port upwind",
      "starboard upwind",
      "port downwind",
      "starboard downwind",
    ]);
    expect(legs["port upwind"].otherTack).toBe("starboard upwind");
    expect(legs["starboard downwind"].otherTack).toBe("port downwind");
  });
});

describe("angles of the tacks", () => {
  test("the mean of the settled minute before the turn: ten seconds of 20 degrees at its end count for nothing", () => {
    const past = sailed(leg(100, 50), leg(60, 42), leg(10, 20), leg(30, -44));
    expect([...tackAngles(past)]).toEqual([["starboard upwind", 42]]);
  });

  test("both tacks, and a gybe", () => {
    // The history of the boat has one value in ten seconds.
    const past = sailed(leg(90, 40, 10), leg(90, -44, 10), leg(90, -140), leg(90, 150));
    expect(Object.fromEntries(tackAngles(past))).toEqual({
      "starboard upwind": 40,
      "port upwind": 44,
      "port downwind": 140,
      "starboard downwind": 150,
    });
  });

  test("a short leg is none, and a gap ends none", () => {
    const past = sailed(leg(40, 40), leg(4, null), leg(40, 40), leg(20, -30));
    expect([...tackAngles(past)]).toEqual([["starboard upwind", 40]]);
  });
});

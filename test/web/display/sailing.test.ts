import { describe, expect, test } from "vitest";
import { legOf, otherTack, spanOf, tackAngles } from "../../../src/web/display/sailing/past.ts";

/** A number of seconds on an angle of the wind, in steps of two. */
const leg = (seconds: number, angle: number): readonly number[] => Array.from({ length: seconds / 2 }, () => angle);

describe("the last minutes", () => {
  test("lowest and highest, without gaps", () => {
    expect(spanOf([null, 241, 238, null, 362])).toEqual({ low: 238, high: 362 });
    expect(spanOf([null, null])).toBeUndefined();
  });

  test("legs", () => {
    expect([-40, 40, -150, 150].map(legOf)).toEqual([
      "port upwind",
      "starboard upwind",
      "port downwind",
      "starboard downwind",
    ]);
    expect(otherTack("port upwind")).toBe("starboard upwind");
    expect(otherTack("starboard downwind")).toBe("port downwind");
  });
});

describe("angles of the tacks", () => {
  test("the mean of the settled minute before the turn: ten seconds of 20 degrees at its end count for nothing", () => {
    const past = [...leg(100, 50), ...leg(60, 42), ...leg(10, 20), ...leg(30, -44)];
    expect([...tackAngles(past, 2)]).toEqual([["starboard upwind", 42]]);
  });

  test("both tacks, and a gybe", () => {
    const past = [...leg(90, 40), ...leg(90, -44), ...leg(90, -140), ...leg(90, 150)];
    expect(Object.fromEntries(tackAngles(past, 2))).toEqual({
      "starboard upwind": 40,
      "port upwind": 44,
      "port downwind": 140,
      "starboard downwind": 150,
    });
  });

  test("a short leg is none, and a gap ends none", () => {
    const past = [...leg(40, 40), null, null, ...leg(40, 40), ...leg(20, -30)];
    expect([...tackAngles(past, 2)]).toEqual([["starboard upwind", 40]]);
  });
});

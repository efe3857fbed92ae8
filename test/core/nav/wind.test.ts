import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computedTrueWind, type Motion, measuredTrueWind } from "../../../src/core/nav/wind.ts";

const nothingKnown: Motion = {
  headingTrue: undefined,
  headingMagnetic: undefined,
  variation: undefined,
  speedThroughWater: undefined,
  leeway: undefined,
};

describe("computedTrueWind", () => {
  // Cases computed by hand, most on 3-4-5 and 5-12-13 triangles: x ahead, y to starboard, minus the boat's own motion.
  test.each([
    // AWS, AWA, STW, leeway, heading, TWS, TWA, TWD
    [10, 0, 4, 0, 0, 6, 0, 0], //                       wind from ahead, motoring into it
    [10, 90, 10, 0, 0, 14.1421, 135, 135], //           as fast as the wind that comes from abeam
    [10, -90, 10, 0, 0, 14.1421, -135, 225], //         its mirror image
    [10, 180, 5, 0, 10, 15, 180, 190], //               running, the apparent wind is the weaker one
    [3, 0, 8, 0, 90, 5, 180, 270], //                   motoring faster than a following wind
    [0, 45, 6, 0, 200, 6, 180, 20], //                  no apparent wind: it comes with the boat
    [5, 36.8699, 4, 0, 0, 3, 90, 90], //                (4, 3) - (4, 0) = (0, 3)
    [5, -36.8699, 4, 0, 30, 3, -90, 300], //            (4, -3) - (4, 0) = (0, -3)
    [13, 22.6199, 7, 0, 350, 7.0711, 45, 35], //        (12, 5) - (7, 0) = (5, 5), over north
    [13, -67.3801, 10, 0, 100, 13, -112.6199, 347.3801], // (5, -12) - (10, 0) = (-5, -12)
    [20, 60, 10, 0, 300, 17.3205, 90, 30], //           (10, 17.32) - (10, 0)
    [10, 90, 10, 30, 0, 10, 150, 150], //               (0, 10) - (8.66, 5) = (-8.66, 5)
    [10, 90, 10, -30, 0, 17.3205, 120, 120], //         (0, 10) - (8.66, -5) = (-8.66, 15)
    [10, 0, 10, 90, 0, 14.1421, -45, 315], //           sideways to starboard: the wind comes more from port
    [8, 120, 0, 0, 0, 8, 120, 120], //                  lying still
    [8, -180, 2, 0, 0, 10, 180, 180], //                -180 is written as 180
    [7, 359, 0, 0, 2, 7, -1, 1], //                     a vane that counts to 360
  ])(
    "%d kn at %d, %d kn through the water, leeway %d, heading %d",
    (speed, angle, water, leeway, heading, ...wanted) => {
      const wind = computedTrueWind(
        { speed, angle },
        { ...nothingKnown, headingTrue: heading, speedThroughWater: water, leeway },
      );
      expect(wind.speed).toBeCloseTo(wanted[0]!, 3);
      expect(wind.angle).toBeCloseTo(wanted[1]!, 3);
      expect(wind.direction).toBeCloseTo(wanted[2]!, 3);
    },
  );

  test.each([
    [4.049, undefined],
    [4.051, 0],
  ])("a calm has no angle: %d kn over 4 kn ahead", (speed, angle) => {
    const wind = computedTrueWind({ speed, angle: 0 }, { ...nothingKnown, headingTrue: 0, speedThroughWater: 4 });
    expect(wind.speed).toBeCloseTo(speed - 4, 9);
    expect([wind.angle, wind.direction]).toEqual([angle, angle]);
  });

  test("true wind and the boat's own way put together are the apparent wind again", () => {
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(number(0, 60), number(-180, 180), number(0, 30), number(-20, 20), (speed, angle, water, leeway) => {
        const wind = computedTrueWind({ speed, angle }, { ...nothingKnown, speedThroughWater: water, leeway });
        fc.pre(wind.angle !== undefined);
        const at = (length: number, degrees: number) => {
          const turn = (degrees * Math.PI) / 180;
          return [length * Math.cos(turn), length * Math.sin(turn)] as const;
        };
        const [x, y] = at(wind.speed!, wind.angle!);
        const [own, side] = at(water, leeway);
        const [ahead, starboard] = at(speed, angle);
        expect(Math.hypot(x + own - ahead, y + side - starboard)).toBeLessThan(1e-9);
      }),
    );
  });
});

describe("measuredTrueWind", () => {
  const motion: Motion = { ...nothingKnown, headingTrue: 350, headingMagnetic: 347, variation: 3 };
  test.each([
    ["over the water", 4, 30, 30, 20],
    ["over the water, from port", 4, 330, -30, 320],
    ["boat over ground", 3, 180, 180, 170],
    ["from true north", 0, 20, 30, 20],
    ["from true north, from port", 0, 340, -10, 340],
    ["from magnetic north", 1, 20, 33, 23],
    ["from magnetic north, over north", 1, 358, 11, 1],
  ])("%s", (_, reference, message, angle, direction) => {
    expect(measuredTrueWind(reference, { speed: 12, angle: message }, motion)).toEqual({ speed: 12, angle, direction });
  });

  test.each([
    ["over the water: no direction", 4, 30, undefined],
    ["boat over ground: no direction", 3, 30, undefined],
    ["from true north: no angle", 0, undefined, 30],
    ["from magnetic north: neither", 1, undefined, undefined],
  ])("without heading and variation, %s", (_, reference, angle, direction) => {
    expect(measuredTrueWind(reference, { speed: 12, angle: 30 }, nothingKnown)).toEqual({
      speed: 12,
      angle,
      direction,
    });
  });
});

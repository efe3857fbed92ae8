import { describe, expect, test } from "vitest";
import { laylines, type Polar, polarOf, polarSpeed, readPolar, targetOf } from "../../../src/core/nav/polar.ts";

const polar: Polar = [
  { windSpeed: 6, angles: [40, 60, 90, 120, 150, 180], speeds: [4, 5, 5.4, 5, 4, 3] },
  { windSpeed: 10, angles: [40, 60, 90, 120, 150, 180], speeds: [5.6, 6.6, 7, 6.8, 6, 5] },
];

test.each([
  ["a point of the table", 6, 60, 5],
  ["between two angles: 4 + (5 - 4) / 2", 6, 50, 4.5],
  ["between two winds: 5 + (6.6 - 5) / 4", 7, 60, 5.4],
  ["between both: (4.5 + 6.1) / 2", 8, 50, 5.3],
  ["to port as to starboard", 6, -60, 5],
  ["a third of the lowest wind, in proportion", 2, 90, 1.8],
  ["more than the strongest wind", 30, 90, 7],
  ["an angle below the first", 10, 20, 5.6],
  ["astern", 10, -180, 5],
])("speed by the polar: %s", (_, windSpeed, angle, speed) => {
  expect(polarSpeed(polar, windSpeed, angle)).toBeCloseTo(speed, 10);
});

describe("targets", () => {
  test("upwind in 6 kn: 4 * cos 40 = 3.064 beats 4.3 * cos 46 = 2.987", () => {
    expect(targetOf(polar, 6, "upwind")).toEqual({ angle: 40, speed: 4 });
  });

  test("downwind in 6 kn: 4 * cos 30 = 3.464 at 150 degrees", () => {
    const target = targetOf(polar, 6, "downwind");
    // 4 + 0.0333 at 149 makes 3.457 good, 4 - 0.0333 at 151 makes 3.469: the best lies behind, at 153.5 to 157.
    const madeGood = target.speed * -Math.cos((target.angle * Math.PI) / 180);
    expect(target.angle).toBeGreaterThan(150);
    expect(target.angle).toBeLessThan(165);
    expect(madeGood).toBeGreaterThan(3.469);
    expect(target.speed).toBeCloseTo(4 - (target.angle - 150) / 30, 10);
  });
});

test("laylines: wind from north-east, 42 degrees: port tack 087, starboard tack 003", () => {
  expect(laylines(45, 42)).toEqual({ port: 87, starboard: 3 });
});

describe("files", () => {
  const wanted: Polar = [
    { windSpeed: 6, angles: [43.1, 52, 90], speeds: [4.8, 5.6, 6.2] },
    { windSpeed: 8, angles: [41.5, 52, 90], speeds: [5.5, 6.4, 6.9] },
  ];

  test.each([
    ["a table with the angles of the beat", "twa/tws;6;8\n0;0;0\n52;5.6;6.4\n90;6.2;6.9\n43.1;4.8;0\n41.5;0;5.5\n"],
    [
      "tabs, Windows lines, another head",
      "TWA\\TWS\t6\t8\r\n41.5\t0\t5.5\r\n43.1\t4.8\t0\r\n52\t5.6\t6.4\r\n90\t6.2\t6.9",
    ],
    ["decimal commas", "twa/tws;6;8\n41,5;;5,5\n43,1;4,8;\n52;5,6;6,4\n90;6,2;6,9"],
    ["commas", "# certificate\ntwa/tws,6,8\n41.5,0,5.5\n43.1,4.8,0\n52,5.6,6.4\n90,6.2,6.9"],
    ["rows of pairs", "!Expedition polar\n6 43.1 4.8 52 5.6 90 6.2\n8\t41.5\t5.5\t52\t6.4\t90\t6.9\n"],
  ])("%s", (_, text) => {
    expect(readPolar(text)).toEqual(wanted);
  });

  test.each([
    ["", "it is empty"],
    ["twa/tws;6;8\n52;5.6;fast\n90;6.2;6.9", "a value of wind 8, angle 52 is no number"],
    ["twa/tws;6\n52;5.6", "it has no speeds by wind speed and angle"],
    ['{"name": "boat"}', "it has no speeds by wind speed and angle"],
    ["twa/tws;6\n52;5.6\n200;6", "it has no speeds by wind speed and angle"],
  ])("%j is none: %s", (text, why) => {
    expect(readPolar(text)).toBe(why);
  });

  test("settings of anybody's are read as far as they are a polar", () => {
    expect(polarOf(JSON.parse(JSON.stringify(polar)))).toEqual(polar);
    for (const other of [undefined, [], {}, [{}], [...polar].reverse(), [{ ...polar[0], speeds: [1] }], [null]])
      expect(polarOf(other)).toBeUndefined();
  });
});

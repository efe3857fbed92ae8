/** Course and speed made good by positions alone: of boats under way, of boats at rest, and beside receivers. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { relative } from "../../../src/core/nav/angles.ts";
import type { Device } from "../../../src/core/nav/devices.ts";
import type { Position } from "../../../src/core/nav/great-circle.ts";
import { type MadeGood, MadeGoodByPositions } from "../../../src/core/nav/made-good.ts";
import { createBoat } from "./boat.ts";
import { moved } from "./ellipsoid.ts";

const receiver: Device = { name: 1n, digits: "1", order: 0, address: 3 };
const METRES = 1 / 1852;

const place = fc.record({
  latitude: fc.double({ min: -75, max: 75, noNaN: true }),
  longitude: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constant(179.9999)),
});
const course = fc.double({ min: 0, max: 359.9, noNaN: true });
/** Seconds between two positions. */
const interval = fc.constantFrom(0.1, 1, 1.5, 3);
const seeds = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));

/** Positions each `every` seconds; returns the motion after each. */
function run(seconds: number, every: number, at: (second: number) => Position): readonly (MadeGood | undefined)[] {
  const positions = new MadeGoodByPositions();
  const found: (MadeGood | undefined)[] = [];
  for (let step = 0; step * every <= seconds; step++) {
    positions.hear(receiver, at(step * every), 1000 + Math.round(step * every * 1000));
    found.push(positions.madeGood);
  }
  return found;
}

describe("MadeGoodByPositions", () => {
  test("tells course and speed of a boat under way, with a bounded error", () => {
    const noise = fc.double({ min: 0, max: 1.5, noNaN: true });
    const knots = fc.double({ min: 1, max: 50, noNaN: true });
    fc.assert(
      fc.property(place, course, knots, interval, noise, seeds, (start, cog, sog, every, metres, random) => {
        const next = (): number => random.next().value;
        const found = run(75, every, (second) =>
          moved(moved(start, cog, (sog * second) / 3600), 360 * next(), metres * next() * METRES),
        );
        for (const madeGood of found.slice(-5)) {
          expect(madeGood!.sog).toBeGreaterThan(sog * 0.8 - 0.1);
          expect(madeGood!.sog).toBeLessThan(sog * 1.2 + 0.1);
          expect(Math.abs(relative(madeGood!.cog! - cog))).toBeLessThan(15);
        }
      }),
    );
  });

  test("tells no speed of a boat at rest: noise, steps of coarse positions, one jump", () => {
    const coarse = fc.constantFrom(0, 1.85, 18.5);
    const jump = fc.record({
      after: fc.integer({ min: 0, max: 120 }),
      miles: fc.double({ min: 0, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(
        place,
        course,
        interval,
        coarse,
        jump,
        seeds,
        (start, direction, every, grid, { after, miles }, random) => {
          const step = grid === 0 ? 1e-9 : (grid * METRES) / 60;
          const onGrid = (degrees: number): number => Math.round(degrees / step) * step;
          const found = run(180, every, (second) => {
            const here = second < after ? start : moved(start, direction, miles);
            const swung = moved(here, 90, 3 * METRES * Math.sin(second / 7));
            const seen = moved(swung, 360 * random.next().value, 2 * METRES * random.next().value);
            return { latitude: onGrid(seen.latitude), longitude: onGrid(seen.longitude) };
          });
          for (const madeGood of found) expect(madeGood?.sog ?? 0).toBe(0);
          expect(found.at(-1)).toEqual({ sog: 0, cog: undefined });
        },
      ),
    );
  });

  test("says within ten seconds what a boat of five knots does, and within half a minute that she lies", () => {
    const sails = run(11, 1, (second) => moved({ latitude: 54, longitude: 8 }, 90, (5 * second) / 3600));
    expect(sails.findIndex((madeGood) => madeGood !== undefined)).toBe(10);
    expect(sails.at(-1)).toEqual({ sog: expect.closeTo(5, 1), cog: expect.closeTo(90, 0) });
    const lies = run(31, 1, () => ({ latitude: 54, longitude: 8 }));
    expect(lies.findIndex((madeGood) => madeGood !== undefined)).toBe(30);
  });

  test("begins anew with another receiver", () => {
    const positions = new MadeGoodByPositions();
    const other = { ...receiver, order: 1 };
    for (let second = 0; second <= 60; second++) {
      const isFirst = second < 30;
      const here = moved({ latitude: 54 + (isFirst ? 0 : 0.000_03), longitude: 8 }, 0, (6 * second) / 3600);
      positions.hear(isFirst ? receiver : other, here, second * 1000);
      if (second >= 30 && second < 40) expect(positions.madeGood).toBeUndefined();
      else if (second >= 10) expect(positions.madeGood?.sog).toBeCloseTo(6, 1);
    }
  });
});

describe("the report", () => {
  const start = { latitude: 54, longitude: 8 };
  const at = (elapsed: number): Position => moved(start, 90, (6 * elapsed) / 3_600_000);
  const course = { cogReference: "True", cogDeg: 12, sogKnots: 3 } as const;

  test.each([
    ["positions alone", {}, { cog: expect.closeTo(90, 0), sog: expect.closeTo(6, 1), computed: true }],
    ["a receiver with course and speed", course, { cog: 12, sog: 3 }],
    ["a receiver with a speed, no course", { cogReference: "True", sogKnots: 3 }, { cog: null, sog: 3 }],
    [
      "a receiver with a course, no speed",
      { cogReference: "True", cogDeg: 12 },
      { cog: 12, sog: expect.closeTo(6, 1), computed: true },
    ],
  ])("of %s", (_, said, expected) => {
    const boat = createBoat();
    const data = boat.sail(20_000, (elapsed) => {
      boat.say(3, { pgn: 129025, ...at(elapsed) });
      if ("cogReference" in said) boat.say(3, { pgn: 129026, ...said });
    });
    expect(data.speed_course).toMatchObject(expected);
    expect(data.speed_course?.computed).toBe("computed" in expected ? true : undefined);
    expect(data.speed_course?.source?.pgn).toBe("cogReference" in said ? 129026 : 129025);
  });
});

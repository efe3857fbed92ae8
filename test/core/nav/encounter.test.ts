/** Encounters of ships whose positions are some time old. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encountersOf, type Mover, moverOf } from "../../../src/core/nav/encounter.ts";
import { moved } from "./ellipsoid.ts";

const here = { latitude: 52, longitude: 4 };
const north = (miles: number) => ({ latitude: 52 + miles / 60, longitude: 4 });
const encounterOf = (own: Mover, target: Mover) => encountersOf(own)(target);

describe("encountersOf", () => {
  test("does not depend on how old the positions are, as long as courses and speeds were kept", () => {
    const motion = fc.record({
      cog: fc.integer({ min: 0, max: 359 }),
      sog: fc.double({ min: 0.5, max: 25, noNaN: true }),
    });
    const age = fc.integer({ min: 0, max: 180_000 });
    const place = fc.record({
      direction: fc.integer({ min: 0, max: 359 }),
      miles: fc.double({ min: 0.05, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(motion, motion, age, age, place, (own, target, ownAge, targetAge, { direction, miles }) => {
        const there = moved(here, direction, miles);
        const earlier = (at: typeof here, { cog, sog }: { cog: number; sog: number }, ageMs: number) =>
          moved(at, cog + 180, (sog * ageMs) / 3_600_000);
        const now = encounterOf(moverOf(here, own, 0), moverOf(there, target, 0));
        const later = encounterOf(
          moverOf(earlier(here, own, ownAge), own, ownAge),
          moverOf(earlier(there, target, targetAge), target, targetAge),
        );
        expect(Math.abs(later.line.range - now.line.range)).toBeLessThan(0.03);
        // Ships that keep company have no moment of approach.
        fc.pre(now.relativeSpeed > 2 && now.closest !== undefined && now.closest.tcpa > 1);
        expect(Math.abs(later.closest!.cpa - now.closest!.cpa)).toBeLessThan(0.1);
        expect(Math.abs(later.closest!.tcpa - now.closest!.tcpa)).toBeLessThan(1);
      }),
    );
  });

  test.each([
    ["own ship at rest, whatever her course", { cog: 90, sog: 0.4 }, { cog: 180, sog: 12 }, 0, 5],
    ["own ship at rest without a course", { sog: 0 }, { cog: 180, sog: 12 }, 0, 5],
    ["a ship at rest, whatever its course", { cog: 0, sog: 6 }, { cog: 90, sog: 0.49 }, 0, 10],
    ["a ship without a course", { sog: 0 }, { sog: 12 }, 0, 5],
    ["own ship without a course", { sog: 6 }, { sog: 0 }, 0, 10],
    ["both without a course", { sog: 6 }, { sog: 6 }, 0, 5],
  ])("%s", (_, own, target, cpa, tcpa) => {
    const { closest } = encounterOf(moverOf(here, own, 0), moverOf(north(1), target, 0));
    expect(closest?.cpa).toBeCloseTo(cpa, 5);
    expect(closest?.tcpa).toBeCloseTo(tcpa, 1);
  });

  test("the circle of a ship has grown since its last position", () => {
    const { closest } = encounterOf(moverOf(here, { sog: 0 }, 0), moverOf(north(1), { sog: 12 }, 60_000));
    expect(closest?.tcpa).toBeCloseTo(4, 2);
  });
});

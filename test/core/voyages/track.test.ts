import fc from "fast-check";
import geographiclib from "geographiclib-geodesic";
import { expect, test } from "vitest";
import { geodesicMetres } from "../../../src/core/voyages/geodesic.ts";
import { type Fix, metresToLine, SimplifiedTrack } from "../../../src/core/voyages/simplified-track.ts";

const { WGS84 } = geographiclib.Geodesic;
const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });

test("a distance is that of geographiclib, over the date line and the poles too", () => {
  fc.assert(
    fc.property(degrees(90), degrees(180), degrees(1), degrees(2), (latitude, longitude, north, east) => {
      const to = { latitude: Math.max(-90, Math.min(90, latitude + north)), longitude: longitude + east };
      const turned = { ...to, longitude: to.longitude - 360 * Math.round(to.longitude / 360) };
      const { s12 = Number.NaN } = WGS84.Inverse(latitude, longitude, turned.latitude, turned.longitude);
      expect(Math.abs(geodesicMetres({ latitude, longitude }, turned) - s12)).toBeLessThan(0.001);
    }),
    { numRuns: 1000 },
  );
});

test("an ocean is right, and an antipode within a hundredth", () => {
  const metres = (one: readonly [number, number], other: readonly [number, number]) => {
    const [from, to] = [one, other].map(([latitude, longitude]) => ({ latitude, longitude }));
    return [geodesicMetres(from!, to!), WGS84.Inverse(...one, ...other).s12!] as const;
  };
  const [ocean, right] = metres([40.6, -73.8], [51.6, -0.5]);
  expect(ocean).toBeCloseTo(right, 3);
  const [antipode, rightly] = metres([0, 0], [0.5, 179.7]);
  expect(Math.abs(antipode / rightly - 1)).toBeLessThan(0.01);
});

test("each fix that is left out is within five metres of the line between those that are kept", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 12, noNaN: true }), fc.double({ min: -40, max: 40, noNaN: true })), {
        minLength: 2,
        maxLength: 600,
      }),
      degrees(80),
      (steps, latitude) => {
        const fixes: Fix[] = [{ time: 0, latitude, longitude: 179.999 }];
        let course = 0;
        for (const [metres, turn] of steps) {
          course += turn;
          const last = fixes.at(-1)!;
          const angle = (course * Math.PI) / 180;
          const longitude =
            last.longitude + (metres * Math.sin(angle)) / 111_195 / Math.cos((latitude * Math.PI) / 180);
          fixes.push({
            time: last.time + 1000,
            latitude: last.latitude + (metres * Math.cos(angle)) / 111_195,
            longitude: longitude - 360 * Math.round(longitude / 360),
          });
        }
        const track = new SimplifiedTrack();
        const kept = [...fixes.flatMap((fix) => track.add(fix)), ...track.finish()];
        expect([kept[0], kept.at(-1)]).toEqual([fixes[0], fixes.at(-1)]);
        for (const fix of fixes) {
          const after = kept.findIndex(({ time }) => time >= fix.time);
          const [from, to] = [kept[Math.max(0, after - 1)]!, kept[after]!];
          expect(metresToLine(from, to, fix)).toBeLessThan(5);
        }
      },
    ),
    { numRuns: 60 },
  );
});

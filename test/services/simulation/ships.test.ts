import { expect, test } from "vitest";
import { aisMessages, reportIntervalMs } from "../../../src/services/simulation/ais-receiver.ts";
import { lengthOf, minus, polar } from "../../../src/services/simulation/plane.ts";
import { ships } from "../../../src/services/simulation/ships.ts";

test("ships stay within twelve miles and move as they say", () => {
  for (const ship of ships) {
    for (let seconds = 0; seconds < 3600; seconds += 17.3) {
      const { place, course, speed } = ship.at(seconds);
      expect(lengthOf(place), ship.name).toBeLessThan(12 * 1852);
      const moved = minus(ship.at(seconds + 0.1).place, place);
      expect(lengthOf(minus(moved, polar(0.1 * speed, course))), ship.name).toBeLessThan(0.06);
    }
  }
});

test("reportIntervalMs is that of the class and the speed", () => {
  const intervals = new Map(ships.map((ship) => [ship.name, reportIntervalMs(ship) / 1000]));
  expect(intervals.get("VEERKRACHT")).toBe(6);
  expect(intervals.get("STELLA MARINE")).toBe(180);
  expect(intervals.get("JONGE WILLEM")).toBe(10);
  expect(intervals.get("WINDROOS")).toBe(30);
  expect(intervals.get("BANK NORTH")).toBe(180);
  expect(intervals.get("RESCUE 01")).toBe(10);
});

test("aisMessages say of each ship that has a name what it is, within half a minute", () => {
  const PGN = { A: 129794, B: 129809, AtoN: 129041, SAR: 129798 } as const;
  for (const ship of ships) {
    const pgn = ship.kind === "B" && ship.extended ? 129040 : PGN[ship.kind];
    const message = aisMessages.find(
      ({ definition, message }) =>
        definition.pgn === pgn && (message({ seconds: 0, wall: 0 }) as { mmsi: number }).mmsi === ship.mmsi,
    );
    expect(message, ship.name).toBeDefined();
    expect(message!.firstMs).toBeLessThan(30_000);
  }
});

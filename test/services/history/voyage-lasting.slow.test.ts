/**
 * The simulated voyage, through the parts of hub-cand and hub-history and a real engine: what was published is what is
 * found.
 */
import { expect, onTestFinished, test } from "vitest";
import { atNight } from "../../support/size.ts";
import { openEngine, withoutEngine } from "./engine.ts";
import { numbersOf, writeVoyage } from "./voyage.ts";

const depthOf = (data: { depth_water?: { depth?: number } }): number | undefined => data.depth_water?.depth;

test.skipIf(withoutEngine)(
  `the voyage, written at speed, is found value by value, also when the clock was set back ${withoutEngine ?? ""}`,
  async () => {
    const database = await openEngine();
    onTestFinished(() => database.close());
    await database.start();
    const start = Date.UTC(2026, 10, 21);
    const half = atNight(600, 3 * 3600);
    // Halfway the clock is set back by five minutes and a bit, so that no two points have the same time.
    const published = await writeVoyage(database.url, "boat", [
      { from: 0, to: half, wall: start },
      { from: half, to: 2 * half, wall: start + 1000 * (half - 303) },
    ]);
    const found = async (path: string, read: (data: never) => number | undefined, match: string): Promise<number> => {
      const said = [...numbersOf(published.get(path)!, read)];
      const values = await database.values(match);
      expect([...values].sort(), match).toEqual(said.sort());
      return said.length;
    };
    const every = "every/10/";
    const count = await found(`${every}navigation`, depthOf, 'navigation_depth_water_depth{bus="boat"}');
    expect(count).toBeGreaterThan(half / 11);
    const wind = (data: { wind_true?: { speed: number } }): number | undefined => data.wind_true?.speed;
    await found(`${every}navigation`, wind, 'navigation_wind_true_speed{bus="boat"}');
    const volts = (data: { voltageV?: number }): number | undefined => data.voltageV;
    await found(`${every}device/20/pgn/127508/0`, volts, 'battery_status_voltageV{address="20",instance="0"}');
    const level = (data: { levelPercent?: number }): number | undefined => data.levelPercent;
    await found(
      `${every}device/24/pgn/127505/0-Fuel`,
      level,
      'fluid_level_levelPercent{instance="0",fluidType="Fuel"}',
    );
  },
);

/**
 * Legibility from a distance, measured in Chromium at all sizes: the number of a cell takes half of its height, unless
 * it fills its width, the capitals of its label a third of the number, and on a panel of 7 inches at least 16 minutes
 * of arc at one metre. Digits of the page Sail have them at two metres, on any screen.
 */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Size, sizes, useBoat, withoutDisplay } from "./boat.ts";
import { publishBoat, sourceOf } from "./published-boats.ts";

const script = readFileSync(new URL("legible-cells.js", import.meta.url), "utf8");

interface MeasuredCell {
  readonly id: string;
  readonly label: string;
  /** CSS pixels. */
  readonly height: number;
  readonly width: number;
  readonly digits: number;
  /** The number, with the room that shorter numbers leave. */
  readonly across: number;
  readonly capitals: number;
  readonly labelAcross: number;
}

const MM_OF_7_INCHES = 177.8;
/** 16 minutes of arc at one metre. */
const LEAST_MM = 2 * 1000 * Math.tan((8 / 60) * (Math.PI / 180));
/** Panels of 7 inches; the others are phones and larger. */
const isPanel = ({ width, height }: Size): boolean =>
  [
    [800, 480],
    [1024, 600],
  ].some(([across, down]) => width === across && height === down);

/** Screens with their diagonals in inches. */
const panels: readonly (readonly [inches: number, width: number, height: number])[] = [
  [7, 800, 480],
  [7, 1024, 600],
  [10.1, 1024, 600],
  [10.1, 1280, 800],
  [10.1, 1920, 1200],
  [12.1, 1280, 800],
  [12.1, 1366, 768],
  [12.1, 1920, 1080],
  [15.6, 1280, 720],
  [15.6, 1600, 900],
  [15.6, 1920, 1080],
];
/** Screens of which each has more pixels than the one before. */
const growing = [
  [1024, 600],
  [1280, 800],
  [1366, 768],
  [1440, 900],
  [1600, 1000],
  [1920, 1080],
  [1920, 1200],
] as const;
/** Strokes of digits reach from 1.5 to 98.5 hundredths of their box. */
const INK = 0.97;

/** As nothing is as large as its box to the pixel. */
const ALMOST = 0.94;
/** A cell has a line below it and a foot, so that its number is half of what is left. */
const HALF = 0.47;

function faultsOf(cell: MeasuredCell, size: Size): readonly string[] {
  const { id, label, digits, height, width, across, capitals, labelAcross } = cell;
  const faults: string[] = [];
  if (digits < HALF * height && across < ALMOST * width)
    faults.push(`${digits.toFixed()} px of ${height.toFixed()} x ${width.toFixed()}`);
  if (capitals < (ALMOST * digits) / 3 && labelAcross < 0.8 * width)
    faults.push(`label ${capitals.toFixed(1)} px, digits ${digits.toFixed(1)} px`);
  const mm = (capitals * MM_OF_7_INCHES) / Math.hypot(size.width, size.height);
  if (isPanel(size) && mm < LEAST_MM) faults.push(`label ${label} ${mm.toFixed(2)} mm`);
  return faults.map((one) => `${size.width}x${size.height} ${id}: ${one}`);
}

const boatOf = (age: number) => {
  const source = { ...sourceOf("", 129029), age };
  return {
    navigation: {
      speed_course: { cog: 293, sog: 15.6, headingTrue: 290, speedThroughWater: 15.4, rateOfTurn: -1.2, source },
      wind_apparent: { speed: 22.3, angle: -142, source },
      wind_true: { speed: 18.4, angle: 179, direction: 109, reference: "water", computed: true, source },
      depth_water: { depth: 12.3, offset: -1.8, waterTemperature: 14.2, atmosphericPressure: 101_325, source },
    },
    messages: [
      { address: 2, pgn: 129283, xte: 148 },
      { address: 2, pgn: 129284, distanceToWaypoint: 22_780, bearingReference: "True", bearingToWaypoint: 287 },
      { address: 50, pgn: 127245, instance: 0, positionDeg: -12 },
      { address: 4, pgn: 127257, yawDeg: 0, pitchDeg: 1, rollDeg: 14 },
      { address: 2, pgn: 129291, setReference: "True", setDeg: 187, driftMs: 1, driftKnots: 1.9 },
      { address: 35, pgn: 128275, tripLogM: 1, tripLogNm: 42.3, totalLogM: 1, totalLogNm: 12_345.6 },
    ],
  } as never;
};

const pages = ["sail", "route", "value/depth", "value/apparentAngle"];

/** Screens of the crew's own. */
const mine = [
  ["depth"],
  ["depth", "sog"],
  ["depth", "sog", "trueAngle"],
  ["depth", "sog", "cog", "apparentSpeed", "apparentAngle", "trueSpeed", "trueAngle", "headingTrue", "pressure"],
];

describe.skipIf(withoutDisplay !== undefined)(`legible in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat({ keepsPages: true });
  let page: Page;
  let beat: NodeJS.Timeout;
  let age = 0.1;
  beforeAll(async () => {
    beat = setInterval(() => void publishBoat(boat.client, boatOf(age)), 500);
    ({ page } = await boat.open("sail", sizes[0], { mine }));
    await page.locator('[data-id=depth][data-kind="live"]').waitFor();
  });
  afterAll(() => clearInterval(beat));

  const cellsOf = async (size: Size): Promise<readonly MeasuredCell[]> => {
    await page.setViewportSize(size);
    return await page.evaluate(script);
  };

  test.each([...pages, ...mine.map((_, at) => `mine/${at + 1}`)])("the page %s", async (name) => {
    await page.evaluate(`location.hash = "#/${name}"`);
    await page.locator('.cell[data-kind="live"]').first().waitFor();
    const faults: string[] = [];
    for (const size of sizes) {
      const cells = await cellsOf(size);
      expect(cells.length).toBeGreaterThan(0);
      faults.push(...cells.flatMap((cell) => faultsOf(cell, size)));
      for (const { id, label } of cells) if (id === "depth") expect(label).toBe("DEPTH");
    }
    expect(faults.join("\n")).toBe("");
  });

  test("digits of the page Sail are read from two metres, and a larger screen has no smaller ones", async () => {
    await page.evaluate('location.hash = "#/sail"');
    await page.locator('[data-id=depth][data-kind="live"]').waitFor();
    const least: [string, number][] = [];
    for (const [inches, width, height] of panels) {
      const cells = await cellsOf({ width, height });
      expect(cells.length).toBeGreaterThan(8);
      for (const { id, digits } of cells) {
        const mm = (digits * INK * inches * 25.4) / Math.hypot(width, height);
        least.push([`${inches} inches, ${width}x${height}: ${id}`, mm]);
      }
    }
    expect(least.filter(([, mm]) => mm < 2 * LEAST_MM)).toEqual([]);
    const smallest = (inches: number) =>
      Math.min(...least.filter(([name]) => name.startsWith(`${inches} `)).map(([, mm]) => mm));
    for (const inches of [10.1, 12.1, 15.6]) expect(smallest(inches)).toBeGreaterThan(0.98 * smallest(7));
    const pixels: number[] = [];
    for (const [width, height] of growing)
      pixels.push(Math.min(...(await cellsOf({ width, height })).map(({ digits }) => Math.round(digits))));
    expect(pixels).toEqual(pixels.toSorted((one, other) => one - other));
  });

  test("an age is told above two seconds", async () => {
    await page.evaluate('location.hash = "#/sail"');
    await page.locator('[data-id=depth][data-kind="live"]').waitFor();
    await expect.poll(() => page.locator("[data-id=apparentSpeed] .age").count()).toBe(0);
    age = 2.6;
    await page.locator("[data-id=apparentSpeed] .age", { hasText: /^[23]\.\d\ss$/ }).waitFor();
  });
});

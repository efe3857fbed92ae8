/** The chart below the ships in a real Chromium: land, a finger that moves it, the way back, and own charts. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { topicsBelow } from "../../../src/core/topics/topics.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Boat, openBoat, withoutDisplay } from "./boat.ts";
import { onePixel, pmtiles } from "./pmtiles.ts";

const below = topicsBelow("can/can0");

describe.skipIf(withoutDisplay !== undefined)(`chart${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  let boat: Boat;
  let beat: NodeJS.Timeout;
  let charts: string;
  /** In the Sound, a mile from the eastern shore. */
  const fix = { hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, latitude: 55.95, longitude: 12.75 };
  let hasFix = true;
  const ship = { mmsi: 1, class: "A", range: 0.5, bearing: 0 };
  beforeAll(async () => {
    charts = temporaryFolder("charts");
    // The tile of 11 miles around the boat, and the four parts of it in another colour.
    const whole = [{ zoom: 10, x: 548, y: 319, png: onePixel(200, 30, 40) }];
    const parts = [0, 1, 2, 3].map((part) => ({
      ...{ zoom: 11, x: 1096 + (part % 2), y: 638 + (part >> 1), png: onePixel(30, 160, 60) },
    }));
    writeFileSync(join(charts, "sound.pmtiles"), pmtiles([...whole, ...parts], { attribution: "<b>Sound</b> survey" }));
    writeFileSync(join(charts, "vector.pmtiles"), pmtiles(whole, {}, 1));
    writeFileSync(join(charts, "broken.pmtiles"), "PMTiles no more");
    boat = await openBoat({ charts });
    const publish = (topic: string, data: object): void => {
      const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 60 };
      boat.client.publish(topic, JSON.stringify({ data, metadata }));
    };
    beat = setInterval(() => {
      publish(below.navigation(), hasFix ? { position: fix } : {});
      publish(below.ais(), { ownShip: {}, targets: [{ ...ship, lastSeen: new Date().toISOString() }] });
      // The waypoint lies to the north.
      publish(below.pgn({ addr: 5, pgn: 129284 }), {
        ...{ pgn: 129284, destinationLatitude: 56.05, destinationLongitude: 12.75 },
      });
      publish(below.pgn({ addr: 5, pgn: 129283 }), { pgn: 129283, xte: 100 });
      // Another plotter, without a waypoint, is far from a leg of its own.
      publish(below.pgn({ addr: 4, pgn: 129283 }), { pgn: 129283, xte: 1_000_000 });
    }, 300);
  });
  afterAll(async () => {
    clearInterval(beat);
    await boat?.close();
  });

  test("land on the shores, the leg, and a drag that Centre undoes", async () => {
    const settings = { range: 5, charts: false };
    const { page, complaints } = await boat.open("ships", { width: 1280, height: 800 }, settings);
    await page.locator("canvas.coast[data-cells]:not([data-cells='0'])").waitFor();
    /** Whether there is land at so many shares of the range to the east of the middle. */
    const isLand = (east: number): Promise<unknown> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector("canvas.coast");
        const radius = Number([...document.querySelectorAll(".rings circle")].at(-1).getAttribute("r"));
        const x = canvas.width / 2 + ${east} * radius;
        return canvas.getContext("2d").getImageData(x, canvas.height / 2, 1, 1).data[3] > 0;
      })()`);
    await expect.poll(() => isLand(0.5)).toBe(true);
    await expect.poll(() => isLand(0)).toBe(false);
    await page.locator('[data-id="leg"]').waitFor();
    await page.locator('[data-id="scale"]', { hasText: "4 NM not for navigation" }).waitFor();

    const own = page.locator(".plot > .own");
    const before = (await own.boundingBox())!;
    const half = Number(await page.locator(".rings circle").last().getAttribute("r")) / 2;
    const { x, y, width, height } = (await page.locator(".plot-box").boundingBox())!;
    await page.mouse.move(x + width / 4, y + height / 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 4 + half, y + height / 4, { steps: 4 });
    await page.mouse.up();
    const moved = async (): Promise<number> => Math.round((await own.boundingBox())!.x - before.x);
    await expect.poll(moved).toBe(Math.round(half));
    // The land has moved with the boat.
    await expect.poll(() => isLand(0.5)).toBe(false);
    await expect.poll(() => isLand(1)).toBe(true);
    await page.getByRole("button", { name: "Own ship in the middle" }).click();
    await expect.poll(moved).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("own ship stays where she was last on a plot that was moved, and is on none when that is long ago", async () => {
    const { page, complaints } = await boat.open("ships", { width: 1280, height: 800 }, { range: 5, charts: false });
    const [own, target] = [page.locator(".plot > .own"), page.locator('.target[data-mmsi="1"]')];
    await target.waitFor();
    const { x, y, width, height } = (await page.locator(".plot-box").boundingBox())!;
    await page.mouse.move(x + width / 4, y + height / 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 4 + 100, y + height / 4, { steps: 4 });
    await page.mouse.up();
    const moved = async (): Promise<number> =>
      Math.round(Number.parseFloat((await own.getAttribute("transform"))!.slice("translate(".length)));
    await expect.poll(moved).toBe(100);
    hasFix = false;
    await page.waitForTimeout(7000);
    await expect.poll(() => moved()).toBe(100);
    await page.evaluate("const now = performance.now.bind(performance); performance.now = () => now() + 700_000");
    const marks = page.locator(".plot :is(.own, .target, .rings, .heading-line)");
    await expect.poll(() => marks.count()).toBe(0);
    // Without a place she is in the middle of her own surroundings.
    await page.getByRole("button", { name: "Own ship in the middle" }).click();
    await target.waitFor();
    await expect.poll(() => moved()).toBe(0);
    hasFix = true;
    expect(complaints).toEqual([]);
  });

  test("the boat's own chart lies below the ships, as sharp as its file, until it is switched off", async () => {
    const { page, complaints } = await boat.open("ships", { width: 1280, height: 800 }, { range: 3 });
    /** The colour at so many pixels below the middle. */
    const colour = (down: number): Promise<unknown> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector("canvas.own-charts");
        if (canvas === null) return undefined;
        const { data } = canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2 + ${down}, 1, 1);
        return [...data].join(" ");
      })()`);
    await expect.poll(() => colour(0)).toBe("30 160 60 255");
    await page.locator(".chart-sources", { hasText: "Sound survey" }).waitFor();
    // From far away the larger tile is drawn; beside it there is no chart.
    await page.evaluate("document.querySelector('.plot').dispatchEvent(new WheelEvent('wheel', { deltaY: 1 }))");
    await page.getByRole("button", { name: "Zoom out" }).click();
    await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(() => colour(0)).toBe("200 30 40 255");
    await expect.poll(() => colour(300)).toBe("0 0 0 0");
    await page.getByRole("button", { name: "Chart" }).click();
    await expect.poll(() => colour(0)).toBeUndefined();
    expect(complaints.map((complaint) => complaint.replace(/:.*/s, ""))).toEqual([]);
  });

  test("a chart is uploaded by the form, and removed; another file is not taken", async () => {
    const configuration = temporaryFolder("charts-configuration");
    const configured = await openBoat({ charts, configuration });
    onTestFinished(() => configured.close());
    const { page } = await configured.open("boat/charts");
    const section = page.locator('[data-id="own-charts"]');
    const upload = (name: string, bytes: Uint8Array): Promise<void> =>
      section.locator("input[type=file]").setInputFiles({ name, mimeType: "", buffer: Buffer.from(bytes) });
    const tile = { zoom: 10, x: 548, y: 319, png: onePixel(1, 2, 3) };
    await upload("notes.pmtiles", new TextEncoder().encode("No chart"));
    await section.locator(".failed", { hasText: "The file is no chart" }).waitFor();
    await upload("Outer Sound.pmtiles", pmtiles([tile], { attribution: "Outer survey" }));
    const row = section.locator("li", { hasText: "Outer-Sound" });
    await row.getByText("Outer survey").waitFor();
    expect(readdirSync(charts)).toContain("Outer-Sound.pmtiles");
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Remove it for good" }).click();
    await row.waitFor({ state: "detached" });
    expect(readdirSync(charts).sort()).toEqual(["broken.pmtiles", "sound.pmtiles", "vector.pmtiles"]);
  });

  test("a boat that the coastline has on land is told so, on a lake too", async () => {
    const { page } = await boat.open("ships", { width: 1280, height: 800 }, { range: 5, charts: false });
    const note = page.locator(".coast-note");
    await page.locator("canvas.coast[data-cells]:not([data-cells='0'])").waitFor();
    await expect.poll(() => note.count()).toBe(0);
    Object.assign(fix, { latitude: 55.69, longitude: 12.45 });
    await note.waitFor();
    Object.assign(fix, { latitude: 43, longitude: -87.3 });
    await note.waitFor({ state: "detached" });
    Object.assign(fix, { latitude: 55.95, longitude: 12.75 });
  });
});

/**
 * Screens that are low or narrow, also below an alarm: numbers can be read, titles are whole, texts and buttons keep
 * apart, a page begins at its top, and sentences about what was done go by themselves.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fix, reportAlarms, depth as shallow, untilTrue } from "./alarms/reports.ts";
import { type Size, useBoat, withoutDisplay } from "./boat.ts";
import { publishBoat, sourceOf } from "./published-boats.ts";

const source = sourceOf("", 129026);
const boatOf = (friendlyName: string) => ({
  friendlyName,
  navigation: {
    position: { ...fix, source },
    speed_course: { cog: 288, sog: 18.8, headingTrue: 288, speedThroughWater: 28.8, rateOfTurn: -1.2, source },
    wind_apparent: { speed: 28.8, angle: -142, source },
    wind_true: { speed: 28.8, angle: 179, direction: 288, reference: "water", computed: true, source },
    depth_water: { depth: 28.8, waterTemperature: 14.2, atmosphericPressure: 101_325, source },
  },
  messages: [
    { address: 2, pgn: 129283, xte: 3 },
    { address: 20, pgn: 127508, instance: 0, voltageV: 12.66, currentA: -7.9 },
    ...Array.from({ length: 30 }, (_, instance) => ({
      address: 4,
      pgn: 130312,
      instance,
      source: "Main Cabin Temperature",
      actualTempC: 20,
    })),
  ],
  targets: [
    { mmsi: 244_000_001, class: "A", name: "ELLA", cog: 90, sog: 8, range: 18.8, bearing: 0, cpa: 18.8, tcpa: 48.8 },
  ],
});

const phone: Size = { width: 360, height: 640 };
/** A small tablet at twice its size. */
const low: Size = { width: 640, height: 400 };

describe.skipIf(withoutDisplay !== undefined)(`low screens in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat({ keepsPages: true });
  let page: Page;
  let beat: NodeJS.Timeout;
  let friendlyName = "";
  beforeAll(async () => {
    beat = setInterval(() => void publishBoat(boat.client, boatOf(friendlyName) as never), 500);
    await reportAlarms(boat.client, { alarms: [shallow] });
    ({ page } = await boat.open("sail", low, { sound: false }));
    await untilTrue(page, "document.title.includes('Shallow water')");
    await page.locator('[data-id=depth][data-kind="live"]').waitFor();
  });
  afterAll(() => clearInterval(beat));

  async function show(hash: string, size: Size): Promise<void> {
    await page.setViewportSize(size);
    await page.evaluate(`location.hash = "#/${hash}"`);
    await page.evaluate(
      "new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 50))",
    );
  }
  const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;

  test("below an alarm a value alone is large, and the numbers under sail are in sight", async () => {
    await show("value/depth", low);
    expect((await boxOf("[data-id=depth] .number svg")).height).toBeGreaterThan(40);
    for (const [hash, ids] of [
      ["sail", ["depth", "apparentAngle", "trueDirection"]],
      ["route", ["waypointDistance", "timeToGo"]],
    ] as const) {
      await show(hash, low);
      const end = (await boxOf(".ways")).y;
      for (const id of ids) {
        const { y, height } = await boxOf(`.board [data-id=${id}] .number svg`);
        expect(height, id).toBeGreaterThan(24);
        expect(y + height, id).toBeLessThan(end);
      }
    }
  });

  test("numbers of neighbours keep apart", async () => {
    for (const size of [low, { width: 1024, height: 600 }]) {
      await show("sail", size);
      const [depth, sog] = [await boxOf("[data-id=depth] .number svg"), await boxOf("[data-id=sog] .number svg")];
      // A fifth of the height is what separates a number's own digits.
      expect(sog.x - depth.x - depth.width, `${size.width}`).toBeGreaterThan(depth.height / 5);
    }
  });

  test("the title of a page is whole beside the bell", async () => {
    for (const name of ["systems", "devices", "recordings", "distress", "alarms", "anchor"]) {
      await show(name, phone);
      expect(
        await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('h1'))",
        ),
        name,
      ).toBe(0);
    }
  });

  test("the scale of the plot lies beside the S, and the times of approach beside the distances", async () => {
    for (const size of [phone, { width: 800, height: 480 }]) {
      await show("ships", size);
      await page.locator(".ship").first().waitFor();
      const scale = await boxOf(".scale small");
      const points = page.locator(".compass-points text");
      const s = (await points.filter({ hasText: "S" }).boundingBox())!;
      const isApart = scale.x + scale.width <= s.x || scale.y + scale.height <= s.y || s.y + s.height <= scale.y;
      expect(isApart, JSON.stringify([scale, s])).toBe(true);
      const edges = (await page.evaluate(`[...document.querySelectorAll(".ship .col b")].map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const { left, right } = range.getBoundingClientRect();
        return [left, right];
      })`)) as [number, number][];
      const shown = edges.filter(([left, right]) => right > left);
      for (const [at, [left]] of shown.entries()) if (at > 0) expect(left - shown[at - 1]![1]).toBeGreaterThan(6);
    }
  });

  test("buttons that stand beside each other do not touch", async () => {
    for (const [hash, selector] of [
      ["bus", ".findings .button"],
      ["alarms", ".anchor > :is(button, a)"],
    ] as const) {
      await show(hash, { width: 800, height: 480 });
      await page.locator(selector).first().waitFor();
      const [first, second] = [
        await page.locator(selector).nth(0).boundingBox(),
        await page.locator(selector).nth(1).boundingBox(),
      ];
      expect(second!.x - first!.x - first!.width, hash).toBeGreaterThanOrEqual(8);
    }
  });

  test("a page begins at its top, whichever page was scrolled before", async () => {
    const top = (): Promise<unknown> => page.evaluate("document.querySelector('main').scrollTop");
    await show("settings", low);
    await page.getByLabel("Another topic prefix").waitFor();
    await page.evaluate("document.querySelector('main').scrollTop = 250");
    await expect.poll(() => top()).toBe(250);
    await show("alarms", low);
    await page.locator(".alarms .alarm-list").waitFor();
    await expect.poll(() => top()).toBe(0);
  });

  test("an age of less than two seconds is not told, and no side is to be steered to for an error of zero", async () => {
    await show("ships", { width: 800, height: 480 });
    await page.waitForTimeout(1200);
    await expect.poll(() => page.locator("[data-id=ais-state]").innerText()).toBe("1 station");
    await show("systems", { width: 800, height: 480 });
    // What was left with the page before is older; it is told until the first new message.
    await expect.poll(() => page.locator("[data-id=battery-0] .foot").innerText()).toBe("Model 20");
    await show("bus", { width: 800, height: 480 });
    await page.locator("[data-id=interface] .source").first().waitFor();
    await expect.poll(() => page.locator("[data-id=interface] .source").first().innerText()).toBe("ERROR-ACTIVE · up");
    await show("route", { width: 800, height: 480 });
    await page.locator('[data-id=crossTrack][data-kind="live"]').waitFor();
    await expect.poll(() => page.locator("[data-id=crossTrack] .numerals .spoken").innerText()).toBe("0.00");
    await expect.poll(() => page.locator("[data-id=crossTrack] .note").count()).toBe(0);
  });

  test("the report of the network fits the screen, or its tables scroll", async () => {
    friendlyName = "Receiver_on_the_stern_rail_beside_the_flag_portside_below";
    for (const size of [phone, low, { width: 800, height: 480 }]) {
      await show("report", size);
      await page.locator(".report td", { hasText: friendlyName }).first().waitFor();
      expect(
        await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main'))",
        ),
        `${size.width}`,
      ).toBe(0);
    }
  });
});

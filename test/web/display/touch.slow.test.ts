/** Fingers on the screen: pages are turned by a swipe, and a touch that is for the sound presses nothing. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { neighbour } from "../../../src/web/display/navigation/neighbour.ts";
import { reportAlarms, sail, depth as shallow, untilTrue } from "./alarms/reports.ts";
import { useBoat, withoutDisplay } from "./boat.ts";

describe("the address beside another", () => {
  const addresses = ["sail", "mine", "mine/2", "ships"];
  test.each([
    ["#/sail", 1, "mine"],
    ["", 1, "mine"],
    ["#/mine/2", 1, "ships"],
    ["#/mine/2", -1, "mine"],
    ["#/ships/244000001", -1, "mine/2"],
    ["#/ships", 1, undefined],
    ["#/sail", -1, undefined],
    ["#/value/depth", 1, undefined],
  ] as const)("%s %i", (hash, step, wanted) => {
    expect(neighbour(addresses, hash, step)).toBe(wanted);
  });
});

describe.skipIf(withoutDisplay !== undefined)(`touch in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat();

  type Point = readonly [number, number];
  /** Puts fingers on the page one after the other, moves and lifts them. */
  async function move(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]): Promise<unknown> =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    for (let fingers = 1; fingers <= from.length; fingers++) await send("touchStart", from.slice(0, fingers));
    const between = (part: number): readonly Point[] =>
      from.map(([x, y], at) => [x + (to[at]![0] - x) * part, y + (to[at]![1] - y) * part]);
    for (const part of [0.25, 0.5, 0.75, 1]) await send("touchMove", between(part));
    await send("touchEnd", []);
    await session.detach();
  }
  const swipe = (page: Page, from: Point, to: Point): Promise<void> => move(page, [from], [to]);
  const hashOf = (page: Page): Promise<string> => page.evaluate("location.hash");
  const middleOf = async (page: Page, selector: string): Promise<Point> => {
    const box = (await page.locator(selector).first().boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  test("a swipe and the arrow keys turn the pages, those of Mine by screen", async () => {
    const { page, complaints } = await boat.open("route");
    const [left, right]: [Point, Point] = [
      [300, 300],
      [700, 310],
    ];
    for (const wanted of ["#/mine", "#/mine/2", "#/ships"]) {
      await swipe(page, right, left);
      await expect.poll(() => hashOf(page)).toBe(wanted);
    }
    for (const wanted of ["#/mine/2", "#/mine"]) {
      await page.keyboard.press("ArrowLeft");
      expect(await hashOf(page)).toBe(wanted);
    }
    await swipe(page, left, right);
    await expect.poll(() => hashOf(page)).toBe("#/route");
    // Along the page, too short, and with two turns of the same key at the end of all pages.
    await swipe(page, [500, 500], [440, 200]);
    await swipe(page, [500, 300], [450, 300]);
    expect(await hashOf(page)).toBe("#/route");
    expect(complaints).toEqual([]);
    // A page that is drawn anew during the touch removes what the finger is on.
    await page.evaluate(`addEventListener("touchmove", ({ target }) => target.remove(), { once: true })`);
    await swipe(page, right, left);
    await expect.poll(() => hashOf(page)).toBe("#/mine");
  });

  test("two fingers turn no page, and on Ships they stretch what is shown", async () => {
    const { page } = await boat.open("route");
    const level = (left: number, right: number, y: number): readonly Point[] => [
      [left, y],
      [right, y],
    ];
    await move(page, level(400, 450, 300), level(100, 750, 300));
    expect(await hashOf(page)).toBe("#/route");
    await page.evaluate('location.hash = "#/ships"');
    const plot = page.locator(".scope").first();
    await plot.waitFor();
    const [x, y] = await middleOf(page, ".scope");
    const range = (): Promise<string> => page.locator('[data-id="range"]').innerText();
    const before = Number.parseFloat(await range());
    await move(page, level(x - 30, x + 30, y), level(x - 120, x + 120, y));
    await expect.poll(async () => Number.parseFloat(await range())).toBeLessThan(before);
  });

  test("a swipe over a chart or a field, and an arrow in a field, turn nothing", async () => {
    const { page } = await boat.open("value/depth");
    await page.evaluate('location.hash = "#/settings"');
    await page.getByLabel("Another topic prefix").focus();
    await page.keyboard.press("ArrowLeft");
    const [x, y] = await middleOf(page, "label.field input");
    await swipe(page, [x, y], [x - 150, y]);
    expect(await hashOf(page)).toBe("#/settings");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate('location.hash = "#/sail"');
    await page.locator("[data-id=speed-trend] canvas").waitFor();
    const chart = await middleOf(page, "[data-id=speed-trend]");
    await swipe(page, chart, [chart[0] - 150, chart[1]]);
    expect(await hashOf(page)).toBe("#/sail");
  });

  test("the first touch while something rings permits the sound and does what it says, though the bar gets lower", async () => {
    sail(boat.client, {});
    await reportAlarms(boat.client, { alarms: [shallow] });
    const { page } = await boat.open("more", { width: 390, height: 844 });
    const hint = page.getByText("touch the screen to hear alarms");
    await hint.waitFor();
    await untilTrue(page, "document.title.includes('Shallow water')");
    const [x, y] = await middleOf(page, "main a");
    await page.mouse.move(x, y);
    await page.mouse.down();
    // As long as a finger rests.
    await page.waitForTimeout(150);
    await page.mouse.up();
    await expect.poll(() => hashOf(page)).toBe("#/anchor");
    await hint.waitFor({ state: "detached" });
  });
});

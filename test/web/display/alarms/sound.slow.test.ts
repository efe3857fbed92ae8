/** The sound of the alarms can be trusted: sound that is interrupted comes back, and a mute screen says so. */
import { describe, expect, test } from "vitest";
import { openBrowser } from "../../../support/browser.ts";
import { useBoat, withoutDisplay } from "../boat.ts";
import { pages } from "../pages.ts";
import { depth, fix, listen, reportAlarms, sail, untilItRings, untilTrue } from "./reports.ts";

describe.skipIf(withoutDisplay !== undefined)(`sound of alarms in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat();

  test("sound that is interrupted resumes by itself, and the page says so where it cannot", async () => {
    await reportAlarms(boat.client, { alarms: [depth], watching: { depth: "on" } });
    sail(boat.client, { position: fix });
    const { page } = await boat.open("sail");
    await listen(page);
    await page.reload();
    await page.locator("[data-id=link]", { hasText: "Live" }).waitFor();
    await page.locator("h1").click();
    await untilTrue(page, "window.contexts[0]?.state === 'running'");
    const bell = page.locator("[data-id=bell]");
    await bell.waitFor({ state: "detached" });
    await page.evaluate("window.contexts[0].suspend()");
    await untilTrue(page, "window.contexts[0].state === 'running'");
    await untilItRings(page);
    await page.evaluate(`
      window.resume = AudioContext.prototype.resume;
      AudioContext.prototype.resume = async () => { throw new Error("locked by the system"); };
      window.contexts[0].suspend();
    `);
    await page
      .locator("[data-id=alarm-bar]")
      .getByText("sound was interrupted: touch the screen to hear alarms")
      .waitFor();
    await bell.waitFor();
    await page.evaluate("AudioContext.prototype.resume = window.resume;");
    await bell.waitFor({ state: "detached" });
    await untilItRings(page);
  });

  test("a struck-out bell is on every page until sound was permitted, and its touch does nothing else", async () => {
    await reportAlarms(boat.client, { watching: { depth: "on" } });
    sail(boat.client, {});
    const { page } = await boat.open("sail");
    const bell = page.locator("[data-id=bell]");
    for (const { name } of pages) {
      await page.evaluate(`location.hash = "#/${name}"`);
      await bell.waitFor();
    }
    await page.evaluate("location.hash = '#/sail'");
    // The bell disappears while it is touched, which an ordinary click() takes for a miss.
    const { x, y } = (await bell.boundingBox())!;
    await page.mouse.click(x + 10, y + 10);
    await bell.waitFor({ state: "detached" });
    expect(new URL(page.url()).hash).toBe("#/sail");
    await page.reload();
    await bell.waitFor();
    // A screen that shall be silent looks so.
    await page.evaluate("location.hash = '#/alarms'");
    await page.getByRole("button", { name: "Alarms sound" }).click();
    await page.getByRole("button", { name: "No sound: alarms are silent here" }).waitFor();
  });

  test("in a kiosk, whose browser permits it, alarms sound before the screen was touched", async () => {
    sail(boat.client, { position: fix });
    await reportAlarms(boat.client, { alarms: [depth] });
    const browser = await openBrowser({ args: ["--autoplay-policy=no-user-gesture-required"] });
    try {
      const page = await browser.newPage();
      await listen(page);
      const address = new URL("./?kiosk#/sail", boat.url);
      address.searchParams.set("broker", `ws://127.0.0.1:${boat.webSocketPort}`);
      await page.goto(address.href);
      await untilTrue(page, "window.pitches.length > 0");
      expect(await page.locator("[data-id=bell]").count()).toBe(0);
    } finally {
      await browser.close();
    }
  });
});

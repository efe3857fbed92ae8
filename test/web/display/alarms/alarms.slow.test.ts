/** Alarms in the display: shown and sounded on every page, answered by topic. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ActiveAlarm, AlarmsData } from "../../../../src/core/alarms/report.ts";
import { subscriber } from "../../../support/mosquitto.ts";
import { type Boat, openBoat, withoutDisplay } from "../boat.ts";
import { pages } from "../pages.ts";
import { depth, fix, listen, reportAlarms, sail, tonesIn, untilTrue } from "./reports.ts";

describe.skipIf(withoutDisplay !== undefined)(`alarms in Chromium ${withoutDisplay ?? ""}`, () => {
  let boat: Boat;
  beforeAll(async () => {
    boat = await openBoat();
  });
  afterEach(async () => await boat.closePages());
  afterAll(async () => await boat?.close());

  const report = (data: Partial<AlarmsData>): Promise<unknown> => reportAlarms(boat.client, data);
  const bar = (page: Page) => page.locator("[data-id=alarm-bar]");

  test("an alarm is on every page, and its answers leave by topic", async () => {
    await report({ alarms: [depth] });
    const heard = await subscriber(boat.broker.port, {}, "can/can0/alarms/+/set");
    const { page, complaints } = await boat.open("sail");
    for (const { name } of pages) {
      await page.evaluate(`location.hash = "#/${name}"`);
      const shown = name === "alarms" ? page.locator("[data-id=alarm-depth]") : bar(page);
      await shown.getByText("1.7\u202fm, limit 2.0\u202fm").waitFor();
    }
    await bar(page).getByRole("button", { name: "Silence" }).click();
    await heard.until(({ topic, payload }) => topic === "can/can0/alarms/all/set" && payload === "silence");
    await bar(page).getByRole("button", { name: "Acknowledge" }).click();
    await heard.until(({ topic, payload }) => topic === "can/can0/alarms/depth/set" && payload === "acknowledge");
    await report({ alarms: [{ ...depth, state: "acknowledged" }] });
    await bar(page).getByRole("button").first().waitFor({ state: "detached" });
    await report({});
    await bar(page).waitFor({ state: "detached" });
    // The page Boat asks a configuration service, of which there is none here.
    expect(complaints.filter((complaint) => !complaint.includes("502"))).toEqual([]);
    await heard.close();
  });

  test("an active alarm sounds, a silenced one does not, and the screen stays on", async () => {
    await report({});
    const { page } = await boat.open("sail");
    await listen(page);
    await page.addInitScript(`
      window.locks = [];
      navigator.wakeLock.request = async (kind) => {
        window.locks.push(kind);
        return { released: false, release: async () => {} };
      };
    `);
    await page.reload();
    await page.locator("h1").click();
    await untilTrue(page, "window.locks.includes('screen')");
    expect(await tonesIn(page, 0)).toBe(0);
    await report({ alarms: [depth] });
    await untilTrue(page, "window.pitches.length >= 6");
    await report({ alarms: [{ ...depth, state: "silenced" }] });
    await bar(page).getByRole("button", { name: "Silent" }).waitFor();
    expect(await tonesIn(page)).toBe(0);
  });

  test("an emergency says where to go, and sounds unlike an alarm", async () => {
    const emergency: ActiveAlarm = {
      id: "manOverboard-972123456",
      kind: "manOverboard",
      title: "Man overboard",
      severity: "emergency",
      state: "active",
      subject: 972123456,
      text: "AIS man-overboard beacon",
      range: 0.13,
      bearing: 7.4,
      since: "2026-11-21T08:14:26.000Z",
    };
    await report({});
    const { page } = await boat.open("sail");
    await listen(page);
    await page.reload();
    await page.locator("h1").click();
    await report({ alarms: [emergency, depth] });
    await bar(page).getByText("Man overboard").waitFor();
    await bar(page).getByText("007°, 0.13\u202fNM, AIS man-overboard beacon").waitFor();
    await untilTrue(page, "window.pitches.includes(1320)");
  });

  test("the anchor watch is set with a radius, shown, widened and ended", async () => {
    await report({});
    const { page } = await boat.open("alarms");
    await page.getByRole("button", { name: "No position" }).waitFor();
    const heard = await subscriber(boat.broker.port, {}, "can/can0/alarms/+/set");
    const stop = sail(boat.client, { position: fix });
    try {
      await page.getByRole("button", { name: "Larger" }).click();
      await page.getByRole("button", { name: "Anchor is down here" }).click();
      await heard.until(({ topic, payload }) => topic.endsWith("anchorWatch/set") && payload === '{"radius":45}');
    } finally {
      stop();
    }
    await report({ anchorWatch: { latitude: 52, longitude: 4, radius: 45, distance: 12 } });
    await page.getByText("12\u202fm from the anchor").waitFor();
    await page.getByRole("button", { name: "Larger" }).click();
    await heard.until(({ payload }) => payload === '{"latitude":52,"longitude":4,"radius":50}');
    // A circle that was set elsewhere: by the settings, or at a bearing.
    for (const [radius, button, next] of [
      [800, "Larger", 805],
      [7, "Smaller", 5],
    ] as const) {
      await report({ anchorWatch: { latitude: 52, longitude: 4, radius, distance: 3 } });
      await page.getByText(`${radius}\u202fm`, { exact: true }).waitFor();
      await page.getByRole("button", { name: button }).click();
      await heard.until(({ payload }) => payload.endsWith(`"radius":${next}}`));
    }
    // Taps that are quicker than the reports.
    for (let tap = 0; tap < 3; tap++) await page.getByRole("button", { name: "Larger" }).click();
    await heard.until(({ payload }) => payload.endsWith('"radius":20}'));
    await page.getByRole("button", { name: "Anchor is up" }).click();
    await heard.until(({ payload }) => payload === "null");
    await heard.close();
  });

  test("where no configuration service is reached, the page says why no limit can be changed", async () => {
    await report({ watching: { depth: "on" } });
    const { page } = await boat.open("alarms");
    await page.getByText("The limits are not known here, and cannot be changed: ").waitFor();
    await page.locator("[data-id=watch-depth]", { hasText: "watched" }).waitFor();
    expect(await page.getByRole("button", { name: "Change limits: Depth" }).count()).toBe(0);
  });

  test("limits of the crew's own that no value reaches are named beside their watch", async () => {
    const unheard = { hasText: "Not watched, no value arrives: freezer, water" };
    await report({ watching: { limits: "on" }, unheardLimits: ["freezer", "water"] });
    const { page } = await boat.open("alarms");
    await page.locator("[data-id=watch-limits]", unheard).waitFor();
    await report({ watching: { limits: "on" } });
    await page.locator("[data-id=watch-limits]", unheard).waitFor({ state: "detached" });
  });

  test("an expired report shows that nothing is watched", async () => {
    const old = new Date(Date.now() - 120_000);
    const metadata = { rxDate: old.toISOString(), rxTimestamp: Math.floor(old.getTime() / 1000), expireAfterSec: 60 };
    const message = JSON.stringify({ data: { alarms: [depth], watching: {} }, metadata });
    await boat.client.publishAsync("can/can0/alarms", message, { retain: true });
    const { page } = await boat.open("sail");
    await page.getByText("Alarms are not watched").waitFor();
  });
});

/** Alarms in the display: shown and sounded on every page, answered by topic. */
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import type { ActiveAlarm, AlarmsData } from "../../../../src/core/alarms/report.ts";
import { useBoat, withoutDisplay } from "../boat.ts";
import { pages } from "../pages.ts";
import { depth, fix, heardAt, person, reportAlarms, sail, untilTrue } from "./reports.ts";

describe.skipIf(withoutDisplay !== undefined)(`alarms in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat();
  beforeEach(() => void sail(boat.client, { position: fix }));

  const report = (data: Partial<AlarmsData>): Promise<unknown> => reportAlarms(boat.client, data);
  const bar = (page: Page) => page.locator("[data-id=alarm-bar]");

  test("an alarm is on every page, and its answers leave by topic", async () => {
    await report({ alarms: [depth] });
    const heard = await heardAt(boat, "can/can0/alarms/+/set");
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
  });

  test("persons overboard who are acknowledged stay in the bar of what rings", async () => {
    const persons = [2, 3].map((number) => person(number, { state: "acknowledged" }));
    const wind: ActiveAlarm = { ...depth, id: "wind", kind: "wind", title: "Strong wind" };
    await report({ alarms: [...persons, depth, wind] });
    const { page } = await boat.open("sail", { width: 390, height: 844 });
    await bar(page).getByRole("button", { name: "Acknowledge" }).waitFor();
    await expect
      .poll(() => page.locator("[data-id=bar-persons]").innerText())
      .toMatch(/^Man overboard\s+person 2, person 3$/);
    await expect.poll(() => bar(page).innerText()).toMatch(/person 3\s+Shallow water.*and 1 more/s);
    await report({ alarms: [...persons, { ...depth, state: "acknowledged" }] });
    await bar(page)
      .getByText(/person 2\s+person 3/)
      .waitFor();
  });

  test("the anchor watch is set with a radius, shown, widened and ended", async () => {
    await report({});
    sail(boat.client, {});
    const { page } = await boat.open("alarms");
    await page.getByRole("button", { name: "No position" }).waitFor();
    const heard = await heardAt(boat, "can/can0/alarms/+/set");
    sail(boat.client, { position: fix });
    await page.getByRole("button", { name: "Larger" }).click();
    await page.getByRole("button", { name: "Anchor is down here" }).click();
    await heard.until(({ topic, payload }) => topic.endsWith("anchorWatch/set") && payload === '{"radius":45}');
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
    // Taps that are quicker than the reports, however slow the machine is.
    await report({ anchorWatch: { latitude: 52, longitude: 4, radius: 5, distance: 3 } });
    await page.getByText("5\u202fm", { exact: true }).waitFor();
    await page.evaluate("{ const now = performance.now(); performance.now = () => now; }");
    for (let tap = 0; tap < 3; tap++) await page.getByRole("button", { name: "Larger" }).click();
    await heard.until(({ payload }) => payload.endsWith('"radius":20}'));
    await page.getByRole("button", { name: "Anchor is up" }).click();
    await heard.until(({ payload }) => payload === "null");
  });

  test("many alarms of a kind are answered at once by holding, and emergencies are not", async () => {
    const ships = Array.from({ length: 40 }, (_, index): ActiveAlarm => {
      const subject = 244_000_000 + index;
      const title = index === 0 ? "Distress" : "Close approach";
      const [kind, severity] = index === 0 ? (["distress", "emergency"] as const) : (["cpa", "alarm"] as const);
      return { ...depth, id: `${kind}-${subject}`, kind, severity, title, subject, unit: "nm", value: 0.1, minutes: 4 };
    });
    const wind = { ...depth, id: "wind", kind: "wind", severity: "warning", unit: "kn", value: 40, limit: 30 } as const;
    await report({ alarms: [...ships, wind], leftOut: { cpa: 3 } });
    const heard = await heardAt(boat, "can/can0/alarms/+/set");
    const { page } = await boat.open("alarms");
    await page.evaluate(`{
      const { setTimeout: after } = globalThis;
      globalThis.setTimeout = (work, delay, ...rest) => after(work, delay === 1000 && window.isSlow ? 600_000 : delay, ...rest);
      window.isSlow = true;
    }`);
    const hold = page.locator("[data-id=group-answers] button");
    const { x, y } = (await hold.boundingBox())!;
    await expect.poll(() => hold.innerText()).toMatch(/^39 ships: acknowledge all of these/);
    await page.mouse.move(x + 20, y + 10);
    const isHeld = async (held: boolean) =>
      await untilTrue(page, `(document.querySelector(".hold.held") !== null) === ${held}`);
    await page.mouse.down();
    await isHeld(true);
    await page.mouse.up();
    await isHeld(false);
    // A ship that comes during a press is not among those that were seen.
    await page.mouse.down();
    await isHeld(true);
    await report({ alarms: [{ ...ships[1]!, id: "cpa-1", subject: 1 }, ...ships, wind], leftOut: { cpa: 3 } });
    await hold.getByText("40 ships").waitFor();
    await isHeld(false);
    await page.mouse.up();
    await page.evaluate("window.isSlow = false");
    expect(heard.messages).toEqual([]);
    await page.mouse.down();
    // Each by its name, because another ship may ring before the answers arrive.
    await heard.until(({ topic, payload }) => topic.includes("cpa-244000039/set") && payload === "acknowledge");
    await page.mouse.up();
    expect(heard.messages).toHaveLength(40);
    await page.locator("[data-id=alarm-cpa-244000001]").getByRole("button", { name: "Silent" }).waitFor();
    await page.locator("[data-id=alarm-distress-244000000]").getByRole("button", { name: "Silence" }).waitFor();
    await report({ alarms: [...ships.map((ship) => ({ ...ship, state: "acknowledged" as const })), wind] });
    await hold.waitFor({ state: "detached" });
    heard.clear();
    // Held by the keyboard.
    await report({ alarms: ships.slice(0, 4) });
    await hold.focus();
    await page.keyboard.down("Enter");
    await heard.until(({ topic }) => topic === "can/can0/alarms/cpa-244000003/set");
    await page.keyboard.up("Enter");
    const answered = [1, 2, 3].map((index) => `can/can0/alarms/cpa-24400000${index}/set`);
    expect(heard.messages.map(({ topic }) => topic)).toEqual(answered);
  });

  test("what rang is listed by day, in the time zone of the screen", async () => {
    const past = (id: string, since: string, more: object) => {
      const { state: _, ...alarm } = depth;
      return { ...alarm, id, since, ...more };
    };
    const alarms = [
      past("depth", "2026-11-22T01:14:26.000Z", {}),
      past("depth", "2026-11-21T23:50:00.000Z", {
        ...{ until: "2026-11-22T00:20:00.000Z", acknowledged: "2026-11-22T00:05:00.000Z", value: 1.2 },
      }),
      past("cpa-244000001", "2026-11-21T08:00:00.000Z", {
        ...{ kind: "cpa", title: "Close approach", unit: "nm", value: 0.05, limit: 0.25, name: "EVER LATE" },
        until: "2026-11-21T08:06:00.000Z",
      }),
      past("oilPressure-1", "2026-11-20T08:00:00.000Z", {
        ...{ kind: "oilPressure", title: "Low oil pressure", unit: "kPa", value: 60, limit: 100, subject: 1 },
      }),
      ...Array.from({ length: 30 }, (_, day) =>
        past("wind", new Date(Date.UTC(2026, 9, 31 - day)).toISOString(), {
          ...{ kind: "wind", title: "Strong wind", severity: "warning", unit: "kn", value: 40, limit: 30 },
          until: new Date(Date.UTC(2026, 9, 31 - day, 2)).toISOString(),
        }),
      ),
    ];
    const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 90 };
    await boat.client.publishAsync("can/can0/alarms/history", JSON.stringify({ data: { alarms }, metadata }), {
      retain: true,
    });
    await report({
      alarms: [{ ...depth, state: "acknowledged", since: "2026-11-22T01:14:26.000Z" }],
      rectified: [alarms[2]!] as NonNullable<AlarmsData["rectified"]>,
    });
    const { page } = await boat.open("alarms", { width: 390, height: 844 }, { timeZone: "UTC" });
    const history = page.locator("[data-id=alarm-history]");
    // "EVER LATE" is in the report too, which may come before the history.
    await history.getByText("Low oil pressure").waitFor();
    const lines = async () => (await history.innerText()).replaceAll("\u202f", " ").split("\n").filter(Boolean);
    expect((await lines()).slice(0, 13)).toMatchInlineSnapshot(`
      [
        "HISTORY",
        "2026-11-22",
        "Shallow water 1.7 m, limit 2.0 m",
        "01:14 UTC, lasts, no answer",
        "2026-11-21",
        "Shallow water 1.2 m, limit 2.0 m",
        "23:50 UTC, for 30 min, acknowledged 2026-11-22 00:05 UTC",
        "Close approach EVER LATE · 0.05 NM, limit 0.25 NM",
        "08:00 UTC, for 6 min, no answer",
        "2026-11-20",
        "Low oil pressure Engine, starboard · 0.6 bar, limit 1.0 bar",
        "08:00 UTC, its end is not known, no answer",
        "2026-10-31",
      ]
    `);
    await page.locator("[data-id=ended-alarms]").getByText("EVER LATE").waitFor();
    await expect.poll(() => history.locator("li").count()).toBe(20);
    await history.getByRole("button", { name: "Show all 34" }).click();
    await history.getByRole("button", { name: "Show fewer" }).waitFor();
    await expect.poll(() => history.locator("li").count()).toBe(34);
  });

  test("where no configuration service is reached, the page says why no limit can be changed", async () => {
    await report({ watching: { depth: "on" } });
    const { page } = await boat.open("alarms");
    await page.getByText("The limits are not known here, and cannot be changed: ").waitFor();
    await page.locator("[data-id=watch-depth]", { hasText: "watched" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Change limits: Depth" }).count()).toBe(0);
  });

  test("limits of the crew's own that no value reaches are named beside their watch", async () => {
    const unheard = { hasText: "Not watched, no value arrives: freezer, water" };
    await report({ watching: { limits: "on" }, unheardLimits: ["freezer", "water"] });
    const { page } = await boat.open("alarms");
    await page.locator("[data-id=watch-limits]", unheard).waitFor();
    await report({ watching: { limits: "on" } });
    await page.locator("[data-id=watch-limits]", unheard).waitFor({ state: "detached" });
  });
});

/** The page of the anchor watch. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { alarmCommandOf } from "../../../../src/core/alarms/commands.ts";
import { greatCircle, METRES_PER_MILE } from "../../../../src/core/nav/great-circle.ts";
import { useBoat, withoutDisplay } from "../boat.ts";
import { publishBoat, sourceOf } from "../published-boats.ts";
import { depth, fix, heardAt, reportAlarms, sail } from "./reports.ts";

const TOPIC = "can/can0/alarms/anchorWatch/set";
/** A hundredth of a minute of latitude: 18.5 m to the south of the anchor. */
const ANCHOR = { latitude: 52 + 1 / 6000, longitude: 4, radius: 40, distance: 99 };

describe.skipIf(withoutDisplay !== undefined)(`the page Anchor in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat();
  let stop = (): void => {};
  afterEach(async () => {
    stop();
    vi.useRealTimers();
  });

  const watchOf = (payload: string) => {
    const command = alarmCommandOf("anchorWatch", payload);
    if (command?.kind !== "watchAnchor") throw new Error(`no watch: ${payload}`);
    return command.watch;
  };

  test("a boat that lies still is offered a berth or a watch by a line, until it is declined; in a harbour the berth alone", async () => {
    await reportAlarms(boat.client, { rest: "still", watching: { cpa: "on" } });
    stop = sail(boat.client, { position: fix });
    const { page } = await boat.open("sail");
    const offer = page.locator("[data-id=anchor-offer]");
    await offer.getByRole("button", { name: "No" }).click();
    await offer.waitFor({ state: "detached" });
    await reportAlarms(boat.client, { watching: { depth: "on", cpa: "on" } });
    await page.waitForTimeout(500);
    await reportAlarms(boat.client, { rest: "still", watching: { cpa: "on" } });
    await offer.getByRole("link").click();
    await page.locator(".anchor-page").waitFor();
    await page.evaluate("history.back()");
    await reportAlarms(boat.client, { rest: "harbour", watching: { cpa: "on" } });
    await offer.getByRole("link").waitFor({ state: "detached" });
    const heard = await heardAt(boat, "can/can0/alarms/berth/set");
    const ferry = { kind: "cpa", title: "Close approach", severity: "warning", subject: 244_000_001 } as const;
    await reportAlarms(boat.client, { rest: "harbour", alarms: [{ ...depth, ...ferry, id: "cpa-harbour" }] });
    await page.locator("[data-id=alarm-bar]").getByRole("button", { name: "At the berth" }).click();
    expect((await heard.until(({ topic }) => topic.endsWith("/berth/set"))).payload).toBe("{}");
    await reportAlarms(boat.client, { rest: "berth", watching: { depth: "quiet" } });
    await offer.waitFor({ state: "detached" });
    await page.goto(`${boat.url}#/alarms`);
    await page.getByRole("button", { name: "Not at the berth" }).click();
    expect((await heard.until(({ payload }) => payload !== "{}")).payload).toBe("null");
  });

  test("the anchor is set by bearing and distance, and where the boat was", async () => {
    await reportAlarms(boat.client, {});
    const heard = await heardAt(boat, TOPIC);
    stop = sail(boat.client, { position: fix });
    const { page } = await boat.open("anchor");
    expect(await page.locator("[data-id=scale]").innerText()).toBe("20\u202fm");
    await page.getByLabel("Bearing to it, °T").fill("90");
    await page.getByLabel("Distance, m").fill("50");
    await page.getByRole("button", { name: "Anchor is there" }).click();
    const { payload } = await heard.until(({ topic }) => topic === TOPIC);
    const watch = watchOf(payload);
    const line = greatCircle(fix, { latitude: watch.latitude!, longitude: watch.longitude! });
    expect(line.bearing).toBeCloseTo(90, 1);
    expect(line.range * METRES_PER_MILE).toBeCloseTo(50, 0);
    // The boat is within the circle.
    expect(watch.radius).toBeGreaterThan(50);
    stop();
    stop = sail(boat.client, { position: { ...fix, latitude: 52.001 } });
    const slider = page.getByRole("slider");
    await slider.waitFor();
    await slider.press("Home");
    await page.getByRole("button", { name: "Anchor fell there" }).click();
    const back = await heard.until(({ payload }) => payload.includes('"longitude":4,'));
    // 111 m away: the boat is within the circle.
    expect(watchOf(back.payload)).toEqual({ latitude: 52, longitude: 4, radius: 125 });
  });

  test("the place that was chosen stays, while the track loses its oldest points", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await reportAlarms(boat.client, {});
    const heard = await heardAt(boat, TOPIC);
    const { page } = await boat.open("anchor");
    await page.evaluate(`
      const now = performance.now.bind(performance);
      window.ahead = 0;
      performance.now = () => now() + 1000 * window.ahead;
    `);
    const slider = page.getByRole("slider");
    let ahead = 0;
    const sailAt = async (seconds: number, latitude: number, points: number): Promise<void> => {
      stop();
      vi.setSystemTime(Date.now() + 1000 * (seconds - ahead));
      ahead = seconds;
      await page.evaluate(`window.ahead = ${seconds}`);
      stop = sail(boat.client, { position: { ...fix, latitude } });
      if (points > 1) await page.locator(`[type=range][max="${points - 1}"]`).waitFor();
      else await page.getByLabel("Distance, m").waitFor();
    };
    await sailAt(0, 52, 1);
    await sailAt(3600, 52.0001, 2);
    await sailAt(3660, 52.0002, 3);
    await slider.press("Home");
    await slider.press("ArrowRight");
    await page.getByText(/Where the boat was 6\d\ss ago/).waitFor();
    // The first point is older than two hours, the second is not.
    await sailAt(7230, 52.0003, 3);
    await page.getByText(/Where the boat was 6\d\smin ago/).waitFor();
    // Nor is the chosen one forgotten with the track.
    await sailAt(14_000, 52.0003, 2);
    await page.getByRole("button", { name: "Anchor fell there" }).click();
    const { payload } = await heard.until(({ topic }) => topic === TOPIC);
    expect(watchOf(payload).latitude).toBe(52.0001);
  });

  test("distance and bearing are those of now, the depth is also that when the anchor fell, and neighbours are there", async () => {
    await reportAlarms(boat.client, {});
    let depth = 8;
    const position = { ...fix, source: sourceOf("", 129029) };
    const silent = {
      mmsi: 7,
      class: "A",
      name: "SILENT",
      sog: 8,
      lastSeen: new Date(Date.now() - 60_000).toISOString(),
    };
    const publish = (): Promise<void> =>
      publishBoat(boat.client, {
        friendlyName: "",
        navigation: { position, depth_water: { depth, source: sourceOf("", 128267) } },
        messages: [],
        targets: [
          { mmsi: 5, class: "B", name: "NEIGHBOUR", position: { latitude: 52.0004, longitude: 4 }, range: 0.02 },
          { ...silent, position: { latitude: 52.0003, longitude: 4.0001 }, range: 0.02 },
          { mmsi: 6, class: "B", name: "FAR", position: { latitude: 52.1, longitude: 4 }, range: 6 },
        ],
      });
    const beat = setInterval(() => void publish(), 500);
    stop = () => clearInterval(beat);
    const { page } = await boat.open("anchor");
    const facts = page.locator(".anchor-side .facts");
    await facts.filter({ hasText: "8.0" }).waitFor();
    // The memory looks once a second for a boat without a watch.
    await page.evaluate("new Promise((done) => setTimeout(done, 1500))");
    await reportAlarms(boat.client, { anchorWatch: ANCHOR });
    await facts.filter({ hasText: "Distance19" }).waitFor();
    await facts.filter({ hasText: "Bearing to the anchor000\u202f°T" }).waitFor();
    await facts.filter({ hasText: /Depth when it fell8\.0/ }).waitFor();
    depth = 6.5;
    await facts.filter({ hasText: "6.5" }).waitFor();
    await page.reload();
    await facts.filter({ hasText: /Depth when it fell8\.0/ }).waitFor();
    await page.locator("[data-id=swing]").waitFor();
    await page.getByText("NEIGHBOUR").waitFor();
    expect(await page.getByText("FAR").count()).toBe(0);
    // She is crossed out as on the page Ships.
    expect(await page.locator(".target.old:has(.crossed) .target-name").allTextContents()).toEqual(["SILENT"]);
  });
});

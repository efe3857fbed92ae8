/** The display ashore: what a fleet shows of its boats, the list of them, and the display pointed at one. */
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { extentOf } from "../../../src/web/display/chart/extent.ts";
import {
  faultsOf,
  type Hull,
  type HullAlarm,
  type HullFault,
  Hulls,
  isFaulty,
  isFound,
  rowsOf,
  stateOf,
} from "../../../src/web/display/fleet/hulls.ts";
import { nextOf } from "../../../src/web/display/fleet/next-of.ts";
import { axeFindings, layoutFindings, sizes, useBoat, withoutDisplay } from "./boat.ts";
import { sourceOf } from "./published-boats.ts";

const NOW = Date.parse("2026-11-23T12:00:00.000Z");

const message = (data: object, at = NOW, expireAfterSec = 180): string =>
  JSON.stringify({
    data,
    metadata: { rxDate: new Date(at).toISOString(), rxTimestamp: Math.floor(at / 1000), expireAfterSec },
  });

/** A word of an alarm or a fault, in place of what the page says. */
const wordOf = (of: HullAlarm | HullFault): string => ("title" in of ? of.title : of.kind);

const health = (members: object = {}): object => ({
  uptimeSec: 10,
  frames: 1,
  framesLost: { kernel: 0, ring: 0 },
  ignoredSettings: [],
  dropped: 0,
  ...members,
});

const navigation = (longitude = 3.617333) => ({
  position: {
    ...{ hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, latitude: 53.3055904, longitude },
    source: sourceOf("GPS", 129029),
  },
  speed_course: { cog: 231, sog: 6.2, source: sourceOf("GPS", 129026) },
});

const identity = (online: boolean): string =>
  JSON.stringify({ name: "hub-cand", version: "1.1.0", hostname: "boat", features: [], online, metadata: {} });

const fetched = (members: object, checkedAt = NOW): string =>
  message(
    { channel: "hull-1", result: "deployed", version: 7, checkedAt: new Date(checkedAt).toISOString(), ...members },
    checkedAt,
  );

describe("Hulls", () => {
  const heard = (...messages: readonly (readonly [topic: string, text: string, isRetained?: boolean])[]): Hull => {
    const hulls = new Hulls("can/can0");
    for (const [topic, text, isRetained = false] of messages)
      hulls.hear(`boats/hull-1/${topic}`, text, isRetained, NOW);
    return hulls.all()[0]!;
  };

  test("subscribes to the alarms, which the bridge of the package may send, and then to what it sends", () => {
    const bridge = readFileSync("packaging/fleet/boat.mosquitto.conf", "utf8");
    const sent = [...bridge.matchAll(/^#?topic (\S+) +out 1 +(\S+) +(\S+)$/gm)]
      .map(([, name, , remote]) => `${remote}${name}`.replace("hull-42", "+"))
      .filter((topic) => !/\/(devices|infos|ais)$/.test(topic));
    expect(new Hulls("can/can0").filters.toSorted()).toEqual(sent.toSorted());
    expect(new Hulls("can/can0").filters[0]).toBe("boats/+/can/can0/alarms");
  });

  test("a boat is seen when a message arrives, and when a retained one was made on board", () => {
    expect(heard(["can/can0/navigation", message(navigation(), NOW - 5000)]).seen).toBe(NOW);
    const old = heard(["can/can0/navigation", message(navigation(), NOW - 600_000), true]);
    expect([old.seen, old.measured]).toEqual([NOW - 600_000, NOW - 600_000]);
    expect(stateOf(old, NOW)).toBe("late");
    // The clock of this boat is ahead by a day.
    const ahead = heard(["can/can0/navigation", message(navigation(), NOW + 86_400_000), true]);
    expect([ahead.seen, ahead.measured]).toEqual([NOW, NOW]);
  });

  test("an older message, or one without a position, takes nothing back", () => {
    const boat = heard(
      ["can/can0/navigation", message(navigation(), NOW - 60_000)],
      ["can/can0/navigation", message({ speed_course: { sog: 6.4 } }, NOW - 10_000)],
      ["can/can0/navigation", message({ position: { latitude: 53 } }, NOW)],
      ["can/can0/navigation", message({ position: { latitude: 999, longitude: 3 } }, NOW)],
      ["app/can-can0/info", identity(true), true],
      ["can/can0/health", message(health(), NOW - 600_000), true],
    );
    expect(boat).toMatchObject({ seen: NOW, measured: NOW - 60_000, speedKnots: 6.4, course: 231, isOnline: true });
    expect(boat.position).toEqual({ latitude: 53.3055904, longitude: 3.617333 });
  });

  test("a speed and a course are not older than the position beside them, whose age is shown", () => {
    const boat = heard(
      ["can/can0/navigation", message(navigation(), NOW - 60_000)],
      ["can/can0/navigation", message({ ...navigation(3.7), speed_course: { cog: null, sog: null } }, NOW)],
    );
    expect(boat).toMatchObject({ measured: NOW, position: { longitude: 3.7 } });
    expect([boat.speedKnots, boat.course]).toEqual([undefined, undefined]);
  });

  test("is on line for three minutes, late for an hour, silent then", () => {
    const boat = (seconds: number): Hull => ({ name: "hull-1", seen: NOW - 1000 * seconds });
    expect([0, 180, 181, 3600, 3601].map((age) => stateOf(boat(age), NOW))).toEqual([
      "online",
      "online",
      "late",
      "late",
      "silent",
    ]);
  });

  test("a boat whose hub-cand has ended is off, also while something else on board still sends", () => {
    const boat = heard(["can/can0/health", message(health())], ["app/can-can0/info", identity(false), true]);
    expect(stateOf(boat, NOW)).toBe("off");
    expect(stateOf(boat, NOW + 3_601_000)).toBe("silent");
  });

  test("the worst come first, and a search finds a boat by its name, its alarm or its fault", () => {
    const hulls = new Hulls("can/can0");
    const hear = (name: string, topic: string, text: string): void =>
      hulls.hear(`boats/${name}/${topic}`, text, true, NOW);
    const alarm = (severity: string, title: string) => ({
      ...{ id: "x", kind: "depth", title, severity, state: "acknowledged", since: new Date(NOW).toISOString() },
    });
    for (let number = 1; number <= 10_000; number++) hear(`hull-${number}`, "can/can0/health", message(health()));
    hear("hull-700", "can/can0/alarms", message({ alarms: [alarm("warning", "Wind")], watching: {} }));
    hear(
      "hull-800",
      "can/can0/alarms",
      message({ alarms: [alarm("warning", "Wind"), alarm("alarm", "Shallow water")], watching: {} }),
    );
    hear("hull-900", "can/can0/health", message(health({ framesLost: { kernel: 2, ring: 0 } })));
    hear("hull-950", "app/can-can0/info", identity(false));
    hear("silent", "can/can0/health", message(health(), NOW - 7_200_000));
    const rows = rowsOf(hulls.all(), NOW);
    const names = (some: typeof rows): readonly string[] => some.map(({ hull }) => hull.name);
    expect(names(rows.slice(0, 6))).toEqual(["hull-800", "hull-700", "hull-900", "hull-950", "silent", "hull-1"]);
    expect(names(rows.filter(isFaulty))).toEqual(["hull-900", "hull-950", "silent"]);
    const found = (words: string) =>
      names(rows.filter((row) => isFound(row, words, [...(row.hull.alarms ?? []), ...row.faults].map(wordOf))));
    expect(found(" SHALLOW")).toEqual(["hull-800"]);
    expect(found("frameslost")).toEqual(["hull-900"]);
    expect(found("hull-100")).toEqual([
      "hull-100",
      ...Array.from({ length: 10 }, (_, at) => `hull-${1000 + at}`),
      "hull-10000",
    ]);
  });

  test("the map begins with all boats, also on both sides of 180 degrees", () => {
    const at = (latitude: number, longitude: number) => ({ latitude, longitude });
    const size = { width: 800, height: 600 };
    const pacific = extentOf([at(-10, 170), at(10, -170)], size);
    expect(Math.abs(pacific.center.longitude)).toBeCloseTo(180);
    // 1200 NM high and wide, on eight tenths of 600 pixels.
    expect(pacific.scale).toBeCloseTo(480 / 1200);
    expect(extentOf([at(50, 4)], size)).toEqual({ center: at(50, expect.closeTo(4) as never), scale: 20 });
    expect(extentOf([], size).scale).toBeLessThan(0.05);
  });

  test("taps at a place choose its boats in turn, and none where there is none", () => {
    expect([undefined, "far", "a", "b"].map((chosen) => nextOf(["a", "b"], chosen))).toEqual(["a", "a", "b", "a"]);
    expect(nextOf([], "a")).toBeUndefined();
  });

  test("faults are told with their values, and a boat that is well has none", () => {
    const well = heard(
      ["can/can0/health", message(health())],
      ["app/can-can0/info", identity(true)],
      ["app/config/fetch", fetched({})],
      ["broker/publish/messages/dropped", "0"],
    );
    expect(faultsOf(well, NOW)).toEqual([]);
    expect(well.fetched?.version).toBe(7);
    const ill = heard(
      [
        "can/can0/health",
        message(
          health({
            framesLost: { kernel: 2, ring: 3 },
            ignoredSettings: [{ file: "deploy.json", entry: "can", reason: "x" }],
          }),
        ),
      ],
      ["app/can-can0/info", identity(false)],
      ["app/config/fetch", fetched({ result: "refused", reason: "the signature does not fit" }, NOW - 5 * 3_600_000)],
      ["broker/publish/messages/dropped", "1200"],
    );
    expect(faultsOf(ill, NOW)).toEqual([
      { kind: "offLine" },
      { kind: "refused", reason: "the signature does not fit" },
      { kind: "notAsked", seconds: 5 * 3600 },
      { kind: "notUnderstood", count: 1 },
      { kind: "framesLost", count: 5 },
      { kind: "messagesLost", count: 1200 },
    ]);
    // A boat that is not heard cannot have asked.
    expect(faultsOf({ ...ill, seen: NOW - 3_600_000 }, NOW).map(({ kind }) => kind)).not.toContain("notAsked");
  });

  test("what cannot be read, or is of no boat, changes nothing", () => {
    const hulls = new Hulls("can/can0");
    for (const text of ["", "{", "null", "[]", '{"data":{}}', '{"data":null,"metadata":{"rxDate":1}}'])
      for (const topic of ["can/can0/navigation", "can/can0/health", "app/can-can0/info", "app/config/fetch"])
        hulls.hear(`boats/hull-1/${topic}`, text, false, NOW);
    // An empty one removes what the broker keeps of a boat that was sold.
    for (const text of ["", "many", "1e999"])
      hulls.hear("boats/hull-1/broker/publish/messages/dropped", text, false, NOW);
    hulls.hear("boats/hull-2/broker/publish/messages/dropped", "", false, NOW);
    hulls.hear("boats/hull-2/can/can1/navigation", message(navigation()), false, NOW);
    hulls.hear("can/can0/navigation", message(navigation()), false, NOW);
    for (const hull of hulls.all()) expect([hull.name, stateOf(hull, NOW)]).toEqual(["hull-1", "online"]);
    for (const hull of hulls.all()) expect(faultsOf(hull, NOW)).toEqual([]);
  });
});

describe("the boat that the display is pointed at", () => {
  afterEach(() => vi.unstubAllGlobals());
  const at = (search: string): Promise<typeof import("../../../src/web/display/data/hull.ts")> => {
    vi.stubGlobal("location", { search });
    vi.resetModules();
    return import("../../../src/web/display/data/hull.ts");
  };

  test("is one boat by its name; anything else is the display on board", async () => {
    expect(await at("?boat=hull-42")).toMatchObject({ hull: "hull-42", topicRoot: "boats/hull-42/" });
    for (const search of ["", "?boat=", "?boat=%2B", "?boat=%23", "?boat=a%2Fb", "?boat=%2B%2Fcan", "?boat=a+b"])
      expect(await at(search), search).toMatchObject({ hull: undefined, topicRoot: "" });
    expect((await at(`?boat=${"x".repeat(64)}`)).hull).toBeUndefined();
  });

  test("links to the list and to boats keep the other parameters", async () => {
    const { fleetHref } = await at("?broker=ws%3A%2F%2Fa&boat=hull-42");
    expect(fleetHref()).toBe("fleet.html?broker=ws%3A%2F%2Fa");
    expect(fleetHref("a b")).toBe("./?broker=ws%3A%2F%2Fa&boat=a+b");
    expect((await at("")).fleetHref()).toBe("fleet.html");
  });
});

describe.skipIf(withoutDisplay !== undefined)(`in Chromium${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  const boat = useBoat();
  const publish = (topic: string, text: string): Promise<unknown> =>
    boat.client.publishAsync(`boats/${topic}`, text, { retain: true });

  /** Boats of all states: on line, late, silent, never positioned, with a long name and long reasons. */
  async function publishFleet(): Promise<void> {
    const now = Date.now();
    const long = "version 1795200000 is older than 1795372317, which was here before";
    for (const [name, age, longitude] of [
      ["hull-1", 10, 3.617333],
      ["hull-2", 600, -179.617333],
      ["hull-10", 86_400, 179.999_999],
      ["the-long-name-of-a-charter-boat-with-two-masts-and-a-wheelhouse", 20, 0],
    ] as const) {
      const at = now - 1000 * age;
      await publish(`${name}/can/can0/navigation`, message(navigation(longitude), at));
      await publish(`${name}/can/can0/health`, message(health(), at));
      await publish(`${name}/app/can-can0/info`, identity(true));
      await publish(`${name}/app/config/fetch`, fetched({ version: 1_795_372_317 }, at));
    }
    await publish("hull-3/can/can0/health", message(health({ framesLost: { kernel: 1_234_567, ring: 0 } }), now));
    await publish("hull-3/app/config/fetch", fetched({ result: "refused", reason: long }, now));
    await publish("hull-3/broker/publish/messages/dropped", "123456");
  }

  beforeAll(async () => {
    await publishFleet();
  });

  test("the list shows state, position and configuration, and narrows by state and name", async () => {
    const { page, complaints } = await boat.openAt("fleet.html");
    const textOf = (name: string): Promise<string> => page.locator(`[data-id=${name}]`).innerText();
    await page.locator("[data-id=hull-10]").waitFor();
    const names = () => page.locator(".hull-name").allInnerTexts();
    // The worst first.
    expect((await names()).slice(0, 4)).toEqual(["hull-3", "hull-10", "hull-2", "hull-1"]);
    await expect
      .poll(() => textOf("hull-1"))
      .toMatch(/On line.*53° 18\.335′ N 003° 37\.040′ E.*6\.2\u202fkn 231°.*1795372317/s);
    await expect.poll(() => textOf("hull-2")).toMatch(/Late.*10\smin/s);
    await expect.poll(() => textOf("hull-10")).toMatch(/Silent.*24\sh/s);
    await expect
      .poll(() => textOf("hull-3"))
      .toMatch(/No position.*configuration refused: version 1795200000 is older/s);
    await page.getByRole("button", { name: "Silent 1" }).click();
    await expect.poll(() => names()).toEqual(["hull-10"]);
    await page.getByRole("button", { name: "Faulty 2" }).click();
    await expect.poll(() => names()).toEqual(["hull-3", "hull-10"]);
    await page.getByRole("button", { name: "All 5" }).click();
    await page.getByRole("searchbox").fill("HULL-1");
    await expect.poll(() => names()).toEqual(["hull-10", "hull-1"]);
    // The counts are those of the rows.
    await page.getByRole("button", { name: "All 2" }).waitFor();
    await page.getByRole("button", { name: "Faulty 1" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("the map has each boat at its last place, and a tap leads to its display", async () => {
    const { page, complaints } = await boat.openAt("fleet.html", { width: 1280, height: 800 });
    await page.locator("canvas.boats[data-boats='4']").waitFor();
    // A search leaves one boat, in the middle.
    await page.getByRole("searchbox").fill("hull-10");
    await page.locator("canvas.boats[data-boats='1']").click();
    const card = page.locator("a.map-card");
    await expect.poll(() => card.innerText()).toMatch(/^hull-10 Silent, 24\sh ago/);
    await card.click();
    // The last values are there however old they are.
    await page.locator('[data-id=sog][data-kind="dead"]', { hasText: "6.2" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("fits every screen by day and by night, and axe finds nothing", async () => {
    const { page } = await boat.openAt("fleet.html");
    await page.locator("[data-id=hull-10]").waitFor();
    const found: string[] = [];
    for (const light of ["day", "night"]) {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.waitForTimeout(60);
        const wrong = (await page.evaluate(layoutFindings)) as readonly string[];
        found.push(...wrong.map((one) => `${size.width}x${size.height} ${light}: ${one}`));
      }
      found.push(...(await axeFindings(page)).map((one) => `${light}: ${one}`));
      if (light === "day") await page.getByRole("button", { name: "Night colours" }).click();
    }
    expect(found.join("\n")).toBe("");
  });

  test("leads into the display of a boat, which has its values for three minutes, no page Boat, and a way back", async () => {
    await publish("hull-1/can/can0/navigation", message(navigation(), Date.now() - 30_000));
    const { page, complaints } = await boat.openAt("fleet.html");
    const history: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) history.push(request.url());
    });
    await page.locator("[data-id=hull-1]").click();
    const speed = page.locator("[data-id=sog]");
    await page.locator('[data-id=sog][data-kind="live"]').waitFor();
    await expect.poll(() => speed.innerText()).toContain("6.2");
    await expect.poll(() => page.locator("[data-id=link]").innerText()).toBe("Live");
    await expect.poll(() => page.title()).toBe("hull-1 – Sail – hub");
    await expect.poll(() => page.getByRole("link", { name: "Boat", exact: true }).count()).toBe(0);
    expect(history).toEqual([]);
    // Trends of two boats do not mix.
    expect(await page.evaluate("JSON.parse(localStorage.getItem('hub-display-history')).prefix")).toBe(
      "boats/hull-1/can/can0",
    );
    // Older than three minutes: the last values are shown as lost.
    await publish("hull-2/can/can0/navigation", message(navigation(), Date.now() - 300_000));
    await page.getByRole("link", { name: "hull-1, to the fleet" }).click();
    await page.locator("[data-id=hull-2]").click();
    await page.locator('[data-id=sog][data-kind="dead"]').waitFor();
    await expect.poll(() => page.locator("[data-id=link]").innerText()).toMatch(/^Silent for 5\smin$/s);
    expect(complaints).toEqual([]);
  });

  test("alarms of a boat are shown ashore, and answered on board", async () => {
    await publish("hull-1/can/can0/navigation", message(navigation(), Date.now()));
    const alarm = { id: "depth", kind: "depth", title: "Shallow water", severity: "alarm", state: "active" };
    const alarms = [{ ...alarm, value: 1.7, limit: 2, unit: "m", since: new Date().toISOString() }];
    await publish("hull-1/can/can0/alarms", message({ alarms, watching: {} }, Date.now()));
    const { page } = await boat.openAt("fleet.html");
    const first = page.locator(".hull-row").first();
    await first.getByText("Shallow water").waitFor();
    await page.getByRole("button", { name: "Alarm 1" }).waitFor();
    await first.click();
    const shown = page.locator("[data-id=alarm-bar]");
    await shown.getByText("1.7\u202fm, limit 2.0\u202fm").waitFor();
    await expect.poll(() => shown.getByRole("button").count()).toBe(0);
    await page.evaluate('location.hash = "#/alarms"');
    await page.locator("[data-id=alarm-depth]").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /Silence|Acknowledge|Anchor|Larger/ }).count()).toBe(0);
  });

  test("of more boats than can be drawn at once the first are listed, and a search finds the others", async () => {
    const now = Date.now();
    for (let number = 1; number <= 310; number++)
      await publish(`buoy-${number}/can/can0/health`, message(health(), now));
    const { page } = await boat.openAt("fleet.html");
    await page.getByRole("searchbox").fill("buoy");
    await page.getByText("and 10 more; a search finds them").waitFor();
    await expect.poll(() => page.locator(".hull-name").count()).toBe(300);
    await page.getByRole("searchbox").fill("buoy-310");
    await page.getByText("more; a search finds them").waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".hull-name").allInnerTexts()).toEqual(["buoy-310"]);
  });
});

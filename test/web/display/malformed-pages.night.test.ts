/** No page of the display fails whatever its messages are, and none shows what is no value. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { type Display, useBoat, withoutDisplay } from "./boat.ts";
import { goodData, goodIdentity, goodPgns, hullMessages, jsonOf, messageOf, spoiled } from "./malformed.ts";
import { pages as allPages } from "./pages.ts";

/** Addresses of pages that show one value. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  value: ["value/depth", "value/heel"],
  trend: ["trend/battery/2/0/voltageV"],
};
const pages = allPages.flatMap(({ name }) => valuesOf[name] ?? [name]);

describe.skipIf(withoutDisplay !== undefined)(`pages${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  const boat = useBoat();
  afterEach(async () => {
    for (const topic of Object.keys(goodData))
      await boat.client.publishAsync(`can/can0/${topic}`, "", { retain: true });
  });

  const publish = (topic: string, text: string, retain = false): Promise<unknown> =>
    boat.client.publishAsync(topic, text, { retain });

  /** Publishes messages at once: a write of its own for each of thousands takes longer than all else. */
  const publishAll = (messages: Iterable<readonly [topic: string, text: string]>): Promise<unknown> =>
    Promise.all(Array.from(messages, ([topic, text]) => publish(topic, text)));

  /** All topics with good messages. */
  const publishGood = (): Promise<unknown> =>
    publishAll([
      ...Object.entries(goodData)
        .filter(([topic]) => topic !== "infos" && topic !== "configFetch")
        .map(([topic, data]) => [`can/can0/${topic}`, jsonOf(messageOf(data))] as const),
      ["can/can0/device/2/infos", jsonOf(messageOf(goodData.infos))],
      ...goodPgns.map((data) => [`can/can0/device/2/pgn/${data.pgn}`, jsonOf(messageOf(data))] as const),
      ["app/can-can0/info", jsonOf(goodIdentity)],
    ]);

  /** Waits for two frames with what has arrived, one of them a second's. */
  const drawn = (page: Page): Promise<unknown> =>
    page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(done), 1300))");

  /** Faults of a page. */
  async function findings({ page, complaints }: Display): Promise<readonly string[]> {
    // The page Boat asks the configuration service, which is away here.
    const own = complaints.filter((each) => !each.includes("502"));
    const failed = await page.locator("[data-id=failed]").allTextContents();
    const text = (await page.locator("main").textContent()) ?? "";
    const noValues = text.match(/NaN|undefined|Infinity|\[object/g) ?? [];
    return [...own, ...failed, ...noValues, ...(text === "" ? ["main is empty"] : [])];
  }

  test.each(pages)("%s draws whatever arrives, and goes on", async (name) => {
    const display = await boat.open(name);
    // What is published before the page listens would prove nothing.
    await display.page.locator("[data-id=link]", { hasText: "Nothing heard" }).waitFor();
    await publishGood();
    await drawn(display.page);
    expect(await findings(display)).toEqual([]);

    const all = (value: unknown): readonly unknown[] => [...spoiled(value)];

    // Members outside of lists are replaced one after another, in all topics at a time, and each is drawn; before the
    // lists, with which a page has thousands of rows to draw each time.
    const turns = (["navigation", "alarms", "interface", "health", "ais"] as const).map((topic) => ({
      topic,
      wrong: all(goodData[topic]),
    }));
    const drawsFast = "new Promise((done) => setTimeout(() => requestAnimationFrame(done), 10))";
    // Each page gets some of them, and all pages together get all.
    for (let at = pages.indexOf(name); at < Math.max(...turns.map(({ wrong }) => wrong.length)); at += pages.length) {
      for (const { topic, wrong } of turns)
        if (at < wrong.length) await publish(`can/can0/${topic}`, jsonOf(messageOf(wrong[at])));
      await display.page.evaluate(drawsFast);
    }
    await publishAll(all(goodIdentity).map((wrong) => ["app/can-can0/info", jsonOf(wrong)]));
    for (const text of ["", "{", "null", "[]", "7", '"x"', '{"data":null}', `${"[".repeat(50_000)}`])
      for (const topic of [
        "navigation",
        "alarms",
        "ais",
        "interface",
        "health",
        "devices",
        "layouts",
        "findings",
        "traffic",
        "device/2/infos",
      ])
        await publish(`can/can0/${topic}`, text);
    await drawn(display.page);
    expect(await findings(display)).toEqual([]);

    // Every wrong item of a list in one list, every wrong message of a PGN from one of 16 devices.
    const lists: readonly (readonly [string, unknown])[] = [
      [
        "ais",
        { ...goodData.ais, targets: all(goodData.ais.targets[0]).map((one, at) => withKey(one, "mmsi", at + 1)) },
      ],
      ["devices", { count: 9, peers: all(goodData.devices.peers[0]).map((one, at) => withKey(one, "addr", at % 252)) }],
      ["health", { ...goodData.health, ignoredSettings: all(goodData.health.ignoredSettings[0]) }],
      ["layouts", { messages: all(goodData.layouts.messages[0]) }],
      ["findings", { findings: all(goodData.findings.findings[0]) }],
      ["traffic", { ...goodData.traffic, devices: all(goodData.traffic.devices[0]).slice(0, 250) }],
    ];
    await publishAll([
      ...lists.map(([topic, data]) => [`can/can0/${topic}`, jsonOf(messageOf(data))] as const),
      ...all(goodData.infos).map(
        (wrong, at) => [`can/can0/device/${at % 252}/infos`, jsonOf(messageOf(wrong))] as const,
      ),
      ...goodPgns.flatMap((data) =>
        all(data).map((wrong, at) => [`can/can0/device/${at % 16}/pgn/${data.pgn}`, jsonOf(messageOf(wrong))] as const),
      ),
    ]);
    await drawn(display.page);
    expect(await findings(display)).toEqual([]);

    await publishGood();
    await display.page.locator("[data-id=link]", { hasText: "Live" }).waitFor();
  });

  test("alarms without what is watched are shown, without a NaN, and the clock is a time", async () => {
    const display = await boat.open("alarms");
    const { watching: _, alarms, ...rest } = goodData.alarms;
    const data = { ...rest, alarms: [{ ...alarms[1], limit: "x" }] };
    await publish("can/can0/navigation", jsonOf(messageOf({ date: { date: "2026-11-22", time: '"><im' } }, 2)));
    await publish("can/can0/alarms", jsonOf(messageOf(data)), true);
    const alarm = display.page.locator("[data-id=alarm-depth]");
    await alarm.waitFor();
    expect(await alarm.textContent()).not.toMatch(/NaN|undefined/);
    expect(await display.page.locator(".head-clock").textContent()).toContain("––:––");
    expect(await findings(display)).toEqual([]);
  });

  test("the list of a fleet draws whatever its boats send", async () => {
    const display = await boat.openAt("fleet.html");
    await display.page.locator("[data-id=link]", { hasText: "Live" }).waitFor();
    await publishAll(Array.from(hullMessages(), ([hull, topic, text]) => [`boats/hull-${hull}/${topic}`, text]));
    await publish("boats/good/can/can0/navigation", jsonOf(messageOf(goodData.navigation)));
    await display.page.locator("[data-id=good]").waitFor({ state: "attached" });
    await drawn(display.page);
    expect(await findings(display)).toEqual([]);
    expect(await display.page.locator("main").textContent()).not.toMatch(/NaN|undefined|Infinity/);
  });
});

/** An item with a key of its own, unless it is what was spoiled. */
const withKey = (item: unknown, name: string, key: number): unknown =>
  typeof item === "object" &&
  item !== null &&
  !Array.isArray(item) &&
  typeof (item as Record<string, unknown>)[name] === "number"
    ? { ...item, [name]: key }
    : item;

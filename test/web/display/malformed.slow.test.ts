/** Messages that do not fit their topic: the display reads the parts that fit, and no page fails. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { quoteNames } from "../../../src/core/text/quote-names.ts";
import { type ReadTopic, readIdentity, readMessage } from "../../../src/core/topics/read-message.ts";
import { BoundedMap } from "../../../src/web/display/data/bounded-map.ts";
import { faultsOf, Hulls, stateOf } from "../../../src/web/display/fleet/hulls.ts";
import { atNight } from "../../support/size.ts";
import { type Display, useBoat, withoutDisplay } from "./boat.ts";
import { goodData, goodIdentity, goodPgns, jsonOf, messageOf, spoiled } from "./malformed.ts";
import { pages as allPages } from "./pages.ts";

/** The message as the store parses it; a NAME with too many digits makes it invalid JSON. */
const parsed = (message: unknown): unknown => JSON.parse(quoteNames(jsonOf(message)));

/** A value, or undefined for what is refused. */
function orRefused<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    const kind = (error as Error).constructor;
    if (kind !== TypeError && kind !== SyntaxError) throw error;
    return undefined;
  }
}

/**
 * The kinds of a value's members by their paths; items of lists have one path. `expect` is called for faults alone here
 * and below, because it costs more than all else if it is called for each of a million members.
 */
function kindsOf(value: unknown, path = "", found = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (typeof value === "number" && !Number.isFinite(value)) expect.fail(`${path} is ${value}`);
  const kind = Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
  found.set(path, (found.get(path) ?? new Set()).add(kind));
  if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      kindsOf(member, `${path}/${Array.isArray(value) ? "" : name}`, found);
  return found;
}

/** Members that may also be null, as the navigation report has them. */
const nullable = /^\/(speed_course\/(cog|sog)|wind_(apparent|true)\/(speed|angle|direction))$/;

const topics = Object.entries(goodData) as [Exclude<ReadTopic, "pgn">, object][];

describe("readMessage", () => {
  test.each(topics)("of %s reads a good message whole", (topic, data) => {
    expect(readMessage(topic, parsed(messageOf(data))).data).toEqual(data);
  });

  test.each(topics)("of %s throws TypeError, or every member has the kind that it always has", (topic, data) => {
    const kinds = kindsOf(data);
    for (const wrong of spoiled(messageOf(data))) {
      const message = orRefused(() => readMessage(topic, parsed(wrong)));
      if (message === undefined) continue;
      const { data: read, metadata } = message;
      const { rxDate, expireAfterSec } = metadata;
      if (!(expireAfterSec > 0 && expireAfterSec <= 86_400)) expect.fail(`it expires after ${expireAfterSec} seconds`);
      if (Number.isNaN(Date.parse(rxDate))) expect.fail(`it was received at ${rxDate}`);
      for (const [path, found] of kindsOf(read)) {
        const known = kinds.get(path);
        // Additional members of a loose report and of a record are shown as text.
        if (known === undefined || path === "/newer") continue;
        const others = [...found].filter((kind) => !known.has(kind) && !(kind === "null" && nullable.test(path)));
        if (others.length > 0) expect.fail(`${path} is ${others}: ${JSON.stringify(read).slice(0, 300)}`);
      }
    }
  });

  test.each(goodPgns.map((data) => [data.pgn, data] as const))(
    "of PGN %i keeps what its definition has",
    (_pgn, data) => {
      expect(readMessage("pgn", parsed(messageOf(data))).data).toEqual(data);
      for (const wrong of spoiled(data)) kindsOf(orRefused(() => readMessage("pgn", parsed(messageOf(wrong))).data));
    },
  );

  test("reports without what they need are none; those of another version are read as far as they fit", () => {
    const read = (topic: ReadTopic, data: unknown): unknown => readMessage(topic, messageOf(data)).data;
    const { watching: _, ...older } = goodData.alarms;
    expect(read("alarms", older)).toEqual(older);
    expect(() => read("alarms", { watching: {} })).toThrow(TypeError);
    expect(read("health", { frames: 1, newer: { count: 2, list: [1] }, newest: "x" })).toEqual({
      ...{ frames: 1, newer: { count: 2 }, newest: "x" },
    });
    const [, alarm] = goodData.alarms.alarms;
    const newer = {
      ...goodData.alarms,
      alarms: [
        { ...alarm, kind: "fire", limit: "2" },
        { ...alarm, id: 5 },
      ],
    };
    const { limit: __, ...withoutLimit } = { ...alarm, kind: "fire" };
    expect(read("alarms", newer)).toEqual({ ...goodData.alarms, alarms: [withoutLimit] });
  });

  test("readIdentity gives an identity or undefined", () => {
    for (const wrong of spoiled(goodIdentity)) {
      const identity = orRefused(() => readIdentity(parsed(wrong)));
      if (identity !== undefined) expect(typeof identity.name + typeof identity.online).toBe("stringboolean");
    }
  });
});

describe("what any client may have kept", () => {
  test("texts of 5000 characters, and times of a day", () => {
    const read = (topic: ReadTopic, data: unknown): object => readMessage(topic, messageOf(data)).data;
    const long = "x".repeat(5001);
    expect(read("infos", { ...goodData.infos, friendlyName: long })).not.toHaveProperty("friendlyName");
    expect(read("pgn", { pgn: 126_998, installationDescription1: long, more: long })).toEqual({ pgn: 126_998 });
    const timeOf = (time: string): unknown => read("navigation", { date: { ...goodData.navigation.date, time } });
    for (const time of ["00:00:00", "23:59:59", "23:59:60"]) expect(timeOf(time)).toHaveProperty("date.time", time);
    for (const time of ["99:99:99", "24:00:00", "12:60:00", "12:00:60", "12:00:00Z"])
      expect(timeOf(time)).not.toHaveProperty("date.time");
  });

  test("the entries of a map that were set last", () => {
    const map = new BoundedMap<number, string>(3);
    for (const key of [1, 2, 3, 1, 4, 5]) map.set(key, `value ${key}`);
    expect([...map]).toEqual([1, 4, 5].map((key) => [key, `value ${key}`]));
    map.delete(4);
    map.set(6, "").set(5, "again");
    expect([...map.keys()]).toEqual([1, 6, 5]);
    expect(map.get(5)).toBe("again");
  });
});

/** The topics of a boat of a fleet, each message of its own boat. */
function* hullMessages(): Generator<readonly [hull: number, topic: string, text: string]> {
  let hull = 0;
  for (const [topic, name] of [
    ["can/can0/navigation", "navigation"],
    ["can/can0/health", "health"],
    ["app/config/fetch", "configFetch"],
  ] as const)
    for (const wrong of spoiled(messageOf(goodData[name]))) yield [hull++, topic, jsonOf(wrong)];
  for (const wrong of spoiled(goodIdentity)) yield [hull++, "app/can-can0/info", jsonOf(wrong)];
  for (const wrong of ["", "x", "{", "1e999", "null", "-1"]) yield [hull++, "broker/publish/messages/dropped", wrong];
}

test("a fleet reads what fits of its boats, and tells the state and the faults of each", () => {
  const hulls = new Hulls("can/can0");
  for (const [hull, topic, text] of hullMessages())
    for (const isRetained of [true, false]) hulls.hear(`boats/hull-${hull}/${topic}`, text, isRetained, Date.now());
  expect(hulls.all().length).toBeGreaterThan(100);
  for (const hull of hulls.all()) {
    expect(hull.seen).toBeLessThanOrEqual(Date.now());
    expect(["online", "late", "silent"]).toContain(stateOf(hull, Date.now()));
    for (const fault of faultsOf(hull, Date.now()))
      expect(JSON.stringify(fault)).not.toMatch(/NaN|undefined|Infinity|object/);
  }
});

/** Addresses of pages that show one value. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  value: ["value/depth", "value/heel"],
  trend: ["trend/battery/2/0/voltageV"],
};
const pages = allPages
  .flatMap(({ name }) => valuesOf[name] ?? [name])
  .filter((_, index) => index % atNight(6, 1) === 0);

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
      ...topics
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

  test("alarms without what is watched are shown, without a NaN, and the clock is a time", {}, async () => {
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

  test("a page that fails says so, the others and the alarm bar go on, and it comes back", {}, async () => {
    const { page, complaints } = await boat.open("sail");
    await publish("can/can0/alarms", jsonOf(messageOf(goodData.alarms)), true);
    await page.locator("[data-id=alarm-bar]").waitFor();
    await page.evaluate(
      "Array.prototype.kept = Array.prototype.toSorted; Array.prototype.toSorted = () => { throw new Error('planted'); }",
    );
    await page.evaluate('location.hash = "#/ships"');
    await page.locator("[data-id=failed]", { hasText: "The page Ships cannot be shown: planted" }).waitFor();
    expect(await page.locator("[data-id=alarm-bar]").textContent()).toContain("Man overboard");
    await page.evaluate('location.hash = "#/settings"');
    await page.locator("main fieldset").first().waitFor();
    expect(await page.locator("[data-id=failed]").count()).toBe(0);
    await page.evaluate('location.hash = "#/ships"');
    await page.locator("[data-id=failed]").waitFor();
    await page.evaluate("Array.prototype.toSorted = Array.prototype.kept");
    await page.locator("[data-id=ais-state]").waitFor();
    expect(complaints.every((each) => each.includes("planted"))).toBe(true);
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

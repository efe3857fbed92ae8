/** Messages that do not fit their topic: the display reads the parts that fit. What its pages make of them is tried at night. */
import { describe, expect, test } from "vitest";
import { quoteNames } from "../../../src/core/text/quote-names.ts";
import { type ReadTopic, readIdentity, readMessage } from "../../../src/core/topics/read-message.ts";
import { BoundedMap } from "../../../src/web/display/data/bounded-map.ts";
import { faultsOf, Hulls, stateOf } from "../../../src/web/display/fleet/hulls.ts";
import { goodData, goodIdentity, goodPgns, hullMessages, jsonOf, messageOf, spoiled } from "./malformed.ts";

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

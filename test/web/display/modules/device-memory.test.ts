/** The devices that a screen remembers, without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { deviceRows, forgetDevice, silenceOf, silentText } from "../../../../src/web/display/data/device-memory.ts";
import { changeSettings } from "../../../../src/web/display/data/settings.ts";
import { store } from "../../../../src/web/display/data/store.ts";
import { informationOf } from "../published-boats.ts";
import { PREFIX, publish, send, usePageMemory } from "./page-memory.ts";

const below = topicsBelow(PREFIX);
const kept = new Map<string, string>();
const KEY = "hub-display-devices";

usePageMemory();

beforeEach(() => {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  });
  vi.setSystemTime(new Date("2026-11-28T10:00:00Z"));
  publish(below.navigation(), {});
});
afterEach(() => {
  kept.clear();
  reload();
});

/** The page forgets the boat that it has shown, and begins with what is kept. */
function reload(): void {
  const { devices } = store;
  store.devices = undefined;
  changeSettings({ prefix: "can/other" });
  deviceRows(performance.now());
  changeSettings({ prefix: PREFIX });
  store.devices = devices;
}

interface Listed {
  readonly addr: number;
  readonly of?: number;
  readonly name?: string;
  readonly others?: readonly string[];
}

/** The list of hub-cand; `of` is the address whose NAME a device has, if not its own. */
function list(...devices: readonly (number | Listed)[]): void {
  const all = devices.map((each): Listed => (typeof each === "number" ? { addr: each } : each));
  const rows = all.map(({ addr, of = addr, others, name }) => {
    const information = informationOf(of, "");
    return { ...information, addr, name: name ?? information.name, ...(others && { otherNames: others }) };
  });
  for (const row of rows) if (row.name !== "0") publishBig(below.infos({ addr: row.addr }), row);
  publishBig(below.devices(), { count: rows.length, peers: rows.map(({ addr, name }) => ({ addr, name })) });
}

/** NAMEs are numbers of 64 bits in these messages. */
function publishBig(topic: string, data: object): void {
  const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 60 };
  send(topic, JSON.stringify({ data, metadata }).replace(/"name":"(\d+)"/g, '"name":$1'));
}

const shown = (): readonly string[] =>
  deviceRows(performance.now()).map(({ addr, silent }) =>
    silent === undefined ? `${addr}` : `${addr} ${silent.label}: ${silentText(silent, performance.now())}`,
  );

/** Time in which the page hears lists of these devices, one a half minute. */
function listFor(minutes: number, ...devices: readonly (number | Listed)[]): void {
  for (let half = 0; half < 2 * minutes; half++) {
    vi.advanceTimersByTime(30_000);
    list(...devices);
    deviceRows(performance.now());
  }
}

/** A device of which hub-cand hears nothing stays on its list for three minutes. */
const listWithout = (minutes: number, device: number, ...others: readonly number[]): void => {
  listFor(3, device, ...others);
  listFor(minutes - 3, ...others);
};

test("a device that falls silent keeps its row, with the time of its last message, also after a reload", () => {
  listFor(5, 20, 24, 35);
  expect(shown()).toEqual(["20", "24", "35"]);
  listWithout(60, 24, 20, 35);
  const rows = ["20", "24 Model 24: silent since 10:05:00 UTC, 60 min", "35"];
  expect(shown()).toEqual(rows);
  reload();
  expect(shown()).toEqual(rows);
  vi.advanceTimersByTime(24 * 3_600_000);
  list(20, 35);
  expect(shown()[1]).toBe("24 Model 24: silent since 2026-11-28 10:05:00 UTC, 25 h");
  listFor(1, 20, 24, 35);
  expect(shown()).toEqual(["20", "24", "35"]);
});

test("a screen that was off says what it knows: its own last time, and the list that it found", () => {
  listFor(5, 20, 24);
  vi.advanceTimersByTime(3 * 3_600_000);
  list(20);
  expect(shown()[1]).toBe("24 Model 24: last heard by this screen 10:02:00 UTC, silent since 13:02:00 UTC or before");
});

test("the report of the traffic tells the last message to the second, also of a listed device", () => {
  const device = { loadPercent: 1, packets: 9, incomplete: 0, pgns: [] };
  listFor(2, 20, 24);
  list(20, 24);
  publish(below.traffic(), { loadPercent: 1, devices: [{ ...device, addr: 24, silentSec: 44 }] });
  vi.advanceTimersByTime(6000);
  expect(silenceOf(24, performance.now())).toBeCloseTo(50, 1);
  expect(silenceOf(20, performance.now())).toBeUndefined();
  expect(shown()).toEqual(["20", "24"]);
  // The page is left: the list alone knows less.
  store.traffic = undefined;
  listFor(1, 20, 24);
  listFor(3, 20);
  expect(shown()[1]).toMatch(/^24 Model 24: silent since 10:01:16 UTC/);
});

test("a device that has moved to another address, has another NAME of its own, or is not named yet is not silent", () => {
  listFor(1, 20, 24);
  listFor(1, 20, { addr: 30, of: 24 });
  expect(shown()).toEqual(["20", "30"]);
  listFor(1, 20, { addr: 30, name: "77", others: [informationOf(24, "").name] });
  expect(shown()).toEqual(["20", "30"]);
  listFor(1, { addr: 20, name: "0" }, { addr: 30, name: "0" });
  expect(shown()).toEqual(["20", "30"]);
  // Another device at the address of a silent one.
  listFor(4, { addr: 20, of: 50 });
  expect(shown()).toHaveLength(3);
  expect(shown().filter((row) => row.includes("silent"))).toHaveLength(2);
});

test("two silent devices of one model are two rows, and one that is forgotten stays so until it is heard", () => {
  listFor(1, 20, 24, 25);
  listFor(4, 20);
  expect(shown()).toHaveLength(3);
  forgetDevice(informationOf(24, "").name);
  expect(shown().map((row) => row.slice(0, 2))).toEqual(["20", "25"]);
  reload();
  expect(shown().map((row) => row.slice(0, 2))).toEqual(["20", "25"]);
  listFor(1, 20, 24);
  listFor(4, 20);
  expect(shown()).toHaveLength(3);
});

test("without a list nothing is silent, and another boat has other devices", () => {
  listFor(1, 20, 24);
  listFor(1, 20);
  expect(shown()).toHaveLength(2);
  store.devices = undefined;
  expect(shown()).toEqual([]);
  list(20);
  changeSettings({ prefix: "can/other" });
  expect(shown()).toEqual(["20"]);
});

test("as many devices are kept as a network has addresses; those heard longest ago go first", () => {
  for (let first = 0; first < 1000; first += 100)
    listFor(0.5, ...Array.from({ length: 100 }, (_, at) => ({ addr: at, name: String(1000 + first + at) })));
  const { devices } = JSON.parse(kept.get(KEY)!) as { readonly devices: readonly { readonly name: string }[] };
  expect(devices).toHaveLength(252);
  expect(devices.map(({ name }) => Number(name)).sort((a, b) => a - b)[0]).toBe(2000 - 252);
});

test("what is broken in the storage is left out", () => {
  const text = (devices: unknown): string => JSON.stringify({ boat: PREFIX, devices });
  const device = { name: "1", addr: 1, label: "Log", about: "", heard: 5 };
  list(20);
  for (const broken of [
    "{",
    "null",
    "[]",
    text(null),
    text([null, 5, { ...device, heard: "5" }, { ...device, name: 1 }]),
  ]) {
    kept.set(KEY, broken);
    reload();
    expect(shown()).toEqual(["20"]);
  }
  kept.set(KEY, text([device]));
  reload();
  expect(shown()[0]).toMatch(/^1 Log: last heard by this screen 1970-01-01/);
});

/** The memory of a page, without a browser: data of the shown boat, and of devices that exist. */
import { describe, expect, test, vi } from "vitest";
import { topics, topicsBelow } from "../../../../src/core/topics/topics.ts";
import { candidatesOf } from "../../../../src/web/display/boat/sources.ts";
import { isExpired } from "../../../../src/web/display/data/freshness.ts";
import { restorePlaces, savePlaces } from "../../../../src/web/display/data/place-memory.ts";
import {
  boatClock,
  clearStore,
  devicesThatSend,
  hear,
  isDead,
  isFilling,
  lastHeard,
  lastMade,
  messagesOfPgn,
  nameAt,
  noteSubscriptions,
  ownTrack,
  reportLife,
  store,
  trafficShares,
} from "../../../../src/web/display/data/store.ts";
import { informationOf } from "../published-boats.ts";
import { PREFIX, publish, send, usePageMemory } from "./page-memory.ts";

const below = topicsBelow(PREFIX);
const DEPTH = 128267;

usePageMemory();

const device = (addr: number, friendlyName: string): void =>
  publish(below.infos({ addr }), informationOf(addr, friendlyName));

const depth = (addr: number, depthM: number): void => publish(below.pgn({ addr, pgn: DEPTH }), { pgn: DEPTH, depthM });

test("a device that has left is known no more", () => {
  device(20, "Sounder");
  device(21, "Log");
  expect([nameAt(20), nameAt(21)]).toEqual(["Sounder", "Log"]);
  send(below.infos({ addr: 20 }), "");
  expect([nameAt(20), nameAt(21)]).toEqual(["device 20", "Log"]);
  expect([...store.infos.keys()]).toEqual([21]);
});

test("nothing of a boat is known when another prefix has been chosen", () => {
  device(20, "Sounder");
  depth(20, 5);
  publish(below.ais(), { targets: [], metadata: {} });
  vi.setSystemTime(Date.now() - 3_600_000);
  publish(below.navigation(), { position: { hasFix: true, latitude: 52, longitude: 4 } });
  expect(ownTrack.points).toHaveLength(1);
  expect(Number.isFinite(lastHeard())).toBe(true);
  expect(boatClock(performance.now())).toBe(Date.now());
  vi.setSystemTime(Date.now() + 3_600_000);
  clearStore();
  expect(ownTrack.points).toEqual([]);
  expect([lastHeard(), lastMade(), reportLife()]).toEqual([-Infinity, -Infinity, 0]);
  expect(boatClock(performance.now())).toBe(Date.now());
  expect(nameAt(20)).toBe("device 20");
  expect(devicesThatSend([DEPTH])).toEqual([]);
  expect([store.infos.size, store.messages.size]).toEqual([0, 0]);
});

test("a value that was struck out stays so over a visit to another page; a live one has the time to be sent again", () => {
  depth(20, 5);
  vi.advanceTimersByTime(61_000);
  depth(21, 6);
  const isLive = () => [...store.messages.values()].map(({ stamp }) => !isExpired(stamp, performance.now()));
  expect(isLive()).toEqual([false, true]);
  const asked = [topics.pgn.filter({ prefix: PREFIX, pgn: DEPTH })];
  noteSubscriptions([], PREFIX);
  vi.advanceTimersByTime(59_000);
  noteSubscriptions(asked, PREFIX);
  vi.advanceTimersByTime(30_000);
  expect(isLive()).toEqual([false, true]);
});

test("a report of the traffic that the broker repeats is no further share of ten minutes", () => {
  const traffic = (loadPercent: number, retained: boolean): void => {
    const device = { addr: 20, loadPercent, packets: 1, incomplete: 0, silentSec: 0, pgns: [] };
    const data = { loadPercent: 5, devices: [device] };
    const payload = Buffer.from(
      JSON.stringify({ data, metadata: { rxDate: new Date().toISOString(), expireAfterSec: 60 } }),
    );
    hear(PREFIX, { topic: below.traffic(), payload, retained });
  };
  traffic(3, true);
  traffic(4, false);
  traffic(4, true);
  expect(trafficShares(20)).toEqual([3, 4]);
});

test("among the sources of a quantity a device has its latest value, whichever of its messages has it", () => {
  device(20, "Sounder");
  const temperature = (instance: number, actualTempC: number): void => {
    vi.advanceTimersByTime(10_000);
    publish(below.pgn({ addr: 20, pgn: 130312 }), { pgn: 130312, instance, source: "Sea Temperature", actualTempC });
  };
  const shown = () => candidatesOf("environment", performance.now()).map(({ text }) => text);
  temperature(0, 3);
  temperature(1, 4);
  expect(shown()).toEqual(["4.0\u202f°C"]);
  temperature(0, 5);
  expect(shown()).toEqual(["5.0\u202f°C"]);
});

describe("the panels of a page that is opened", () => {
  const TANK = 127505;
  const filters = [topics.pgn.filter({ prefix: PREFIX, pgn: TANK })];
  const tank = (instance: number, levelPercent: number, topic = below.pgn({ addr: 24, pgn: TANK })): void =>
    publish(topic, { pgn: TANK, instance, fluidType: "Water", levelPercent });
  const rows = () => messagesOfPgn(TANK).map(({ data }) => data.levelPercent);

  test("keep the places of messages that are too old to be shown until others have had the time to come", () => {
    noteSubscriptions(filters, PREFIX);
    tank(0, 50);
    noteSubscriptions([], PREFIX);
    vi.advanceTimersByTime(3_600_000);
    expect(rows()).toEqual([]);
    noteSubscriptions(filters, PREFIX);
    expect([rows(), isFilling(performance.now())]).toEqual([[50], true]);
    expect(isDead(messagesOfPgn(TANK)[0]!, performance.now())).toBe(true);
    vi.advanceTimersByTime(4000);
    expect([rows(), isFilling(performance.now())]).toEqual([[], false]);
  });

  test("keep them when the page is loaded again, for the same boat", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    });
    tank(0, 50);
    depth(20, 5);
    savePlaces(performance.now(), PREFIX);
    for (const [prefix, places] of [["can/other", []] as const, [PREFIX, [50]] as const]) {
      clearStore();
      restorePlaces(performance.now(), prefix);
      noteSubscriptions([], prefix);
      noteSubscriptions(filters, prefix);
      expect(rows()).toEqual(places);
    }
    expect([messagesOfPgn(DEPTH), isDead(messagesOfPgn(TANK)[0]!, performance.now())]).toEqual([[], true]);
  });

  test("show what a lane keeps, but not in place of what was heard after it", () => {
    const lane = (levelPercent: number, secondsAgo: number): void => {
      const topic = below.everyPgnInstance({ seconds: 10, addr: 24, pgn: TANK, instance: "0-Water" });
      const rxDate = new Date(Date.now() - 1000 * secondsAgo).toISOString();
      const data = { pgn: TANK, instance: 0, fluidType: "Water", levelPercent };
      const payload = Buffer.from(JSON.stringify({ data, metadata: { rxDate, expireAfterSec: 60 } }));
      hear(PREFIX, { topic, payload, retained: true });
    };
    lane(50, 8);
    expect(rows()).toEqual([50]);
    lane(49, 20);
    expect(rows()).toEqual([50]);
    tank(0, 51);
    lane(50, 8);
    expect(rows()).toEqual([51]);
  });
});

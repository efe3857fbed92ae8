/** The memory of a page, without a browser: data of the shown boat, and of devices that exist. */
import { describe, expect, test, vi } from "vitest";
import { topics, topicsBelow } from "../../../../src/core/topics/topics.ts";
import { candidatesOf } from "../../../../src/web/display/boat/sources.ts";
import { lostText } from "../../../../src/web/display/data/device-memory.ts";
import { isCounted, isDead, messagesOfPgn } from "../../../../src/web/display/data/device-messages.ts";
import { nameAt } from "../../../../src/web/display/data/device-names.ts";
import { ageOf, isExpired } from "../../../../src/web/display/data/freshness.ts";
import { restorePlaces, savePlaces } from "../../../../src/web/display/data/place-memory.ts";
import {
  clearStore,
  isFilling,
  noteBrokerAnswer,
  noteConnection,
  noteSubscriptions,
  store,
  trafficShares,
} from "../../../../src/web/display/data/store.ts";
import { informationOf } from "../published-boats.ts";
import { messageText, PREFIX, publish, send, stubStorage, usePageMemory } from "./page-memory.ts";

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
  expect([nameAt(20), nameAt(21)]).toEqual(["unnamed device", "Log"]);
  expect([...store.infos.keys()]).toEqual([21]);
  // hub-cand remembers those that have fallen silent.
  const missing = { name: "7", addr: 20, label: "Sounder", about: [], silentSince: new Date().toISOString() };
  publish(below.knownDevices(), { devices: [missing] });
  expect(nameAt(20)).toBe("Sounder");
});

describe("a value of an earlier visit to the page", () => {
  const asked = [topics.pgn.filter({ prefix: PREFIX, pgn: DEPTH })];
  const isLive = () => [...store.messages.values()].map(({ stamp }) => !isExpired(stamp, performance.now()));
  const age = () => Math.round(ageOf([...store.messages.values()][0]!.stamp, performance.now()));

  test("is not lost before its sender has had the time to send again, also if a message came late; its age is told", () => {
    noteSubscriptions(asked, PREFIX);
    depth(20, 5);
    noteSubscriptions([], PREFIX);
    // The broker had sent it already.
    depth(20, 5);
    vi.advanceTimersByTime(200_000);
    noteSubscriptions(["other"], PREFIX);
    vi.advanceTimersByTime(100_000);
    noteSubscriptions(asked, PREFIX);
    vi.advanceTimersByTime(2000);
    expect([isLive(), age()]).toEqual([[true], 302]);
    vi.advanceTimersByTime(60_000);
    expect(isLive()).toEqual([false]);
  });

  test("is computed with no longer than the page fills, if it is not heard again", () => {
    noteSubscriptions(asked, PREFIX);
    depth(20, 5);
    noteSubscriptions([], PREFIX);
    vi.advanceTimersByTime(420_000);
    noteSubscriptions(asked, PREFIX);
    const counted = () => messagesOfPgn(DEPTH).map((message) => isCounted(message, performance.now()));
    expect([isLive(), counted()]).toEqual([[true], [true]]);
    vi.advanceTimersByTime(5000);
    expect([isLive(), counted()]).toEqual([[true], [false]]);
    depth(20, 6);
    expect(counted()).toEqual([true]);
  });

  test("stays lost if hub-cand does not list its device any more", () => {
    noteSubscriptions(asked, PREFIX);
    depth(20, 5);
    vi.advanceTimersByTime(61_000);
    noteSubscriptions([], PREFIX);
    publish(below.devices(), { count: 0, peers: [] });
    noteSubscriptions(asked, PREFIX);
    expect(isLive()).toEqual([false]);
  });

  test("was heard last when hub-cand heard its device last, if that was before the page was opened again", () => {
    noteSubscriptions(asked, PREFIX);
    depth(20, 5);
    noteSubscriptions([], PREFIX);
    vi.advanceTimersByTime(300_000);
    noteSubscriptions(asked, PREFIX);
    const lost = () => lostText(messagesOfPgn(DEPTH)[0]!, performance.now());
    const silent = (silentSec: number): void => {
      const device = { addr: 20, loadPercent: 1, packets: 1, incomplete: 0, silentSec, pgns: [] };
      publish(below.traffic(), { loadPercent: 5, devices: [device] });
    };
    silent(90);
    expect(lost()).toBe("lost 90\u202fs ago");
    vi.advanceTimersByTime(10_000);
    expect(lost()).toBe("lost 2\u202fmin ago");
    // The device is heard, its depth is not: since when nobody knows.
    silent(1);
    expect(lost()).toBe("value of 5\u202fmin ago");
  });
});

test("what a device has sent from an address is forgotten once it is known at another one", () => {
  const senders = () => messagesOfPgn(DEPTH).map(({ address }) => address);
  const moved = (addr: number, from: number): void =>
    publish(below.infos({ addr }), { ...informationOf(from, "Sounder"), addr });
  device(20, "Sounder");
  device(21, "Other");
  depth(21, 6);
  depth(20, 5);
  expect(senders()).toEqual([20, 21]);
  // The broker may still have what was said of the old address.
  moved(30, 20);
  expect([senders(), [...store.infos.keys()].toSorted()]).toEqual([[21], [21, 30]]);
  depth(30, 5);
  // The two swap their addresses.
  moved(21, 20);
  moved(30, 21);
  expect(senders()).toEqual([]);
  depth(21, 5);
  // One that has left the bus is missed.
  send(below.infos({ addr: 21 }), "");
  expect(senders()).toEqual([21]);
});

test("a report of the traffic that the broker repeats is no further share of ten minutes", () => {
  const traffic = (loadPercent: number, retained: boolean): void => {
    const device = { addr: 20, loadPercent, packets: 1, incomplete: 0, silentSec: 0, pgns: [] };
    send(below.traffic(), messageText({ loadPercent: 5, devices: [device] }), retained);
  };
  traffic(3, true);
  traffic(4, false);
  traffic(4, true);
  expect(trafficShares(20)).toEqual([3, 4]);
});

describe("the age of a report while the boat's clock is set back", () => {
  const report = (): string => messageText({ alarms: [], watching: {} });
  const age = () => Math.round(ageOf(store.alarms!.stamp, performance.now()));
  /** The broker has answered, and a report of the navigation comes. */
  const confirm = (): void => {
    noteBrokerAnswer(performance.now());
    publish(below.navigation(), {});
  };

  test("is that since it was heard, if the broker repeats it", () => {
    confirm();
    const text = report();
    send(below.alarms(), text);
    vi.setSystemTime(Date.now() - 3_600_000);
    publish(below.navigation(), {});
    vi.advanceTimersByTime(40_000);
    noteConnection();
    send(below.alarms(), text, true);
    expect(age()).toBe(40);
    confirm();
    expect(age()).toBe(40);
  });

  test("is that since it was made, if the clock was set without a connection", () => {
    confirm();
    vi.advanceTimersByTime(100_000);
    vi.setSystemTime(Date.now() - 90_000);
    noteConnection();
    publish(below.navigation(), {});
    send(below.alarms(), report());
    // As much may be the way of a report to the broker.
    expect(age()).toBeLessThanOrEqual(1);
  });
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
    stubStorage();
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
      send(topic, messageText({ pgn: TANK, instance: 0, fluidType: "Water", levelPercent }, rxDate), true);
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

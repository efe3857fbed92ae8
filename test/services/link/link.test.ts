import { expect, test } from "vitest";
import { Link } from "../../../src/services/link/link.ts";
import type { Heard, Outlet } from "../../../src/services/link/outlet.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryLog } from "../../support/memory/log.ts";

const outlet = (topics: Outlet["topics"], pgns: Outlet["pgns"]) => {
  const heard: (Heard | "forget")[] = [];
  return {
    topics,
    pgns,
    heard,
    hear: (message: Heard) => heard.push(message),
    forget: () => heard.push("forget"),
    close() {},
  };
};

function open(...outlets: Outlet[]) {
  const clock = memoryClock({ monotonic: 1000 });
  const log = memoryLog();
  const link = new Link({ prefix: "can/can0", outlets, clock, log });
  const hear = (topic: string, text: string, isRetained = false): void =>
    link.hear(topic, new TextEncoder().encode(text), isRetained);
  return { link, clock, log, hear };
}

test("the filters are those of what the outlets read, each once, and the identity of hub-cand", () => {
  const { link } = open(outlet(["navigation", "infos"], [130306]), outlet(["navigation", "ais"], "all"));
  expect(link.filters).toEqual([
    ...["app/can-can0/info", "can/can0/navigation", "can/can0/device/+/infos", "can/can0/device/+/pgn/130306"],
    ...["can/can0/ais", "can/can0/device/+/pgn/+"],
  ]);
});

test.each(["navigation", "alarms"] as const)(
  "a report that is subscribed to is expected within a minute: %s",
  (name) => {
    const { link } = open(outlet([name], []));
    expect(link.expected).toEqual({ topic: `can/can0/${name}`, withinMs: 60_000 });
    expect(link.filters).toContain(link.expected.topic);
  },
);

const metadata = { rxDate: "2026-11-24T00:00:00.000Z", expireAfterSec: 2 };
const textOf = (data: unknown): string => JSON.stringify({ data, metadata });

test("a message comes with the parts of its topic and the time of its arrival", () => {
  const one = outlet(["navigation"], "all");
  const { hear, clock } = open(one);
  hear("can/can0/navigation", textOf({}));
  clock.advance(5);
  hear("can/can0/devices", textOf({ count: 0, peers: [] }), true);
  hear("can/can0/device/251/pgn/130306", textOf({ windAngle: 20 }));
  expect(one.heard).toEqual([
    { topic: "navigation", message: { data: {}, metadata }, receivedMs: 1000, isRetained: false },
    { topic: "devices", message: { data: { count: 0, peers: [] }, metadata }, receivedMs: 1005, isRetained: true },
    {
      ...{ topic: "pgn", addr: 251, pgn: 130306, receivedMs: 1005, isRetained: false },
      message: { data: { pgn: 130306, windAngle: 20 }, metadata },
    },
  ]);
});

test("messages of no topic that is known, and removals of retained ones, are not heard", () => {
  const one = outlet(["navigation"], "all");
  const { hear, link } = open(one);
  for (const topic of ["can/can0", "can/can01/navigation", "can/can0/device/x/infos", "can/can0/device/1/pgn/1/2", "x"])
    hear(topic, "{}");
  hear("can/can0/navigation", "");
  expect(one.heard).toEqual([]);
  expect(link.skipped).toEqual({ tooLong: 0, notJson: 0, notOfTopic: 0 });
});

test.each(["", "1", "[]", "null", '"{}"', "{", '{"data":', "\u0000"].filter((text) => text !== ""))(
  "%j is skipped and counted",
  (text) => {
    const one = outlet(["navigation"], []);
    const { hear, link, log } = open(one);
    hear("can/can0/navigation", text);
    expect(one.heard).toEqual([]);
    expect(link.skipped).toEqual({ tooLong: 0, notJson: 1, notOfTopic: 0 });
    expect(log.lines).toMatchObject([{ level: "warn", fields: { code: "MESSAGES_SKIPPED", notJson: 1 } }]);
  },
);

test("a message is read up to the limit of its length", () => {
  const one = outlet(["navigation"], []);
  const { hear, link } = open(one);
  hear("can/can0/navigation", textOf({}));
  link.hear("can/can0/navigation", undefined, false);
  expect(one.heard).toHaveLength(1);
  expect(link.skipped).toEqual({ tooLong: 1, notJson: 0, notOfTopic: 0 });
});

test.each([
  {},
  { data: {} },
  { data: 1, metadata },
  { data: {}, metadata: { rxDate: "soon" } },
  { data: null, metadata },
])("%j is no message of its topic: skipped and counted", (value) => {
  const one = outlet(["navigation"], []);
  const { hear, link } = open(one);
  hear("can/can0/navigation", JSON.stringify(value));
  expect(one.heard).toEqual([]);
  expect(link.skipped).toEqual({ tooLong: 0, notJson: 0, notOfTopic: 1 });
});

test("outlets forget each time that hub-cand is offline, and not when it is online", () => {
  const one = outlet(["navigation"], []);
  const { hear } = open(one);
  for (const heard of [["forget"], ["forget", "forget"]]) {
    hear("app/can-can0/info", '{"online":true}', true);
    expect(one.heard).toEqual(heard.slice(1));
    hear("app/can-can0/info", '{"online":false}');
    expect(one.heard).toEqual(heard);
  }
});

test("a retained message of a hub-cand that is offline is its last one, until it is online again", () => {
  const one = outlet(["alarms"], []);
  const { hear } = open(one);
  const isLast = (identity: string, isRetained: boolean): boolean => {
    hear("app/can-can0/info", identity, true);
    hear("can/can0/alarms", textOf({ alarms: [], watching: {} }), isRetained);
    return (one.heard.at(-1) as Heard).isLast === true;
  };
  expect(isLast('{"online":false}', true)).toBe(true);
  expect(isLast('{"online":false}', false)).toBe(false);
  expect(isLast('{"online":true}', true)).toBe(false);
});

test("topics that no bus has are bounded, and those beyond are heard all the same", () => {
  const one = outlet([], "all");
  const { link, hear } = open(one);
  for (let pgn = 126_720; pgn < 126_820; pgn++)
    for (let address = 0; address < 252; address++) hear(`can/can0/device/${address}/pgn/${pgn}`, textOf({}));
  expect(one.heard).toHaveLength(25_200);
  expect(link.kept).toBe(20_000);
});

test("an outlet that fails costs its own work alone", () => {
  const broken = outlet(["navigation"], "all");
  const fails = (): never => {
    throw new Error("planted");
  };
  const sound = outlet(["navigation"], "all");
  const { hear, log } = open({ ...broken, hear: fails, forget: fails, courseChanged: fails }, sound);
  hear("can/can0/navigation", textOf({}));
  hear("app/can-can0/info", JSON.stringify({ online: false }));
  hear("can/can0/navigation", textOf({}));
  expect(sound.heard).toMatchObject([{ topic: "navigation" }, "forget", { topic: "navigation" }]);
  expect(log.lines.map(({ fields }) => [fields.code, fields.faults])).toEqual([
    ["OUTLET_FAILED", 1],
    ["OUTLET_FAILED", 2],
    ["OUTLET_FAILED", 3],
  ]);
});

test("the course is of one plotter: the one of the lowest address that sends a waypoint, in all messages", () => {
  const one = outlet([], "all");
  const { hear, clock } = open({ ...one, courseChanged: () => one.heard.push("forget") });
  let data: object = { xte: 1, distanceToWaypoint: 1, waypoints: [{}] };
  const say = (address: number, ...pgns: readonly number[]): void => {
    for (const pgn of pgns) hear(`can/can0/device/${address}/pgn/${pgn}`, textOf(data));
  };
  const heard = (): readonly unknown[] =>
    one.heard.splice(0).map((each) => (each !== "forget" && each.topic === "pgn" ? [each.addr, each.pgn] : each));
  const other = "forget";
  say(60, 129283, 129285);
  say(61, 129284, 129285);
  expect(heard()).toEqual([[60, 129283], [60, 129285], [61, 129284], other, [61, 129285]]);
  // The leg of an autopilot, which has no waypoint of its own.
  say(60, 129283);
  expect(heard()).toEqual([[60, 129283]]);
  say(60, 129284);
  say(61, 129284, 129283, 129285);
  say(60, 129285, 127250);
  expect(heard()).toEqual([other, [60, 129284], other, [60, 129285], [60, 127250]]);
  clock.advance(4000);
  say(61, 129284, 129283);
  expect(heard()).toEqual([]);
  clock.advance(1001);
  say(61, 129284, 129283, 129285);
  expect(heard()).toEqual([other, [61, 129284], other, [61, 129283], other, [61, 129285]]);
  // Without a course a plotter sends them empty.
  data = { waypoints: [] };
  for (let second = 0; second < 3; second++) {
    clock.advance(1000);
    say(60, 129284);
    say(61, 129284);
  }
  expect(heard()).toEqual(Array(3).fill([61, 129284]));
  data = { distanceToWaypoint: 1 };
  say(60, 129284);
  expect(heard()).toEqual([other, [60, 129284]]);
});

test("a waypoint without a cross-track error has none of a plotter with a waypoint of its own", () => {
  const one = outlet([], "all");
  const { hear } = open(one);
  for (let second = 0; second < 3; second++) {
    hear("can/can0/device/6/pgn/129284", textOf({ distanceToWaypoint: 9 }));
    hear("can/can0/device/5/pgn/129284", textOf({ distanceToWaypoint: 1 }));
    hear("can/can0/device/6/pgn/129283", textOf({ xte: 1 }));
  }
  expect(one.heard).not.toContainEqual(expect.objectContaining({ pgn: 129283 }));
});

test("a plotter keeps the course at the rate at which its messages come", () => {
  const one = outlet([], "all");
  const { hear, clock } = open(one);
  const say = (address: number): void => {
    hear(`can/can0/device/${address}/pgn/129284`, textOf({ distanceToWaypoint: 1 }));
    clock.advance(6000);
  };
  for (let turn = 0; turn < 4; turn++) for (const address of [5, 6]) say(address);
  expect(one.heard.flatMap((each) => (each !== "forget" && each.topic === "pgn" ? each.addr : []))).toEqual([
    ...[5, 6, 5, 5, 5],
  ]);
});

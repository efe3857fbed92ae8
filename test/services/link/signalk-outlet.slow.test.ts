/** Messages to the clients of the stream, and their times. */
import { expect, test, vi } from "vitest";
import type { SharedText, StreamListener } from "../../../src/core/ports/text-stream.ts";
import { Session } from "../../../src/formats/signalk/session.ts";
import type { Heard } from "../../../src/services/link/outlet.ts";
import { SignalKOutlet } from "../../../src/services/link/signalk-outlet.ts";
import { textOf } from "../../formats/signalk/boats.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryLog } from "../../support/memory/log.ts";

const WORK_A_TURN = 20_000;

/** A turn of the loop takes `turnMs`. */
function setUp(turnMs = 0) {
  const clock = memoryClock();
  const log = memoryLog();
  const self = "urn:mrn:imo:mmsi:299000001";
  const outlet = new SignalKOutlet({
    self,
    prefix: "can/can0",
    version: "1",
    clock: { ...clock, after: (milliseconds, callback) => clock.after(Math.max(turnMs, milliseconds), callback) },
    log,
    hostname: () => "boat",
  });
  return {
    clock,
    log,
    outlet,
    /** Sends a report of a number of ships, each of which moves with each report. */
    ships: (count: number): void => {
      const lastSeen = new Date(clock.wall()).toISOString();
      const position = { latitude: clock.monotonic() / 1e6, longitude: 3 };
      const targets = Array.from({ length: count }, (_, index) => ({
        mmsi: 299_000_100 + index,
        class: "A",
        name: `SHIP ${index}`,
        position,
        sog: 5,
        cog: 90,
        lastSeen,
      }));
      const message = { data: { ownShip: {}, targets }, metadata: { rxDate: lastSeen, expireAfterSec: 60 } };
      outlet.hear({ topic: "ais", message, receivedMs: clock.monotonic(), isRetained: false } satisfies Heard);
    },
    /** Sends the voltage of a battery. */
    voltage: (voltageV: number, instance = 0): void =>
      outlet.hear({
        topic: "pgn",
        addr: 20,
        pgn: 127508,
        message: {
          data: { instance, voltageV },
          metadata: { rxDate: new Date(clock.wall()).toISOString(), expireAfterSec: 60 },
        },
        receivedMs: clock.monotonic(),
        isRetained: false,
      } satisfies Heard),
    /** Sends the headings, both of which change. */
    headings: (headingTrue: number): void =>
      outlet.hear({
        topic: "navigation",
        message: {
          data: {
            speed_course: { headingTrue, headingMagnetic: headingTrue + 2, source: { name: "0", pgn: 0, age: 0 } },
          },
          metadata: { rxDate: new Date(clock.wall()).toISOString(), expireAfterSec: 60 },
        },
        receivedMs: clock.monotonic(),
        isRetained: false,
      } satisfies Heard),
    /** Connects a client; returns what it is sent from now on, and its end of the conversation. */
    /** Without an address it is a program of this machine. */
    connect: (query = "", ...[address]: readonly (string | undefined)[]) => {
      const sent: string[] = [];
      const reasons: string[] = [];
      const client = {
        unreadBytes: 0,
        send: (text: string | SharedText) => void sent.push(textOf(text)),
        end: (reason: string) => void reasons.push(reason),
        pause: () => {},
        resume: () => {},
      };
      const request = { target: `/signalk/v1/stream${query}`, port: 3000, address, header: () => undefined };
      const listener = outlet.open(request, client) as StreamListener;
      // Current values are sent in the next turn of the loop.
      clock.advance(0);
      sent.length = 0;
      return { sent, listener, reasons };
    },
  };
}

const valuesOf = (texts: readonly string[]) =>
  texts.map((text) => JSON.parse(text).updates.flatMap(({ values }: { values: object[] }) => values));
const voltageOf = (battery: number, value: number) => ({ path: `electrical.batteries.${battery}.voltage`, value });

test.each([
  ["boat.local:3000", undefined, "open"],
  ["boat.local:3000", "http://boat.local:8080", "open"],
  ["boat.example.org", "https://boat.example.org", "open"],
  ["boat.local:3000", "https://evil.example", 403],
  ["boat.local:3000", "https://evil.example:8080", 403],
  ["boat.local:3000", "null", 403],
  ["evil.example:3000", undefined, 403],
  ["evil.example:3000", "http://evil.example:3000", 403],
])("the stream asked for at %s by a page of %s: %s", (host, origin, expected) => {
  const { outlet } = setUp();
  const client = { unreadBytes: 0, send: () => {}, end: () => {}, pause: () => {}, resume: () => {} };
  const headers: Readonly<Record<string, string | undefined>> = { host, origin };
  const request = { target: "/signalk/v1/stream", port: 3000, address: undefined };
  const opened = outlet.open({ ...request, header: (name) => headers[name] }, client);
  expect(typeof opened === "number" ? opened : "open").toBe(expected);
});

test("the last alarms and findings of a hub-cand that is offline are over", () => {
  const { outlet, clock, connect } = setUp();
  const { sent } = connect();
  const since = "2026-11-17T00:00:00.000Z";
  const alarm = { id: "depth", kind: "depth", title: "Shallow water", severity: "alarm", state: "active", since };
  const finding = { id: "silence-20", kind: "silence", title: "A device is silent", severity: "fault", since };
  const reports = {
    alarms: { alarms: [alarm], watching: {}, anchorWatch: { latitude: 52, longitude: 4, radius: 40 } },
    findings: { findings: [{ ...finding, measured: "", advice: "" }] },
  };
  const pathsOf = (isLast: boolean): string[] => {
    for (const [topic, data] of Object.entries(reports)) {
      const message = { data, metadata: { rxDate: since, expireAfterSec: 60 } };
      const heard = { topic, message, receivedMs: clock.monotonic(), isRetained: true, ...(isLast && { isLast }) };
      outlet.hear(heard as Heard);
    }
    clock.advance(50);
    return valuesOf(sent.splice(0)).flatMap((values) => values.map(({ path }: { path: string }) => path));
  };
  expect(pathsOf(true)).toEqual([]);
  expect(pathsOf(false)).toEqual([
    "notifications.environment.depth.belowTransducer",
    "navigation.anchor.position",
    "navigation.anchor.maxRadius",
    "notifications.findings.silence-20",
  ]);
});

test("changes of fifty milliseconds are one message, with the last value of each path", () => {
  const { clock, connect, voltage } = setUp();
  const { sent } = connect();
  voltage(12);
  voltage(24, 1);
  clock.advance(30);
  voltage(13);
  clock.advance(19);
  expect(sent).toEqual([]);
  clock.advance(1);
  expect(valuesOf(sent)).toEqual([[voltageOf(0, 13), voltageOf(1, 24)]]);
  clock.advance(200);
  expect(sent).toHaveLength(1);
});

test("true and magnetic heading are never in one message, and both come while both change in every one", () => {
  const { clock, connect, headings } = setUp();
  headings(90);
  const { sent } = connect("?sendCachedValues=false");
  for (let degrees = 91; degrees < 95; degrees++) {
    headings(degrees);
    clock.advance(50);
  }
  clock.advance(50);
  const paths = sent.map((text) =>
    JSON.parse(text).updates.map(({ values }: { values: { path: string }[] }) => values),
  );
  const [heading, magnetic] = ["navigation.headingTrue", "navigation.headingMagnetic"];
  expect(paths.map((updates) => updates.flat().map(({ path }: { path: string }) => path))).toEqual([
    [heading],
    [magnetic],
    [heading],
    [magnetic],
    [heading],
  ]);
});

test("a client that connects or subscribes gets a change once, and the other clients get it too", () => {
  const { clock, connect, voltage } = setUp();
  const first = connect();
  const second = connect("?subscribe=none");
  voltage(12);
  clock.advance(1);
  second.listener.receive('{"subscribe":[{"path":"electrical.*","policy":"instant","minPeriod":0}]}');
  const third = connect();
  clock.advance(49);
  expect(valuesOf(first.sent)).toEqual([[voltageOf(0, 12)]]);
  expect(valuesOf(second.sent)).toEqual([[voltageOf(0, 12)]]);
  expect(third.sent).toEqual([]);
  voltage(13);
  clock.advance(150);
  for (const { sent } of [first, second, third]) expect(valuesOf(sent).slice(-1)).toEqual([[voltageOf(0, 13)]]);
  expect([first, second, third].map(({ sent }) => sent.length)).toEqual([2, 2, 1]);
});

test("clients that get all changes of a context share one text", () => {
  const { clock, connect, voltage } = setUp();
  const all = [connect(), connect("?subscribe=all"), connect()].map(({ sent }) => sent);
  voltage(12);
  clock.advance(50);
  const [text, ...others] = all.map(([first]) => first);
  expect(others).toEqual([text, text]);
});

test("without clients no timer but that of the tree runs, and nothing is collected or kept", () => {
  const { clock, connect, outlet, voltage } = setUp();
  expect(clock.timers).toBe(1);
  voltage(12);
  const [one, other] = [connect("?sendCachedValues=false"), connect()];
  expect(clock.timers).toBe(2);
  clock.advance(50);
  expect(one.sent).toEqual([]);
  one.listener.closed();
  expect(clock.timers).toBe(2);
  voltage(12.5);
  other.listener.closed();
  expect(clock.timers).toBe(1);
  voltage(13);
  const later = connect("?sendCachedValues=false");
  clock.advance(50);
  expect(later.sent).toEqual([]);
  voltage(14);
  clock.advance(50);
  expect(valuesOf(later.sent)).toEqual([[voltageOf(0, 14)]]);
  later.listener.closed();
  outlet.close();
  expect(clock.timers).toBe(0);
});

/** The maximum of subscriptions of a client, each of which is compared with all values of all ships. */
const hostile = (round: number): string =>
  JSON.stringify({
    context: "*",
    unsubscribe: [{ path: "*" }],
    subscribe: Array.from({ length: 500 }, (_, index) => ({ path: `*${index}N${round}*` })),
  });

const TURN_MS = 5;

/** An attack after a while: a number of clients, each of which sends messages of the maximum size. */
function underAttack(attackers: number, addressOf: (index: number) => string | undefined) {
  const all = setUp(TURN_MS);
  const { clock, connect, ships, voltage } = all;
  ships(1000);
  voltage(12);
  const honest = connect("?subscribe=all", "192.0.2.1");
  clock.advance(1000);
  const hostiles = Array.from({ length: attackers }, (_, index) => connect("?subscribe=none", addressOf(index)));
  for (let round = 0; round < 30; round++) for (const { listener } of hostiles) listener.receive(hostile(round));
  clock.advance(500);
  honest.sent.length = 0;
  return { ...all, honest, hostiles };
}

const shipsIn = (texts: readonly string[]): number => new Set(texts.map((text) => JSON.parse(text).context)).size;

test.each([
  ["programs of this machine", () => undefined],
  ["clients of one host", () => "192.0.2.9"],
  ["clients of hosts of their own", (index: number) => `192.0.2.${100 + index}`],
])("while twenty %s attack, another client of all ships gets their changes in a dozen turns", (_, addressOf) => {
  const { clock, honest, ships, voltage } = underAttack(20, addressOf);
  ships(1000);
  voltage(13);
  // Changes are collected for fifty milliseconds.
  clock.advance(50 + 12 * TURN_MS);
  expect(shipsIn(honest.sent)).toBe(1001);
  expect(honest.reasons).toEqual([]);
});

test("while twenty programs attack, a turn of the loop is short, so that NMEA 0183, requests and signals come between", () => {
  const { clock, hostiles, ships } = underAttack(20, () => undefined);
  const work = vi.spyOn(Session.prototype, "work");
  const most: number[] = [];
  for (let turn = 0; turn < 200; turn++) {
    if (turn === 50) ships(1000);
    work.mockClear();
    clock.advance(TURN_MS);
    most.push(work.mock.results.reduce((sum, { value }) => sum + value, 0));
  }
  work.mockRestore();
  expect(hostiles.some(({ reasons }) => reasons.length === 0)).toBe(true);
  expect(Math.max(...most)).toBeGreaterThan(WORK_A_TURN);
  expect(Math.max(...most)).toBeLessThan(1.1 * WORK_A_TURN);
});

test("twenty clients of a host have the budget of one", () => {
  const { clock, hostiles } = underAttack(20, () => "192.0.2.9");
  clock.advance(10_000);
  // One client may remain: alone it is within the budget.
  expect(hostiles.filter(({ reasons }) => reasons.length === 0).length).toBeLessThanOrEqual(1);
});

const request = (address: string | undefined) =>
  ({ target: "/signalk/v1/stream", port: 3000, address, header: () => undefined }) as const;
const silent = { unreadBytes: 0, send: () => {}, end: () => {}, pause: () => {}, resume: () => {} };

test("a client that was closed finds no new budget when it connects again, a program of this machine does", () => {
  const { clock, connect, outlet, ships } = setUp(1);
  ships(1000);
  for (const address of ["192.0.2.9", undefined]) {
    const attacker = connect("?subscribe=none", address);
    while (attacker.reasons.length === 0) {
      attacker.listener.receive("[".repeat(60_000));
      clock.advance(1);
    }
    attacker.listener.closed();
    expect(outlet.open(request(address), silent)).toEqual(address === undefined ? expect.anything() : 429);
    expect(outlet.open(request("192.0.2.1"), silent)).toMatchObject({});
    clock.advance(60_000);
    expect(outlet.open(request(address), silent)).toMatchObject({});
  }
});

test("a client whose connection breaks again and again is let in each time, and to the tree", async () => {
  const boat = setUp();
  for (let count = 0; count < 150; count++) {
    const opened = boat.outlet.open(request("192.0.2.9"), silent);
    expect(opened, `connection ${count}`).toMatchObject({ closed: expect.any(Function) });
    (opened as StreamListener).closed();
    const asked = ask(boat, "192.0.2.9");
    await Promise.resolve();
    boat.clock.advance(1000);
    expect((await asked).status, `request ${count}`).toBe(200);
  }
});

test("of the requests of a host a hundred are answered at a time", async () => {
  const boat = setUp();
  const asked = Array.from({ length: 110 }, () => ask(boat, "192.0.2.9"));
  await Promise.resolve();
  boat.clock.advance(1000);
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test("a client of all of a thousand ships, all of which move every second, and one of 200 gauges stay", () => {
  const { clock, connect, ships, voltage } = setUp(1);
  const all = connect("?subscribe=all&sendMeta=all", "192.0.2.2");
  const some = connect("?subscribe=none", "192.0.2.3");
  const subscribe = Array.from({ length: 200 }, (_, index) => ({ path: `electrical.batteries.${index}.voltage` }));
  some.listener.receive(JSON.stringify({ subscribe }));
  for (let second = 0; second < 15; second++) {
    ships(1000);
    for (let battery = 0; battery < 200; battery++) voltage(12 + second, battery);
    clock.advance(1000);
  }
  expect([...all.reasons, ...some.reasons]).toEqual([]);
  expect(valuesOf(some.sent.slice(-1))[0]).toHaveLength(200);
});

test("the tree is made once for all requests of fifty milliseconds, and has what has changed after that", async () => {
  const { clock, outlet, ships, voltage } = setUp();
  ships(1000);
  const read = async (path = "") => {
    const asked = outlet.app.request(`/signalk/v1/api/${path}`);
    await Promise.resolve();
    clock.advance(0);
    const response = await asked;
    return response.json() as Promise<ReturnType<typeof JSON.parse>>;
  };
  const voltageIn = ({ vessels }: ReturnType<typeof JSON.parse>) =>
    vessels["urn:mrn:imo:mmsi:299000001"].electrical?.batteries[0].voltage.value;
  expect(Object.keys((await read()).vessels)).toHaveLength(1001);
  voltage(12);
  expect(voltageIn(await read())).toBeUndefined();
  expect((await read("vessels/self")).electrical.batteries[0].voltage.value).toBe(12);
  clock.advance(50);
  expect(voltageIn(await read())).toBe(12);
  ships(0);
  clock.advance(50);
  expect(Object.keys(await read("vessels"))).toHaveLength(1);
});

/** Asks for a part of the tree, for a host. */
const ask = async ({ outlet }: ReturnType<typeof setUp>, address: string | undefined, path = ""): Promise<Response> =>
  outlet.app.request(`/signalk/v1/api/${path}`, {}, { port: 3000, address });

test("the tree of a thousand ships is made in turns, and its requests do not delay others", async () => {
  const boat = setUp(TURN_MS);
  const { clock, connect, ships, voltage } = boat;
  const honest = connect("?subscribe=none", "192.0.2.1");
  let isMade = false;
  ships(1000);
  voltage(12);
  const asked = ask(boat, "192.0.2.9").then(() => {
    isMade = true;
  });
  for (let turn = 0; turn < 3; turn++) {
    await Promise.resolve();
    clock.advance(TURN_MS);
  }
  expect(isMade).toBe(false);
  honest.listener.receive('{"subscribe":[{"path":"electrical.batteries.0.voltage"}]}');
  const value = ask(boat, "192.0.2.1", "vessels/self/electrical/batteries/0/voltage");
  await Promise.resolve();
  clock.advance(2 * TURN_MS);
  expect(valuesOf(honest.sent)).toEqual([[voltageOf(0, 12)]]);
  expect(await (await value).json()).toMatchObject({ value: 12 });
  expect(isMade).toBe(false);
  clock.advance(1000);
  await asked;
});

test("requests are work of their host, and too many of them are refused; those of others are answered", async () => {
  const boat = setUp();
  const { clock, ships } = boat;
  ships(1000);
  const statusOf = async (address: string | undefined): Promise<number> => {
    const asked = ask(boat, address);
    await Promise.resolve();
    clock.advance(50);
    return (await asked).status;
  };
  const statuses: number[] = [];
  for (let count = 0; count < 100 && !statuses.includes(429); count++) {
    ships(1000);
    statuses.push(await statusOf("192.0.2.9"));
  }
  expect(statuses.at(0)).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  for (const other of ["192.0.2.1", undefined]) expect(await statusOf(other)).toBe(200);
  clock.advance(5000);
  expect(await statusOf("192.0.2.9")).toBe(200);
});

test("a client whose bytes are no messages is closed when they are too many", () => {
  const { connect } = setUp();
  const { listener, reasons } = connect("?subscribe=none");
  listener.came(600_000);
  expect(reasons).toEqual([]);
  listener.came(600_000);
  listener.came(600_000);
  expect(reasons).toEqual(["too much work: fewer subscriptions, patterns or messages"]);
});

test("what is left out of messages is told", () => {
  const { clock, log, ships } = setUp();
  ships(1200);
  clock.advance(1000);
  clock.advance(1000);
  expect(log.lines.map(({ fields }) => fields)).toEqual([{ code: "VALUES_LEFT_OUT", leftOut: 200 }]);
});

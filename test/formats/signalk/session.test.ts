/** Messages that a client of the stream gets, and their times. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SharedText } from "../../../src/core/ports/text-stream.ts";
import { Allowance } from "../../../src/formats/signalk/allowance.ts";
import { roundOf } from "../../../src/formats/signalk/backlog.ts";
import { Changes } from "../../../src/formats/signalk/changes.ts";
import { patternOf } from "../../../src/formats/signalk/pattern.ts";
import { helloText, Session, type SessionOptions, sessionOptions } from "../../../src/formats/signalk/session.ts";
import { boatOf, hear, SELF, START, textOf } from "./boats.ts";
import { specification } from "./specification.ts";

type Json = ReturnType<typeof JSON.parse>;

const seconds = (after: number): string => new Date(START + after * 1000).toISOString();
const nothing: SessionOptions = {
  ...{ subscribe: "none", sendCachedValues: true, sendMeta: false, sourcePolicy: "preferred" },
};

/** A boat with a client; times are milliseconds since the start. */
function setUp(options: Partial<SessionOptions> = {}) {
  const sent: string[] = [];
  let unreadBytes = 0;
  let now = START;
  const sessions: Session[] = [];
  const changes = new Changes();
  const boat = boatOf((leaf) => changes.add(leaf));
  const reasons: string[] = [];
  const calls: string[] = [];
  /** Runs the work of the sessions. */
  let mostWork = 0;
  const work = (): void => {
    for (const session of sessions)
      for (let piece = session.work(now); piece > 0; piece = session.work(now)) mostWork = Math.max(mostWork, piece);
  };
  const deliver = (): void => {
    const round = roundOf(changes, now);
    for (const session of sessions) session.deliver(round);
    work();
  };
  const say = (message: unknown): void => {
    sessions[0]!.receive(typeof message === "string" ? message : JSON.stringify(message));
    work();
  };
  const tell = (topic: string, data: object, expireAfterSec = 60): void => {
    const rxDate = new Date(now).toISOString();
    hear(boat, { topic, payload: JSON.stringify({ data, metadata: { rxDate, expireAfterSec } }) }, now);
    deliver();
  };
  return {
    forget: () => {
      boat.forget(new Date(now).toISOString());
      deliver();
    },
    /** Connects the client. */
    connect: (more: Partial<SessionOptions> = {}) => {
      const client = {
        send: (text: string | SharedText) => void sent.push(textOf(text)),
        get unreadBytes() {
          return unreadBytes;
        },
        end: (reason: string) => void reasons.push(reason),
        pause: () => void calls.push("pause"),
        resume: () => void calls.push("resume"),
      };
      sessions.push(new Session(boat, { ...nothing, ...options, ...more }, client, new Allowance(now), now));
      work();
    },
    at: (after: number) => {
      now = START + after;
      deliver();
    },
    say,
    boat,
    /** The most work of a piece. */
    mostWork: () => mostWork,
    sessions,
    /** Calls of `pause` and `resume`. */
    calls,
    /** Why the conversation was ended, each time. */
    reasons,
    subscribe: (wishes: object, context?: string): void =>
      say({ ...(context !== undefined && { context }), subscribe: [wishes] }),
    /** The messages sent since the last call. */
    news: (): Json[] => sent.splice(0).map((text) => JSON.parse(text)),
    block: (bytes: number) => {
      unreadBytes = bytes;
    },
    voltage: (voltageV: number | undefined, instance = 0, addr = 20) =>
      tell(`device/${addr}/pgn/127508`, { pgn: 127508, instance, voltageV }),
    ship: (mmsi: number) =>
      tell("ais", { ownShip: {}, targets: [{ mmsi, class: "A", name: "A", lastSeen: new Date(now).toISOString() }] }),
  };
}

/** Path and value of what deltas have, without meta. */
const valuesOf = (deltas: readonly Json[]): readonly (readonly [string, unknown])[] =>
  deltas.flatMap(({ updates = [] }) =>
    updates.flatMap(({ values = [] }: Json) => values.map(({ path, value }: Json) => [path, value])),
  );

const VOLTAGE = "electrical.batteries.0.voltage";

describe("a second device with the same instance", () => {
  /** Source and value of what deltas have at the path of the voltage. */
  const voltagesOf = (deltas: readonly Json[]): readonly string[] =>
    deltas.flatMap(({ updates = [] }) =>
      updates.flatMap(({ $source, values = [] }: Json) =>
        values.flatMap(({ path, value }: Json) => (path === VOLTAGE ? [`${$source} ${value}`] : [])),
      ),
    );
  const [FIRST, SECOND] = ["can0.20", "can0.21"];

  test("is not sent unless the client asks for all sources", () => {
    const { connect, voltage, news, at } = setUp();
    connect({ subscribe: "self" });
    voltage(13);
    voltage(12, 0, 21);
    at(5000);
    expect(voltagesOf(news())).toEqual([`${FIRST} 13`]);
  });

  test("is sent with its own source, as a current value, when it changes, and as null when it expires", () => {
    const { connect, voltage, news, at, boat } = setUp();
    voltage(13);
    voltage(12, 0, 21);
    connect({ subscribe: "self", sourcePolicy: "all" });
    at(100);
    expect(voltagesOf(news()).toSorted()).toEqual([`${FIRST} 13`, `${SECOND} 12`]);
    at(200);
    voltage(12.5, 0, 21);
    at(300);
    voltage(12.5, 0, 21);
    at(400);
    expect(voltagesOf(news())).toEqual([`${SECOND} 12.5`]);
    at(1500);
    voltage(12.5, 0, 21);
    expect(voltagesOf(news())).toEqual([`${SECOND} 12.5`]);
    at(55_000);
    voltage(13);
    news();
    at(61_600);
    boat.model.expire(START + 61_600, seconds(61.6));
    at(61_700);
    expect(voltagesOf(news())).toEqual([`${SECOND} null`]);
  });

  test.each([
    ["does not know the value any more", ({ voltage }: ReturnType<typeof setUp>) => voltage(undefined)],
    [
      "has expired",
      ({ boat, voltage, at }: ReturnType<typeof setUp>) => {
        at(5000);
        voltage(12, 0, 21);
        voltage(11, 0, 22);
        at(60_000);
        boat.model.expire(START + 60_000, seconds(60));
      },
    ],
  ] as const)("has the path as soon as the first one %s", (_, ends) => {
    const all = setUp();
    const { connect, voltage, news, at, boat } = all;
    connect({ subscribe: "self", sourcePolicy: "all" });
    voltage(13);
    voltage(12, 0, 21);
    voltage(11, 0, 22);
    at(1000);
    news();
    ends(all);
    at(61_000);
    expect(voltagesOf(news()).slice(-2)).toEqual([`${FIRST} null`, `${SECOND} 12`]);
    const leaf = boat.model.contexts.get(`vessels.${SELF}`)!.get(VOLTAGE)!;
    expect([leaf.source, leaf.value, leaf.isOther]).toEqual([SECOND, 12, false]);
  });

  test("is null with the first one when hub-cand goes", () => {
    const { connect, voltage, news, at, boat } = setUp();
    connect({ subscribe: "self", sourcePolicy: "all" });
    voltage(13);
    voltage(12, 0, 21);
    at(1000);
    news();
    boat.model.forget(`vessels.${SELF}`, seconds(1));
    at(2000);
    expect(voltagesOf(news()).toSorted()).toEqual([`${FIRST} null`, `${SECOND} null`]);
  });

  test("is the one that goes on when the first is silent", () => {
    const { connect, voltage, news, at } = setUp();
    connect({ subscribe: "self", sourcePolicy: "all" });
    voltage(13);
    voltage(12, 0, 21);
    at(11_000);
    news();
    voltage(12.1, 0, 21);
    at(11_100);
    expect(voltagesOf(news())).toEqual([`${SECOND} 12.1`, `${FIRST} null`]);
  });

  test("is asked for by a subscription", () => {
    const { connect, voltage, news, at, say } = setUp();
    connect();
    say({ subscribe: [{ path: VOLTAGE, policy: "instant" }] });
    say({ sourcePolicy: "all", subscribe: [{ path: "electrical.batteries.*", policy: "instant" }] });
    say({ sourcePolicy: "none", subscribe: [{ path: VOLTAGE }] });
    expect(news()).toMatchObject([{ statusCode: 400, message: "sourcePolicy is one of preferred, all" }]);
    voltage(13);
    voltage(12, 0, 21);
    at(1000);
    expect(voltagesOf(news())).toEqual([`${FIRST} 13`, `${SECOND} 12`]);
  });
});

test("what a client has had and does not want any more is not sent, until it wants it again", () => {
  const { connect, voltage, say, news, at } = setUp();
  const voltages = () => valuesOf(news()).filter(([path]) => path === VOLTAGE);
  const wish = [{ path: "electrical.*", policy: "instant" }];
  connect();
  voltage(12);
  say({ context: "vessels.self", subscribe: wish });
  at(1000);
  voltage(12.1);
  at(2000);
  expect(voltages().at(-1)).toEqual([VOLTAGE, 12.1]);
  say({ context: "vessels.self", unsubscribe: [{ path: "electrical.*" }] });
  voltage(12.2);
  at(3000);
  expect(voltages()).toEqual([]);
  say({ context: "vessels.self", subscribe: wish });
  at(4000);
  voltage(12.3);
  at(5000);
  expect(voltages().at(-1)).toEqual([VOLTAGE, 12.3]);
});

test("the greeting is one of the specification", () => {
  const hello = JSON.parse(helloText(`vessels.${SELF}`, seconds(0)));
  expect(specification.faultOf(hello, "hello.json")).toBeUndefined();
  expect(hello.version).toBe("2.32.0");
});

test.each([
  ["", { ...nothing, subscribe: "self" }],
  ["subscribe=all&sendMeta=all", { ...nothing, subscribe: "all", sendMeta: true }],
  ["subscribe=none&sendCachedValues=false", { ...nothing, sendCachedValues: false }],
  ["sourcePolicy=all", { ...nothing, subscribe: "self", sourcePolicy: "all" }],
  ["subscribe=x&sourcePolicy=x", { ...nothing, subscribe: "self" }],
])("the query %s", (query, options) => {
  expect(sessionOptions(new URLSearchParams(query))).toEqual(options);
});

test.each([
  ["self", [["electrical.batteries.0.voltage", 12]]],
  [
    "all",
    [
      ["electrical.batteries.0.voltage", 12],
      ["", { mmsi: "299001100" }],
      ["", { name: "A" }],
      ["sensors.ais.class", "A"],
    ],
  ],
  ["none", []],
] as const)("a client of %s gets what there is, then what changes", (subscribe, expected) => {
  const { connect, news, voltage, ship } = setUp({ subscribe });
  voltage(12);
  connect();
  expect(valuesOf(news()).filter(([, value]) => typeof value === "number")).toEqual(expected.slice(0, 1));
  ship(299001100);
  expect(valuesOf(news())).toEqual(expected.slice(1));
  voltage(13);
  expect(valuesOf(news())).toEqual(subscribe === "none" ? [] : [[VOLTAGE, 13]]);
});

test("every delta to a client is one of the specification, and names its context", () => {
  const { connect, news, voltage, ship, subscribe, at } = setUp({ subscribe: "all", sendMeta: true });
  voltage(12);
  ship(299001100);
  connect();
  subscribe({ path: "electrical.*", policy: "fixed", period: 500 });
  at(600);
  const deltas = news();
  expect(deltas.flatMap((delta) => specification.faultsOfDelta(delta))).toEqual([]);
  expect(new Set(deltas.map(({ context }) => context))).toEqual(
    new Set([`vessels.${SELF}`, "vessels.urn:mrn:imo:mmsi:299001100"]),
  );
});

test("the meta of a value comes once, before its first value, and again when the crew names the thing", () => {
  const { boat, connect, news, voltage } = setUp({ subscribe: "self", sendMeta: true });
  connect();
  news();
  voltage(12);
  voltage(13);
  const [first, ...others] = news();
  expect(first.updates[0].meta).toEqual([
    { path: VOLTAGE, value: { description: "Battery Status: voltage", units: "V" } },
  ]);
  expect(others.map(({ updates }) => updates[0].values[0].value)).toEqual([12, 13]);
  const names = [{ pgn: 127508, key: { instance: 0 }, name: "House" }];
  boat.sources.hearDevices({ peers: [{ addr: 20, name: "7" }] });
  boat.sources.hearInformation({ addr: 20, name: "7", names } as never);
  voltage(14);
  const meta = news().flatMap(({ updates }) => updates[0].meta ?? []);
  expect(meta.find(({ path }: Json) => path === VOLTAGE)).toMatchObject({ value: { displayName: "House: voltage" } });
});

test("instant: a change at once, the last one of several when the period is over", () => {
  const { connect, news, voltage, subscribe, at } = setUp();
  connect();
  subscribe({ path: VOLTAGE, policy: "instant", minPeriod: 300 });
  voltage(12);
  expect(valuesOf(news())).toEqual([[VOLTAGE, 12]]);
  at(100);
  voltage(13);
  at(200);
  voltage(14);
  expect(news()).toEqual([]);
  at(300);
  expect(valuesOf(news())).toEqual([[VOLTAGE, 14]]);
  at(10_000);
  expect(news()).toEqual([]);
});

test("ideal: the last value again when nothing has changed for a period", () => {
  const { connect, news, voltage, subscribe, at } = setUp();
  voltage(12);
  connect();
  subscribe({ path: "electrical.batteries.*", period: 1000, minPeriod: 0 });
  expect(valuesOf(news())).toEqual([[VOLTAGE, 12]]);
  at(600);
  voltage(13);
  expect(valuesOf(news())).toEqual([[VOLTAGE, 13]]);
  at(1599);
  expect(news()).toEqual([]);
  at(1600);
  expect(valuesOf(news())).toEqual([[VOLTAGE, 13]]);
});

test("fixed: the last value every period, whatever changes", () => {
  const { connect, news, voltage, subscribe, at } = setUp();
  voltage(12);
  connect();
  subscribe({ path: VOLTAGE, policy: "fixed", period: 500 });
  news();
  voltage(13);
  voltage(14);
  expect(news()).toEqual([]);
  for (const after of [500, 1000]) {
    at(after);
    expect(valuesOf(news())).toEqual([[VOLTAGE, 14]]);
  }
});

test("values of all ships come every second at most, those of one ship every tenth of it", () => {
  const { connect, news, ship, subscribe, at } = setUp();
  ship(299001100);
  connect();
  subscribe({ path: "sensors.ais.class", policy: "fixed", period: 10 }, "vessels.urn:mrn:imo:*");
  news();
  for (let after = 50; after < 1000; after += 50) at(after);
  expect(news()).toEqual([]);
  at(1000);
  expect(news()).toHaveLength(1);
  subscribe({ path: "name", policy: "fixed", period: 10 }, "vessels.urn:mrn:imo:mmsi:299001100");
  news();
  for (let after = 1050; after < 2000; after += 50) at(after);
  expect(news()).toHaveLength(9);
});

test.each(["instant", "ideal", "fixed"])("%s: the death of a value is not missed", (policy) => {
  const { connect, news, voltage, subscribe } = setUp();
  voltage(12);
  connect();
  subscribe({ path: VOLTAGE, policy, minPeriod: 1000 });
  voltage(13);
  news();
  voltage(undefined);
  expect(valuesOf(news())).toEqual([[VOLTAGE, null]]);
});

test.each(["instant", "ideal", "fixed"])(
  "%s: a ship that is lost is told to all that have subscribed to it",
  (policy) => {
    const { forget, connect, news, ship, subscribe } = setUp({ subscribe: "all" });
    ship(299001100);
    connect();
    subscribe({ path: "*", policy, minPeriod: 5000 }, "vessels.urn:mrn:imo:mmsi:299001100");
    news();
    forget();
    expect(valuesOf(news())).toEqual([
      ["", { mmsi: null }],
      ["", { name: null }],
      ["sensors.ais.class", null],
    ]);
  },
);

test.each([
  [{ context: "*", unsubscribe: [{ path: "*" }] }, []],
  [{ context: "vessels.self", unsubscribe: [{ path: "electrical.*" }] }, []],
  [{ context: "vessels.self", unsubscribe: [{ path: "navigation.*" }] }, [[VOLTAGE, 12]]],
])("%j", (message, expected) => {
  const { connect, news, voltage, subscribe, say } = setUp();
  connect();
  subscribe({ path: VOLTAGE });
  say(message);
  voltage(12);
  expect(valuesOf(news())).toEqual(expected);
});

test.each([
  ["not JSON", 400],
  ["[]", 400],
  ["null", 400],
  [{ subscribe: "all" }, 400],
  [{ subscribe: [{ path: 1 }] }, 400],
  [{ subscribe: [{ path: "x".repeat(201) }] }, 400],
  [{ context: {}, subscribe: [{ path: "*" }] }, 400],
  [{ subscribe: [{ path: "*", policy: "often" }] }, 400],
  [{ subscribe: [{ path: "*", period: -1 }] }, 400],
  [{ subscribe: [{ path: "*", period: "soon" }] }, 400],
  [{ subscribe: [{ path: "*", format: "full" }] }, 400],
  [{ requestId: "a", put: { path: "steering.autopilot.state", value: "auto" } }, 405],
  [{ requestId: "a", login: { username: "a", password: "b" } }, 405],
  [{ context: "vessels.self", updates: [] }, 405],
])("%j is answered with %i", (message, statusCode) => {
  const { connect, news, say } = setUp();
  connect();
  news();
  say(message);
  const requestId = typeof message === "object" && "requestId" in message ? { requestId: "a" } : {};
  expect(news()).toEqual([{ ...requestId, state: "COMPLETED", statusCode, message: expect.any(String) }]);
});

test("an empty object keeps the connection alive and has no answer", () => {
  const { connect, news, say } = setUp();
  connect();
  news();
  say({});
  expect(news()).toEqual([]);
});

test("subscriptions have a limit, of which equal ones are one", () => {
  const { connect, news, say } = setUp();
  connect();
  const wishes = Array.from({ length: 500 }, (_, index) => ({ path: `a${index}` }));
  say({ subscribe: [...wishes, ...wishes] });
  expect(news()).toEqual([]);
  say({ subscribe: [{ path: "a0", period: 500 }] });
  expect(news()).toMatchObject([{ statusCode: 429 }]);
});

test("a message is heard in small pieces, and no further one is taken meanwhile", () => {
  const { calls, connect, sessions } = setUp();
  connect();
  const [session] = sessions;
  session!.receive(JSON.stringify({ subscribe: Array.from({ length: 300 }, (_, index) => ({ path: `*a${index}*` })) }));
  session!.receive("{}");
  expect(calls).toEqual(["pause", "pause"]);
  const pieces: number[] = [];
  for (let work = session!.work(START); work > 0; work = session!.work(START)) pieces.push(work);
  expect(pieces.length).toBeGreaterThan(300);
  expect(Math.max(...pieces)).toBeLessThan(2000);
  expect(calls).toEqual(["pause", "pause", "resume"]);
});

test("changes that come between the pieces of a message go to the subscriptions after it", () => {
  const { connect, news, sessions, subscribe, voltage } = setUp();
  connect();
  subscribe({ path: VOLTAGE, policy: "instant", minPeriod: 0 });
  const [session] = sessions;
  const [, other] = [0, 1].map((battery) => `electrical.batteries.${battery}.voltage`);
  session!.receive(JSON.stringify({ unsubscribe: [{ path: "a" }, { path: VOLTAGE }], subscribe: [{ path: other }] }));
  session!.work(START);
  session!.work(START);
  voltage(12);
  voltage(13, 1);
  expect(valuesOf(news())).toEqual([[other, 13]]);
});

test("many values are compared with many patterns in small pieces, current ones and changes", () => {
  const { connect, forget, mostWork, news, say, voltage } = setUp();
  for (let battery = 0; battery < 50; battery++) voltage(12, battery);
  connect();
  const patterns = Array.from({ length: 499 }, (_, index) => ({ path: `*N${index}*` }));
  say({ subscribe: [...patterns, { path: "electrical.*", policy: "instant" }] });
  expect(valuesOf(news())).toHaveLength(50);
  forget();
  expect(valuesOf(news())).toHaveLength(50);
  expect(mostWork()).toBeLessThan(2000);
});

/** A client that is behind: it does nothing until `work` is called. */
function behind() {
  const boat = boatOf((leaf) => changes.add(leaf));
  const changes = new Changes();
  const sent: string[] = [];
  const client = { unreadBytes: 0, send: (text: string | SharedText) => void sent.push(textOf(text)) };
  const reasons: string[] = [];
  const control = { end: (reason: string) => void reasons.push(reason), pause: () => {}, resume: () => {} };
  const session = new Session(
    boat,
    { ...nothing, subscribe: "all", sendCachedValues: false },
    { ...client, ...control },
    new Allowance(START),
    START,
  );
  let now = START;
  return {
    reasons,
    /** Sends the data of a topic to the boat, and the change to the session. */
    round: (topic: string, data: object): void => {
      now += 50;
      hear(boat, { topic, payload: JSON.stringify({ data, metadata: { rxDate: new Date(now).toISOString() } }) }, now);
      session.deliver(roundOf(changes, now));
    },
    /** Values that it has been sent until then. */
    catchUp: (): readonly (readonly [string, unknown])[] => {
      while (session.work(now) > 0);
      return valuesOf(sent.map((text) => JSON.parse(text)));
    },
  };
}

test("a client that is behind gets each value once, and the deaths that it has missed", () => {
  const { catchUp, round } = behind();
  const battery = (instance: number, voltageV?: number): void =>
    round("device/20/pgn/127508", { pgn: 127508, instance, voltageV });
  for (let count = 0; count < 60; count++) battery(0, 12 + count);
  for (let count = 0; count < 20; count++) battery(1, count === 19 ? undefined : 12 + count);
  const news = catchUp();
  expect(news.length).toBeLessThan(20);
  expect(news).toContainEqual(["electrical.batteries.0.voltage", 71]);
  expect(news.at(-1)).toEqual(["electrical.batteries.1.voltage", null]);
  battery(0, 11);
  expect(catchUp().at(-1)).toEqual(["electrical.batteries.0.voltage", 11]);
});

test("a client that will not catch up is closed", () => {
  const { catchUp, reasons, round } = behind();
  for (let count = 0; count < 200; count++)
    round("device/20/pgn/127508", { pgn: 127508, instance: 0, voltageV: 12 + (count % 2) });
  expect(reasons).toEqual(["too much work: fewer subscriptions, patterns or messages"]);
  expect(catchUp()).toEqual([]);
});

test("messages, patterns and values are work, and a client that causes too much is told so once and gets no more", () => {
  const { connect, news, say, subscribe, ship, reasons, at } = setUp();
  connect();
  say({});
  ship(299001100);
  subscribe({ path: "*", policy: "instant", minPeriod: 0 }, "*");
  expect(reasons).toEqual([]);
  expect(valuesOf(news())).not.toEqual([]);
  let messages = 0;
  while (reasons.length === 0) {
    say("[".repeat(60_000));
    messages += 1;
  }
  expect(messages).toBeGreaterThan(10);
  expect(reasons).toEqual(["too much work: fewer subscriptions, patterns or messages"]);
  news();
  at(10_000);
  ship(299001101);
  say({ subscribe: [{ path: "*" }] });
  expect([news(), reasons.length]).toEqual([[], 1]);
});

test("the values of many ships wait until the client reads", () => {
  const { connect, news, ship, block, subscribe, at } = setUp();
  ship(299001100);
  connect();
  news();
  block(1e6);
  subscribe({ path: "*", policy: "instant" }, "vessels.urn:mrn:imo:*");
  expect(news()).toEqual([]);
  block(0);
  at(50);
  expect(valuesOf(news())).toHaveLength(3);
  at(100);
  expect(news()).toEqual([]);
});

test("a pattern is a regular expression in which a star stands for any text", () => {
  const text = fc.array(fc.constantFrom("a", "b", ".", "*"), { maxLength: 8 }).map((all) => all.join(""));
  const other = fc.array(fc.constantFrom("a", "b", "."), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text, other, (pattern, path) => {
      const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
      expect(patternOf(pattern).matches(path)).toBe(expression.test(path));
    }),
  );
});

test("whatever a client says, it gets an answer or none", () => {
  const word = fc.constantFrom(
    ...["subscribe", "unsubscribe", "context", "path", "put", "period", "policy", "requestId", "*", "vessels.self"],
    "__proto__",
  );
  const message = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.double(),
      fc.constantFrom(true, null),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("any"), { maxLength: 4 }),
    object: fc.dictionary(word, tie("any"), { maxKeys: 5 }),
  })).object;
  fc.assert(
    fc.property(
      fc.oneof(
        message.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      (said) => {
        const { connect, say, news, voltage } = setUp();
        connect();
        say(said);
        voltage(12);
        for (const answer of news()) expect(answer.updates ?? answer.statusCode).toBeDefined();
      },
    ),
  );
});

/** Messages that a client of the stream gets, and their times. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Changes } from "../../src/signalk/changes.ts";
import { patternOf } from "../../src/signalk/pattern.ts";
import {
  helloText,
  MAX_MESSAGES_A_MINUTE,
  MAX_SUBSCRIPTIONS,
  Session,
  type SessionOptions,
  sessionOptions,
} from "../../src/signalk/session.ts";
import { deltaText } from "../../src/signalk/text.ts";
import { boatOf, hear, SELF, START } from "./boats.ts";
import { specification } from "./specification.ts";

type Json = ReturnType<typeof JSON.parse>;

const seconds = (after: number): string => new Date(START + after * 1000).toISOString();
const nothing: SessionOptions = { subscribe: "none", sendCachedValues: true, sendMeta: false };

/** A boat with a client; times are milliseconds since the start. */
function setUp(options: Partial<SessionOptions> = {}) {
  const sent: string[] = [];
  let unreadBytes = 0;
  let now = START;
  const sessions: Session[] = [];
  const changes = new Changes();
  const boat = boatOf((leaf) => changes.add(leaf));
  const deliver = (): void => {
    for (const [context, leaves] of changes.take())
      for (const session of sessions) session.deliver(context, leaves, now, () => deltaText(context, leaves));
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
    connect: () => {
      const client = {
        send: (text: string) => void sent.push(text),
        get unreadBytes() {
          return unreadBytes;
        },
      };
      sessions.push(new Session(boat, { ...nothing, ...options }, client, now));
    },
    at: (after: number) => {
      now = START + after;
      for (const session of sessions) if (session.due <= now) session.advance(now);
    },
    say: (message: unknown): boolean =>
      sessions[0]!.receive(typeof message === "string" ? message : JSON.stringify(message), now),
    subscribe: (wishes: object, context?: string): boolean =>
      sessions[0]!.receive(JSON.stringify({ ...(context !== undefined && { context }), subscribe: [wishes] }), now),
    /** The messages sent since the last call. */
    news: (): Json[] => sent.splice(0).map((text) => JSON.parse(text)),
    block: (bytes: number) => {
      unreadBytes = bytes;
    },
    voltage: (voltageV: number | undefined, instance = 0) =>
      tell("device/20/pgn/127508", { pgn: 127508, instance, voltageV }),
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

test("the greeting is one of the specification", () => {
  expect(specification.faultOf(JSON.parse(helloText(`vessels.${SELF}`, seconds(0))), "hello.json")).toBeUndefined();
});

test.each([
  ["", { subscribe: "self", sendCachedValues: true, sendMeta: false }],
  ["subscribe=all&sendMeta=all", { subscribe: "all", sendCachedValues: true, sendMeta: true }],
  ["subscribe=none&sendCachedValues=false", { subscribe: "none", sendCachedValues: false, sendMeta: false }],
  ["subscribe=x", { subscribe: "self", sendCachedValues: true, sendMeta: false }],
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

test("without cached values a client gets what changes only", () => {
  const { connect, news, voltage } = setUp({ subscribe: "self", sendCachedValues: false });
  voltage(12);
  connect();
  expect(news()).toEqual([]);
  voltage(13);
  expect(valuesOf(news())).toEqual([[VOLTAGE, 13]]);
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

test("the meta of a value comes once, before its first value", () => {
  const { connect, news, voltage } = setUp({ subscribe: "self", sendMeta: true });
  connect();
  news();
  voltage(12);
  voltage(13);
  const [first, ...others] = news();
  expect(first.updates[0].meta).toEqual([
    { path: VOLTAGE, value: { description: "Battery Status: voltage", units: "V" } },
  ]);
  expect(others.map(({ updates }) => updates[0].values[0].value)).toEqual([12, 13]);
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

test("all ships are told of by a pattern of contexts, the boat itself by vessels.self", () => {
  const { connect, news, voltage, ship, subscribe } = setUp();
  connect();
  subscribe({ path: "*", policy: "instant", minPeriod: 0 }, "vessels.urn:mrn:imo:*");
  voltage(12);
  expect(news()).toEqual([]);
  ship(299001100);
  expect(valuesOf(news())).toHaveLength(3);
  subscribe({ path: VOLTAGE }, "vessels.self");
  expect(valuesOf(news())).toEqual([[VOLTAGE, 12]]);
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

test("two subscriptions to a value tell it once", () => {
  const { connect, news, voltage, subscribe } = setUp();
  connect();
  subscribe({ path: VOLTAGE });
  subscribe({ path: "electrical.*" });
  voltage(12);
  expect(valuesOf(news())).toEqual([[VOLTAGE, 12]]);
});

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
  expect(say(message)).toBe(true);
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

test("subscriptions have a limit, messages too", () => {
  const { connect, news, say, at } = setUp();
  connect();
  const wishes = Array.from({ length: MAX_SUBSCRIPTIONS + 1 }, (_, index) => ({ path: `a${index}` }));
  say({ subscribe: wishes });
  expect(news().at(-1)).toMatchObject({ statusCode: 429 });
  for (let count = 1; count < MAX_MESSAGES_A_MINUTE; count++) expect(say({})).toBe(true);
  expect(say({})).toBe(false);
  at(60_000);
  expect(say({})).toBe(true);
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
    "subscribe",
    "unsubscribe",
    "context",
    "path",
    "put",
    "period",
    "policy",
    "requestId",
    "*",
    "vessels.self",
    "__proto__",
  );
  const message = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
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
        expect(say(said)).toBe(true);
        voltage(12);
        for (const answer of news()) expect(answer.updates ?? answer.statusCode).toBeDefined();
      },
    ),
  );
});

/** Slow lanes: how often, what, how long, and for how many streams. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ReassembledSource } from "../../../../src/adapters/node/can/reassembled-source.ts";
import { encoderOf } from "../../../../src/core/n2k/encode.ts";
import { localTimeOffset } from "../../../../src/core/n2k/pgns/gnss.ts";
import { definitions } from "../../../../src/core/n2k/pgns/index.ts";
import { routeAttributes } from "../../../../src/core/n2k/pgns/routes.ts";
import { waterDepth } from "../../../../src/core/n2k/pgns/water.ts";
import { navigationData } from "../../../../src/core/nav/navigation-report.ts";
import { laneSettings } from "../../../../src/core/settings/lanes.ts";
import {
  type Comparison,
  comparisonOf,
  comparisonOfReport,
  hasChanged,
} from "../../../../src/services/bridge/lanes/lane-changes.ts";
import { simulated } from "../../../../src/services/simulation/traffic.ts";
import type { PublishedMessage } from "../../../support/memory/publisher.ts";
import { type MemoryBridgeOptions, memoryBridge } from "../../../support/memory-bridge.ts";
import { createBursts } from "../bursts.ts";

const start = Date.UTC(2026, 10, 21);

interface Payload {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly rxDate: string; readonly expireAfterSec: number };
}

const setUp = (options: MemoryBridgeOptions = {}) => {
  const { bridge, publisher, log } = memoryBridge({ prefix: "boat", ...options });
  const burst = createBursts();
  let now = 0;
  const send = (source: number, message: { readonly pgn: number; readonly [field: string]: unknown }): void => {
    const payload = encoderOf(definitions.find(({ pgn }) => pgn === message.pgn)!)(message as never);
    bridge.take(burst([{ source, pgn: message.pgn, hex: Buffer.from(payload).toString("hex"), at: start + now }]));
  };
  return {
    publisher,
    bridge,
    log,
    send,
    configure: (entry: object) => bridge.configure(new Map([["lanes", { name: "lanes", ...entry }]])),
    /** Advances the time in steps like those of the daemon. */
    pass(milliseconds: number, each: () => void = () => {}, step = 100): void {
      for (const end = now + milliseconds; now < end; ) {
        each();
        now = Math.min(end, now + step);
        bridge.advance(now, start + now);
      }
    },
    topics: (): string[] => [
      ...new Set(publisher.messages.flatMap(({ topic }) => (topic.includes("/every/") ? [topic] : []))),
    ],
    payloads: (topic: string): Payload[] => publisher.payloads(topic) as Payload[],
    messages: (topic: string): PublishedMessage[] => publisher.messages.filter((message) => message.topic === topic),
  };
};

const battery = (instance: number, voltageV: number, sequenceId = 0) => ({
  pgn: 127508,
  instance,
  voltageV,
  sequenceId,
});
const topicOf = (instance: number, lane = 1): string => `boat/every/${lane}/device/3/pgn/127508/${instance}`;

test("the report of a lane has the greatest wind since the one before, which no sample has", () => {
  const { send, pass, payloads } = setUp({ lanes: [10] });
  const wind = (windSpeedMs: number) => ({ pgn: 130306, windSpeedMs, windAngleDeg: 30, reference: "Apparent" });
  const blow = (speeds: readonly number[]): void => {
    for (const speed of speeds) pass(1000, () => send(3, wind(speed)));
  };
  blow([10, 11, 18, 11, 10, 10, 10, 10, 10, 10, 12]);
  blow([12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12]);
  const told = payloads("boat/every/10/navigation").flatMap(
    ({ data }) => (data.wind_apparent as { readonly speed: number; readonly speedMax: number } | undefined) ?? [],
  );
  expect(told.map(({ speed, speedMax }) => speedMax - speed > 2)).toEqual([true, false]);
});

test("each instance has a topic of its own, retained, with an expiry that fits the lane", () => {
  const { send, pass, topics, payloads, messages } = setUp({ lanes: [1, 60] });
  send(3, battery(0, 12.5));
  send(3, battery(1, 24.5));
  send(4, { pgn: 127250, headingDeg: 10, reference: "Magnetic" });
  send(4, { pgn: 127506, instance: 2, dcType: "Solar cell", stateOfChargePercent: 80 });
  send(4, { pgn: 127257, yawDeg: 1 });
  pass(100);
  const ofPgns = topics().filter((topic) => topic.includes("/pgn/"));
  expect(ofPgns.filter((topic) => topic.includes("every/1/"))).toEqual([
    topicOf(0),
    topicOf(1),
    "boat/every/1/device/4/pgn/127250/Magnetic",
    "boat/every/1/device/4/pgn/127506/2-Solar_cell",
    "boat/every/1/device/4/pgn/127257",
  ]);
  expect(ofPgns).toHaveLength(10);
  expect(messages(topicOf(1))).toMatchObject([{ retain: true, expirySeconds: 60 }]);
  expect(messages(topicOf(1, 60))).toMatchObject([{ retain: true, expirySeconds: 180 }]);
  expect(payloads(topicOf(1, 60))).toEqual([
    {
      data: { pgn: 127508, instance: 1, voltageV: 24.5, sequenceId: 0 },
      metadata: { rxDate: "2026-11-21T00:00:00.000Z", rxTimestamp: start / 1000, expireAfterSec: 180 },
    },
  ]);
});

test("each of two lanes publishes what waits in its own time, though nothing else is heard", () => {
  const { send, pass, payloads } = setUp({ lanes: [1, 60] });
  const volts = (lane: number): unknown[] => payloads(topicOf(0, lane)).map(({ data }) => data.voltageV);
  send(3, battery(0, 12.5));
  pass(500);
  send(3, battery(0, 12.6));
  pass(700);
  expect([volts(1), volts(60)]).toEqual([[12.5, 12.6], [12.5]]);
  pass(58_000);
  expect(volts(60)).toEqual([12.5]);
  pass(1000);
  expect([volts(1), volts(60)]).toEqual([
    [12.5, 12.6],
    [12.5, 12.6],
  ]);
});

test("values that wait in a lane that is taken away are not published", () => {
  const { send, pass, configure, topics, publisher } = setUp();
  configure({ lanes: [10] });
  send(3, battery(0, 12.5));
  pass(500);
  send(3, battery(0, 12.6));
  configure({ lanes: [60] });
  publisher.clear();
  pass(30_000);
  expect(topics().filter((topic) => topic.includes("/every/10/"))).toEqual([]);
});

test("messageExpirySec keeps messages at the broker longer, and makes none fresh for longer", () => {
  const { send, pass, configure, payloads, messages, log } = setUp();
  configure({ lanes: [1, 60], messageExpirySec: 120 });
  send(3, battery(0, 12.5));
  pass(100);
  expect(messages(topicOf(0))).toMatchObject([{ expirySeconds: 120 }]);
  expect(payloads(topicOf(0))).toMatchObject([{ metadata: { expireAfterSec: 60 } }]);
  expect(messages(topicOf(0, 60))).toMatchObject([{ expirySeconds: 180 }]);
  configure({ lanes: [1, 60], messageExpirySec: 0 });
  expect(log.lines.at(-1)).toMatchObject({ fields: { code: "SETTING_IGNORED" } });
  configure({ lanes: [1, 60] });
  pass(1000);
  send(3, battery(0, 12.6));
  pass(100);
  expect(messages(topicOf(0)).at(-1)).toMatchObject({ expirySeconds: 60 });
});

test("at most one message in the interval, the latest value, and the last one before silence, whatever comes when", () => {
  const packet = fc.record({
    wait: fc.nat(60).map((steps) => 50 * steps),
    instance: fc.nat(2),
    voltage: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(packet, { minLength: 1, maxLength: 60 }), fc.constantFrom(1, 2, 10), (packets, lane) => {
      const { send, pass, publisher } = setUp({ lanes: [lane] });
      const sent = new Map<string, { at: number; volts: number }[]>();
      const published = new Map<string, { at: number; volts: number }[]>();
      let now = 0;
      let seen = 0;
      const look = (): void => {
        now += 50;
        for (const { topic, payload } of publisher.messages.slice(seen)) {
          if (!topic.includes("127508/")) continue;
          const { voltageV: volts } = (JSON.parse(payload!) as { data: { voltageV: number } }).data;
          published.set(topic, [...(published.get(topic) ?? []), { at: now, volts }]);
        }
        seen = publisher.messages.length;
      };
      for (const [index, { wait, instance, voltage }] of packets.entries()) {
        // The clock of packets begins with the first one.
        if (index > 0) pass(wait, look, 50);
        send(3, battery(instance, voltage));
        const topic = topicOf(instance, lane);
        sent.set(topic, [...(sent.get(topic) ?? []), { at: now, volts: voltage }]);
      }
      pass(lane * 1000 + 1100, look, 50);
      look();
      for (const [topic, values] of sent) {
        const messages = published.get(topic)!;
        expect(messages.at(-1)!.volts).toBe(values.at(-1)!.volts);
        for (const [index, { at, volts }] of messages.entries()) {
          // The value of the last packet before it; two steps of 50 ms are the precision of the test.
          const latest = values.filter((value) => value.at <= at).slice(-3);
          expect(latest.map((value) => value.volts)).toContain(volts);
          if (index === 0) continue;
          expect(at - messages[index - 1]!.at).toBeGreaterThanOrEqual(lane * 1000 - 100);
          expect(volts).not.toBe(messages[index - 1]!.volts);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a value that does not change is repeated at half its expiry while its sender speaks, and not behind it", () => {
  const { send, pass, payloads } = setUp({ lanes: [1] });
  let sequence = 0;
  pass(100_000, () => send(3, battery(0, 12.5, sequence++ % 250)));
  const dates = payloads(topicOf(0)).map(({ metadata }) => Date.parse(metadata.rxDate) - start);
  expect(dates.length).toBe(4);
  for (const [index, date] of dates.entries()) expect(Math.abs(date - index * 30_000)).toBeLessThanOrEqual(2000);
  pass(200_000);
  expect(payloads(topicOf(0))).toHaveLength(4);
});

test("a value that stays is looked at each second, so that a change of a slow lane does not wait for a minute", () => {
  const { send, pass, payloads } = setUp({ lanes: [60] });
  pass(70_000, () => send(3, battery(0, 12.5)));
  expect(payloads(topicOf(0, 60))).toHaveLength(1);
  send(3, battery(0, 11));
  pass(1100);
  expect(payloads(topicOf(0, 60))).toHaveLength(2);
});

test("a change below the dead band does not count, its sum does, and directions wrap", () => {
  const { send, pass, payloads, configure } = setUp();
  configure({ lanes: [1], deadBands: { "127508.voltageV": 0.1, "127250.headingDeg": 5 } });
  const volts = [12.5, 12.55, 12.45, 12.58, 12.62, 12.55];
  for (const volt of volts) {
    send(3, battery(0, volt));
    pass(2000);
  }
  expect(payloads(topicOf(0)).map(({ data }) => data.voltageV)).toEqual([12.5, 12.62]);
  for (const headingDeg of [358, 1, 2, 4]) {
    send(3, { pgn: 127250, headingDeg, reference: "True" });
    pass(2000);
  }
  const headings = payloads("boat/every/1/device/3/pgn/127250/True").map(({ data }) =>
    Math.round(Number(data.headingDeg)),
  );
  expect(headings).toEqual([358, 4]);
});

/** Fields whose values differ in each message although nothing has changed. */
const advancing = /^(sequenceId|sid|sequenceCounter|time|utcOfFix)$/;
const withAdvancing = definitions.filter(
  // The time of a route is that of its last change.
  ({ pgn, event, fields }) =>
    !event && pgn !== routeAttributes.pgn && Object.keys(fields).some((name) => advancing.test(name)),
);

test.each(withAdvancing)("$pgn with a new counter and time alone is not repeated", ({ pgn, fields }) => {
  const { bridge, send, pass, publisher } = setUp({ lanes: [1] });
  bridge.configure(new Map([["can", { name: "can", pgn: { [pgn]: "assumed" } }]]));
  let count = 0;
  pass(
    20_000,
    () => {
      count++;
      const numbers = Object.keys(fields).flatMap((name) => (advancing.test(name) ? [[name, count]] : []));
      send(3, { pgn, ...Object.fromEntries(numbers) });
    },
    500,
  );
  const repeated = publisher.messages.filter(({ topic }) => topic.startsWith(`boat/every/1/device/3/pgn/${pgn}`));
  expect(repeated).toHaveLength(1);
});

test("what counts as a change", () => {
  const comparison: Comparison = { ignored: new Set(["n", "a.source"]), directions: new Set(["a.cog"]) };
  const changed = (before: unknown, after: unknown, ...bands: readonly [string, number][]): boolean =>
    hasChanged(before, after, comparison, new Map(bands));
  expect(changed(undefined, { a: 1 })).toBe(true);
  expect(changed({ a: 1, n: 1 }, { a: 1, n: 2 })).toBe(false);
  expect(changed({ a: 1 }, { a: 1, b: 2 })).toBe(true);
  expect(changed({ a: 1, b: 2 }, { a: 1 })).toBe(true);
  expect(changed({ list: [{ n: 1 }] }, { list: [{ n: 1 }] })).toBe(false);
  expect(changed({ list: [{ n: 1 }] }, { list: [{ n: 2 }] })).toBe(true);
  expect(changed({ a: { depth: 3, source: { age: 1 } } }, { a: { depth: 3, source: { age: 2 } } })).toBe(false);
  expect(changed({ a: { depth: 3 } }, { a: { depth: 3.05 } }, ["a.depth", 0.1])).toBe(false);
  expect(changed({ a: { cog: 359.5 } }, { a: { cog: 0.4 } }, ["a.cog", 1])).toBe(false);
  expect(changed({ a: { depth: 359.5 } }, { a: { depth: 0.4 } }, ["a.depth", 1])).toBe(true);
  for (const [from, to] of [
    [8.7, 8.75],
    [13.3, 13.35],
    [13.35, 13.4],
  ])
    expect(changed({ a: from }, { a: to }, ["a", 0.05]), String(to)).toBe(true);
  expect(changed({ a: null }, { a: 3 }, ["a", 10])).toBe(true);
});

test("the time of day alone is no change", () => {
  const none = new Map<string, number>();
  const navigation = comparisonOfReport(navigationData);
  const date = { date: "2026-11-21", time: "08:05:09" };
  expect(hasChanged({ date }, { date: { ...date, time: "08:05:10", fraction: 0.25 } }, navigation, none)).toBe(false);
  expect(hasChanged({ date }, { date: { ...date, date: "2026-11-22" } }, navigation, none)).toBe(true);
  const clock = comparisonOf(localTimeOffset);
  const local = { pgn: 129033, days: 20676, time: 4801.65, hours: 1, minutes: 20, seconds: 1.65, localOffset: 2 };
  const later = { ...local, time: 8462.5, hours: 2, minutes: 21, seconds: 2.5 };
  expect(hasChanged(local, later, clock, none)).toBe(false);
  expect(hasChanged(local, { ...later, localOffset: 62 }, clock, none)).toBe(true);
  expect(hasChanged(local, later, comparisonOf(waterDepth), none)).toBe(true);
});

describe("the simulated voyage", () => {
  const sailed = async (options: MemoryBridgeOptions) => {
    const all = setUp(options);
    const source = new ReassembledSource({
      name: "simulation",
      batches: (async function* () {
        yield* simulated(130_000, start);
      })(),
    });
    for await (const batch of source.packets(all.bridge.fastPacketTable)) all.bridge.take(batch);
    all.bridge.finish();
    return all;
  };

  let voyage: ReturnType<typeof setUp>;
  beforeAll(async () => {
    voyage = await sailed({ lanes: [1, 60] });
  });

  test("lanes change nothing beside them", async () => {
    const without = await sailed({});
    expect(without.topics()).toEqual([]);
    expect(voyage.publisher.messages.filter(({ topic }) => !topic.includes("/every/"))).toEqual(
      without.publisher.messages,
    );
  });
});

describe("which lanes there are", () => {
  const navigationLanes = (bridge: ReturnType<typeof setUp>): string[] => {
    bridge.publisher.clear();
    bridge.send(3, { pgn: 127250, headingDeg: Math.random() * 300, reference: "True" });
    bridge.pass(3000);
    return bridge.topics().filter((topic) => topic.endsWith("/navigation"));
  };

  test("none without being asked for, those of option and settings, and one for Home Assistant", () => {
    const plain = setUp();
    expect(navigationLanes(plain)).toEqual([]);
    plain.configure({ lanes: [10, 2, 10] });
    expect(navigationLanes(plain)).toEqual(["boat/every/2/navigation", "boat/every/10/navigation"]);
    plain.bridge.configure(new Map());
    expect(navigationLanes(plain)).toEqual([]);
    const asked = setUp({
      lanes: [5],
      homeAssistant: { prefix: "homeassistant", interface: "can0", version: "1", hostname: "boat" },
    });
    expect(navigationLanes(asked)).toEqual(["boat/every/1/navigation", "boat/every/5/navigation"]);
    asked.configure({ homeAssistant: 3 });
    expect(navigationLanes(asked)).toEqual(["boat/every/3/navigation", "boat/every/5/navigation"]);
  });

  test("a part that cannot be used is told, and the one in force stays", () => {
    const { settings: before } = laneSettings.read({
      lanes: [1],
      homeAssistant: 2,
      deadBands: { "127508.voltageV": 1 },
    });
    const { settings, warnings } = laneSettings.read(
      {
        name: "lanes",
        lanes: [0],
        homeAssistant: "often",
        deadBands: {
          "127508.volts": 1,
          "navigation.depth": 1,
          "navigation.depth_water.depth": 0.1,
          "65013.anything": 2,
          nonsense: 3,
        },
        every: 1,
      },
      before,
    );
    expect(settings.lanes).toEqual([1]);
    expect(settings.homeAssistant).toBe(2);
    expect([...settings.deadBands].map(([of, bands]) => [of, [...bands]])).toEqual([
      ["navigation", [["depth_water.depth", 0.1]]],
      ["65013", [["anything", 2]]],
    ]);
    expect(warnings.map(({ path }) => path.join(" "))).toEqual([
      ...["lanes 0", "homeAssistant", "deadBands 127508.volts", "deadBands navigation.depth"],
      ...["deadBands nonsense", "every"],
    ]);
    const wrong = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`127508.x${index}`, 1]));
    const { warnings: bounded } = laneSettings.read({ deadBands: wrong }, before);
    expect([bounded.length, bounded.at(-1)]).toEqual([11, { path: ["deadBands"], problem: "has 4990 more of these" }]);
    expect(laneSettings.read([], before)).toMatchObject({
      settings: before,
      warnings: [{ path: [], problem: "the entry must be an object" }],
    });
    const { settings: held, warnings: told } = laneSettings.read({ deadBands: { "127508.voltageV": -1 } }, before);
    expect(held.deadBands).toBe(before.deadBands);
    expect(told).toHaveLength(1);
  });
});

test("there is room for 4096 streams; others are told and counted, silent ones make room", () => {
  const { send, pass, bridge, log, topics } = setUp({ lanes: [1], vitals: undefined, findings: false });
  for (let source = 0; source < 20; source++)
    for (let instance = 0; instance < 250; instance++) send(source, battery(instance, 12));
  expect(bridge.counters()).toMatchObject({ laneTopics: 4096, laneLeftOut: 5000 - 4096 });
  expect(log.lines.filter(({ fields }) => fields.code === "LANES_FULL")).toHaveLength(1);
  expect(bridge.kept).toBeLessThan(2 * 4096 + 300);
  pass(100);
  expect(topics().filter((topic) => topic.includes("pgn/"))).toHaveLength(4096);
  pass(200_000, () => {}, 1000);
  expect(bridge.counters()).toMatchObject({ laneTopics: 0, laneLeftOut: 5000 - 4096 });
});

/** The history API of Signal K, beside a real engine that hub-history's points are written to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { historyReader } from "../../../../src/adapters/node/http/history-reader.ts";
import { type HistoryEngine, HistoryFailure, type Series } from "../../../../src/core/ports/history-engine.ts";
import { History } from "../../../../src/services/history/history.ts";
import { SignalKOutlet } from "../../../../src/services/link/signalk-outlet.ts";
import { faultOf, withoutServer } from "../../../formats/signalk/server-openapi.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { type Engine, openEngine, withoutEngine } from "../../history/engine.ts";

type Json = ReturnType<typeof JSON.parse>;

const START = Date.parse("2026-11-24T12:00:00Z");
const SELF = "urn:mrn:imo:mmsi:299000001";
const [PILOT, TWIN] = ["13854948221379412976", "13854948221379412977"];

function appOn(engine: HistoryEngine) {
  const clock = memoryClock({ monotonic: 0, wall: START + 600_000 });
  const outlet = new SignalKOutlet({
    ...{ self: SELF, prefix: "can/can0", version: "1", clock, log: memoryLog(), engine, hostname: () => "boat" },
  });
  const answer = async (path: string, address?: string): Promise<{ status: number; body: Json }> => {
    const response = await outlet.app.fetch(new Request(`http://localhost/signalk/v2/api/history/${path}`), {
      address,
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("too") ? text : JSON.parse(text) };
  };
  return { answer, clock };
}

/** Ten minutes: each ten seconds a report, a battery that two devices measure, and an engine. */
function lines(): string {
  const written: string[] = [];
  const history = new History({ prefix: "can/can0", lane: 10, onLine: (line) => written.push(line) });
  const hear = (topic: string, data: object, rxDate: string): void =>
    history.hear(`can/can0/${topic}`, new TextEncoder().encode(JSON.stringify({ data, metadata: { rxDate } })), false);
  const peers = [PILOT, TWIN].map((name, index) => `{"addr":${20 + index},"name":${name}}`);
  const devices = `{"data":{"peers":[${peers}]},"metadata":{}}`;
  history.hear("can/can0/devices", new TextEncoder().encode(devices), false);
  for (let second = 10; second <= 600; second += 10) {
    const at = new Date(START + second * 1000).toISOString();
    hear(
      "every/10/navigation",
      {
        position: { hasFix: true, latitude: 52 + second / 1e5, longitude: 179.9 },
        speed_course: { cog: second % 20 === 0 ? 359 : 1, sog: second / 100 },
        depth_water: { depth: 10, offset: 0.5 },
      },
      at,
    );
    hear("every/10/device/20/pgn/127508/1", { instance: 1, voltageV: 12 + (second % 60) / 100 }, at);
    if (second > 300) hear("every/10/device/21/pgn/127508/1", { instance: 1, voltageV: 24 }, at);
    hear("every/10/device/20/pgn/127489/1", { engineInstance: 1, oilTempC: 65 }, at);
  }
  return written.join("");
}

const lacking = withoutEngine ?? withoutServer;

describe.skipIf(lacking !== undefined)("with ten minutes of a boat", () => {
  let engine: Engine;
  let answer: ReturnType<typeof appOn>["answer"];

  beforeAll(async () => {
    engine = await openEngine();
    await engine.start();
    await fetch(`${engine.url}/write`, { method: "POST", body: lines() });
    await engine.flush();
    ({ answer } = appOn(historyReader(engine.url)));
  });
  afterAll(() => engine?.close());

  const values = async (paths: string, more = "from=2026-11-24T12:00:00Z&duration=PT10M&resolution=60") => {
    const { status, body } = await answer(`values?${more}&paths=${encodeURIComponent(paths)}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(faultOf("history", "/values", body)).toBeUndefined();
    return body;
  };

  test("average, least and greatest value of each minute are in the units of Signal K", async () => {
    const body = await values(
      ["average", "min", "max", "mid"].map((name) => `navigation.speedOverGround:${name}`).join(),
    );
    expect(body).toMatchObject({
      context: `vessels.${SELF}`,
      range: { from: "2026-11-24T12:00:00.000Z", to: "2026-11-24T12:10:00.000Z" },
      values: ["average", "min", "max", "mid"].map((method) => ({ path: "navigation.speedOverGround", method })),
    });
    expect(body.data).toHaveLength(10);
    // 0.1 to 0.6 kn in the first minute.
    expect(body.data[0]).toEqual(["2026-11-24T12:01:00.000Z", ...[0.35, 0.1, 0.6, 0.35].map(knots)]);
  });

  test("avg, as KIP says, is the average", async () => {
    const [average, avg] = [await values("navigation.speedOverGround"), await values("navigation.speedOverGround:avg")];
    expect(avg).toEqual(average);
  });

  test("a direction is that of the moment, because 359 and 1 degree have no average of 180", async () => {
    const { data } = await values("navigation.courseOverGroundTrue");
    expect(data.map(([, value]: Json) => Number(((value * 180) / Math.PI).toFixed(3)))).toEqual(Array(10).fill(359));
  });

  test("a step that is shorter than the data's has a value of all methods, or of none", async () => {
    const paths = ["average", "min", "mid", "first", "last", "sma"].map((name) => `navigation.speedOverGround:${name}`);
    const { data } = await values(
      [...paths, "navigation.courseOverGroundTrue", "navigation.position"].join(),
      "from=2026-11-24T12:00:00Z&duration=140&resolution=7",
    );
    expect(data.map(([time]: Json) => (Date.parse(time) - START) / 1000)).toEqual(
      Array.from({ length: 20 }, (_, index) => 7 * (index + 1)).filter((end) => end % 10 < 7 && end >= 10),
    );
    for (const row of data) expect(row).not.toContain(null);
  });

  test("a position is longitude and latitude", async () => {
    const { values: columns, data } = await values("navigation.position");
    expect(columns).toEqual([{ path: "navigation.position", method: "first" }]);
    expect(data[0]).toEqual(["2026-11-24T12:01:00.000Z", [179.9, 52.0001]]);
  });

  test("values of two devices with an instance are those of the one that has more; each has its own by its source", async () => {
    const path = "electrical.batteries.1.voltage";
    const one = await values(`${path}:max`);
    expect(one.data.map(([, value]: Json) => value)).toEqual(Array(10).fill(12.5));
    const all = await values(`${path}:max`, "from=2026-11-24T12:00:00Z&duration=600&resolution=1m&sourcePolicy=all");
    expect(all.values.map(({ $source }: Json) => $source).sort()).toEqual([hexSource(PILOT!), hexSource(TWIN!)].sort());
    const twin = await values(`${path}:max|${hexSource(TWIN!)}`);
    expect(twin.data.map(([, value]: Json) => value)).toEqual(Array(5).fill(24));
    expect((await values(`${path}|can0.7`)).data).toEqual([]);
  });

  test("moving averages, and several paths with gaps", async () => {
    const { data } = await values(
      "electrical.batteries.1.voltage:sma:2,navigation.speedOverGround:ema:0.5,propulsion.starboard.oilTemperature,no.such.path",
    );
    expect(data[1][1]).toBeCloseTo(12.25, 6);
    expect(data[1][2]).toBeCloseTo(knots((0.35 + 0.95) / 2), 6);
    expect(data[1].slice(3)).toEqual([338.15, null]);
  });

  test("paths and contexts are those with values", async () => {
    const span = "from=2026-11-24T12:00:00Z&to=2026-11-24T12:10:00Z";
    const { body: paths } = await answer(`paths?${span}`);
    expect(faultOf("history", "/paths", paths)).toBeUndefined();
    expect(paths).toEqual([
      ...["electrical.batteries.1.voltage", "environment.depth.belowKeel", "environment.depth.belowSurface"],
      ...["environment.depth.belowTransducer", "environment.depth.surfaceToTransducer"],
      ...["environment.depth.transducerToKeel", "navigation.courseOverGroundTrue", "navigation.position"],
      ...["navigation.speedOverGround", "propulsion.starboard.oilTemperature"],
    ]);
    const { body: contexts } = await answer(`contexts?${span}`);
    expect(faultOf("history", "/contexts", contexts)).toBeUndefined();
    expect(contexts).toEqual([`vessels.${SELF}`]);
    expect((await answer("contexts?from=2026-01-01T00:00:00Z&duration=PT1H")).body).toEqual([]);
  });

  test("another vessel has no history", async () => {
    const body = await values("navigation.speedOverGround", "duration=600&context=vessels.urn:mrn:imo:mmsi:299001100");
    expect(body).toMatchObject({ context: "vessels.urn:mrn:imo:mmsi:299001100", data: [] });
  });
});

const knots = (number: number): number => Number(((number * 1852) / 3600).toPrecision(10));
const hexSource = (name: string): string => `can0.${BigInt(name).toString(16).padStart(16, "0")}`;

const silent: HistoryEngine = { range: async () => [], labels: async () => [] };

test.each([
  ["values?duration=600", "paths parameter is required"],
  ["values?paths=a", "either from or duration parameter is required"],
  ["values?paths=a&duration=P1Y", /^duration parameter/],
  ["values?paths=a&from=yesterday", /^from parameter/],
  ["values?paths=a&from=2026-11-24T12:00:00Z&to=2026-11-24T11:00:00Z", "from parameter must be before to parameter"],
  ["values?paths=a&from=2026-11-24T12:00:00Z&to=2026-11-24T13:00:00Z&duration=60", /^choose either/],
  ["values?paths=a&duration=600&resolution=0", /^resolution parameter/],
  ["values?paths=a:middle_index&duration=600", /^middle_index is none of the methods/],
  ["values?paths=a:sma:0&duration=600", /^the parameter of sma/],
  ["values?paths=a&duration=600&sourcePolicy=some", "sourcePolicy parameter must be 'all'"],
  [`values?duration=600&paths=${Array(21).fill("a").join()}`, "paths parameter has more than 20 paths"],
  ["paths?duration=9999999999", "the time must not begin before the year 2000"],
])("%s is refused", async (path, error) => {
  const { status, body } = await appOn(silent).answer(path);
  expect([status, body]).toEqual([400, { error: expect.stringMatching(error) }]);
});

test("an average of the last values follows their times, also of a device that had two addresses", async () => {
  const voltages = (address: string, values: Readonly<Record<number, number>>): Series => ({
    labels: { __name__: "battery_status_voltageV", rollup: "avg_over_time", instance: "1", device: PILOT!, address },
    samples: new Map(Object.entries(values).map(([minute, value]) => [START + 60_000 * Number(minute), value])),
  });
  // The series of the later address comes last.
  const engine = { ...silent, range: async () => [voltages("20", { 1: 10, 2: 12 }), voltages("25", { 3: 14, 4: 16 })] };
  const { body } = await appOn(engine).answer("values?paths=electrical.batteries.1.voltage:sma:2&duration=600");
  expect(body.data.map(([, value]: Json) => value)).toEqual([10, 11, 13, 15]);
});

test.each([
  ["navigation.headingTrue:sma:2", "speed_course_headingTrue", [358, 2, 10], [358, 0, 6]],
  ["navigation.headingTrue:ema:0.5", "speed_course_headingTrue", [1, 359, 350], [1, 0, 355]],
  ["environment.wind.angleApparent:sma:2", "wind_apparent_angle", [170, -170, -160], [170, 180, -165]],
] as const)("%s: the mean of 359 and 1 degree is 0", async (path, name, degrees, means) => {
  const samples = new Map(degrees.map((value, minute) => [START + 60_000 * minute, value]));
  const labels = { __name__: `navigation_${name}`, rollup: "last_over_time" };
  const engine = { ...silent, range: async () => [{ labels, samples }] };
  const { body } = await appOn(engine).answer(`values?paths=${path}&duration=600`);
  const found = body.data.map(([, value]: Json) => Math.round((value * 180) / Math.PI + 360) % 360);
  expect(found).toEqual(means.map((mean) => (mean + 360) % 360));
  expect(body.data.every(([, value]: Json) => value >= 0)).toBe(!means.some((mean) => mean < 0));
});

test.each([
  ["duration=P7D", 500, 1209.6],
  ["from=2026-11-24T10:00:00Z&duration=1140&resolution=600", 2, 570],
  ["from=2026-11-24T10:00:00Z&duration=1200&resolution=600", 2, 600],
  ["duration=PT10M&resolution=1h", 1, 600],
])("the steps of %s have all values of its time, and no others", async (span, points, step) => {
  const asked: unknown[] = [];
  const engine: HistoryEngine = {
    ...silent,
    range: async (query, span) => {
      asked.push({ ...span, window: /\[(.*)s\]/.exec(query)?.[1] });
      return [];
    },
  };
  const { body } = await appOn(engine).answer(`values?paths=navigation.speedOverGround:max&${span}`);
  const [from, to] = [Date.parse(body.range.from), Date.parse(body.range.to)];
  expect(asked).toEqual([{ from: from + 1000 * step, to, step: 1000 * step, window: `${step}` }]);
  expect((to - from) / (1000 * step)).toBe(points);
});

test("an engine is asked for 1440 points at most", async () => {
  const asked: number[] = [];
  const engine: HistoryEngine = {
    ...silent,
    range: async (_, { from, to, step }) => {
      asked.push((to - from) / step);
      return [];
    },
  };
  await appOn(engine).answer("values?paths=navigation.speedOverGround&duration=P90D&resolution=1");
  expect(asked[0]).toBeLessThanOrEqual(1440);
});

test.each([
  ["away", 503, "the history is away"],
  ["large", 400, "too many values: ask for fewer paths or for a coarser resolution"],
] as const)("an engine that is %s", async (reason, status, error) => {
  const fail = async () => {
    throw new HistoryFailure(reason, "x");
  };
  const { answer } = appOn({ range: fail, labels: fail });
  expect(await answer("values?duration=600&paths=navigation.speedOverGround")).toEqual({ status, body: { error } });
  expect(await answer("paths?duration=600")).toEqual({ status, body: { error } });
});

test("a host that asks without end gets 429, and others are served", async () => {
  const { answer, clock } = appOn(silent);
  const ask = (address: string) => answer("paths?duration=600", address);
  const statuses: number[] = [];
  for (let count = 0; count < 100; count++) statuses.push((await ask("192.0.2.1")).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  expect((await ask("192.0.2.2")).status).toBe(200);
  clock.advance(10_000);
  expect((await ask("192.0.2.1")).status).toBe(200);
});

/** An engine that never answers. */
const hanging: HistoryEngine = { range: () => new Promise(() => {}), labels: () => new Promise(() => {}) };

test.each(["paths?duration=600", "values?duration=600&paths=navigation.speedOverGround"])(
  "an engine that hangs is away after ten seconds: %s",
  async (path) => {
    const { answer, clock } = appOn(hanging);
    const answers = answer(path, "192.0.2.1");
    await new Promise(setImmediate);
    clock.advance(10_000);
    expect(await answers).toEqual({ status: 503, body: { error: "the history is away" } });
  },
);

test.each([
  ["a host", "192.0.2.1"],
  ["a program of this machine", undefined],
  ["a host with all addresses of its network", (count: number) => `2001:db8::${count.toString(16)}`],
])("an engine that hangs holds the places of %s that asks sixty times, and none of others", async (_who, from) => {
  const { answer, clock } = appOn(hanging);
  const statuses: number[] = [];
  const ask = (address: string | undefined) =>
    void answer("paths?duration=1", address).then(({ status }) => statuses.push(status));
  for (let count = 0; count < 60; count++) ask(typeof from === "function" ? from(count) : from);
  await new Promise(setImmediate);
  expect(statuses.every((status) => status === 503 || status === 429)).toBe(true);
  expect(statuses.length).toBeGreaterThan(40);
  const [refused] = [statuses.length];
  for (let host = 2; host < 4; host++) ask(`192.0.2.${host}`);
  await new Promise(setImmediate);
  expect(statuses).toHaveLength(refused);
  clock.advance(10_000);
  await new Promise(setImmediate);
  expect(statuses).toHaveLength(62);
});

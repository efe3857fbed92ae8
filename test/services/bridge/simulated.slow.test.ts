/** The reports of the simulated voyage, which stand in for those of a boat. */

import { beforeAll, expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import type { NavigationReport } from "../../../src/core/nav/navigation-report.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import type { MemoryLog } from "../../support/memory/log.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";

interface Target {
  readonly mmsi: number;
  readonly class: string;
  readonly name?: string;
  readonly range?: number;
  readonly cpa?: number;
  readonly tcpa?: number;
}

interface Infos {
  readonly manufacturer: string;
  readonly productInfo?: { readonly modelId: string; readonly serialNumber: string };
  readonly txPgns?: readonly { readonly id: number; readonly name: string }[];
}

/** Long enough for a receiver to fail and to return. */
const DURATION_MS = 400_000;
const START = Date.UTC(2026, 10, 21);

const reports: NavigationReport[] = [];
/** AIS reports, with the second of the voyage at which they were made. */
const pictures: { readonly second: number; readonly targets: readonly Target[] }[] = [];
const infos = new Map<string, Infos>();
let devices: { readonly count: number; readonly peers: readonly { readonly name: number }[] };
let log: MemoryLog;

beforeAll(async () => {
  const { bridge, publisher, ...made } = memoryBridge();
  log = made.log;
  async function* voyage(): AsyncGenerator<RecordingBatch> {
    yield* simulated(DURATION_MS, START);
  }
  const source = new ReassembledSource({ name: "simulation", batches: voyage() });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    bridge.take(batch);
    for (const { topic, payload } of publisher.messages) {
      if (topic.endsWith("/navigation")) reports.push(JSON.parse(payload!));
      if (topic.endsWith("/ais")) {
        const { data, metadata } = JSON.parse(payload!);
        pictures.push({ second: (Date.parse(metadata.rxDate) - START) / 1000, targets: data.targets });
      }
    }
    publisher.clear();
  }
  for (const [topic, payload] of publisher.states) {
    if (topic.endsWith("/infos")) infos.set(topic, JSON.parse(payload).data);
    if (topic.endsWith("/devices")) devices = JSON.parse(payload).data;
  }
});

/** Each value once, and again when it returns. */
const turns = (values: readonly unknown[]): unknown[] => values.filter((value, index) => value !== values[index - 1]);

test("the better of two receivers fails: the other one takes over, and gives back when it has returned", () => {
  const used = turns(reports.map(({ data }) => data.position?.source?.friendlyName));
  const steady = used.slice(used.findIndex((name) => name !== undefined));
  const [better, plain] = [steady.at(-1), steady.at(-2)];
  expect(better).not.toBe(plain);
  expect(steady.slice(-3)).toEqual([better, plain, better]);
  const kinds = reports.flatMap(({ data }) => (data.position ? [data.position.fixType] : []));
  expect(new Set(kinds)).toEqual(new Set(["gnss", "dgnss"]));
  // The outage is not visible: every report has a fix.
  expect(reports.slice(20).every(({ data }) => data.position?.hasFix)).toBe(true);
});

test("the apparent wind passes over the bow both ways, and a true wind goes with it", () => {
  const winds = reports.flatMap(({ data }) => (data.wind_apparent ? [data] : []));
  const sides = turns(winds.map(({ wind_apparent: wind }) => Math.sign(wind!.angle!)).filter((side) => side !== 0));
  expect(sides.length).toBeGreaterThan(2);
  for (const { wind_true: wind } of winds.slice(20)) expect(wind!.speed).toBeGreaterThan(1);
});

test("the heading of the magnetic compass has its deviation and the variation in it", () => {
  const { headingTrue, headingMagnetic, variation } = reports.at(-1)!.data.speed_course!;
  expect(((headingTrue! - headingMagnetic! - variation! + 540) % 360) - 180).toBeCloseTo(0, 6);
});

test("ships of all classes, and one that is seen to draw near before it is there", () => {
  const { targets: last } = pictures.at(-1)!;
  expect(new Set(last.map((target) => target.class))).toEqual(new Set(["A", "B", "AtoN", "SAR"]));
  expect(last.length).toBeGreaterThanOrEqual(10);
  const seen = pictures.flatMap(({ second, targets }) =>
    targets.flatMap((target) => (target.range === undefined ? [] : [{ second, ...target, range: target.range }])),
  );
  const nearest = seen.reduce((one, other) => (other.range < one.range ? other : one));
  expect(nearest.range).toBeLessThan(0.1);
  const before = seen.find(({ mmsi, second }) => mmsi === nearest.mmsi && second >= nearest.second - 120)!;
  expect(before.range).toBeGreaterThan(0.5);
  expect(before.cpa).toBeLessThan(0.2);
  expect(Math.abs(before.tcpa! - (nearest.second - before.second) / 60)).toBeLessThan(0.3);
});

test("every device is known by its NAME, its product and what it says", () => {
  expect(devices.count).toBeGreaterThan(5);
  expect(infos.size).toBe(devices.count);
  expect(devices.peers.every(({ name }) => name > 2 ** 32)).toBe(true);
  for (const [topic, { manufacturer, productInfo, txPgns }] of infos) {
    expect(manufacturer, topic).not.toMatch(/Unknown/);
    expect(productInfo?.serialNumber, topic).toMatch(/^SIM-/);
    expect(productInfo?.modelId, topic).toBeTruthy();
    expect(txPgns!.length, topic).toBeGreaterThan(2);
    expect(
      txPgns!.map(({ name }) => name),
      topic,
    ).not.toContain("Unknown");
  }
});

test("nothing in it is worth a warning", () => {
  expect(log.lines).toEqual([]);
});

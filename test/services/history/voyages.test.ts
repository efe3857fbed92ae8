import geographiclib from "geographiclib-geodesic";
import { expect, test } from "vitest";
import { memoryVoyageStore } from "../../../src/adapters/memory/voyage-store.ts";
import { figuresOf, voyageOf } from "../../../src/core/voyages/voyage.ts";
import { linesIn, Voyages } from "../../../src/services/history/voyages.ts";
import { simulatedBoat } from "./simulated-boat.ts";

const { WGS84 } = geographiclib.Geodesic;
const BEGINS = Date.UTC(2026, 10, 21, 8);

test("the simulated voyage has the distances of its positions and speeds within a thousandth, and its events", async () => {
  const store = memoryVoyageStore();
  const voyages = await Voyages.open({ prefix: "can/can0", store, entryEveryMs: 600_000 });
  const encoder = new TextEncoder();
  const fixes: { latitude: number; longitude: number; stw: number; time: number }[] = [];
  for (const { topic, payload } of simulatedBoat("can/can0", 0, 1300, BEGINS)) {
    voyages.hear(topic, encoder.encode(payload));
    if (!topic.endsWith("can0/navigation")) continue;
    const { data, metadata } = JSON.parse(payload);
    const time = Date.parse(metadata.rxDate);
    if (data.position?.latitude === undefined || time - (fixes.at(-1)?.time ?? 0) < 1000) continue;
    const { latitude, longitude } = data.position;
    fixes.push({ latitude, longitude, stw: data.speed_course?.speedThroughWater ?? 0, time });
  }
  await voyages.close();
  expect([voyages.malformed, voyages.faults, store.files.size]).toEqual([0, 0, 1]);
  const { lines, damaged } = linesIn([...store.files.values()][0]!);
  const voyage = voyageOf(lines)!;
  const figures = figuresOf(voyage);
  expect(damaged).toBe(0);
  // The voyage begins with the first course and speed, two seconds after the first position at most.
  const sailed = fixes.filter(({ time }) => time >= voyage.from);
  expect(fixes.length - sailed.length).toBeLessThanOrEqual(2);
  let [metres, waterMiles] = [0, 0];
  for (const [index, fix] of sailed.entries()) {
    const before = sailed[index - 1];
    if (before === undefined) continue;
    metres += WGS84.Inverse(before.latitude, before.longitude, fix.latitude, fix.longitude).s12!;
    waterMiles += (fix.stw * (fix.time - before.time)) / 3_600_000;
  }
  expect(Math.abs(figures.groundMiles / (metres / 1852) - 1)).toBeLessThan(0.001);
  expect(Math.abs(figures.waterMiles / waterMiles - 1)).toBeLessThan(0.001);
  const kinds = new Set(voyage.entries.map(({ kind }) => kind));
  for (const kind of ["begin", "engineOn", "engineOff", "course", "waypoint", "wind", "hourly"])
    expect(kinds).toContain(kind);
}, 60_000);

import geographiclib from "geographiclib-geodesic";
import { expect, test } from "vitest";
import { VoyageKeeper } from "../../../src/core/voyages/keeper.ts";
import type { EntryLine, KeptLine } from "../../../src/core/voyages/lines.ts";
import type { Observation } from "../../../src/core/voyages/observation.ts";
import { figuresOf, voyageOf } from "../../../src/core/voyages/voyage.ts";
import { Voyages } from "../../../src/services/history/voyages.ts";
import { engineAt } from "../../../src/services/simulation/machinery.ts";
import { plus, toCoordinates } from "../../../src/services/simulation/plane.ts";
import { plainFix, voyageAt, weatherAt } from "../../../src/services/simulation/voyage.ts";
import { memoryVoyageStore } from "../../support/memory/voyage-store.ts";
import { atNight } from "../../support/size.ts";
import { simulatedBoat } from "./simulated-boat.ts";

const { WGS84 } = geographiclib.Geodesic;
const BEGINS = Date.UTC(2026, 10, 21, 8);
const KNOTS = 3600 / 1852;
const HOUR = 3_600_000;

/** Seconds at which a value of the simulation begins to be true. */
function risesOf(to: number, isTrue: (second: number) => boolean): number[] {
  const found: number[] = [];
  for (let second = 0, before = false; second < to; second++) {
    const now = isTrue(second);
    if (now && !before) found.push(second);
    before = now;
  }
  return found;
}

const runsAt = (second: number): boolean => engineAt(second).rpm >= 100;

/** Entries of a kind as seconds of the simulation. */
const secondsOf = (entries: readonly EntryLine[], kind: string): number[] =>
  entries.filter((entry) => entry.kind === kind).map(({ time }) => (time - BEGINS) / 1000);

/** The observations of the simulated boat, once a second, with the errors of a receiver. */
function* observed(to: number): Generator<Observation> {
  yield { of: "alarms", time: BEGINS, alarms: [], mooring: undefined, isAnchorWatched: false, isStarting: false };
  for (let second = 0; second < to; second++) {
    const time = BEGINS + 1000 * second;
    const { place, courseOverGround, speedOverGround, speedThroughWater, trueWind, navigation } = voyageAt(second);
    const { rpm, hours, fuelRate } = engineAt(second);
    yield { of: "engine", time, source: "1", instance: "0", rpm, hours, fuelRate };
    const { id } = navigation.destination;
    yield { of: "waypoint", time, source: "1", id, hasArrived: navigation.arrived };
    const values = {
      ...toCoordinates(plus(place, plainFix(second).error)),
      ...{ cog: courseOverGround, sog: speedOverGround * KNOTS, stw: speedThroughWater * KNOTS },
      ...{ windSpeed: trueWind.speed * KNOTS, windDirection: trueWind.direction, windAngle: trueWind.angle },
      pressure: weatherAt(second).pressure,
    };
    yield { of: "navigation", time, values };
  }
}

test("hours of the simulated voyage, at night a day, have the distances of geographiclib and their speeds within a thousandth, and each event at its time", () => {
  const to = 3600 * atNight(6, 24);
  const keeper = new VoyageKeeper(HOUR);
  const lines: KeptLine[] = [];
  let [metres, waterMiles, strongest] = [0, 0, 0];
  let before: { readonly latitude: number; readonly longitude: number } | undefined;
  for (const observation of observed(to)) {
    for (const line of keeper.hear(observation)) lines.push(line);
    if (observation.of !== "navigation") continue;
    const { latitude = 0, longitude = 0, stw = 0, windSpeed = 0 } = observation.values;
    if (before !== undefined) {
      metres += WGS84.Inverse(before.latitude, before.longitude, latitude, longitude).s12!;
      waterMiles += stw / 3600;
    }
    before = { latitude, longitude };
    strongest = Math.max(strongest, windSpeed);
  }
  for (const line of keeper.finish()) lines.push(line);
  const voyage = voyageOf(lines)!;
  const figures = figuresOf(voyage);
  expect(Math.abs(figures.groundMiles / (metres / 1852) - 1)).toBeLessThan(0.001);
  expect(Math.abs(figures.waterMiles / waterMiles - 1)).toBeLessThan(0.001);
  expect(figures.maxWind).toBeCloseTo(strongest, 1);
  expect([figures.gapMiles, figures.restSeconds, figures.underwaySeconds]).toEqual([0, 0, to - 1]);

  const seconds = (kind: string): number[] => secondsOf(voyage.entries, kind);
  const on = risesOf(to, runsAt);
  const off = risesOf(to, (second) => !runsAt(second)).filter((second) => second > 0);
  expect(on.length + off.length).toBeGreaterThan(to / 650);
  expect([seconds("engineOn"), seconds("engineOff")]).toEqual([on, off]);
  expect(seconds("waypoint")).toEqual(risesOf(to, (second) => voyageAt(second).navigation.arrived));
  expect(seconds("hourly")).toEqual(Array.from({ length: to / 3600 - 1 }, (_, hour) => 3600 * (hour + 1)));
  expect(seconds("begin")).toEqual([0]);
  const engineSeconds = Array.from({ length: to - 1 }, (_, second) => Number(runsAt(second + 1)));
  expect(figures.engineSeconds["0"]).toBeCloseTo(
    engineSeconds.reduce((sum, each) => sum + each, 0),
    0,
  );

  // A leg has its course from two minutes after its begin on, and a turn is between two legs.
  const begins = risesOf(to - 150, (second) => {
    const trackAt = (at: number): number => voyageAt(at).navigation.track;
    return second === 0 || trackAt(second) !== trackAt(second - 1);
  });
  const courses = voyage.entries.filter(({ kind }) => kind === "course");
  expect(courses).toHaveLength(begins.length);
  for (const [at, { time, details }] of courses.entries()) {
    const into = (time - BEGINS) / 1000 - begins[at]!;
    expect([into > 0, into < 150], `course ${at}, ${into} s`).toEqual([true, true]);
    expect(Math.abs(Number(details!.to) - voyageAt(begins[at]! + 60).navigation.track)).toBeLessThan(20);
  }
  // The barometer: each entry is three hectopascals from the one before, and none is left out.
  let kept = weatherAt(0).pressure;
  const changes = risesOf(to, (second) => {
    const hasChanged = Math.abs(weatherAt(second).pressure - kept) >= 300;
    if (hasChanged) kept = weatherAt(second).pressure;
    return hasChanged;
  });
  expect(seconds("barometer")).toEqual(changes);
  expect(Math.max(...voyage.entries.map(({ details }) => Number(details?.knots ?? 0)))).toBeGreaterThan(strongest - 3);
});

test("the voyage that lasts is found again at a start, though a wrong clock has left later names", async () => {
  const store = memoryVoyageStore();
  const entry = (kind: string, time: number, number: number): string =>
    JSON.stringify({ line: "entry", entry: number, kind, time, conditions: { latitude: 54, longitude: 10 } });
  await store.append("2026-11-21T080000Z", [entry("begin", BEGINS, 0)]);
  for (const year of [2036, 2037])
    await store.append(`${year}-01-01T000000Z`, [
      entry("begin", Date.UTC(year), 0),
      entry("end", Date.UTC(year) + HOUR, 1),
    ]);
  const voyages = await Voyages.open({ prefix: "can/can0", store, entryEveryMs: HOUR, monotonic: () => 0 });
  expect(voyages.openName).toBe("2026-11-21T080000Z");
});

test("a line by hand that could not be written is refused, and not written later beside its second try", async () => {
  const store = memoryVoyageStore();
  let isFull = false;
  const refusing =
    <Given extends readonly unknown[]>(write: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      if (isFull) throw new Error("no space left on device");
      await write(...given);
    };
  const full = { ...store, append: refusing(store.append), create: refusing(store.create) };
  const voyages = await Voyages.open({ prefix: "can/can0", store: full, entryEveryMs: HOUR, monotonic: () => 0 });
  const encoder = new TextEncoder();
  for (const { topic, payload } of simulatedBoat("can/can0", 0, 90, BEGINS))
    voyages.hear(topic, encoder.encode(payload));
  await voyages.advance();
  const name = voyages.openName!;
  const imported: readonly KeptLine[] = [{ line: "entry", entry: 0, kind: "begin", time: BEGINS - 9 * HOUR }];
  const requests = [
    () => voyages.write(name, "note", "Fog"),
    () => voyages.correct(name, 0, BEGINS, "Cast off"),
    () => voyages.add([[...imported, { line: "track", time: BEGINS - HOUR, points: [[BEGINS - HOUR, 54, 10]] }]]),
  ];
  isFull = true;
  for (const request of requests) await expect(request()).rejects.toThrow("no space left");
  isFull = false;
  for (const request of requests) await request();
  await voyages.advance();
  const text = [...store.files.values()].join("");
  for (const written of ["Fog", "Cast off", String(BEGINS - 9 * HOUR)]) expect(text.split(written)).toHaveLength(2);
  expect(store.files.size).toBe(2);
});

/** The surroundings of the boat, without a browser: land and water, where places are on the plot, the leg. */
import type { VNode } from "preact";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { greatCircle, type Position } from "../../../../src/core/nav/great-circle.ts";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { ALARMS, alarmSettings, watchedMiles } from "../../../../src/web/display/alarms/watched-distances.ts";
import { blocksAround, type CoastCell, isLand, readCoast } from "../../../../src/web/display/chart/coast-file.ts";
import { degreesOf, placeOf, pointOf, type View } from "../../../../src/web/display/chart/view.ts";
import { courseOfLeg, LegMarks } from "../../../../src/web/display/ships/leg.tsx";
import { PREFIX, publish, usePageMemory } from "./page-memory.ts";

interface CoastFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: Buffer;
}

describe("the coastline", () => {
  let cells: ReadonlyMap<string, readonly CoastCell[]>;
  beforeAll(async () => {
    const { coastFiles } = (await import("../../../../scripts/coast.mjs" as string)) as {
      coastFiles: () => readonly CoastFile[];
    };
    const bufferOf = ({ buffer, byteOffset, length }: Buffer): ArrayBuffer =>
      buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
    cells = new Map(coastFiles().map(({ name, bytes }) => [name, readCoast(bufferOf(bytes))]));
  });

  const hasLand = (block: string, place: Position): boolean => isLand(cells.get(block) ?? [], place);

  const places: readonly (readonly [string, Position, boolean])[] = [
    ["Copenhagen", { latitude: 55.69, longitude: 12.45 }, true],
    ["the Sound", { latitude: 55.8, longitude: 12.72 }, false],
    ["the Caspian Sea", { latitude: 42, longitude: 50.5 }, false],
    ["Fiji, west of 180 degrees", { latitude: -17.8, longitude: 178 }, true],
    ["on the edge of a cell", { latitude: 50, longitude: 10 }, true],
    ["Tierra del Fuego", { latitude: -54, longitude: -68.9 }, true],
    ["Lake Michigan, 35 miles from a shore", { latitude: 43, longitude: -87.3 }, false],
    ["Michigan, between two of its lakes", { latitude: 45.3, longitude: -84.5 }, true],
    ["the IJsselmeer", { latitude: 52.75, longitude: 5.35 }, false],
    ["Flevoland", { latitude: 52.5, longitude: 5.6 }, true],
    ["Lake Geneva", { latitude: 46.43, longitude: 6.55 }, false],
    ["Lausanne's north", { latitude: 46.65, longitude: 6.6 }, true],
    ["Lake Ladoga", { latitude: 61, longitude: 31.5 }, false],
    ["Lake Victoria", { latitude: -1, longitude: 33 }, false],
    ["the Drake Passage", { latitude: -58, longitude: -65 }, false],
  ];
  // Rings cross 180 degrees here, or go around a pole.
  const wide: readonly (readonly [string, Position, boolean])[] = [
    ["the sea north of Iceland", { latitude: 67.5, longitude: -18 }, false],
    ["Lapland", { latitude: 67, longitude: 25 }, true],
    ["Chukotka, west of 180 degrees", { latitude: 67, longitude: 178 }, true],
    ["Chukotka, east of 180 degrees", { latitude: 67, longitude: -175 }, true],
    ["the Bering Strait", { latitude: 65.9, longitude: -168.9 }, false],
    ["the Barents Sea", { latitude: 71.2, longitude: 40 }, false],
    ["the Pacific at the latitude of Fiji", { latitude: -16.3, longitude: -120 }, false],
    ["New Zealand", { latitude: -40, longitude: 176 }, true],
    ["the Tasman Sea", { latitude: -40, longitude: 165 }, false],
    ["Antarctica, east of 180 degrees", { latitude: -86, longitude: -179 }, true],
    ["Antarctica", { latitude: -80, longitude: 100 }, true],
    ["the South Pole", { latitude: -89.9, longitude: 10 }, true],
    ["the North Pole", { latitude: 89.9, longitude: 10 }, false],
  ];
  test.each(wide)("%s, also in the file of the world", (_name, place, expected) => {
    const [block] = blocksAround(place, { north: 0, east: 0 });
    expect([hasLand(block!, place), hasLand("world", place)]).toEqual([expected, expected]);
  });
  test.each(places)("%s", (_name, place, expected) => {
    const [block] = blocksAround(place, { north: 0, east: 0 });
    expect(hasLand(block!, place)).toBe(expected);
  });

  test("the world has the continents, and 20 degrees of any coast are less than 100 kB", () => {
    expect(hasLand("world", { latitude: 20, longitude: 10 })).toBe(true);
    expect(hasLand("world", { latitude: 40, longitude: -40 })).toBe(false);
    expect(hasLand("world", { latitude: 43, longitude: -87.3 })).toBe(false);
    const words = [...cells.values()].map((all) =>
      all.flatMap(({ land, lakes }) => [...land, ...lakes]).reduce((sum, ring) => sum + ring.length, 0),
    );
    expect(2 * Math.max(...words)).toBeLessThan(100_000);
  });

  test("the blocks around a place, also across 180 degrees", () => {
    expect(blocksAround({ latitude: 55, longitude: 12 }, { north: 1, east: 2 })).toEqual(["0_50"]);
    expect(blocksAround({ latitude: 50.5, longitude: 0.5 }, { north: 1, east: 2 })).toEqual([
      "-20_30",
      "-20_50",
      "0_30",
      "0_50",
    ]);
    expect(blocksAround({ latitude: -15, longitude: 179 }, { north: 1, east: 2 })).toEqual(["160_-30", "-180_-30"]);
  });
});

describe("the plot", () => {
  const view: View = {
    center: { latitude: 60, longitude: 179.9 },
    ...{ scale: 100, turn: -90, width: 800, height: 600 },
  };

  test("a place to the north is at the left with east up, and a point is the place again", () => {
    const { x, y } = pointOf(view, { latitude: 61, longitude: 179.9 });
    expect([x, y].map((value) => Math.round(value) + 0)).toEqual([-6000, 0]);
    const beyond = { latitude: 60.1, longitude: -179.9 };
    const back = placeOf(view, pointOf(view, beyond));
    expect([back.latitude, back.longitude].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([60.1, -179.9]);
  });

  test("a degree as the matrix of the land has it", () => {
    const [a, b, c, d] = degreesOf({ ...view, turn: 0 });
    expect([a, b, c, d].map((value) => Math.round(value) + 0)).toEqual([3000, 0, 0, -6000]);
  });
});

describe("the leg", () => {
  usePageMemory();
  const send = (data: { readonly pgn: number; readonly [name: string]: unknown }, addr = 2): void =>
    publish(topicsBelow(PREFIX).pgn({ addr, pgn: data.pgn }), data);

  test.each([
    ["the boat east of a leg to the north has to steer to port", 0.001, 0.05996],
    ["and west of it to starboard", -0.001, -0.05996],
  ])("%s", (_name, longitude, off) => {
    const { bearing, range } = greatCircle({ latitude: 0, longitude }, { latitude: 0.1, longitude: 0 });
    const course = courseOfLeg(bearing, range, off, false)!;
    expect(Math.abs(((course + 180) % 360) - 180)).toBeLessThan(0.1);
  });

  test.each([
    ["before the waypoint", 0.9, "Arrival Circle Entered"],
    ["beyond it", 1.1, "Perpendicular Crossed"],
    ["beyond it, and near", 1.02, "Arrival Circle Entered, Perpendicular Crossed"],
  ])("a boat %s, east of a leg to the north", (_name, latitude, arrivalStatus) => {
    send({ pgn: 129284, destinationLatitude: 1, destinationLongitude: 0, arrivalStatus });
    send({ pgn: 129283, xte: 185.2 });
    // Another plotter has no course.
    for (const pgn of [129283, 129284]) send({ pgn, sequenceId: 0 }, 1);
    const here = { latitude, longitude: 0.1 / 60 };
    const view: View = { center: here, scale: 100, turn: 0, width: 800, height: 600 };
    const [leg] = LegMarks({ view, here, now: performance.now() })!.props.children as VNode<{ d: string }>[];
    const [, across, down] = leg!.props.d.match(/l(\S+) (\S+)$/)!;
    expect(Number(down)).toBeGreaterThan(1000);
    expect(Math.abs(Number(across))).toBeLessThan(5);
  });

  test("beside the waypoint there is no course", () => expect(courseOfLeg(90, 0.1, 0.2, false)).toBeUndefined());
});

describe("watched distances", () => {
  usePageMemory();
  afterEach(() => {
    alarmSettings.value = undefined;
  });

  const report = (state: string): void =>
    publish(topicsBelow(PREFIX).alarms(), { alarms: [], watching: { guardZone: state } });
  const guard = () => watchedMiles("guardZone", performance.now());

  test("only of a watch that is on, and only when the settings are known", () => {
    report("on");
    alarmSettings.value = undefined;
    expect(guard()).toBeUndefined();
    alarmSettings.value = { name: ALARMS };
    expect(guard()).toBe(1);
    alarmSettings.value = { name: ALARMS, guardZone: { radius: 2.5 } };
    expect(guard()).toBe(2.5);
    report("off");
    expect(guard()).toBeUndefined();
  });
});

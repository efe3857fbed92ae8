/** The display's arithmetic: ages, angles, numbers, ships, topics. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationText, fixed, minutesText, tenths } from "../../../src/core/text/quantity.ts";
import { ageOf, isExpired, PeriodEstimate } from "../../../src/web/display/data/freshness.ts";
import { keyOf } from "../../../src/web/display/data/message-keys.ts";
import { payloadText, RawTopics } from "../../../src/web/display/data/raw-topics.ts";
import { LatestNavigation, quantities } from "../../../src/web/display/instruments/quantities.ts";
import {
  bearingText,
  convert,
  coordinateText,
  countText,
  dateTimeText,
  decimalOf,
  defaultUnits,
  measureNames,
  measureText,
  offBow,
  scaleText,
  sideOf,
} from "../../../src/web/display/instruments/units.ts";
import { createAngleUnwrapper, unwrapAngle } from "../../../src/web/display/parts/angles.ts";
import { sortByUrgency, type Target } from "../../../src/web/display/ships/traffic.ts";
import { History } from "../../../src/web/display/trend/ring.ts";
import { singleValue } from "../../../src/web/display/trend/trend-points.ts";

describe("freshness", () => {
  test("a message ages from its age on arrival, and expires", () => {
    const stamp = { arrived: 1000, ageOnArrival: 45, expireAfter: 60 };
    expect(ageOf(stamp, 1000)).toBe(45);
    expect(isExpired(stamp, 16_000)).toBe(false);
    expect(isExpired(stamp, 16_001)).toBe(true);
  });

  test.each([
    [0.44, "0.4 s"],
    [12.4, "12 s"],
    [180, "3 min"],
    [7200, "2 h"],
    [432_000, "5 d"],
  ])("durationText says %d as %s", (seconds, text) => expect(durationText(seconds)).toBe(text));
});

describe("PeriodEstimate", () => {
  const after = (gaps: readonly number[]): number => {
    const period = new PeriodEstimate();
    let now = 0;
    period.hear(now);
    for (const gap of gaps) {
      now += gap;
      period.hear(now);
    }
    return period.lifeSeconds(60);
  };
  test.each([
    ["one message tells no period", [], 60],
    ["a fast sender has three seconds", [100, 100, 100], 3],
    ["a slow one three periods", [2500, 2500], 7.5],
    ["the longest gap counts, as switches also send between their periods", [15_000, 100, 15_000], 45],
    ["the message's own expiry is the last word", [30_000], 60],
    ["a pause is forgotten after eight messages", [50_000, ...Array(8).fill(1000)], 3],
  ])("%s", (_, gaps, life) => expect(after(gaps)).toBe(life));
});

describe("angle unwrapping", () => {
  test("a needle never takes the longer way, and always shows the direction", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -720, max: 720 }), { minLength: 2 }), (directions) => {
        const follow = createAngleUnwrapper();
        let before = follow(directions[0]!);
        for (const direction of directions) {
          const shown = follow(direction);
          expect(Math.abs(shown - before)).toBeLessThanOrEqual(180);
          expect((((shown - direction) % 360) + 360) % 360).toBe(0);
          before = shown;
        }
      }),
    );
  });

  test("from 359 to 1 is two degrees on", () => expect(unwrapAngle(359, 1)).toBe(361));
  test("from -179 to 179 is two degrees back", () => expect(unwrapAngle(-179, 179)).toBe(-181));
});

describe("History", () => {
  const gap = (at: number) => singleValue(at, null);

  test("keeps the extremes and the latest value of each step, and gaps where there was none", () => {
    const history = new History(10, 2);
    for (const [value, at] of [
      [1, 100],
      [5, 100.5],
      [2, 101],
      [3, 106],
    ] as const)
      history.add(value, at);
    expect(history.points(107)).toEqual([
      gap(-8),
      { at: -6, low: 1, value: 2, high: 5 },
      gap(-4),
      gap(-2),
      singleValue(0, 3),
    ]);
  });

  test("drops values older than its duration", () => {
    const history = new History(10, 2);
    history.add(1, 100);
    expect(history.points(200)).toEqual([-8, -6, -4, -2, 0].map(gap));
    history.add(2, 200);
    expect(history.points(200).map(({ value }) => value)).toEqual([null, null, null, null, 2]);
  });
});

describe("LatestNavigation", () => {
  const source = { name: "1", pgn: 128267, rxTimestamp: 0, age: 0.5 };
  const inTime = (at: number) => ({ made: at, arrived: at, expireAfter: 2, pause: 0 });

  test("a value lives until the report expires", () => {
    const latest = new LatestNavigation();
    latest.hear({ depth_water: { depth: 4.2, source } }, inTime(10_000));
    expect(latest.read("depth", 11_000)).toEqual({ kind: "live", value: 4.2, age: 1.5 });
    expect(latest.read("depth", 12_001).kind).toBe("dead");
  });

  test("a value of an old source is dead in a fresh report", () => {
    const latest = new LatestNavigation();
    latest.hear({ depth_water: { depth: 4.2, source: { ...source, age: 30 } } }, inTime(10_000));
    expect(latest.read("depth", 10_000)).toEqual({ kind: "dead", value: 4.2, age: 30 });
  });

  test("a value of a late report is as old as it is, and dead when the report waited for more than its life and two seconds", () => {
    const latest = new LatestNavigation();
    const data = { depth_water: { depth: 4.2, source } };
    latest.hear(data, { made: 10_000, arrived: 13_900, expireAfter: 2, pause: 0 });
    expect(latest.read("depth", 15_000)).toEqual({ kind: "live", value: 4.2, age: 5.5 });
    expect(latest.read("depth", 15_901).kind).toBe("dead");
    latest.hear(data, { made: 10_000, arrived: 22_000, expireAfter: 2, pause: 0 });
    expect(latest.read("depth", 22_000)).toEqual({ kind: "dead", value: 4.2, age: 12.5 });
  });

  test("between two samples of a slow link a value that is nearly too old stays", () => {
    const latest = new LatestNavigation();
    const sampled = (pause: number) => ({ made: 10_000, arrived: 10_000, expireAfter: 2, pause });
    const almost = { depth_water: { depth: 4.2, source: { ...source, age: quantities.depth.maxAgeSeconds - 0.5 } } };
    latest.hear(almost, sampled(2));
    expect([13_900, 14_100].map((now) => latest.read("depth", now).kind)).toEqual(["live", "dead"]);
    latest.hear(almost, sampled(0));
    expect([11_900, 12_100].map((now) => latest.read("depth", now).kind)).toEqual(["live", "dead"]);
  });

  test("null is unknown, absent after a value is dead, absent from the beginning is none", () => {
    const latest = new LatestNavigation();
    latest.hear({ speed_course: { cog: 90, sog: 5, source } }, inTime(10_000));
    latest.hear({ speed_course: { cog: null, sog: 5, source } }, inTime(11_000));
    expect(latest.read("cog", 11_000)).toEqual({ kind: "unknown" });
    expect(latest.read("stw", 11_000)).toEqual({ kind: "none" });
    latest.hear({}, inTime(12_000));
    expect(latest.read("sog", 12_000)).toMatchObject({ kind: "dead", value: 5 });
    expect(latest.read("sog", 12_000 + 601_000).kind).toBe("none");
  });
});

describe("keyOf", () => {
  test("tells streams of one PGN apart", () => {
    const tank = { pgn: 127505, instance: 1, fluidType: "Fuel", levelPercent: 50 };
    expect(keyOf(tank)).toBe("1/Fuel");
    expect(keyOf({ ...tank, levelPercent: 60 })).toBe(keyOf(tank));
    expect(keyOf({ ...tank, fluidType: "Water" })).not.toBe(keyOf(tank));
    expect(keyOf({ pgn: 130312, instance: 0, source: "Sea Temperature" })).toBe("0/Sea Temperature");
    expect(keyOf({ pgn: 127507, chargerInstance: 1, batteryInstance: 2 })).toBe("1/2");
    expect(keyOf({ pgn: 127508 })).toBe("");
  });
});

describe("units", () => {
  test("bearings have three digits and no 360", () => {
    expect(bearingText(359.6)).toBe("000");
    expect(bearingText(7.2)).toBe("007");
    expect(bearingText(-1)).toBe("359");
  });
  test("coordinates carry into the next degree", () => {
    expect(coordinateText(53.3055904, "latitude")).toBe("53° 18.335′ N");
    expect(coordinateText(-3.99999999, "longitude")).toBe("004° 00.000′ W");
  });
  test("numbers as on an instrument", () => {
    expect([tenths(4.25), tenths(99.96), tenths(104.4)]).toEqual(["4.3", "100", "104"]);
    expect([offBow(-35.4), sideOf(-35.4), sideOf(0.4)]).toEqual(["35", "port", undefined]);
    expect([sideOf(180, true), sideOf(-179.6, true), sideOf(180)]).toEqual([undefined, undefined, "starboard"]);
    expect([minutesText(4.5), minutesText(65.2), countText(18520061)]).toEqual([
      "4:30",
      "1 h 05",
      "18\u202f520\u202f061",
    ]);
  });
});

describe("measures", () => {
  test.each([
    ["depth", "ft", 3.048, "10.0"],
    ["depth", "fm", 18.288, "10.0"],
    ["speed", "km/h", 10, "18.5"],
    ["speed", "mph", 10, "11.5"],
    ["wind", "m/s", 10, "5.1"],
    ["wind", "km/h", 60, "111"],
    ["wind", "Bft", 0.4, "0"],
    ["wind", "Bft", 1, "1"],
    ["wind", "Bft", 16.4, "4"],
    ["wind", "Bft", 16.6, "5"],
    ["wind", "Bft", 64, "12"],
    ["distance", "km", 1, "1.9"],
    ["distance", "mi", 100, "115"],
    ["temperature", "°F", -40, "-40.0"],
    ["temperature", "°F", 20, "68.0"],
    ["airPressure", "hPa", 101_325, "1013"],
    ["airPressure", "inHg", 101_325, "29.92"],
    ["airPressure", "mmHg", 101_325, "760"],
    ["enginePressure", "bar", 420, "4.2"],
    ["enginePressure", "psi", 420, "61"],
    ["volume", "gal", 378.5, "100"],
    ["volume", "imp gal", 454.6, "100"],
  ] as const)("%s in %s: %d is %s", (measure, unit, value, text) =>
    expect(measureText(measure, { ...defaultUnits, [measure]: unit }, value)).toBe(text),
  );
  test.each([
    ["NM", 0.015, "0.015"],
    ["NM", 0.06, "0.06"],
    ["NM", 0.125, "0.13"],
    ["NM", 2, "2"],
    ["km", 0.03, "0.056"],
    ["km", 64, "119"],
  ] as const)("a scale in %s: %d is %s", (distance, miles, text) =>
    expect(scaleText({ ...defaultUnits, distance }, miles)).toBe(text),
  );
  test("the defaults are the units of the reports", () => {
    const converted = measureNames.filter((name) => convert(name, defaultUnits, 1000) !== 1000);
    // Pressures come in Pa and kPa, and are shown in other units.
    expect(converted).toEqual(["airPressure", "enginePressure"]);
  });
  test("a zero has no sign", () =>
    expect([fixed(-0.04, 1), tenths(-0.04), tenths(-0.06)]).toEqual(["0.0", "0.0", "-0.1"]));
  test("local time is that of this device, and the date goes along", () => {
    expect(dateTimeText("2026-11-21", "23:59:60", "UTC")).toEqual({ date: "2026-11-21", time: "23:59:60" });
    const moment = new Date("2026-11-21T23:30:05Z");
    const { date, time } = dateTimeText("2026-11-21", "23:30:05", "local");
    expect(`${date} ${time}`).toBe(moment.toLocaleString("sv"));
  });
});

describe("traffic", () => {
  const ship = (mmsi: number, more: Partial<Target>): Target => ({ mmsi, class: "A", lastSeen: "", ...more });

  test("distress, then danger by time, then who closes by time, then the rest by distance", () => {
    const targets = [
      ship(1, { range: 5 }),
      ship(2, { range: 9, cpa: 2, tcpa: 12 }),
      ship(3, { range: 3, cpa: 0.4, tcpa: 15 }),
      ship(4, { range: 3, cpa: 0.1, tcpa: 5 }),
      ship(5, { range: 1 }),
      ship(6, { class: "SART", range: 20 }),
      ship(7, { class: "AtoN", range: 0.2, cpa: 0.1, tcpa: 2 }),
      ship(8, {}),
    ];
    const isDangerous = ({ mmsi }: Target): boolean => mmsi === 3 || mmsi === 4;
    expect(sortByUrgency(targets, isDangerous).map(({ mmsi }) => mmsi)).toEqual([6, 4, 3, 2, 7, 5, 1, 8]);
  });
});

describe("RawTopics", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  test("counts what comes, per topic and second", () => {
    const raw = new RawTopics();
    for (let now = 0; now < 2000; now += 100) raw.hear("a", bytes("{}"), now);
    raw.updateRates(2000);
    expect(raw.matching("", () => "")[0]).toMatchObject({ topic: "a", count: 20, rate: 10 });
  });
  test("finds by topic, name and text, all words of it", () => {
    const raw = new RawTopics();
    raw.hear("device/4/pgn/127250", bytes('{"reference":"Magnetic"}'), 0);
    raw.hear("device/5/pgn/127250", bytes('{"reference":"True"}'), 0);
    const found = (filter: string) => raw.matching(filter, () => "Vessel Heading").map(({ topic }) => topic);
    expect(found("magnetic 127250")).toEqual(["device/4/pgn/127250"]);
    expect(found("heading")).toHaveLength(2);
    expect(found("depth")).toEqual([]);
  });
  test("leaves the rows that are shown in their places, and puts what comes later below them", () => {
    const raw = new RawTopics();
    const topicsNow = (shown?: ReadonlyMap<string, number>) =>
      raw.matching("", () => "", shown).map(({ topic }) => topic);
    for (const topic of ["device/20/pgn/127508", "device/9/pgn/130306"]) raw.hear(topic, bytes("{}"), 0);
    const shown = topicsNow();
    expect(shown).toEqual(["device/9/pgn/130306", "device/20/pgn/127508"]);
    for (const topic of ["navigation", "ais", "device/16/pgn/127488"]) raw.hear(topic, bytes("{}"), 0);
    const later = topicsNow(new Map(shown.map((topic, index) => [topic, index])));
    expect(later).toEqual([...shown, "ais", "device/16/pgn/127488", "navigation"]);
    expect(topicsNow()).toEqual(later.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })));
  });
  test("shows all digits of a NAME and leaves strings alone", () => {
    const shown = payloadText(bytes('{"name":13868994482250310209,"text":"a,b {"}'));
    expect(shown).toBe('{ "name":13868994482250310209, "text":"a,b {"}');
  });
});

test.each([
  ["3.5", 3.5],
  ["3,5", 3.5],
  ["-0,125", -0.125],
  [".5", 0.5],
  ["7.", 7],
  ["1,000", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["1 000", undefined],
  ["fast", undefined],
  ["", undefined],
])("decimalOf reads %j as %s", (text, value) => {
  expect(decimalOf(text)).toBe(value);
});

/** The times at which a report is due, and properties for any messages at any times. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AisMessage, aisPgns } from "../../../src/core/nav/ais-messages.ts";
import { aisReport } from "../../../src/core/nav/ais-report.ts";
import { AisReporter } from "../../../src/core/nav/ais-reporter.ts";
import type { OwnShip } from "../../../src/core/nav/own-ship.ts";
import { classA, classAStatic } from "./ais-messages.ts";
import { advance, reportOf } from "./ais-texts.ts";

const WALL = Date.UTC(2026, 10, 21, 8, 14);
const own: OwnShip = { latitude: 52.1, longitude: 4.2, cog: 10, sog: 6 };
const ship = classA({ mmsi: 244660000, latitude: 52.2, longitude: 4.3 });

/** A reporter on a bridge: time passes in steps of 100 ms, and the times of its reports are kept. */
function bridge() {
  const reporter = new AisReporter();
  const reports: number[] = [];
  let now = 0;
  return {
    reporter,
    reports,
    hear: (message: AisMessage) => reporter.hear(message, { arrived: now, received: WALL + now }),
    pass(until: number, ship?: OwnShip | ((now: number) => OwnShip)) {
      for (; now < until; now += 100) {
        const place = typeof ship === "function" ? ship(now) : ship;
        if (now >= reporter.due() && advance(reporter, now, WALL + now, place) !== undefined) reports.push(now);
      }
    },
  };
}

describe("rates", () => {
  test("nothing changes: at once, then every 10 s", () => {
    const { reports, pass } = bridge();
    pass(30_100);
    expect(reports).toEqual([0, 10_000, 20_000, 30_000]);
  });

  test("a message after a long time is reported at once", () => {
    const { reports, hear, pass } = bridge();
    pass(3_400);
    hear(ship);
    pass(14_000);
    expect(reports).toEqual([0, 3_400, 13_400]);
  });

  test("continual messages are reported every second", () => {
    const { reports, hear, pass } = bridge();
    for (let now = 100; now <= 5_000; now += 100) {
      pass(now);
      hear(ship);
    }
    expect(reports).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
  });

  test("a moving own ship makes a report every second, one that lies still every ten", () => {
    const moving = bridge();
    moving.pass(5_000, (now) => ({ ...own, latitude: 52 + now / 1e7 }));
    expect(moving.reports).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    const still = bridge();
    still.pass(20_100, own);
    expect(still.reports).toEqual([0, 10_000, 20_000]);
  });

  test("a target that is forgotten is a change", () => {
    const { reports, hear, pass } = bridge();
    hear(classAStatic({ mmsi: 244660000, name: "NOORDZEE" }));
    pass(600_000);
    const before = reports.length;
    pass(600_900);
    expect(reports.slice(before)).toEqual([600_000]);
  });

  test("messages that are of no target change nothing", () => {
    const { reports, reporter, hear, pass } = bridge();
    reporter.setOwnMmsi(244660000);
    pass(100);
    for (let now = 200; now <= 5_000; now += 100) {
      hear(ship);
      hear(classA({ latitude: 1, longitude: 1 }));
      pass(now);
    }
    expect(reports).toEqual([0]);
    expect(reporter.counters().withoutMmsi).toBe(49);
  });

  test("a message that repeats the same values at the same time is no change, and is compared once", () => {
    const reporter = new AisReporter();
    reporter.hear(ship, { arrived: 0, received: WALL });
    expect(advance(reporter, 0, WALL, own)).toBeDefined();
    reporter.hear(ship, { arrived: 1_500, received: WALL });
    expect(reporter.due()).toBe(1_000);
    expect(advance(reporter, 1_500, WALL, own)).toBeUndefined();
    expect(reporter.due()).toBe(2_500);
  });

  test("a question in between is answered and counts as the last report", () => {
    const { reports, reporter, hear, pass } = bridge();
    pass(2_500);
    hear(ship);
    const report = reportOf(reporter, 2_500, WALL, own);
    expect(aisReport.parse(JSON.parse(report)).data.targets).toHaveLength(1);
    pass(12_600, own);
    expect(reports).toEqual([0, 12_500]);
  });
});

// ------------------------------------------------------------------------------------------------ any messages

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const degrees = optional(
  fc.integer({ min: 0, max: 62831 }).map((raw) => Math.round((raw * 180e3) / Math.PI / 1e4) / 1e3),
);
const metres = optional(fc.integer({ min: 0, max: 65532 }).map((raw) => raw / 10));
const text = optional(fc.string({ unit: "grapheme", maxLength: 20 }));
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Any message that a decoder could give, of few stations, so that each sends several. */
const anyMessage: fc.Arbitrary<AisMessage> = fc
  .record({
    pgn: fc.constantFrom(...aisPgns.map(({ pgn }) => pgn)),
    mmsi: optional(
      fc.oneof(
        fc.integer({ min: 200_000_000, max: 200_000_012 }),
        fc.constantFrom(0, 0xffffffff, 999_999_999, 970_000_001, 2_442_001),
      ),
    ),
    messageId: optional(fc.integer({ min: 0, max: 27 })),
    latitude: optional(between(-90, 90)),
    longitude: optional(between(-180, 180)),
    cogDeg: degrees,
    // From 102.2 knots on there are codes of no speed.
    sogKnots: optional(fc.integer({ min: 0, max: 5255 }).map((raw) => Math.round((raw / 100) * (360000 / 1852)) / 100)),
    headingDeg: degrees,
    rateOfTurnDegPerMin: optional(between(-3519, 3519)),
    navStatus: optional(fc.constantFrom("Moored", "AIS-SART")),
    name: text,
    callsign: text,
    imoNumber: optional(fc.integer({ min: 1, max: 2 ** 30 - 1 })),
    shipType: optional(fc.integer({ min: 1, max: 252 })),
    shipTypeName: optional(fc.constant("Cargo ship")),
    atonType: optional(fc.constant("RACON")),
    lengthM: metres,
    beamM: metres,
    toBowM: metres,
    toNorthM: metres,
    toStarboardM: metres,
    draftM: metres,
    destination: text,
  })
  .map((message) => JSON.parse(JSON.stringify(message)) as AisMessage);

const anyOwn: fc.Arbitrary<OwnShip | undefined> = optional(
  fc.record({
    latitude: between(-90, 90),
    longitude: between(-180, 180),
    cog: fc.option(between(0, 360)),
    sog: fc.option(between(0, 100)),
  }),
);

/** A message, or nothing for a while; the wall clock may run as it likes. */
const anySteps = fc.array(
  fc.record({
    message: optional(anyMessage),
    pause: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 20 * 60_000 })),
    wall: fc.integer({ min: 0, max: WALL * 2 }),
    own: anyOwn,
  }),
  { maxLength: 60 },
);

type Steps = typeof anySteps extends fc.Arbitrary<infer Value> ? Value : never;

/** All reports of a run, and when they came. */
function run(steps: Steps): { readonly now: number; readonly report: string }[] {
  const reporter = new AisReporter();
  const reports: { now: number; report: string }[] = [];
  let now = 0;
  for (const { message, pause, wall, own } of steps) {
    now += pause;
    const report = advance(reporter, now, wall, own);
    if (report !== undefined) reports.push({ now, report });
    // Each message carries the time of its arrival as its stamp, for the ages below.
    if (message !== undefined) reporter.hear(message, { arrived: now, received: now });
  }
  return reports;
}

describe("for any messages at any times", () => {
  test("every report keeps its schema and shows no target older than its limit", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        for (const { now, report } of run(steps)) {
          const { data } = aisReport.parse(JSON.parse(report));
          expect(report).toMatch(/^[\x20-\x7e]*$/);
          const numbers = data.targets.map(({ mmsi }) => mmsi);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          for (const target of data.targets) {
            const age = now - Date.parse(target.lastSeen);
            expect(age).toBeLessThan((target.class === "AtoN" ? 30 : 10) * 60_000);
            const isPlaced = target.position !== undefined && data.ownShip.position !== undefined;
            expect(target.range !== undefined).toBe(isPlaced);
            expect(target.bearing !== undefined).toBe(isPlaced);
            expect(target.cpa !== undefined).toBe(target.tcpa !== undefined);
            if (target.cpa !== undefined) {
              expect([target.cog, target.sog, target.position]).not.toContain(undefined);
              expect(target.cpa).toBeLessThanOrEqual(target.range! + 0.005);
            }
          }
        }
      }),
    );
  });

  test("no place and no motion is shown that was received longer than six minutes ago", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const told = new Map<string, number>();
        let now = 0;
        let step = 0;
        const reporter = new AisReporter();
        for (const { message, pause, wall, own } of steps) {
          now += pause;
          step++;
          const { targets } = aisReport.parse(JSON.parse(reportOf(reporter, now, wall, own))).data;
          for (const target of targets) {
            for (const member of ["position", "cog", "sog", "heading", "rot"] as const) {
              const age = now - (told.get(`${target.mmsi} ${member}`) ?? Number.NEGATIVE_INFINITY);
              expect(target[member] !== undefined, `${member} at step ${step}`).toBe(age < 6 * 60_000);
            }
          }
          if (message === undefined) continue;
          reporter.hear(message, { arrived: now, received: wall });
          const members = {
            position: message.latitude !== undefined && message.longitude !== undefined,
            cog: message.cogDeg !== undefined,
            sog: message.sogKnots !== undefined,
            heading: message.headingDeg !== undefined,
            rot: message.rateOfTurnDegPerMin !== undefined,
          };
          for (const [member, isTold] of Object.entries(members))
            if (isTold) told.set(`${message.mmsi} ${member}`, now);
        }
      }),
    );
  });

  test("the same sequence gives the same bytes, and no two reports within a second", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const reports = run(steps);
        expect(run(steps)).toEqual(reports);
        for (const [index, { now }] of reports.entries())
          if (index > 0) expect(now - reports[index - 1]!.now).toBeGreaterThanOrEqual(1_000);
      }),
    );
  });
});

test("the report stands in the common envelope", () => {
  const reporter = new AisReporter();
  reporter.hear(ship, { arrived: 0, received: WALL });
  const text = reportOf(reporter, 0, Date.UTC(2026, 10, 21, 8, 14, 26, 123) + 0.5, own);
  expect(aisReport.parse(JSON.parse(text)).metadata).toEqual({
    rxDate: "2026-11-21T08:14:26.123Z",
    rxTimestamp: 1795248866,
    expireAfterSec: 60,
  });
});

import { describe, expect, test } from "vitest";
import type { AisMessage } from "../../../src/core/nav/ais-messages.ts";
import { aisReport } from "../../../src/core/nav/ais-report.ts";
import { AisReporter } from "../../../src/core/nav/ais-reporter.ts";
import type { OwnShip } from "../../../src/core/nav/own-ship.ts";
import { classA } from "./ais-messages.ts";
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

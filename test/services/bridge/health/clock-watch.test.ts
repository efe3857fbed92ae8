import { describe, expect, test } from "vitest";
import { ClockWatch } from "../../../../src/services/bridge/health/clock-watch.ts";
import { memoryLog } from "../../../support/memory/log.ts";

const bus = Date.UTC(2026, 10, 21, 8, 14, 26);

describe("ClockWatch", () => {
  /** Compares once a second, from second to second of the monotonic clock. */
  const watch = () => {
    const log = memoryLog();
    const clock = new ClockWatch(log);
    const changes: number[] = [];
    return {
      clock,
      changes,
      log,
      compare(from: number, to: number, aheadMs: number | undefined): void {
        for (let second = from; second < to; second++) {
          const now = second * 1000;
          const time = bus + now;
          if (clock.compare(now, time + (aheadMs ?? 0), aheadMs === undefined ? undefined : time)) changes.push(second);
        }
      },
    };
  };

  test("tells a difference of more than two seconds after a minute, once, and its end", () => {
    const { clock, compare, changes, log } = watch();
    compare(0, 60, -3100);
    expect([clock.aheadSec, log.lines]).toEqual([undefined, []]);
    compare(60, 300, -3100);
    expect(clock.aheadSec).toBe(-3.1);
    compare(300, 400, 1900);
    expect(clock.aheadSec).toBeUndefined();
    expect(changes).toEqual([60, 300]);
    expect(log.lines).toEqual([
      {
        level: "warn",
        message: "the computer's clock differs from the time on the bus",
        fields: { code: "CLOCK_OFF", aheadSec: -3.1 },
      },
      { level: "info", message: "the computer's clock agrees with the time on the bus again", fields: {} },
    ]);
  });

  test("says nothing of what does not last, nor of what it cannot compare", () => {
    const { clock, compare, log } = watch();
    compare(0, 59, 1e12);
    compare(59, 61, 0);
    compare(61, 119, -1e12);
    compare(119, 121, undefined);
    compare(121, 179, 5000);
    expect([clock.aheadSec, log.lines]).toEqual([undefined, []]);
  });

  test("while the bus has no time neither the difference nor its end is known", () => {
    const { clock, compare, log } = watch();
    compare(0, 61, 4000);
    expect(clock.aheadSec).toBe(4);
    compare(61, 100, undefined);
    expect(clock.aheadSec).toBeUndefined();
    compare(100, 200, 4000);
    expect(clock.aheadSec).toBe(4);
    expect(log.lines).toHaveLength(1);
    compare(200, 201, 0);
    expect(log.lines).toHaveLength(2);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bitsOnWire } from "../../../../src/core/can/wire-load.ts";
import { type BusCounters, discardReasons, noCounts } from "../../../../src/core/ports/packet-source.ts";
import { addedCounters } from "../../../../src/services/bridge/counters.ts";
import { busLoadPercent, healthOf, type Vitals } from "../../../../src/services/bridge/health/health.ts";
import { HealthReport } from "../../../../src/services/bridge/health/health-report.ts";
import { memoryPublisher } from "../../../support/memory/publisher.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { boatOf } from "../boat.ts";
import { createBursts } from "../bursts.ts";

const counted = (discarded: Partial<BusCounters["discarded"]> = {}): BusCounters => ({
  frames: 12,
  ignored: { standard: 1, remote: 0, error: 5, noAddress: 0, canFd: 0 },
  packets: { single: 1, fast: 2, isoTp: 0 },
  lost: { kernel: 7, ring: 2 },
  discarded: {
    ...(Object.fromEntries(discardReasons.map((reason) => [reason, 0])) as BusCounters["discarded"]),
    ...discarded,
  },
  busErrors: noCounts.busErrors,
  malformed: 0,
});

const ofBridge = addedCounters([
  { published: 8, decodeErrors: 3, unknown: 9, refused: 6 },
  { commandsSkipped: { tooLong: 1, notUnderstood: 1, withoutEffect: 3 } },
  { commandsSkipped: { tooLong: 0, notUnderstood: 1, withoutEffect: 0 } },
]);

describe("healthOf", () => {
  test("has the counters, and the reasons of discards that have occurred", () => {
    const machine = { publishRefused: 4, dropped: 1, backlogBytes: 2, memoryBytes: 3 };
    const unusedTransducers = { SAUNA: 4 };
    const vitals = { bus: () => ({ ...counted({ isoTimeout: 3 }), unusedTransducers }), machine: () => machine };
    expect(healthOf(9, { ...ofBridge, busLoadPercent: 12.5 }, vitals)).toEqual({
      uptimeSec: 9,
      frames: 12,
      framesIgnored: { standard: 1, remote: 0, error: 5, noAddress: 0, canFd: 0 },
      framesLost: { kernel: 7, ring: 2 },
      packets: { single: 1, fast: 2, isoTp: 0 },
      packetsDiscarded: { isoTimeout: 3 },
      malformed: 0,
      unusedTransducers,
      decodeErrors: 3,
      refused: 6,
      unknown: 9,
      published: 8,
      ignoredSettings: [],
      busLoadPercent: 12.5,
      ...machine,
      commandsSkipped: { tooLong: 1, notUnderstood: 2, withoutEffect: 3 },
    });
  });

  test("leaves out unknown values, and the machine if there is no source for it", () => {
    const health = healthOf(0, ofBridge, { bus: counted });
    for (const name of [
      ...["unusedTransducers", "busLoadPercent", "publishRefused", "commandsSkipped", "dropped", "backlogBytes"],
      "memoryBytes",
    ])
      expect(health).not.toHaveProperty(name);
  });
});

describe("HealthReport", () => {
  const machine = () => ({ publishRefused: 0, dropped: 0, backlogBytes: 0, memoryBytes: 1 });
  /** Messages of the health topic in three minutes of 50 ms steps: second and uptime of each. */
  const told = (vitals: Vitals): [number, unknown][] => {
    const publisher = memoryPublisher();
    const report = new HealthReport(boatOf({ publisher, counters: () => ofBridge }), vitals);
    const times: [number, unknown][] = [];
    for (let now = 5000; now < 185_000; now += 50) {
      if (now >= report.due) report.advance(now, now);
      for (const { topic, retain, payload } of publisher.messages) {
        expect({ topic, retain }).toEqual({ topic: "can/can0/health", retain: true });
        times.push([(now - 5000) / 1000, JSON.parse(payload!).data.uptimeSec]);
      }
      publisher.clear();
    }
    return times;
  };

  test("is published after a second and every 30 seconds from then on", () => {
    const times = [1, 31, 61, 91, 121, 151];
    expect(told({ bus: counted, machine })).toEqual(times.map((time) => [time, time]));
  });

  test("is published at the end only where output has to be the same each time", () => {
    expect(told({ bus: counted })).toEqual([]);
  });
});

describe("Bridge", () => {
  /** The retained health of a bridge that has read this frame, with its times. */
  const healthAfter = (machine?: Vitals["machine"]): object => {
    const vitals = { bus: counted, ...(machine && { machine }) };
    const { bridge, publisher } = memoryBridge({ prefix: "boat", vitals });
    const start = Date.UTC(2026, 10, 21);
    const burst = createBursts();
    for (const at of [start, start + 9000]) bridge.take(burst([{ pgn: 127250, hex: "ff 00 00", at }]));
    bridge.finish();
    return JSON.parse(publisher.states.get("boat/health")!);
  };

  test("is published at the end with all counters and the time of the packets", () => {
    expect(healthAfter()).toMatchObject({
      data: { uptimeSec: 10, frames: 12, published: 2 },
      metadata: { rxDate: "2026-11-21T00:00:10.000Z", rxTimestamp: 1795219210, expireAfterSec: 60 },
    });
  });
});

describe("bitsOnWire", () => {
  /** A frame as bits, stuffed as the standard says: after five equal bits one of the other kind, up to the CRC. */
  const stuffed = (bits: readonly number[]): number => {
    let count = 0;
    let run = 0;
    let last = -1;
    for (const bit of bits) {
      count++;
      run = bit === last ? run + 1 : 1;
      last = bit;
      if (run === 5) {
        count++;
        last = 1 - bit;
        run = 1;
      }
    }
    // Delimiter, acknowledgement, end, pause.
    return count + 1 + 2 + 7 + 3;
  };

  test("is within a ninth of every frame there can be", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 }).chain((length) => {
          const bit = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) });
          return fc.tuple(
            fc.constant(length),
            fc.array(bit, { minLength: 54 + 8 * length, maxLength: 54 + 8 * length }),
          );
        }),
        ([length, bits]) => {
          const exact = stuffed(bits);
          expect(Math.abs(bitsOnWire(1, length) - exact) / exact).toBeLessThan(1 / 8.9);
        },
      ),
    );
  });
});

describe("busLoadPercent", () => {
  const counts = (frames: number, bytes: number) => ({ rx_frames: frames, rx_bytes: bytes, tx_frames: 0, tx_bytes: 0 });

  test("is the share of time in which bits were on the bus, received and sent", () => {
    const later = { ...counts(1000, 8000), tx_frames: 1000, tx_bytes: 8000 };
    expect(busLoadPercent(counts(0, 0), later, 10_000, 250_000)).toBe(11.7);
    expect(busLoadPercent(counts(5, 5), counts(5, 5), 10_000, 250_000)).toBe(0);
  });

  test("is undefined where counters are missing or have begun anew, and without time or bitrate", () => {
    expect(busLoadPercent({}, counts(1, 8), 1000, 250_000)).toBeUndefined();
    expect(busLoadPercent(counts(2, 16), counts(1, 8), 1000, 250_000)).toBeUndefined();
    expect(busLoadPercent(counts(0, 0), counts(1, 8), 0, 250_000)).toBeUndefined();
    expect(busLoadPercent(counts(0, 0), counts(1, 8), 1000, 0)).toBeUndefined();
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bitsOnWire, busLoadPercent, healthOf } from "../../src/bridge/health.ts";
import { discardReasons } from "../../src/ports/packet-source.ts";

describe("healthOf", () => {
  test("tells what was lost, and the reasons of what was given up that have occurred", () => {
    const discarded = { ...Object.fromEntries(discardReasons.map((reason) => [reason, 0])), isoTimeout: 3 };
    const counters = {
      frames: 1,
      ignored: { standard: 0, remote: 0, error: 0, noAddress: 0 },
      packets: { single: 1, fast: 0, isoTp: 0 },
      lost: { kernel: 7, ring: 2 },
      discarded: discarded as Record<(typeof discardReasons)[number], number>,
      malformed: 0,
    };
    expect(healthOf(counters)).toEqual({ framesLost: { kernel: 7, ring: 2 }, packetsDiscarded: { isoTimeout: 3 } });
    expect(healthOf(counters, 12.5)).toMatchObject({ busLoadPercent: 12.5 });
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

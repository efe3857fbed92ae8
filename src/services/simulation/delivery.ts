/** The simulated voyage in real time: every few milliseconds it delivers the frames sent on the bus since. */
import type { Clock } from "../../core/ports/clock.ts";
import type { RecordingBatch } from "../../formats/recording/record-writer.ts";
import { createTraffic, type Start } from "./traffic.ts";

const DELIVERY_PERIOD_MS = 25;

/** Longer pauses, such as suspend to RAM, are skipped, not made up for. */
const MAX_PAUSE_MS = 5000;

/** A wall clock that moves farther against the monotonic clock was set. */
const CLOCK_SET_MS = 500;

export interface Simulation {
  /** Starts with the first batch and ends when closed; to be called once. */
  batches(): AsyncGenerator<RecordingBatch, void, void>;
  /** May be called at any time and repeatedly. */
  close(): void;
}

/**
 * Time stamps are those of the end of each frame, on the clocks of `clock`; `from` is the second of the voyage to begin
 * with.
 */
export function simulatedFrames(clock: Clock, from = 0): Simulation {
  let closed = false;
  let wake = (): void => {};

  const sleep = async (): Promise<void> => {
    let callOff = (): void => {};
    await new Promise<void>((resolve) => {
      wake = resolve;
      callOff = clock.after(DELIVERY_PERIOD_MS, resolve);
    });
    callOff();
  };

  return {
    async *batches() {
      let start: Start = { wall: clock.wall(), monotonic: clock.monotonic() };
      const traffic = createTraffic(start, from);
      let last = start.monotonic;
      while (!closed) {
        await sleep();
        if (closed) return;
        const now = clock.monotonic();
        const pause = now - last;
        if (pause > MAX_PAUSE_MS) start = { ...start, monotonic: start.monotonic + pause };
        last = now;
        const elapsed = now - start.monotonic;
        const wall = clock.wall() - elapsed;
        if (Math.abs(wall - start.wall) > CLOCK_SET_MS) start = { ...start, wall };
        for (const batch of traffic.until(elapsed, start)) {
          yield batch;
          if (closed) return;
        }
      }
    },
    close() {
      closed = true;
      wake();
    },
  };
}

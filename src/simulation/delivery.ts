/** The simulated voyage as it happens: every few milliseconds the frames that have gone over the bus since. */
import type { Clock } from "../ports/clock.ts";
import type { RecordingBatch } from "../recording/record-writer.ts";
import { createTraffic, type Start } from "./traffic.ts";

/** Milliseconds between two deliveries. */
const STEP = 25;

/** Time that nobody was awake for, such as a computer's sleep, is not made up for. Milliseconds. */
const LONGEST_PAUSE = 5000;

/** A wall clock that has moved less against the other one has not been set. Milliseconds. */
const CLOCK_SET = 500;

export interface Simulation {
  /** Sets out at the first batch; ends when closed. Can be asked for once. */
  batches(): AsyncGenerator<RecordingBatch, void, void>;
  /** May be called at any time and more than once. */
  close(): void;
}

/** Stamps are those of the moments at which each frame was through, on the clocks of `clock`. */
export function simulatedFrames(clock: Clock): Simulation {
  let closed = false;
  let wake = (): void => {};

  const sleep = async (): Promise<void> => {
    let callOff = (): void => {};
    await new Promise<void>((resolve) => {
      wake = resolve;
      callOff = clock.after(STEP, resolve);
    });
    callOff();
  };

  return {
    async *batches() {
      let start: Start = { wall: clock.wall(), monotonic: clock.monotonic() };
      const traffic = createTraffic(start);
      let last = start.monotonic;
      while (!closed) {
        await sleep();
        if (closed) return;
        const now = clock.monotonic();
        const pause = now - last;
        if (pause > LONGEST_PAUSE) start = { ...start, monotonic: start.monotonic + pause };
        last = now;
        const elapsed = now - start.monotonic;
        const wall = clock.wall() - elapsed;
        if (Math.abs(wall - start.wall) > CLOCK_SET) start = { ...start, wall };
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

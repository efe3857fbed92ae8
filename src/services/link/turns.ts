/**
 * Work that is spread over turns of the event loop, so that messages, requests and signals are handled in between. Work
 * is counted as in `allowance.ts`, so that a turn takes longer on a slow machine.
 */
import type { Clock } from "../../core/ports/clock.ts";

export interface Worker {
  /** Does a piece of its work, the smaller the better; returns how much it was, 0 if there is nothing to do now. */
  work(now: number): number;
  /**
   * The work that it has caused recently. The worker with the least goes first; among equal ones, that which has waited
   * longest.
   */
  recentAt(now: number): number;
}

/**
 * Work of a turn, about five milliseconds on a desktop. Measured beside twenty attackers: with a tenth of it a report
 * of a thousand ships arrives after 390 ms in place of 290; with ten times as much a requested value arrives after 150
 * ms in place of 50.
 */
const WORK_A_TURN = 20_000;
const WORK_A_SLICE = 2000;

export class Turns {
  readonly #clock: Pick<Clock, "after" | "monotonic">;
  /** Workers with something to do; the one that has waited longest is first. */
  readonly #workers = new Set<Worker>();
  #cancel: (() => void) | undefined;

  constructor(clock: Pick<Clock, "after" | "monotonic">) {
    this.#clock = clock;
  }

  /** Adds a worker that has something to do. */
  add(worker: Worker): void {
    this.#workers.add(worker);
    this.#cancel ??= this.#clock.after(0, () => this.#turn());
  }

  delete(worker: Worker): void {
    this.#workers.delete(worker);
  }

  close(): void {
    this.#workers.clear();
    this.#cancel?.();
  }

  #turn(): void {
    const now = this.#clock.monotonic();
    for (let left = WORK_A_TURN; left > 0 && this.#workers.size > 0; ) left -= this.#pass(left, now);
    this.#cancel = this.#workers.size === 0 ? undefined : this.#clock.after(0, () => this.#turn());
  }

  /**
   * Lets the workers work in their order until one has more than a slice to do, or `most` is done; returns the work.
   */
  #pass(most: number, now: number): number {
    const order = [...this.#workers].map((worker) => ({ worker, recent: worker.recentAt(now) }));
    order.sort((one, other) => one.recent - other.recent);
    let done = 0;
    for (const { worker } of order) {
      if (!this.#workers.has(worker)) continue;
      done += this.#slice(worker, now);
      if (done >= most || this.#workers.has(worker)) break;
    }
    return done;
  }

  /** A slice of a worker's work, which then comes last. */
  #slice(worker: Worker, now: number): number {
    this.#workers.delete(worker);
    let done = 0;
    while (done < WORK_A_SLICE) {
      const piece = worker.work(now);
      if (piece === 0) return done;
      done += piece;
    }
    this.#workers.add(worker);
    return done;
  }
}

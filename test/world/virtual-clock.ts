/**
 * The clock of a world: all programs share its monotonic time and wall clock, and each has its own timers, which end
 * with it. Unlike `memoryClock`, it holds thousands of timers.
 */
import type { Clock } from "../../src/core/ports/clock.ts";

interface Timer {
  due: number;
  /** Of two timers that are due together, the one that was set first is called first. */
  order: number;
  readonly period: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

/** The clock of one program. */
export interface ProgramClock extends Clock {
  /** Timers that are set and not cancelled. */
  readonly timers: number;
  /** The program has ended: none of its timers is called any more. */
  stop(): void;
}

export class VirtualClock {
  #now = 0;
  #ahead: number;
  #order = 0;
  /** A binary heap. */
  readonly #heap: Timer[] = [];

  constructor(wall: number) {
    this.#ahead = wall;
  }

  get now(): number {
    return this.#now;
  }

  get wall(): number {
    return this.#now + this.#ahead;
  }

  stepWall(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  program(): ProgramClock {
    const mine = new Set<Timer>();
    const set = (milliseconds: number, period: number, callback: () => void): (() => void) => {
      const call = (): void => {
        if (period === 0) mine.delete(timer);
        callback();
      };
      const timer: Timer = { due: this.#now + milliseconds, order: 0, period, callback: call, isCancelled: false };
      mine.add(timer);
      this.#push(timer);
      return () => {
        timer.isCancelled = true;
        mine.delete(timer);
      };
    };
    return {
      wall: () => this.wall,
      monotonic: () => this.#now,
      after: (milliseconds, callback) => set(Math.max(0, milliseconds), 0, callback),
      every: (milliseconds, callback) => set(milliseconds, milliseconds, callback),
      get timers() {
        return mine.size;
      },
      stop() {
        for (const timer of mine) timer.isCancelled = true;
        mine.clear();
      },
    };
  }

  /** Calls all timers that are due until a time, each at its own. */
  advanceTo(end: number): void {
    for (let first = this.#heap[0]; first !== undefined && first.due <= end; first = this.#heap[0]) {
      this.#pop();
      if (first.isCancelled) continue;
      this.#now = Math.max(this.#now, first.due);
      if (first.period > 0) {
        first.due += first.period;
        this.#push(first);
      }
      first.callback();
    }
    this.#now = end;
  }

  #isBefore(one: Timer, other: Timer): boolean {
    return one.due < other.due || (one.due === other.due && one.order < other.order);
  }

  #push(timer: Timer): void {
    timer.order = this.#order++;
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    for (let up = (at - 1) >> 1; at > 0 && this.#isBefore(timer, heap[up]!); at = up, up = (at - 1) >> 1) {
      heap[at] = heap[up]!;
      heap[up] = timer;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && this.#isBefore(heap[child]!, heap[least]!)) least = child;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}

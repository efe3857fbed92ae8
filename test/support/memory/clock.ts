/** A clock that moves only when a test moves it. */
import type { Clock } from "../../../src/core/ports/clock.ts";

export interface MemoryClock extends Clock {
  /**
   * Moves both clocks forward. Timers that become due are called in order, each when the clocks show its time, and so
   * are due timers that these set.
   */
  advance(milliseconds: number): void;
  /** Sets the wall clock alone, forward or back, as a user who sets the time does. */
  setWall(milliseconds: number): void;
  /** Timers that are set and not cancelled. */
  readonly timers: number;
}

interface Timer {
  readonly callback: () => void;
  /** Zero: the timer runs once. */
  readonly period: number;
  due: number;
}

/** `wall` and `monotonic` are the start of the clocks, in milliseconds. */
export function memoryClock({ wall = 0, monotonic = 0 } = {}): MemoryClock {
  // Timers are kept in the order in which they were set: of two that are due together, the older one is called first.
  const timers = new Set<Timer>();

  const set = (milliseconds: number, period: number, callback: () => void): (() => void) => {
    const timer: Timer = { callback, period, due: monotonic + milliseconds };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const nextUntil = (end: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };
  const moveTo = (instant: number): void => {
    if (instant <= monotonic) return;
    wall += instant - monotonic;
    monotonic = instant;
  };

  return {
    wall: () => wall,
    monotonic: () => monotonic,
    after: (milliseconds, callback) => set(Math.max(0, milliseconds), 0, callback),
    every(milliseconds, callback) {
      if (!(milliseconds > 0)) throw new RangeError(`a period of ${milliseconds} ms never ends`);
      return set(milliseconds, milliseconds, callback);
    },
    advance(milliseconds) {
      const end = monotonic + milliseconds;
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        moveTo(timer.due);
        if (timer.period === 0) timers.delete(timer);
        else timer.due += timer.period;
        timer.callback();
      }
      moveTo(end);
    },
    setWall(milliseconds) {
      wall = milliseconds;
    },
    get timers() {
      return timers.size;
    },
  };
}

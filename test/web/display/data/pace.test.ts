import { describe, expect, test } from "vitest";
import { Pace } from "../../../../src/web/display/data/pace.ts";
import { Sampling } from "../../../../src/web/display/data/sampling.ts";

/** The states of a pace over reports with these delays, and how often it changed between all and less. */
function paceOver(delay: (at: number, isSlow: boolean) => number, seconds: number, gap = 100) {
  const pace = new Pace();
  const states: { readonly at: number; readonly isLate: boolean; readonly isSlow: boolean }[] = [];
  for (let at = 0; at < 1000 * seconds; at += gap) {
    pace.hear(delay(at, pace.isSlow), at);
    states.push({ at, isLate: pace.isLate, isSlow: pace.isSlow });
  }
  const times = (name: "isLate" | "isSlow"): readonly number[] =>
    states.filter((state, index) => state[name] !== (states[index - 1]?.[name] ?? false)).map(({ at }) => at);
  return { late: times("isLate"), slow: times("isSlow") };
}

describe("Pace", () => {
  test("in time, nothing changes", () => expect(paceOver(() => 200, 60)).toEqual({ late: [], slow: [] }));

  test("a burst after which nothing comes is late", () => {
    const pace = new Pace();
    for (const delay of [16_000, 15_000]) pace.hear(delay, 1000);
    expect([1400, 1500].map((now) => pace.isLateAt(now))).toEqual([false, true]);
    pace.hear(200, 1600);
    expect(pace.isLateAt(3000)).toBe(false);
  });

  test("the burst after a stall is not late", () =>
    expect(paceOver((at) => (at === 5000 ? 12_000 : at === 5100 ? 6000 : 20), 60).late).toEqual([]));

  test("a queue is late from two seconds on, asks for less, and is in time below one", () => {
    const { late, slow } = paceOver((at) => (at < 5000 ? at : at < 10_000 ? 10_000 - at : 0), 20);
    expect(late).toEqual([2600, 9000]);
    expect(slow).toEqual([2600]);
  });

  test("a delay around the limit does not flap", () => {
    const { late, slow } = paceOver((at) => 2000 + 300 * Math.sin(at / 700), 120);
    expect(late.length).toBeLessThanOrEqual(1);
    expect(slow.length).toBeLessThanOrEqual(1);
  });

  test("a link that is good again is asked for all twenty seconds later", () =>
    expect(paceOver((at) => (at < 8000 ? 5000 : 20), 60).slow).toEqual([500, 28_000]));

  test("a link that carries less only is tried ever more seldom, and is not seen late for that", () => {
    let queue = 0;
    const { late, slow } = paceOver((_, isSlow) => (queue = Math.max(0, queue + (isSlow ? -200 : 70))), 3600);
    // The first time it is late; later trials end before that.
    expect(late.length).toBe(2);
    const trials = slow.filter((_, index) => index % 2 === 1);
    expect(trials.length).toBeLessThan(12);
    expect(trials.at(-1)! - trials.at(-2)!).toBeGreaterThan(500_000);
  });
});

describe("Sampling", () => {
  /** The times at which what is asked for changes; `answers` has when each question of a pause is answered. */
  function changes(hear: (at: number, sampling: Sampling) => void, milliseconds: number, answerAfter = 20) {
    const sampling = new Sampling();
    sampling.begin(new Map([["navigation", 1000]]), 0);
    const times: number[] = [];
    let was = "navigation";
    let askedAt = 0;
    for (let at = 0; at < milliseconds; at += 10) {
      if (at === askedAt + answerAfter) sampling.noteAnswer(askedAt);
      const is = [...sampling.pausedAt(at)].join();
      if (is !== was) {
        times.push(at);
        askedAt = at;
      }
      was = is;
      hear(at, sampling);
    }
    return times;
  }

  test("a stream is asked for during a moment in each second", () =>
    expect(changes((_, sampling) => sampling.noteMessage("navigation"), 3000)).toEqual([1000, 1200, 2200, 2400]));

  test("no more is asked for before what was asked for last has come", () =>
    expect(changes((_, sampling) => sampling.noteMessage("navigation"), 9000, 4000)).toEqual([4000, 4200, 8200, 8400]));

  test("the moment grows for a stream of which none came in it", () =>
    expect(changes(() => {}, 9000)).toEqual([1000, 1200, 2200, 2600, 3600, 4400, 5400, 6600, 7600, 8800]));

  test("other filters are left alone", () => {
    const sampling = new Sampling();
    sampling.begin(new Map([["fast", 1000]]), 0);
    sampling.noteMessage("slow");
    expect([...sampling.pausedAt(10)]).toEqual(["fast"]);
  });
});

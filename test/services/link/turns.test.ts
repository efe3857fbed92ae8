/** The distribution of work over turns of the event loop. */
import { expect, test } from "vitest";
import { Turns } from "../../../src/services/link/turns.ts";
import { memoryClock } from "../../support/memory/clock.ts";

const WORK_A_TURN = 20_000;

/** A clock on which a turn of the loop takes a millisecond. */
function loop() {
  const clock = memoryClock();
  return {
    clock,
    turns: new Turns({ monotonic: clock.monotonic, after: (_milliseconds, callback) => clock.after(1, callback) }),
  };
}

/** Has so much to do, in pieces; keeps how much it did in each turn. */
function worker(clock: { monotonic(): number }, todo: number, piece: number, recent = 1) {
  const done = new Map<number, number>();
  return {
    done,
    recentAt: () => recent,
    work(): number {
      const now = Math.min(piece, todo);
      todo -= now;
      done.set(clock.monotonic(), (done.get(clock.monotonic()) ?? 0) + now);
      return now;
    },
  };
}

test("a turn is bounded, whatever there is to do, and it goes on until all is done", () => {
  const { clock, turns } = loop();
  const one = worker(clock, 10 * WORK_A_TURN, 700);
  turns.add(one);
  clock.advance(100);
  const work = [...one.done.values()];
  expect(Math.max(...work)).toBeLessThan(1.1 * WORK_A_TURN);
  expect(work.reduce((sum, each) => sum + each)).toBe(10 * WORK_A_TURN);
  expect(clock.timers).toBe(0);
});

test("one with little to do does not wait for those with much, nor for the pieces of one", () => {
  const { clock, turns } = loop();
  const greedy = Array.from({ length: 20 }, () => worker(clock, 1e9, 5000));
  for (const one of greedy) turns.add(one);
  clock.advance(1);
  const modest = worker(clock, 3000, 100);
  turns.add(modest);
  // Two rounds of all.
  clock.advance(12);
  expect([...modest.done.values()].reduce((sum, each) => sum + each)).toBe(3000);
  const shares = greedy.map(({ done }) => [...done.values()].reduce((sum, each) => sum + each));
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(5000);
});

test("those who have caused least work lately go first, and the others as soon as these have nothing to do", () => {
  const { clock, turns } = loop();
  const spent = Array.from({ length: 20 }, () => worker(clock, 1e9, 500));
  const thrifty = worker(clock, 2 * WORK_A_TURN, 500, 0);
  for (const one of [...spent, thrifty]) turns.add(one);
  clock.advance(2);
  expect([...thrifty.done.values()]).toEqual([WORK_A_TURN, WORK_A_TURN]);
  clock.advance(2);
  expect(spent.some(({ done }) => done.size > 0)).toBe(true);
});

test("a worker that leaves while another works in the same turn does nothing", () => {
  const { clock, turns } = loop();
  const leaves = worker(clock, 1e9, 1000, 2);
  turns.add({
    recentAt: () => 1,
    work(): number {
      turns.delete(leaves);
      return 0;
    },
  });
  turns.add(leaves);
  clock.advance(100);
  expect(leaves.done.size).toBe(0);
  expect(clock.timers).toBe(0);
});

test("a worker that has left, and all after the end, do nothing", () => {
  const { clock, turns } = loop();
  const [one, other] = [worker(clock, 1e9, 1000), worker(clock, 1e9, 1000)];
  turns.add(one);
  turns.delete(one);
  turns.add(other);
  turns.close();
  clock.advance(100);
  expect([one.done.size, other.done.size]).toEqual([0, 0]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryClock } from "./clock.ts";

test("timers are called in order, each at its own time", () => {
  const clock = memoryClock({ wall: 1000, monotonic: 10 });
  const calls: [string, number, number][] = [];
  const note = (name: string) => (): void => {
    calls.push([name, clock.wall(), clock.monotonic()]);
  };
  clock.after(30, note("late"));
  clock.after(10, note("early"));
  clock.every(20, note("often"));
  clock.advance(45);
  expect(calls).toEqual([
    ["early", 1010, 20],
    ["often", 1020, 30],
    ["late", 1030, 40],
    ["often", 1040, 50],
  ]);
  expect([clock.wall(), clock.monotonic(), clock.timers]).toEqual([1045, 55, 1]);
});

test("a timer set or called off by a timer counts at once", () => {
  const clock = memoryClock();
  const calls: string[] = [];
  const callOff = clock.after(20, () => calls.push("called off"));
  clock.after(10, () => {
    callOff();
    clock.after(5, () => calls.push("set on the way"));
  });
  clock.advance(20);
  expect(calls).toEqual(["set on the way"]);
});

test("setting the wall clock moves no timer", () => {
  const clock = memoryClock({ wall: 5000 });
  let calls = 0;
  clock.after(10, () => {
    calls += 1;
  });
  clock.setWall(0);
  expect([clock.wall(), clock.monotonic(), calls]).toEqual([0, 0, 0]);
  clock.advance(10);
  expect([clock.wall(), calls]).toEqual([10, 1]);
});

test("many small steps call the same timers as one large step", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }),
      (periods, steps) => {
        const run = (advances: readonly number[]): string[] => {
          const clock = memoryClock();
          const calls: string[] = [];
          periods.forEach((period, index) => {
            clock.every(period, () => calls.push(`${index} at ${clock.monotonic()}`));
          });
          for (const advance of advances) clock.advance(advance);
          return calls;
        };
        expect(run(steps)).toEqual(run([steps.reduce((sum, step) => sum + step, 0)]));
      },
    ),
  );
});

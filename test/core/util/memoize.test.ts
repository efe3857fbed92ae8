import { expect, test } from "vitest";
import { memoize } from "../../../src/core/util/memoize.ts";

test("memoize computes once for an object, and again after it threw", () => {
  const asked: object[] = [];
  const [one, other] = [{}, {}];
  const compute = memoize((key: object) => {
    asked.push(key);
    if (asked.length === 1) throw new Error("not yet");
    return { key };
  });
  expect(() => compute(one)).toThrow("not yet");
  const value = compute(one);
  expect(compute(one)).toBe(value);
  expect(compute(other).key).toBe(other);
  expect(asked).toEqual([one, one, other]);
});

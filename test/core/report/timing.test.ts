import { expect, test } from "vitest";
import { expiryOf } from "../../../src/core/report/timing.ts";

test.each([
  [0.25, 0.25],
  [60, 60],
  [86_400, 86_400],
  [86_401, 86_400],
  [Number.POSITIVE_INFINITY, 86_400],
  [Number.NEGATIVE_INFINITY, 60],
  [Number.NaN, 60],
  [0, 60],
  [-1, 60],
  ["1e999", 60],
  [null, 60],
  [undefined, 60],
])("%j counts for %i seconds", (expireAfterSec, seconds) => {
  expect(expiryOf(expireAfterSec)).toBe(seconds);
});

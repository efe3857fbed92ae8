import { expect, test } from "vitest";
import { remembering, rememberingTexts } from "../../src/api/remembering.ts";

test("remembering asks once for an object, and again after it threw", () => {
  const asked: object[] = [];
  const [one, other] = [{}, {}];
  const compute = remembering((key: object) => {
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

test("rememberingTexts asks once for a text, and keeps no more than it may", () => {
  const asked: string[] = [];
  const compute = rememberingTexts(2, (text) => {
    asked.push(text);
    return text.toUpperCase();
  });
  for (const text of ["a", "b", "a", "b", "a"]) expect(compute(text)).toBe(text.toUpperCase());
  expect(asked).toEqual(["a", "b"]);
  for (const text of ["c", "c", "a", "b"]) expect(compute(text)).toBe(text.toUpperCase());
  expect(asked).toEqual(["a", "b", "c", "a", "b"]);
});

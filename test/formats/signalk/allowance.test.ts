import { expect, test } from "vitest";
import { Allowance, Allowances } from "../../../src/formats/signalk/allowance.ts";

test("what is spent comes back with time, and no more than that", () => {
  const allowance = new Allowance(0);
  expect(allowance.isFullAt(0)).toBe(true);
  expect(allowance.spend(1_000_000, 0)).toBe(true);
  expect(allowance.spend(1, 0)).toBe(false);
  expect(allowance.leftAt(0)).toBe(-1);
  expect(allowance.spend(199, 1)).toBe(true);
  expect(allowance.leftAt(100)).toBe(19_800);
  expect(allowance.isFullAt(60_000)).toBe(true);
  expect(allowance.spend(1_000_001, 120_000)).toBe(false);
});

test("work fades, half of it in a second", () => {
  const allowance = new Allowance(0);
  allowance.spend(1000, 0);
  allowance.spend(1000, 1000);
  expect([1000, 2000, 60_000].map((now) => Math.round(allowance.recentAt(now)))).toEqual([1500, 750, 0]);
});

const [one, other] = ["192.0.2.1", "192.0.2.2"];

test("the clients of an address share one allowance, and no more of them are let in while it is overdrawn", () => {
  const allowances = new Allowances();
  const first = allowances.lend(one, 0)!;
  expect(allowances.lend(one, 0)).toBe(first);
  expect(allowances.lend(other, 0)).not.toBe(first);
  first.spend(1_000_000, 0);
  expect(allowances.lend(one, 0)).toBeUndefined();
  expect(allowances.lend(one, 1000)).toBe(first);
});

test("an address whose clients have gone goes on with what it had, until that is full again", () => {
  const allowances = new Allowances();
  const first = allowances.lend(one, 0)!;
  first.spend(500_000, 0);
  allowances.takeBack(one);
  expect(allowances.lend(one, 0)).toBe(first);
  allowances.takeBack(one);
  expect(allowances.lend(one, 60_000)).not.toBe(first);
});

test("programs of this machine have an allowance each, whatever one of them does", () => {
  const allowances = new Allowances();
  const first = allowances.lend(undefined, 0)!;
  first.spend(2_000_000, 0);
  expect(allowances.lend(undefined, 0)!.leftAt(0)).toBeGreaterThan(900_000);
});

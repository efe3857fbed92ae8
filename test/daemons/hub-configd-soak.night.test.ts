/** hub-configd over hours of a busy boat; `npm run soak:configd` goes on for 24. */
import { expect, test } from "vitest";

interface Reading {
  readonly requests: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

const hours = 3;

test(`${hours} hours of a busy boat, broken off requests among them, leave no descriptor open and memory bounded`, {
  timeout: 600_000,
}, async () => {
  const { soak } = (await import("../../bench/soak-configd.mjs" as string)) as {
    soak(hours: number): Promise<readonly Reading[]>;
  };
  const readings = await soak(hours);
  expect(readings.map(({ requests }) => requests)).toEqual(Array(hours).fill(readings[0]!.requests));
  const [first, ...others] = readings;
  for (const { descriptors, megabytes } of others) {
    expect(descriptors).toBeLessThanOrEqual(first!.descriptors + 4);
    expect(megabytes).toBeLessThan(150);
  }
});

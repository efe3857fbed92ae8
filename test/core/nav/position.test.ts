import { describe, expect, test } from "vitest";
import { positionAt, positionQuality, type ReceiverState, stateAfter } from "../../../src/core/nav/position.ts";
import { coordinates, fix } from "./boat.ts";

const heard = (
  fixed: ReturnType<typeof fix> | undefined,
  fixedAt: number,
  rapid?: ReturnType<typeof coordinates>,
  rapidAt = 0,
): ReceiverState => {
  const messages = [...(fixed ? [[fixed, fixedAt] as const] : []), ...(rapid ? [[rapid, rapidAt] as const] : [])];
  let state: ReceiverState | undefined;
  for (const [message, arrived] of messages.toSorted(([, one], [, other]) => one - other))
    state = stateAfter(message, { arrived, received: 0 }, state);
  return state!;
};

describe("positionAt", () => {
  test.each([
    [0, "no_fix", false, false],
    [1, "gnss", true, true],
    [2, "dgnss", true, true],
    [3, "precise_gnss", true, true],
    [4, "rtk_fixed", true, true],
    [5, "rtk_float", true, true],
    [6, "estimated", false, true],
    [7, "manual", false, true],
    [8, "simulator", true, true],
    [9, "unknown", true, true],
    [undefined, "unknown", true, true],
  ])("method %s is %s", (method, fixType, hasFix, hasCoordinates) => {
    const { method: _, ...message } = fix(52, 4);
    const position = positionAt(heard(method === undefined ? message : { ...message, method }, 0), 0)!;
    expect(position).toMatchObject({ fixType, hasFix, method: method ?? 15 });
    expect([position.latitude, position.longitude]).toEqual(hasCoordinates ? [52, 4] : [undefined, undefined]);
  });

  test("coordinates come from the newer message", () => {
    expect(positionAt(heard(fix(52, 4), 100, coordinates(53, 5), 200), 200)).toMatchObject({
      latitude: 53,
      longitude: 5,
      from: { message: { pgn: 129025 }, arrived: 200 },
    });
    expect(positionAt(heard(fix(52, 4), 300, coordinates(53, 5), 200), 300)).toMatchObject({
      latitude: 52,
      longitude: 4,
      from: { message: { pgn: 129029 }, arrived: 300 },
    });
  });

  test("latitude and longitude are of one message", () => {
    const half = { pgn: 129025, latitude: 53 } as const;
    expect(positionAt(heard(fix(52, 4), 100, half, 200), 200)).toMatchObject({ latitude: 52, longitude: 4 });
    expect(positionAt(heard(undefined, 0, half, 200), 200)).toMatchObject({ hasFix: false, latitude: undefined });
  });

  test("each part goes stale by itself after three seconds", () => {
    const both = heard(fix(52, 4), 0, coordinates(53, 5), 1000);
    expect(positionAt(both, 3000)).toMatchObject({ fixType: "gnss", latitude: 53 });
    expect(positionAt(both, 3001)).toMatchObject({ fixType: "unknown", latitude: 53 });
    expect(positionAt(both, 4001)).toBeUndefined();
    expect(positionAt(heard(fix(52, 4), 2000, coordinates(53, 5), 0), 3001)).toMatchObject({ latitude: 52 });
  });
});

test("positionQuality ranks by kind of fix, receivers without one behind all others", () => {
  const methods = [4, 5, 3, 2, 1, undefined, 8, 6, 7, 0];
  const qualities = methods.map((method) => {
    const { method: _, ...message } = fix(52, 4);
    return positionQuality(heard(method === undefined ? message : { ...message, method }, 0), 0);
  });
  expect(qualities).toEqual(qualities.toSorted((a, b) => a - b));
  expect(new Set(qualities).size).toBe(methods.length);
  // Coordinates without a fix are more than a fix without coordinates.
  const manual = positionQuality(heard(fix(52, 4, { method: 7 }), 0), 0);
  expect(positionQuality(heard({ pgn: 129029, method: 4 }, 0), 0)).toBeGreaterThan(manual);
  expect(qualities.map((quality) => quality < 100)).toEqual([...Array(7).fill(true), ...Array(3).fill(false)]);
});

test("a fix of poor geometry ranks behind all others of every kind, and before a receiver without one", () => {
  const quality = (method: number, hdop?: number) =>
    positionQuality(heard(fix(52, 4, { method, ...(hdop !== undefined && { hdop }) }), 0), 0);
  expect(quality(2, 10)).toBe(quality(2));
  expect(quality(4, 25)).toBeGreaterThan(quality(8));
  expect(quality(1, 25)).toBeLessThan(quality(6));
});

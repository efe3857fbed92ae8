import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Device } from "../../../src/core/nav/devices.ts";
import { Selection } from "../../../src/core/nav/sources.ts";

const SECOND_RATE = 100;

const device = (order: number): Device => ({
  name: BigInt(order + 100),
  digits: String(order + 100),
  order,
  address: order,
});
const A = device(0);
const B = device(1);
const C = device(2);

/** Values are their own quality: 0 is best, undefined is none. */
const selectionOf = (): Selection<number> => new Selection<number>({ maxAgeMs: 3000, quality: (value) => value });

const say = (selection: Selection<number>, who: Device, at: number, value: number | undefined, variant = 0): void =>
  void selection.hear({ device: who, pgn: 130306, variant, arrived: at, received: at }, value);

/** The device in use; `order` is the priority, all alike when absent. */
const used = (selection: Selection<number>, now: number, order: readonly Device[] = []): Device | undefined =>
  selection.choose(now, (one) => (order.includes(one) ? order.indexOf(one) : order.length))?.device;

type Says = (at: number) => number | undefined | "silent";
const named = { A, B, C };
type Speakers = Readonly<Partial<Record<keyof typeof named, Says>>>;

const always = (value: number) => () => value;
const from =
  (begin: number, value: number, end = Number.POSITIVE_INFINITY) =>
  (at: number) =>
    at < begin || at > end ? "silent" : value;
const silentFor = (milliseconds: number) => (at: number) => (at > 1000 && at < 1000 + milliseconds ? "silent" : 0);

/** Makes each device send every half second until `to`, and returns which is in use from when on: `0 A, 6000 B`. */
function uses(to: number, speakers: Speakers, order: readonly Device[] = [], selection = selectionOf()): string {
  const changes: (readonly [number, Device | undefined])[] = [];
  for (let at = 0; at <= to; at += 500) {
    for (const [name, says] of Object.entries(speakers)) {
      const value = says(at);
      if (value !== "silent") say(selection, named[name as keyof Speakers], at, value);
    }
    const chosen = used(selection, at, order);
    if (at === 0 || chosen !== changes.at(-1)![1]) changes.push([at, chosen]);
  }
  return changes.map(([at, who]) => `${at} ${"ABC"[who?.order ?? 3]}`).join(", ");
}

describe("Selection", () => {
  test.each<[string, number, Speakers, string, (readonly Device[])?]>([
    ["at once, and a better one after 5 s", 10_000, { A: always(1), B: from(1000, 0) }, "0 A, 6000 B"],
    [
      "but not one that a better one replaces soon",
      10_000,
      { C: always(2), B: from(500, 1), A: from(1500, 0) },
      "0 C, 6500 A",
    ],
    [
      "and one that a better one replaces later",
      10_000,
      { C: always(2), B: from(500, 1), A: from(2000, 0) },
      "0 C, 5500 B, 7000 A",
    ],
    [
      "but no candidate that falls silent",
      10_000,
      { C: always(2), B: from(500, 1), A: from(1500, 0, 2500) },
      "0 C, 5500 B",
    ],
    ["a candidate with one gap", 12_000, { A: always(1), B: (at) => (at === 4000 ? undefined : 0) }, "0 A, 5000 B"],
    ["one that has few values", 12_000, { A: always(1), B: (at) => (at % 2500 === 0 ? 0 : undefined) }, "0 A, 5000 B"],
    [
      "none that has stopped",
      60_000,
      { B: always(1), A: (at) => (at % 10_000 > 5000 && at % 10_000 <= 7500 ? 0 : "silent") },
      "0 B",
      [A],
    ],
    ["one that was silent for the limit", 20_000, { A: always(1), B: silentFor(3000) }, "0 A, 5000 B"],
    ["later one that was silent for longer", 20_000, { A: always(1), B: silentFor(3500) }, "0 A, 9500 B"],
    ["a silent one until its value is stale", 6000, { A: from(0, 0, 1000), B: always(1) }, "0 A, 4500 B"],
    [
      "one without values until the last is stale",
      6000,
      { A: (at) => (at > 1000 ? undefined : 0), B: always(1) },
      "0 A, 4500 B",
    ],
    [
      "the preferred one again 5 s after its return",
      30_000,
      { B: (at) => (at > 10_000 && at < 20_000 ? "silent" : 1), A: always(0) },
      "0 B, 13500 A, 25000 B",
      [B],
    ],
    ["of equal ones the first", 20_000, { B: always(1), C: always(1) }, "0 B"],
    [
      "a preferred one with a value every other second",
      60_000,
      { A: (at) => (at % 2000 < 1000 ? 0 : undefined), B: always(1) },
      "0 A",
      [A],
    ],
    [
      "none that speaks just too seldom",
      60_000,
      { A: (at) => (at % 4000 === 0 ? 0 : "silent"), B: always(1) },
      "0 A, 3500 B",
      [A],
    ],
    [
      "none that comes and goes",
      60_000,
      { A: (at) => (at % 9000 < 5000 ? 0 : "silent"), B: always(1) },
      "0 A, 8000 B",
      [A],
    ],
    [
      "none whose quality comes and goes",
      60_000,
      { A: (at) => (at % 2000 < 1000 ? 0 : 2), B: always(1) },
      "0 A, 5000 B",
    ],
    [
      "no second-rate one beside another",
      20_000,
      { A: (at) => (at >= 2000 && at < 4000 ? SECOND_RATE : 0), B: always(1) },
      "0 A, 2000 B, 9000 A",
      [A],
    ],
  ])("uses %s", (_, to, speakers, expected, order) => {
    expect(uses(to, speakers, order)).toBe(expected);
  });

  test.each<[string, number, Device]>([
    ["one that is still heard", 500, C],
    ["the better one, if none is", 4000, A],
  ])("a source that expires is replaced by %s", (_, end, replacement) => {
    const selection = selectionOf();
    for (let at = 0; at <= 4000; at += 500) {
      if (at <= 1500) say(selection, B, at, 0);
      if (at <= 2500) say(selection, A, at, 1);
      if (at <= 2500 || end === 500) say(selection, C, at, 2);
      if (at <= 1500) expect(used(selection, at)).toBe(B);
    }
    expect(used(selection, 4600)).toBe(replacement);
  });

  test("listed comes before unlisted, an earlier place before a later one, both before quality", () => {
    const selection = selectionOf();
    for (const [who, value] of [
      [A, 0],
      [B, 9],
      [C, 9],
    ] as const) {
      say(selection, who, 0, value);
    }
    for (const who of [B, C]) say(selection, who, 2000, 9);
    expect(used(selection, 3001, [C, B])).toBe(C);
    say(selection, B, 5000, 9);
    expect(used(selection, 5001, [C, B])).toBe(B);
  });

  test("a second-rate source is better than none", () => {
    const selection = selectionOf();
    say(selection, A, 0, SECOND_RATE + 5);
    expect(used(selection, 0)).toBe(A);
    expect(used(selection, 3000)).toBe(A);
    expect(used(selection, 3001)).toBeUndefined();
  });

  test("a source that has waited long enough takes over as soon as the priority says so", () => {
    const selection = selectionOf();
    expect(uses(10_000, { A: always(0), B: always(1) }, [], selection)).toBe("0 A");
    expect(used(selection, 10_000, [B])).toBe(B);
  });

  test("sources of one device are told apart by their variant, the lower one first", () => {
    const selection = selectionOf();
    say(selection, A, 0, 1, 7);
    say(selection, A, 0, 1, 3);
    expect(selection.choose(0, () => 0)?.variant).toBe(7);
    for (const at of [2500, 5000]) for (const variant of [7, 3]) say(selection, A, at, 1, variant);
    expect(selection.choose(5000, () => 0)?.variant).toBe(3);
  });

  test("a source that never had a value is not kept", () => {
    const selection = selectionOf();
    expect(selection.hear({ device: A, pgn: 1, variant: 0, arrived: 0, received: 0 }, undefined)).toBeUndefined();
    expect(used(selection, 0)).toBeUndefined();
  });

  test("a crowd of flapping sources does not move the selection off the one in use", () => {
    const selection = selectionOf();
    const crowd = Array.from({ length: 320 }, (_, index) => device(10 + index));
    for (let at = 0; at < 20_000; at += 10) {
      if (at % 1000 === 0) say(selection, A, at, 1);
      say(selection, crowd[(at / 10) % 320]!, at, at % 20 === 0 ? 0 : undefined);
      if (at % 1000 === 0) expect(used(selection, at)).toBe(A);
    }
  });

  test("keeps no more than 252 sources", () => {
    const selection = selectionOf();
    const crowd = Array.from({ length: 1000 }, (_, index) => device(index));
    for (const one of crowd) say(selection, one, one.order, 1);
    const kept = crowd.filter((one) => selection.last(one, 130306, 0) !== undefined);
    expect(kept).toHaveLength(252);
    expect(kept[0]).toBe(crowd[0]); // in use
    expect(kept.at(-1)).toBe(crowd.at(-1));
    // The others are the ones that were heard last.
    expect(kept.slice(1)).toEqual(crowd.slice(-251));
  });

  test("of 252 sources the longest silent makes room, wherever it stands, and never the one in use", () => {
    const selection = selectionOf();
    const crowd = Array.from({ length: 252 }, (_, index) => device(index));
    for (const one of crowd) say(selection, one, 0, 1);
    expect(used(selection, 0)).toBe(crowd[0]);
    for (const one of crowd) if (one !== crowd[0] && one !== crowd[100]) say(selection, one, 100, 1);
    say(selection, device(300), 200, 1);
    const isKept = (one: Device): boolean => selection.last(one, 130306, 0) !== undefined;
    expect(crowd.filter((one) => !isKept(one))).toEqual([crowd[100]]);
  });

  test("the chosen source is always fresh, and never worse than a first-rate source that has waited", () => {
    const step = fc.record({
      who: fc.constantFrom(A, B, C),
      value: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      wait: fc.integer({ min: 0, max: 2000 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const selection = selectionOf();
        const last = new Map<Device, { value: number; at: number; since: number }>();
        let at = 0;
        for (const { who, value, wait } of steps) {
          at += wait;
          const before = last.get(who);
          const isGoingOn = before !== undefined && at - before.at <= 3000 && value! >= before.value;
          if (value !== undefined) last.set(who, { value, at, since: isGoingOn ? before.since : at });
          say(selection, who, at, value);
          const chosen = selection.choose(at, () => 0);
          const fresh = [...last.values()].filter((one) => at - one.at <= 3000);
          expect(chosen === undefined).toBe(fresh.length === 0);
          if (chosen === undefined) continue;
          expect(at - chosen.arrived).toBeLessThanOrEqual(3000);
          const hasSent = (ms: number) => fresh.filter((one) => one.at - one.since >= ms && at - one.at <= 1000);
          // One that is about to be replaced by a still better one does not take over.
          const waited = hasSent(5000).filter(({ value }) => hasSent(4000).every((one) => one.value >= value));
          expect(waited.every((one) => one.value >= chosen.value)).toBe(true);
        }
      }),
    );
  });
});

/** The term of an answer, what gets worse, and what is kept of alarms that have ended. */
import { describe, expect, test } from "vitest";
import { MAX_ALARMS, MAX_HISTORY } from "../../../src/core/alarms/report.ts";
import type { Surroundings } from "../../../src/core/alarms/surroundings.ts";
import { createVoyage, northOf, passing, underWay, type Voyage } from "./voyage.ts";

const depth = (metres: number): Partial<Surroundings> => ({
  navigation: underWay(5, { depth_water: { depth: metres } }),
});
const coolant = (voyage: Voyage, coolantTempC: number, seconds: number) =>
  voyage.sail(seconds, () => {
    voyage.hear({ pgn: 127489, engineInstance: 0, coolantTempC });
    return {};
  });

const battery = (voyage: Voyage, voltageV: number, seconds: number) =>
  voyage.sail(seconds, () => {
    voyage.hear({ pgn: 127508, instance: 0, voltageV });
    return {};
  });

const stateOf = (voyage: Voyage, id: string) => voyage.alarm(id)?.state;

/** A boat at anchor that is so many metres from the anchor. */
const offAnchor = (metres: number) => () => ({ navigation: northOf(metres, underWay(0.5)) });
function anchored(): Voyage {
  const voyage = createVoyage();
  voyage.sail(1, offAnchor(0));
  voyage.command("anchorWatch", '{"radius":40}');
  return voyage;
}
const closing = (cpa: number) => () => ({ navigation: underWay(6), targets: [passing(1, cpa, 5)] });

describe("an acknowledged alarm sounds again", () => {
  test.each([
    ["depth", () => createVoyage(), () => depth(1.5)],
    ["anchor", anchored, offAnchor(60)],
    ["cpa-1", () => createVoyage(), closing(0.1)],
  ] as const)("%s: five minutes after the answer while it lasts", (id, start, leg) => {
    const voyage = start();
    voyage.secondsTo(id, leg);
    for (const _ of [1, 2]) {
      voyage.command(id, "acknowledge");
      voyage.sail(299, leg);
      expect(stateOf(voyage, id)).toBe("acknowledged");
      voyage.sail(1, leg);
      expect(stateOf(voyage, id)).toBe("active");
    }
  });

  test("after the term of the settings", () => {
    const voyage = createVoyage();
    voyage.settings({ depth: { term: 2 } });
    voyage.secondsTo("depth", () => depth(1.5));
    voyage.command("depth", "acknowledge");
    voyage.sail(119, () => depth(1.5));
    expect(stateOf(voyage, "depth")).toBe("acknowledged");
    voyage.sail(1, () => depth(1.5));
    expect(stateOf(voyage, "depth")).toBe("active");
  });

  test("a kind without a term stays acknowledged for as long as it lasts", () => {
    const voyage = createVoyage();
    coolant(voyage, 105, 10);
    voyage.command("engineTemperature-0", "acknowledge");
    coolant(voyage, 105, 1800);
    expect(stateOf(voyage, "engineTemperature-0")).toBe("acknowledged");
  });

  test("when the boat drags on: from 50 m of 40 m not at 58 m, but at 60 m", () => {
    const voyage = anchored();
    voyage.secondsTo("anchor", offAnchor(50));
    voyage.command("anchor", "acknowledge");
    voyage.sail(60, offAnchor(58));
    expect(stateOf(voyage, "anchor")).toBe("acknowledged");
    voyage.sail(1, offAnchor(60));
    expect(stateOf(voyage, "anchor")).toBe("active");
  });

  test("when it gets worse by half, by water and by heat, and not when it gets better", () => {
    const voyage = createVoyage();
    voyage.secondsTo("depth", () => depth(1.5));
    voyage.command("depth", "acknowledge");
    voyage.sail(20, () => depth(1.9));
    voyage.sail(20, () => depth(1.1));
    expect(stateOf(voyage, "depth")).toBe("acknowledged");
    voyage.sail(1, () => depth(1));
    expect(stateOf(voyage, "depth")).toBe("active");
    const engine = createVoyage();
    coolant(engine, 108, 10);
    engine.command("engineTemperature-0", "acknowledge");
    coolant(engine, 122, 10);
    expect(stateOf(engine, "engineTemperature-0")).toBe("acknowledged");
    coolant(engine, 123, 1);
    expect(stateOf(engine, "engineTemperature-0")).toBe("active");
  });

  test("a ship that keeps company for twenty minutes rings three times at most; two ships apart", () => {
    const voyage = createVoyage();
    let rings = 0;
    for (let second = 0; second < 1200; second++) {
      // Yaw: 70 s of each 130 s the approach is within the limits.
      const tcpa = second % 130 < 70 ? 5 : 30;
      voyage.sail(1, () => ({ navigation: underWay(6), targets: [passing(1, 0.1, tcpa)] }));
      if (stateOf(voyage, "cpa-1") === "active") {
        rings++;
        voyage.command("cpa-1", "acknowledge");
      }
    }
    expect(rings).toBeGreaterThan(1);
    expect(rings).toBeLessThanOrEqual(3);
    expect(voyage.secondsTo("cpa-2", () => ({ navigation: underWay(6), targets: [passing(2, 0.1, 5)] }))).toBe(5);
    expect(stateOf(voyage, "cpa-2")).toBe("active");
  });
});

test.each([
  ["an answer", [], "acknowledge"],
  ["another answer", ["acknowledge"], "acknowledge"],
  ["a silence of an acknowledged alarm", ["acknowledge"], "silence"],
])("%s between two waves is for the device that was in danger before", (_, before, between) => {
  const voyage = createVoyage();
  for (const volts of [11, 12.7, 11]) battery(voyage, volts, volts < 12 ? 25 : 5);
  expect(stateOf(voyage, "batteryVoltage-0")).toBe("active");
  for (const answer of before) voyage.command("all", answer);
  battery(voyage, 12.7, 10);
  voyage.command("all", between);
  battery(voyage, 11, 60);
  expect(stateOf(voyage, "batteryVoltage-0")).toBe("acknowledged");
});

describe("one answer for many", () => {
  const fleet = () => ({
    navigation: underWay(6),
    targets: Array.from({ length: 40 }, (_, index) => passing(1000 + index, 0.1, 5)),
  });

  test("all of a kind are acknowledged by its name, and no other kind", () => {
    const voyage = createVoyage();
    voyage.sail(10, () => ({
      navigation: { ...fleet().navigation, ...depth(1).navigation },
      targets: fleet().targets,
    }));
    expect(voyage.command("cpa", "acknowledge")).toBe(true);
    const { alarms } = voyage.sail(1, () => ({
      navigation: { ...fleet().navigation, ...depth(1).navigation },
      targets: fleet().targets,
    }));
    const active = alarms.filter(({ state }) => state === "active");
    expect(active.map(({ kind }) => kind)).toEqual(["depth"]);
    expect(alarms.filter(({ kind }) => kind === "cpa")).toHaveLength(40);
  });

  test.each(["cpa", "all"])("those for which the report had no room are not: %s", (group) => {
    const voyage = createVoyage();
    const leg = () => ({
      ...fleet(),
      targets: [...fleet().targets, ...fleet().targets].map((ship, index) => ({ ...ship, mmsi: 1000 + index })),
    });
    expect(voyage.sail(10, leg)).toMatchObject({ leftOut: { cpa: 30 } });
    voyage.command(group, "acknowledge");
    const states = (): readonly string[] =>
      voyage
        .sail(1, leg)
        .alarms.map(({ state }) => state)
        .sort();
    expect(states()).toEqual(
      [...Array(20).fill("acknowledged"), ...Array(30).fill("active")].sort((one, other) => (one < other ? -1 : 1)),
    );
    voyage.command(group, "acknowledge");
    expect(new Set(states())).toEqual(new Set(["acknowledged"]));
  });

  test("persons are acknowledged one by one", () => {
    const voyage = createVoyage();
    for (const emitterId of [7, 8]) voyage.hear({ pgn: 127233, status: 0, emitterId });
    voyage.sail(1, () => ({}));
    for (const group of ["all", "manOverboard"]) {
      expect(voyage.command(group, "acknowledge")).toBe(false);
      expect(voyage.sail(1, () => ({})).alarms.map(({ state }) => state)).toEqual(["active", "active"]);
    }
    // A silence is no answer.
    expect(voyage.command("all", "silence")).toBe(true);
    expect(voyage.command("manOverboard-7", "acknowledge")).toBe(true);
  });
});

describe("an alarm that has ended without an answer", () => {
  test("stays listed with its times and its worst value until it is acknowledged, and makes no sound", () => {
    const voyage = createVoyage();
    voyage.sail(5, () => depth(1.5));
    voyage.sail(5, () => depth(0.7));
    const data = voyage.sail(15, () => depth(9));
    expect(data.alarms).toEqual([]);
    expect(data.rectified).toMatchObject([
      { id: "depth", severity: "alarm", value: 0.7, limit: 2, since: "2026-11-21T08:14:29.000Z" },
    ]);
    expect(data.rectified![0]!.until! > data.rectified![0]!.since).toBe(true);
    expect(voyage.command("depth", "acknowledge")).toBe(true);
    expect(voyage.command("depth", "acknowledge")).toBe(false);
    const after = voyage.sail(1, () => depth(9));
    expect(after.rectified).toBeUndefined();
    expect(voyage.monitor.history).toMatchObject([{ id: "depth", acknowledged: expect.any(String) }]);
  });

  test("one that was answered, or that rings again, is not listed", () => {
    const voyage = createVoyage();
    voyage.secondsTo("depth", () => depth(1.5));
    voyage.command("depth", "acknowledge");
    expect(voyage.sail(30, () => depth(9)).rectified).toBeUndefined();
    voyage.sail(10, () => depth(1.5));
    expect(voyage.sail(30, () => depth(9)).rectified).toHaveLength(1);
    expect(voyage.sail(5, () => depth(1.5)).rectified).toBeUndefined();
  });

  test("`all` acknowledges what has ended too", () => {
    const voyage = createVoyage();
    voyage.secondsTo("depth", () => depth(1.5));
    voyage.sail(30, () => depth(9));
    expect(voyage.command("all", "acknowledge")).toBe(true);
    expect(voyage.sail(1, () => depth(9)).rectified).toBeUndefined();
  });

  test.each([2 * 86_400, -365 * 86_400])(
    "a day is no matter of the computer's clock, which is set by %d s",
    (seconds) => {
      const voyage = createVoyage();
      voyage.secondsTo("depth", () => depth(1.5));
      voyage.sail(30, () => depth(9));
      voyage.setClock(seconds);
      voyage.moveTo(86_200);
      expect(voyage.sail(100, () => ({})).rectified).toMatchObject([{ id: "depth" }]);
      expect(voyage.sail(120, () => ({})).rectified).toBeUndefined();
    },
  );

  test("ships of a fleet leave room for those of other kinds", () => {
    const voyage = createVoyage();
    voyage.secondsTo("depth", () => depth(1.5));
    voyage.sail(30, () => depth(9));
    const fleet = Array.from({ length: 80 }, (_, index) => passing(1000 + index, 0.1, 5));
    voyage.sail(10, () => ({ navigation: underWay(6), targets: fleet }));
    const gone = fleet.map(({ mmsi }) => passing(mmsi, 3, 30));
    const ashore = () => ({ navigation: underWay(6), targets: gone });
    const { rectified = [], leftOut } = voyage.sail(60, ashore);
    expect([rectified.length, rectified.filter(({ id }) => id === "depth").length]).toEqual([MAX_ALARMS, 1]);
    expect(leftOut).toEqual({ cpa: 81 - MAX_ALARMS });
    // Those that nobody has seen are listed after the answer to those before.
    for (const id of voyage.monitor.answeredBy({ id: "all", answer: "acknowledge" })) voyage.command(id, "acknowledge");
    const after = voyage.sail(1, ashore);
    expect([after.rectified?.length, after.leftOut]).toEqual([81 - MAX_ALARMS, undefined]);
  });

  test("a flood of them is bounded, and the history too, with the newest", () => {
    const voyage = createVoyage();
    for (let round = 0; round < 260; round++) {
      voyage.command(`external/a${round}`, '{"severity":"alarm","message":"Test"}');
      voyage.sail(1, () => ({}));
      voyage.command(`external/a${round}`, "");
      voyage.sail(1, () => ({}));
    }
    const { rectified, leftOut } = voyage.sail(5, () => ({}));
    expect(rectified).toHaveLength(MAX_ALARMS);
    expect(leftOut).toEqual({ external: 260 - MAX_ALARMS });
    expect(rectified![0]!.id).toBe("external-a259");
    expect(voyage.monitor.history).toHaveLength(MAX_HISTORY);
    expect(voyage.monitor.history[0]!.id).toBe("external-a259");
  });
});

test("the history of before a start is taken over once, with what has been raised since", () => {
  const before = createVoyage();
  before.sail(5, () => depth(1.5));
  before.sail(20, () => depth(9));
  const voyage = createVoyage();
  voyage.sail(5, () => ({ navigation: { ...underWay(5), wind_apparent: { speed: 40, angle: 3 } } }));
  for (const _ of [1, 2]) voyage.monitor.restoreHistory(before.monitor.history, before.wall());
  voyage.sail(10, () => ({ navigation: { ...underWay(5), wind_apparent: { speed: 40, angle: 3 } } }));
  expect(voyage.monitor.history.map(({ id }) => id).sort()).toEqual(["depth", "wind"]);
});

const shoal = (voyage: Voyage): void => void voyage.secondsTo("depth", () => depth(1.5));
const ended = (voyage: Voyage): void => void voyage.sail(30, () => depth(9));
const answered = (voyage: Voyage): void => void voyage.command("depth", "acknowledge");

test.each<
  [string, readonly ((voyage: Voyage) => void)[], (seconds: number) => Partial<Surroundings>, readonly string[]]
>([
  ["ended without an answer", [shoal, ended], () => depth(9), ["depth"]],
  ["ended while hub-cand was off", [shoal], () => depth(9), ["depth"]],
  ["lasts", [shoal], () => depth(1.5), []],
  ["ended with an answer", [shoal, answered, ended], () => depth(9), []],
  ["was answered after its end", [shoal, ended, answered], () => depth(9), []],
  ["lasted with an answer", [shoal, answered], () => depth(9), []],
  ["was answered the second time", [shoal, ended, shoal, answered, ended], () => depth(9), []],
  [
    "was answered before the clock was set back",
    [shoal, answered, ended, (voyage) => voyage.setClock(-7 * 86_400), shoal, ended],
    () => depth(9),
    ["depth"],
  ],
  ["was answered the first time", [shoal, answered, ended, shoal, ended], () => depth(9), ["depth"]],
])("over two restarts, an alarm that %s", (_, legs, after, rectified) => {
  let voyage = createVoyage();
  for (const leg of legs) leg(voyage);
  voyage.sail(1, () => ({}));
  const isSetBack = voyage.monitor.history[0]!.since < "2026-11-21";
  for (let start = 1; start <= 2; start++) {
    const { history } = voyage.monitor;
    const writtenAt = voyage.wall();
    voyage = createVoyage();
    voyage.moveTo(start * 600);
    if (isSetBack) voyage.setClock(-7 * 86_400);
    voyage.monitor.restoreHistory(history, writtenAt);
    expect(voyage.sail(100, after).rectified?.map(({ id }) => id) ?? []).toEqual(rectified);
  }
  voyage.command("depth", "acknowledge");
  expect(voyage.sail(1, after).rectified).toBeUndefined();
});

test("an alarm that did not ring after a start is listed at once, and one that rises after the next start is another one", () => {
  let voyage = createVoyage();
  shoal(voyage);
  voyage.sail(1, () => depth(1.5));
  const start = (seconds: number): void => {
    const { history } = voyage.monitor;
    const writtenAt = voyage.wall();
    voyage = createVoyage();
    voyage.moveTo(seconds);
    voyage.monitor.restoreHistory(history, writtenAt);
  };
  start(60);
  expect(voyage.sail(1, () => depth(9)).rectified).toMatchObject([{ id: "depth" }]);
  voyage.sail(100, () => depth(9));
  start(200);
  shoal(voyage);
  const [now, before] = voyage.monitor.history;
  expect(now!.since > before!.endedBefore!).toBe(true);
  expect([now!.endedBefore, before!.until]).toEqual([undefined, undefined]);
});

test("what ended a week ago by a clock that was set stays listed for a day after a start", () => {
  const before = createVoyage();
  shoal(before);
  ended(before);
  const voyage = createVoyage();
  voyage.setClock(7 * 86_400);
  voyage.monitor.restoreHistory(before.monitor.history, before.wall());
  voyage.sail(100, () => ({}));
  voyage.moveTo(86_100);
  expect(voyage.sail(100, () => ({})).rectified).toMatchObject([{ id: "depth" }]);
  expect(voyage.sail(120, () => ({})).rectified).toBeUndefined();
});

test.each([3600, -3600])(
  "a clock that is set by %d s in a row of restarts delays the call for help, and no more",
  (seconds) => {
    let kept: string | undefined;
    const unanswered = [0, 1, 2, 3].map((start) => {
      const voyage = createVoyage();
      voyage.moveTo(start * 25);
      if (start > 0) voyage.setClock(seconds);
      if (kept !== undefined) voyage.command("sounding", kept);
      voyage.sail(25, () => depth(1.5));
      kept = JSON.stringify(voyage.monitor.sounding);
      return voyage.alarm("depth")!.unanswered;
    });
    expect(unanswered).toEqual([undefined, undefined, true, true]);
  },
);

test("an alarm of before a start that has rung again and ended is new the next time", () => {
  const voyage = createVoyage();
  voyage.command("sounding", JSON.stringify({ at: "2026-11-21T08:14:26Z", seconds: { depth: 30 } }));
  shoal(voyage);
  expect(voyage.sail(1, () => depth(1.5)).alarms[0]!.unanswered).toBe(true);
  ended(voyage);
  expect(voyage.monitor.sounding).toBeUndefined();
  shoal(voyage);
  expect(voyage.sail(1, () => depth(1.5)).alarms[0]!.unanswered).toBeUndefined();
});

test("an alarm of before a start that has not rung again within 90 seconds is forgotten, and new when it rings", () => {
  const voyage = createVoyage();
  const kept = { at: "2026-11-21T08:14:26Z", seconds: { depth: 20 } };
  voyage.command("sounding", JSON.stringify(kept));
  voyage.sail(90, () => depth(10));
  expect(voyage.monitor.sounding).toEqual(kept);
  voyage.sail(1, () => depth(10));
  expect(voyage.monitor.sounding).toBeUndefined();
  voyage.sail(5, () => depth(1.5));
  expect(voyage.alarm("depth")).toMatchObject({ state: "active" });
  expect(voyage.alarm("depth")!.unanswered).toBeUndefined();
});

test("what counts to the call for help is the time for which an alarm was known to sound, not that off", () => {
  const before = createVoyage();
  shoal(before);
  before.sail(10, () => depth(1.5));
  const wind = { wind_apparent: { speed: 60, angle: 3 } };
  const both = { navigation: { ...depth(1.5).navigation, ...wind } };
  before.secondsTo("wind", () => both);
  const { history, sounding } = before.monitor;
  const { depth: sounded } = sounding!.seconds as { readonly depth: number };
  const voyage = createVoyage();
  voyage.moveTo(120);
  voyage.command("sounding", JSON.stringify(sounding));
  voyage.monitor.restoreHistory(history, before.wall());
  voyage.secondsTo("depth", () => both);
  voyage.sail(29 - sounded, () => both);
  expect(voyage.alarm("depth")).toMatchObject({ since: history.find(({ id }) => id === "depth")!.since });
  expect(voyage.alarm("depth")!.unanswered).toBeUndefined();
  voyage.sail(2, () => both);
  expect(voyage.alarm("depth")!.unanswered).toBe(true);
  expect(voyage.alarm("wind")!.unanswered).toBeUndefined();
});

test("an answer to an alarm without data, and one of before a start, keep their times in the history", () => {
  const voyage = createVoyage();
  shoal(voyage);
  voyage.sail(100, () => ({}));
  voyage.command("depth", "acknowledge");
  const answered = new Date(voyage.wall()).toISOString().slice(0, 19);
  const { rectified } = voyage.sail(30, () => ({}));
  expect(rectified?.filter(({ id }) => id === "depth") ?? []).toEqual([]);
  expect(voyage.monitor.history.find(({ id }) => id === "depth")!.acknowledged).toContain(answered);
});

test("a hub-cand that restarts each 25 seconds says that an alarm is without an answer, and one that was answered is new", () => {
  const starts = Array.from({ length: 3 }, () => createVoyage());
  let kept: string | undefined;
  const unanswered = starts.map((voyage, start) => {
    voyage.moveTo(start * 25);
    if (kept !== undefined) voyage.command("sounding", kept);
    voyage.sail(25, () => depth(1.5));
    kept = JSON.stringify(voyage.monitor.sounding);
    return voyage.alarm("depth")!.unanswered;
  });
  expect(unanswered).toEqual([undefined, true, true]);
  const last = createVoyage();
  last.moveTo(75);
  last.command("sounding", kept!);
  // Before the alarm is raised again the state of before is kept.
  last.sail(1, () => depth(1.5));
  expect(last.monitor.sounding).toMatchObject({ seconds: { depth: 30 } });
  last.sail(2, () => depth(1.5));
  last.command("depth", "acknowledge");
  last.sail(100, () => depth(1.5));
  expect(last.monitor.sounding).toBeUndefined();
});

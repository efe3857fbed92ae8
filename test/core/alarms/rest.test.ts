/** What falls silent at rest: at a berth that the crew has given, and nowhere else. */
import { describe, expect, test } from "vitest";
import { definitionOf } from "../../../src/core/alarms/definitions.ts";
import { needsWatch } from "../../../src/core/alarms/need.ts";
import type { Situation } from "../../../src/core/alarms/situation.ts";
import type { Surroundings } from "../../../src/core/alarms/surroundings.ts";
import { alarmKinds } from "../../../src/core/alarms/words.ts";
import type { Approach } from "../../../src/core/nav/ais-targets.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import { createVoyage, northOf, passing, ship, underWay, type Voyage } from "./voyage.ts";

const KNOTS_TO_METRES = 1852 / 3600;
const depth = (metres: number | undefined, sog: number): NavigationData =>
  underWay(sog, metres === undefined ? {} : { depth_water: { depth: metres } });

/** A boat that drifts north with so many knots from the first second of the leg. */
const adrift =
  (knots: number, metres: (second: number) => number | undefined) =>
  (second: number): Partial<Surroundings> => ({
    navigation: northOf(second * knots * KNOTS_TO_METRES, depth(metres(second), knots)),
  });

/** A boat at anchor or at a quay, with some metres of play. */
const resting =
  (metres: number | undefined, play = 10) =>
  (second: number): Partial<Surroundings> => ({
    navigation: northOf(play * Math.sin(second / 20), depth(metres, 0.1)),
  });

const restOf = (voyage: Voyage, leg: (second: number) => Partial<Surroundings>, seconds: number) =>
  voyage.sail(seconds, leg).rest;

describe("adrift at 0.8 knots, which is slow and no rest", () => {
  test("the ground rings, from the first metre below the limit", () => {
    const voyage = createVoyage();
    const shoaling = adrift(0.8, (second) => Math.max(0.8, 6 - second / 60));
    expect(voyage.secondsTo("depth", shoaling)).toBeLessThan(245);
    expect(voyage.alarm("depth")).toMatchObject({ severity: "alarm" });
    expect(voyage.sail(1, shoaling)).toMatchObject({ watching: { depth: "on", position: "on", network: "on" } });
  });

  test("a sounder, a receiver and a bus that fall silent ring", () => {
    for (const [id, lost] of [
      ["depthLost", { navigation: underWay(0.8) }],
      ["position", { navigation: {} }],
      ["network", { heardAt: 0 }],
    ] as const) {
      const voyage = createVoyage();
      voyage.sail(
        900,
        adrift(0.8, () => 3),
      );
      expect(
        voyage.secondsTo(id, () => lost),
        id,
      ).toBeLessThan(15);
      expect(voyage.alarm(id)!.severity, id).toBe("alarm");
    }
  });
});

describe("within 30 metres for ten minutes, without a word of the crew", () => {
  test("the depth is a warning that says why, and an alarm again when the boat leaves", () => {
    const voyage = createVoyage();
    expect(restOf(voyage, resting(3), 599)).toBeUndefined();
    expect(restOf(voyage, resting(3), 5)).toBe("still");
    voyage.secondsTo("depth", resting(1.2));
    expect(voyage.alarm("depth")).toMatchObject({
      severity: "warning",
      state: "active",
      text: "below the transducer, a warning because the boat lies still",
    });
    voyage.command("depth", "acknowledge");
    expect(voyage.sail(3600, resting(1.2)).alarms).toMatchObject([{ id: "depth", state: "acknowledged" }]);
    // 31 m off she lies there no longer, and the answer to the warning is none to the alarm.
    voyage.sail(2, () => ({ navigation: northOf(45, depth(1.2, 0.1)) }));
    expect(voyage.alarm("depth")).toMatchObject({ severity: "alarm", state: "active" });
  });

  test("a position that stands still at six knots is no rest", () => {
    expect(restOf(createVoyage(), () => ({ navigation: depth(9, 6) }), 900)).toBeUndefined();
  });

  test("what else endangers rings as an alarm", () => {
    const voyage = createVoyage();
    voyage.sail(700, resting(3));
    voyage.secondsTo("position", () => ({ navigation: {} }));
    expect(voyage.alarm("position")).toMatchObject({ severity: "alarm" });
  });
});

describe("at a berth that the crew has given", () => {
  test.each([
    [49, "berth"],
    [51, undefined],
  ])("%i metres off it is %s", (metres, rest) => {
    const voyage = createVoyage();
    voyage.sail(1, resting(3, 0));
    voyage.command("berth", "{}");
    expect(voyage.sail(1, resting(3, 0))).toMatchObject({ rest: "berth" });
    const away = () => ({ navigation: northOf(metres, depth(3, 0.1)) });
    expect(restOf(voyage, away, 9)).toBe("berth");
    expect(restOf(voyage, away, 3)).toBe(rest);
    // It does not come back by itself.
    expect(restOf(voyage, resting(3, 0), 30)).toBe(rest);
  });

  test("one jump of the receiver does not end it", () => {
    const voyage = createVoyage();
    voyage.sail(1, resting(3, 0));
    voyage.command("berth", "{}");
    const jumping = (second: number) => ({ navigation: northOf(second % 20 < 9 ? 500 : 0, depth(3, 0.1)) });
    expect(restOf(voyage, jumping, 200)).toBe("berth");
  });

  test("instruments are switched off, and nothing rings; a boat that leaves without a position has left", () => {
    const voyage = createVoyage();
    voyage.sail(5, resting(3, 0));
    voyage.command("berth", "{}");
    voyage.sail(5, resting(3, 0));
    expect(voyage.sail(600, () => ({ navigation: {}, heardAt: 0 }))).toMatchObject({ alarms: [], rest: "berth" });
    const byLog = () => ({ navigation: { speed_course: { speedThroughWater: 4 } } as NavigationData });
    expect(restOf(voyage, byLog, 40)).toBeUndefined();
  });

  test.each([
    [3590, "berth"],
    [3610, undefined],
  ])("given %i seconds after the instruments were switched off it is %s", (seconds, rest) => {
    const voyage = createVoyage();
    voyage.sail(5, resting(3, 0));
    const off = () => ({ navigation: {}, heardAt: 0 });
    expect(voyage.sail(seconds, off).alarms).not.toEqual([]);
    expect(voyage.command("berth", "{}")).toBe(rest === "berth");
    expect(voyage.sail(5, off).rest).toBe(rest);
    if (rest !== undefined) expect(voyage.sail(5, off).alarms).toEqual([]);
    expect(restOf(voyage, resting(3, 0), 30)).toBe(rest);
    expect(voyage.command("anchorWatch", "{}")).toBe(true);
  });

  const receiverAt = (metres: number) => [
    { id: 1, name: "GPS", latitude: northOf(metres, {}).position!.latitude!, longitude: 4, hdop: 1 },
  ];

  test("a jump of its receiver is past when the boat leaves", () => {
    const reports = (metres: number) => () => ({ ...resting(3, 0)(0), receivers: receiverAt(metres) });
    const voyage = createVoyage();
    voyage.sail(5, reports(0));
    voyage.sail(2, reports(500));
    expect(voyage.alarm("positionJump-1")).toBeDefined();
    voyage.sail(5, reports(0));
    voyage.command("berth", "{}");
    for (const metres of [0, 500]) voyage.sail(2, reports(metres));
    expect(voyage.sail(2, reports(0)).alarms).toEqual([]);
    voyage.command("berth", "null");
    expect(voyage.sail(5, reports(0)).alarms).toEqual([]);
    voyage.sail(2, reports(500));
    expect(voyage.alarm("positionJump-1")).toBeDefined();
  });

  test("a jump by which the boat seems to have left rings", () => {
    const reports = (metres: number) => () => ({
      navigation: northOf(metres, depth(3, 0)),
      receivers: receiverAt(metres),
    });
    const voyage = createVoyage();
    voyage.sail(5, reports(0));
    voyage.command("berth", "{}");
    expect(voyage.sail(5, reports(500)).alarms).toEqual([]);
    voyage.sail(10, reports(500));
    expect(voyage.alarm("positionJump-1")).toBeDefined();
  });

  test("an anchor watch ends it, and it ends an anchor watch; without a position there is none", () => {
    const voyage = createVoyage();
    expect(voyage.command("berth", "{}")).toBe(false);
    voyage.sail(1, resting(3, 0));
    voyage.command("anchorWatch", "{}");
    voyage.command("berth", "{}");
    expect(voyage.sail(1, resting(3, 0))).toMatchObject({ rest: "berth", anchorWatch: undefined });
    voyage.command("anchorWatch", "{}");
    expect(voyage.sail(1, resting(3, 0))).toMatchObject({ rest: "anchor", berth: undefined });
    voyage.command("anchorWatch", "");
    expect(restOf(voyage, resting(3, 0), 1)).toBeUndefined();
  });
});

test.each([
  ["there", 0, "berth"],
  ["elsewhere", 300, undefined],
])("a berth of before a start waits for the first position, hours later: %s", (_, metres, rest) => {
  const voyage = createVoyage();
  voyage.command("berth", '{"latitude":52,"longitude":4}');
  expect(restOf(voyage, () => ({ navigation: {} }), 7200)).toBeUndefined();
  const first = () => ({ navigation: northOf(metres, depth(3, 0)) });
  expect(restOf(voyage, first, 1)).toBe(rest);
  expect(restOf(voyage, first, 20)).toBe(rest);
});

describe("a start at a berth that was left before", () => {
  const ferry = passing(9, 0.1, 3, { range: 0.3 }, 0);
  const neighbours = (count: number) =>
    Array.from({ length: count }, (_, index) => passing(index + 1, 0.1, 0, { range: 0.1, sog: 0.1, class: "B" }, 0));
  const beside = (metres: number, targets = [ferry]) => ({
    navigation: northOf(metres, depth(1.2, 0.1)),
    targets,
  });
  /** What hub-cand keeps of a berth that the boat has left. */
  const kept = (() => {
    const voyage = createVoyage();
    voyage.sail(1, () => beside(0));
    voyage.command("berth", "{}");
    voyage.sail(20, () => beside(200));
    return JSON.stringify(voyage.monitor.berth);
  })();
  const started = (payload = kept) => {
    const voyage = createVoyage();
    voyage.command("berth", payload);
    return voyage;
  };

  test("other ships, and nothing else, are quiet until the neighbours have been heard", () => {
    const voyage = started();
    const { watching, rest, berth } = voyage.sail(1, () => beside(20));
    expect([rest, berth, watching.cpa, watching.depth]).toEqual([undefined, undefined, "quiet", "on"]);
    expect(voyage.secondsTo("depth", () => beside(20))).toBeLessThan(5);
    voyage.sail(170, () => beside(20));
    expect(voyage.alarm("cpa-9")).toBeUndefined();
    expect(voyage.secondsTo("cpa-9", () => beside(20))).toBeLessThan(20);
  });

  test("among three neighbours it goes on, also once the boat lies still", () => {
    const voyage = started();
    const report = voyage.sail(1200, (second) => beside(20, [ferry, ...neighbours(second > 170 ? 3 : 0)]));
    expect([report.watching.cpa, voyage.alarm("cpa-9")]).toEqual(["quiet", undefined]);
    const alone = started();
    expect(alone.secondsTo("cpa-9", () => beside(20, [ferry, ...neighbours(2)]))).toBeLessThan(190);
  });

  test("instruments that are switched on in the morning are a start", () => {
    const voyage = started();
    voyage.sail(400, () => beside(20, []));
    voyage.sail(61, () => ({ navigation: {} }));
    expect(voyage.sail(170, () => beside(20)).watching.cpa).toBe("quiet");
  });

  test.each([
    ["elsewhere", kept, () => beside(60)],
    ["under way", kept, () => ({ ...beside(0), navigation: underWay(3) })],
    ["without a berth", "null", () => beside(0)],
  ])("a ship rings at once %s", (_, payload, leg) => {
    expect(started(payload).secondsTo("cpa-9", leg)).toBe(5);
  });

  test("a boat that has left it is at sea, also when it comes back", () => {
    const voyage = started();
    voyage.sail(10, () => beside(20));
    voyage.sail(1, () => beside(80));
    expect(voyage.secondsTo("cpa-9", () => beside(20))).toBeLessThan(8);
  });

  test("a place is remembered with its position, until the crew ends it", () => {
    expect(kept).toBe('{"latitude":52,"longitude":4,"left":true}');
    const voyage = started();
    voyage.sail(1, () => beside(0));
    expect(voyage.command("berth", '{"left":true}')).toBe(false);
    voyage.command("berth", "null");
    expect(voyage.monitor.berth).toBeUndefined();
  });
});

test("no watch is quiet where the boat only seems to be in a harbour", () => {
  const harbour = { isAtBerth: false, liesStill: true, isAtAnchor: false, lyingNear: 30 } as unknown as Situation;
  expect(alarmKinds.filter((kind) => definitionOf(kind).isQuiet?.(harbour))).toEqual([]);
});

describe("a harbour", () => {
  const ferry = passing(9, 0.05, 2, {}, 0);
  const lying = (mmsi: number, more = {}) =>
    passing(mmsi, 0.1, 0, { range: 0.1, sog: 0.2, heardAt: 2_000_000, ...more }, 0);
  const moored = [1, 2, 3].map((mmsi) => lying(mmsi, { navStatus: "Moored" }));
  const among =
    (targets: readonly Approach[], own = resting(9)) =>
    (second: number) => ({ ...own(second), targets });
  const words = "a warning because the boat seems to be in a harbour";
  const inHarbour = (entry = {}) => {
    const voyage = createVoyage();
    voyage.settings(entry);
    expect(voyage.sail(700, among(moored))).toMatchObject({ rest: "harbour", alarms: [] });
    return voyage;
  };

  test.each([
    ["three that report to be moored", "harbour", moored],
    ["two of them", "still", moored.slice(1)],
    ["three a third of a mile off", "still", [1, 2, 3].map((mmsi) => lying(mmsi, { range: 0.33 }))],
    ["three buoys", "still", [1, 2, 3].map((mmsi) => lying(mmsi, { class: "AtoN" }))],
  ])("among %s the boat is in the state %s", (_, rest, targets) => {
    const voyage = createVoyage();
    expect(voyage.sail(605, among(targets))).toMatchObject({ rest, watching: { cpa: "on" } });
  });

  test("three ships that drift by are one once they have been there for ten minutes", () => {
    const voyage = createVoyage();
    voyage.sail(700, resting(9));
    const targets = [1, 2, 3].map((mmsi) => lying(mmsi));
    expect(restOf(voyage, among(targets), 590)).toBe("still");
    expect(restOf(voyage, among(targets), 20)).toBe("harbour");
  });

  test("is none for a boat adrift among ships that lie, or at an anchor that is watched", () => {
    const voyage = createVoyage();
    expect(
      voyage.secondsTo("cpa-9", (second) =>
        among(
          [ferry, ...moored],
          adrift(0.8, () => 9),
        )(second),
      ),
    ).toBe(5);
    const anchored = inHarbour();
    anchored.command("anchorWatch", "{}");
    expect(anchored.secondsTo("cpa-9", among([ferry, ...moored]))).toBe(5);
    expect(anchored.alarm("cpa-9")?.severity).toBe("alarm");
  });

  test("ships that come near are one warning with words, about the closest, and its neighbours none", () => {
    const voyage = inHarbour();
    const coming = [passing(8, 0.2, 2, {}, 0), ferry, ...moored];
    expect(voyage.secondsTo("cpa-harbour", among(coming))).toBe(5);
    const { alarms } = voyage.sail(60, among(coming));
    expect(alarms).toMatchObject([
      { id: "cpa-harbour", severity: "warning", subject: 9, value: expect.closeTo(0.05), text: words },
    ]);
    voyage.command("cpa-harbour", "acknowledge");
    voyage.sail(60, among(coming));
    expect(voyage.alarm("cpa-harbour")?.state).toBe("acknowledged");
    // Another ship was not in danger at the answer.
    voyage.sail(10, among([passing(7, 0.1, 2, {}, 0), ...coming]));
    expect(voyage.alarm("cpa-harbour")?.state).toBe("active");
    const away = [7, 8, 9].map((mmsi) => passing(mmsi, 2, 2, {}, 0));
    const [ending] = voyage.sail(2, among([...away, ...moored])).alarms;
    expect([7, 8, 9]).toContain(ending!.subject);
    expect(voyage.sail(30, among([...away, ...moored])).rectified).toMatchObject([
      { id: "cpa-harbour", name: "SHIP 9" },
    ]);
  });

  test("a ship that rang before goes on as a warning of its own", () => {
    const voyage = createVoyage();
    voyage.sail(590, among(moored));
    expect(voyage.sail(10, among([ferry, ...moored])).alarms).toMatchObject([{ id: "cpa-9", severity: "alarm" }]);
    expect(voyage.sail(10, among([ferry, ...moored])).alarms).toMatchObject([
      { id: "cpa-9", severity: "warning", text: words },
    ]);
  });

  test("a berth ends what rings, by one tap", () => {
    const voyage = inHarbour();
    voyage.sail(10, among([ferry, ...moored]));
    voyage.command("berth", "{}");
    expect(voyage.sail(1, among([ferry, ...moored]))).toMatchObject({
      rest: "berth",
      alarms: [],
      watching: { cpa: "quiet" },
    });
  });

  test("in the guard zone ships under way are one warning, until they lie; a lost neighbour is none", () => {
    const voyage = inHarbour({ guardZone: { enabled: true }, lostTarget: { enabled: true } });
    const near = (mmsi: number, range: number, more = {}) => ship(mmsi, { range, heardAt: 2_000_000, ...more });
    const gone = lying(4, { placedAt: 0 });
    const coming = [near(8, 0.6), near(9, 0.3), gone, ...moored];
    const { alarms } = voyage.sail(10, among(coming));
    expect(alarms).toMatchObject([
      { id: "guardZone-harbour", severity: "warning", subject: 9, value: 0.3, text: words },
    ]);
    const docked = [8, 9].map((mmsi) => near(mmsi, 0.2, { sog: 0 }));
    expect(voyage.sail(4, among([...docked, gone, ...moored])).alarms).toEqual([]);
    const wasUnderWay = near(5, 0.5, { placedAt: 0 });
    const { watching } = voyage.sail(10, among([wasUnderWay, ...moored]));
    expect([watching.lostTarget, voyage.alarm("lostTarget-5")?.severity]).toEqual(["on", "warning"]);
  });
});

test.each([
  [{}, true],
  [{ rest: "still" }, true],
  [{ rest: "anchor" }, true],
  [{ rest: "berth" }, false],
] as const)("a boat with %j needs its watch: %s", (data, needed) => {
  expect(needsWatch(data)).toBe(needed);
});

/** Each alarm by a scripted voyage, with the time to the alarm. */
import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/core/n2k/definition.ts";
import type { batteryStatus } from "../../../src/core/n2k/pgns/electrical.ts";
import type { Approach } from "../../../src/core/nav/ais-targets.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import { createVoyage, northOf, passing, underWay } from "./voyage.ts";

const depth = (metres: number | undefined, sog = 5): NavigationData =>
  underWay(sog, metres === undefined ? {} : { depth_water: { depth: metres } });

describe("shallow water", () => {
  test("does not ring for one wrong reading", () => {
    const voyage = createVoyage();
    const spikes = (second: number) => ({ navigation: depth(second % 3 === 0 ? 0.4 : 12) });
    expect(voyage.sail(120, spikes).alarms).toEqual([]);
  });

  test("goes on when the sounder has lost the bottom: for a minute after an answer, else until there is one", () => {
    const voyage = createVoyage();
    voyage.sail(5, () => ({ navigation: depth(1.2) }));
    const kinds = (seconds: number): readonly string[] =>
      voyage.sail(seconds, () => ({ navigation: depth(undefined) })).alarms.map(({ kind }) => kind);
    voyage.command("depth", "acknowledge");
    expect(kinds(59)).toEqual(["depth", "depthLost"]);
    expect(kinds(1)).toEqual(["depthLost"]);
    voyage.sail(5, () => ({ navigation: depth(1.2) }));
    expect(kinds(900)).toEqual(["depth", "depthLost"]);
    expect(voyage.alarm("depth")).toMatchObject({ state: "active", text: "below the transducer, no data any more" });
    voyage.command("depth", "acknowledge");
    expect(kinds(1)).toEqual(["depthLost"]);
  });

  test("is quiet at the berth, rings on leaving it, and is not repeated when acknowledged and moored", () => {
    const voyage = createVoyage();
    voyage.sail(1, () => ({ navigation: depth(8, 0.2) }));
    expect(voyage.command("berth", "{}")).toBe(true);
    expect(voyage.sail(300, () => ({ navigation: depth(1.2, 0.2) }))).toMatchObject({
      alarms: [],
      watching: { depth: "quiet" },
      rest: "berth",
      berth: { latitude: 52, longitude: 4, distance: 0 },
    });
    // 51 m off for ten seconds, then the seconds of the alarm.
    expect(voyage.secondsTo("depth", () => ({ navigation: northOf(51, depth(1.2, 3)) }))).toBe(12);
    expect(voyage.command("depth", "acknowledge")).toBe(true);
    expect(voyage.sail(119, () => ({ navigation: depth(1.2, 0.2) })).alarms).toMatchObject([{ state: "acknowledged" }]);
    voyage.command("berth", "{}");
    expect(voyage.sail(1, () => ({ navigation: depth(1.2, 0.2) })).alarms).toEqual([]);
  });

  test.each([
    ["with a depth", 1.2],
    ["without one", undefined],
  ])("ends when the crew calls the place a berth, and stays listed: %s", (_, metres) => {
    const voyage = createVoyage();
    voyage.secondsTo("depth", () => ({ navigation: depth(1.2) }));
    voyage.command("berth", "{}");
    const moored = voyage.sail(1, () => ({ navigation: depth(metres, 0.1) }));
    expect(moored).toMatchObject({ alarms: [], watching: { depth: "quiet" }, rectified: [{ id: "depth" }] });
  });
});

describe("close approach", () => {
  test("the boat that was heard as a ship rings no more once she is known", () => {
    const voyage = createVoyage();
    const targets = [passing(244660000, 0.1, 3), passing(2, 4, 60)];
    expect(voyage.secondsTo("cpa-244660000", () => ({ navigation: underWay(6), targets }))).toBe(5);
    voyage.sail(10, () => ({ navigation: underWay(6), targets: targets.slice(1), ownMmsis: [1, 244660000] }));
    expect(voyage.alarm("cpa-244660000")).toBeUndefined();
  });

  /** A ship from 10 miles with a closing speed of 20 knots, which passes at `cpa` miles. */
  const closing =
    (cpa: number, sog = 6) =>
    (second: number) => {
      const range = 10 - second / 180;
      const targets = [passing(244660000, cpa, (range / 20) * 60, { sog: 20 - sog }, sog)];
      return { navigation: underWay(sog), targets };
    };

  test("rings ten minutes before the closest approach, once for each ship", () => {
    const voyage = createVoyage();
    voyage.receiver.wanders = false;
    // 30 minutes to go at the start: ten are left after 1200 seconds, and the limit has to be exceeded for five.
    expect(voyage.secondsTo("cpa-244660000", closing(0.1))).toBe(1206);
    expect(voyage.alarm("cpa-244660000")).toMatchObject({ name: "SHIP 244660000", subject: 244660000, unit: "nm" });
    voyage.command("cpa-244660000", "acknowledge");
    const two = (second: number) => ({
      navigation: underWay(6),
      targets: [...closing(0.1)(second + 1206).targets, passing(2, 0.2, 3)],
    });
    expect(voyage.secondsTo("cpa-2", two)).toBe(5);
    expect(voyage.alarm("cpa-244660000")?.state).toBe("acknowledged");
  });

  test("is a warning in a harbour, and rings for a boat that is becalmed", () => {
    const ferry = passing(1, 0.05, 2, {}, 0);
    const neighbour = passing(2, 0.02, 0, { range: 0.02, sog: 0 }, 0);
    const harbour = createVoyage();
    const neighbours = [2, 3, 4].map((mmsi) => ({ ...neighbour, mmsi }));
    const inHarbour = (targets: readonly Approach[]) => () => ({ navigation: underWay(0.1), targets });
    harbour.sail(600, inHarbour(neighbours));
    expect(harbour.sail(300, inHarbour([ferry, ...neighbours])).alarms).toMatchObject([
      { kind: "cpa", severity: "warning", subject: 1 },
    ]);
    // Two ships are becalmed as the boat is.
    harbour.sail(1, inHarbour([ferry, ...neighbours.slice(1)]));
    expect(harbour.secondsTo("cpa-1", inHarbour([ferry, ...neighbours.slice(1)]))).toBe(4);
    const becalmed = createVoyage();
    // Near ships under way make no harbour.
    const near = passing(2, 0.2, 0, { range: 0.2, sog: 8 }, 0);
    expect(becalmed.secondsTo("cpa-1", () => ({ navigation: underWay(0.3), targets: [ferry, near] }))).toBe(5);
  });

  test("rings under way, though the anchor watch was forgotten", () => {
    const voyage = createVoyage();
    voyage.sail(1, () => ({ navigation: underWay(0) }));
    voyage.command("anchorWatch", "{}");
    const targets = [passing(1, 0.15, 5, {}, 4.8)];
    expect(voyage.sail(60, () => ({ navigation: underWay(0.2), targets })).alarms).toEqual([]);
    // Ten seconds tell that the boat is under way, five that the limit is exceeded.
    expect(voyage.secondsTo("cpa-1", () => ({ navigation: underWay(4.8), targets }))).toBe(15);
  });

  test("without own course or speed there is no data, after any approach of a ship", () => {
    const voyage = createVoyage();
    const targets = [passing(1, 0.1, 5)];
    const unknown = underWay(null, { speed_course: { cog: 90, sog: null } });
    expect(voyage.sail(60, () => ({ navigation: unknown, targets }))).toMatchObject({
      alarms: [],
      watching: { cpa: "no data" },
    });
    expect(voyage.sail(60, () => ({ targets })).watching.cpa).toBe("no data");
    expect(voyage.sail(1, () => ({ navigation: underWay(6), targets })).watching.cpa).toBe("on");
  });

  test("a thousand ships on a collision course: the report is bounded", () => {
    const voyage = createVoyage();
    const targets = Array.from({ length: 1000 }, (_, index) => passing(index + 1, 0.01, 1));
    expect(voyage.sail(10, () => ({ navigation: underWay(6), targets })).alarms).toHaveLength(50);
    // Without an answer the last two hundred wait for one. The others have ended, and fifty of them are listed so.
    const { alarms, leftOut, rectified } = voyage.sail(70, () => ({ navigation: underWay(6) }));
    expect([alarms.length, rectified?.length, leftOut]).toEqual([50, 50, { cpa: 900 }]);
    for (let answer = 0; answer < 4; answer++) {
      voyage.command("cpa", "acknowledge");
      voyage.sail(1, () => ({ navigation: underWay(6) }));
    }
    expect(voyage.sail(1, () => ({ navigation: underWay(6) })).alarms).toEqual([]);
  });
});

describe("anchor watch", () => {
  /** A report of the boat some metres north of the anchor. */
  const at = (metres: number): NavigationData => {
    const { position, ...rest } = underWay(0.2);
    return { ...rest, position: { ...position!, latitude: 52 + metres / 111_195 } };
  };

  test("begins at the position of the command, also before the boat has one; else it needs the boat's", () => {
    const voyage = createVoyage();
    expect(voyage.command("anchorWatch", "{}")).toBe(false);
    expect(voyage.command("anchorWatch", '{"latitude":52,"longitude":4,"radius":20}')).toBe(true);
    expect(voyage.secondsTo("anchor", () => ({ navigation: at(25) }))).toBe(10);
  });

  test("rings a minute after a start without receiver and network, which may come up as long", () => {
    const silent = () => ({ navigation: {}, heardAt: undefined });
    for (const kind of ["position", "network"] as const) {
      const voyage = createVoyage();
      voyage.command("anchorWatch", '{"latitude":52,"longitude":4,"radius":20}');
      expect(voyage.secondsTo(kind, silent)).toBe(71);
    }
    expect(createVoyage().sail(200, silent).alarms).toEqual([]);
  });
});

test("strong wind rings after ten seconds, by the true wind if it is known, and not in a gust", () => {
  const voyage = createVoyage();
  const wind = (apparent: number, trueWind: number | null): NavigationData =>
    underWay(6, {
      wind_apparent: { speed: apparent, angle: 120 },
      wind_true: { speed: trueWind, angle: 140, direction: null, reference: "water", computed: true },
    });
  const gusts = (second: number) => ({ navigation: wind(20, second % 30 < 9 ? 33 : 26) });
  expect(voyage.sail(300, gusts).alarms).toEqual([]);
  expect(voyage.secondsTo("wind", () => ({ navigation: wind(24, 31) }))).toBe(10);
  expect(voyage.alarm("wind")).toMatchObject({ severity: "warning", value: 31, limit: 30, unit: "kn" });
  const other = createVoyage();
  expect(other.secondsTo("wind", () => ({ navigation: wind(32, null) }))).toBe(10);
});

describe("batteries", () => {
  type Battery = Partial<Message<typeof batteryStatus>> & { readonly stateOfChargePercent?: number };
  const battery =
    (voyage: ReturnType<typeof createVoyage>, instance: number, { stateOfChargePercent, ...values }: Battery) =>
    () => {
      voyage.hear({ ...values, pgn: 127508, instance });
      voyage.hear({
        pgn: 127506,
        instance,
        dcType: "Battery",
        ...(stateOfChargePercent !== undefined && { stateOfChargePercent }),
      });
      return {};
    };

  test("a line without a battery does not ring", () => {
    const voyage = createVoyage();
    expect(voyage.sail(120, battery(voyage, 0, { voltageV: 0.2 })).alarms).toEqual([]);
  });

  test("a bank of 24 V has twice the limit, also when it is empty", () => {
    const voyage = createVoyage();
    expect(voyage.sail(120, battery(voyage, 1, { voltageV: 24.4 })).alarms).toEqual([]);
    expect(voyage.secondsTo("batteryVoltage-1", battery(voyage, 1, { voltageV: 23.5 }))).toBe(30);
    expect(voyage.alarm("batteryVoltage-1")?.limit).toBe(23.6);
    expect(voyage.sail(120, battery(voyage, 1, { voltageV: 14.5 })).alarms).toMatchObject([{ limit: 23.6 }]);
    // The margin is scaled too: 0.6 V.
    expect(voyage.sail(10, battery(voyage, 1, { voltageV: 24.1 })).alarms).toHaveLength(1);
    expect(voyage.sail(10, battery(voyage, 1, { voltageV: 24.3 })).alarms).toEqual([]);
  });

  test.each([
    [36.4, 35, 35.4],
    [50, 47, 47.2],
  ])("a bank that is charged at %d V rings at %d V", (charged, empty, limit) => {
    const voyage = createVoyage();
    expect(voyage.sail(120, battery(voyage, 5, { voltageV: charged })).alarms).toEqual([]);
    voyage.secondsTo("batteryVoltage-5", battery(voyage, 5, { voltageV: empty }));
    expect(voyage.alarm("batteryVoltage-5")?.limit).toBeCloseTo(limit);
  });

  test("nor do many wrong readings with right ones between them", () => {
    const voyage = createVoyage();
    const spikes = (second: number) => battery(voyage, 0, { voltageV: second % 3 === 0 ? 24 : 12.6 })();
    voyage.sail(120, spikes);
    expect(voyage.sail(120, battery(voyage, 0, { voltageV: 12.6 })).alarms).toEqual([]);
  });

  test.each(["Alternator", "Converter", "Solar cell", "Wind generator"])(
    "a source of power has no charge: %s",
    (dcType) => {
      const voyage = createVoyage();
      const source = () => {
        voyage.hear({ pgn: 127506, instance: 2, dcType, stateOfChargePercent: 5 } as never);
        return {};
      };
      expect(voyage.sail(120, source).alarms).toEqual([]);
    },
  );
});

describe("answers", () => {
  test("silenced for thirty seconds, acknowledged until it ends, and raised anew afterwards", () => {
    const voyage = createVoyage();
    voyage.sail(5, () => ({ navigation: depth(1) }));
    expect(voyage.command("all", "silence")).toBe(true);
    expect(voyage.sail(29, () => ({ navigation: depth(1) })).alarms).toMatchObject([{ state: "silenced" }]);
    expect(voyage.sail(1, () => ({ navigation: depth(1) })).alarms).toMatchObject([{ state: "active" }]);
    // The crew may repeat it.
    for (const _ of [1, 2]) {
      expect(voyage.command("depth", "silence")).toBe(true);
      expect(voyage.sail(29, () => ({ navigation: depth(1) })).alarms).toMatchObject([{ state: "silenced" }]);
      expect(voyage.sail(1, () => ({ navigation: depth(1) })).alarms).toMatchObject([{ state: "active" }]);
    }
    voyage.command("all", "acknowledge");
    expect(voyage.sail(299, () => ({ navigation: depth(1) })).alarms).toMatchObject([{ state: "acknowledged" }]);
    voyage.sail(10, () => ({ navigation: depth(8) }));
    expect(voyage.sail(3, () => ({ navigation: depth(1) })).alarms).toMatchObject([{ state: "active" }]);
  });

  test("without one for thirty seconds an alarm says so, a warning never; each silence begins that time anew", () => {
    const voyage = createVoyage();
    const look = () => ({
      navigation: {
        ...depth(1),
        wind_true: { speed: 40, angle: 0, direction: 0, reference: "water", computed: false } as const,
      },
    });
    const unanswered = (seconds: number) =>
      voyage.sail(seconds, look).alarms.map(({ kind, unanswered }) => [kind, unanswered]);
    voyage.secondsTo("depth", look);
    expect(unanswered(29)).toEqual([
      ["depth", undefined],
      ["wind", undefined],
    ]);
    expect(unanswered(1)).toEqual([
      ["depth", true],
      ["wind", undefined],
    ]);
    for (const _ of ["once", "and again"]) {
      voyage.command("all", "silence");
      expect(unanswered(59)[0]).toEqual(["depth", undefined]);
      expect(unanswered(1)[0]).toEqual(["depth", true]);
    }
    voyage.command("depth", "acknowledge");
    expect(unanswered(299)).toEqual([
      ["depth", undefined],
      ["wind", undefined],
    ]);
  });

  test.each([
    ["all", "off"],
    ["all", '"acknowledge"'],
    ["wind", "acknowledge"],
    ["anchorWatch", "{"],
    ["anchorWatch", '{"radius":4}'],
    ["anchorWatch", '{"radius":1e9}'],
    ["anchorWatch", '{"radius":30,"latitude":52}'],
    ["anchorWatch", '{"radius":30,"who":1}'],
    ["anchorWatch", "[]"],
  ])("%s %s has no effect", (target, payload) => {
    const voyage = createVoyage();
    const before = voyage.sail(5, () => ({ navigation: depth(1) }));
    expect(voyage.command(target, payload)).toBe(false);
    const after = voyage.sail(1, () => ({ navigation: depth(1) }));
    expect(after).toEqual(before);
  });
});

test("the report is ordered by severity, then by kind, then by time", () => {
  const voyage = createVoyage();
  const weak = (instance: number) => () => {
    voyage.hear({ pgn: 127506, instance: 9, dcType: "Battery", stateOfChargePercent: 5 });
    voyage.hear({ pgn: 127508, instance: 5, voltageV: 11 });
    voyage.hear({ pgn: 127508, instance, voltageV: 11 });
    return { navigation: depth(1) };
  };
  voyage.settings({ depth: { delay: 90 } });
  const charge = () => {
    voyage.hear({ pgn: 127506, instance: 9, dcType: "Battery", stateOfChargePercent: 5 });
    return {};
  };
  voyage.secondsTo("batteryCharge-9", charge);
  voyage.secondsTo("batteryVoltage-5", weak(5));
  voyage.secondsTo("batteryVoltage-3", weak(3));
  const { alarms } = voyage.sail(60, weak(3));
  expect(alarms.map(({ id }) => id)).toEqual(["depth", "batteryVoltage-5", "batteryVoltage-3", "batteryCharge-9"]);
});

test("an alarm that is switched off ends at once, and others follow their limits", () => {
  const voyage = createVoyage();
  voyage.sail(5, () => ({ navigation: depth(1.5) }));
  voyage.settings({ depth: { enabled: false } });
  expect(voyage.sail(1, () => ({ navigation: depth(1.5) }))).toMatchObject({ alarms: [], watching: { depth: "off" } });
  voyage.settings({ depth: { limit: 6, delay: 0 } });
  expect(voyage.secondsTo("depth", () => ({ navigation: depth(5.9) }))).toBe(0);
});

import { describe, expect, test } from "vitest";
import { exactDecoderOf } from "../../../src/core/n2k/decode.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { aisClassAPositionReport } from "../../../src/core/n2k/pgns/ais.ts";
import { type AisMessage, aisPgns } from "../../../src/core/nav/ais-messages.ts";
import { type AisTarget, AisTargets } from "../../../src/core/nav/ais-targets.ts";
import {
  aid,
  aircraft,
  classA,
  classAStatic,
  classB,
  classBExtended,
  classBStaticA,
  classBStaticB,
  utc,
} from "./ais-messages.ts";

const MINUTE = 60_000;
/** Byte of 129038 at which its rate of turn begins. */
const ROT_AT = 23;
const WALL = Date.UTC(2026, 10, 21, 8, 14);
const mmsi = 244660000;
const here = { latitude: 52.2, longitude: 4.3 };

/** Targets after messages, each with its milliseconds of arrival. */
function targetsAfter(...heard: readonly (readonly [number, AisMessage])[]): AisTargets {
  const targets = new AisTargets();
  for (const [arrived, message] of heard) targets.hear(message, { arrived, received: WALL + arrived });
  return targets;
}

const current = (targets: AisTargets, now: number): readonly AisTarget[] =>
  targets.current(now).map(({ target }) => target);

test("aisPgns are the messages that tell of a target, in order", () => {
  expect(aisPgns.map(({ pgn }) => pgn)).toEqual([
    129038, 129039, 129040, 129041, 129793, 129794, 129798, 129809, 129810,
  ]);
});

test("codes for a rate of turn that is not known are none, as receivers convert them", () => {
  const decode = exactDecoderOf(aisClassAPositionReport);
  const encode = encoderOf(aisClassAPositionReport);
  const rotOf = (steps: number): number | undefined => {
    const payload = encode({ pgn: 129038, mmsi });
    new DataView(payload.buffer).setInt16(ROT_AT, steps, true);
    const message = decode(payload, 0, payload.length, 3);
    expect(message.rateOfTurnDegPerMin).toBeCloseTo((steps * 3.125e-5 * 60 * 180) / Math.PI, 9);
    return current(targetsAfter([0, message]), 1)[0]!.rot;
  };
  for (const sign of [1, -1]) {
    for (const steps of [1187, 1178]) expect(rotOf(sign * steps), `${sign * steps}`).toBeUndefined();
    for (const steps of [1188, 1186, 1179, 1177, 1]) expect(rotOf(sign * steps), `${sign * steps}`).toBeDefined();
  }
});

test("the code for a speed that is not known is none, as receivers convert it", () => {
  const encode = encoderOf(aisClassAPositionReport);
  const decode = exactDecoderOf(aisClassAPositionReport);
  const sogOf = (knots: number): number | undefined => {
    const payload = encode({ pgn: 129038, mmsi, sogMs: (knots * 1852) / 3600 });
    return current(targetsAfter([0, decode(payload, 0, payload.length, 3)]), 1)[0]!.sog;
  };
  for (const knots of [102.3, 1023]) expect(sogOf(knots), `${knots}`).toBeUndefined();
  for (const knots of [0, 102.2, 102.4, 1022]) expect(sogOf(knots), `${knots}`).toBeCloseTo(knots, 1);
});

describe("a position for receivers far away", () => {
  const coarse = { latitude: 52.25, longitude: 4.25 };
  const far = (more: object = {}) => classA({ mmsi, messageId: 27, ...coarse, cogDeg: 90, sogKnots: 8, ...more });
  const near = classA({ mmsi, ...here, cogDeg: 91.5, sogKnots: 7.8, navStatus: "At anchor" });

  test.each([
    ["A", near],
    ["B", classB({ mmsi, ...here, cogDeg: 91.5, sogKnots: 7.8 })],
    ["B", classBExtended({ mmsi, ...here, cogDeg: 91.5, sogKnots: 7.8 })],
  ])("changes neither place, motion, status nor class %s while the station is heard otherwise", (aisClass, exact) => {
    const targets = targetsAfter([0, far()], [1000, exact]);
    const [before] = current(targets, 1000);
    expect(before).toMatchObject({ class: aisClass, position: here });
    const { lastSeen: _, heardAt: __, ...kept } = { ...before! } as AisTarget & { heardAt: number };
    targets.hear(far(), { arrived: MINUTE, received: WALL + MINUTE });
    targets.hear(far({ navStatus: "Moored" }), { arrived: 2 * MINUTE, received: WALL + 2 * MINUTE });
    expect(current(targets, 2 * MINUTE)[0]).toMatchObject({
      ...kept,
      lastSeen: "2026-11-21T08:16:00.000Z",
      positionSeen: "2026-11-21T08:14:01.000Z",
    });
  });

  test("is taken for want of another, and when the others have been silent for long; an unknown status keeps the last", () => {
    expect(current(targetsAfter([0, far()]), 1)[0]).toMatchObject({ class: "A", position: coarse });
    const later = current(targetsAfter([0, near], [7 * MINUTE, far()]), 7 * MINUTE)[0];
    expect(later).toMatchObject({ position: coarse, navStatus: "At anchor" });
    const moored = current(targetsAfter([0, near], [7 * MINUTE, far({ navStatus: "Moored" })]), 7 * MINUTE)[0];
    expect(moored!.navStatus).toBe("Moored");
  });
});

describe("class", () => {
  test.each<[string, number, readonly AisMessage[]]>([
    ["A", mmsi, [classA({ mmsi })]],
    ["B", mmsi, [classB({ mmsi })]],
    ["B", mmsi, [classBExtended({ mmsi })]],
    ["AtoN", 992446001, [aid({ mmsi: 992446001 })]],
    ["SAR", 111244001, [aircraft({ mmsi: 111244001 })]],
    ["SAR", 111244001, [classB({ mmsi: 111244001 })]],
    ["B", 111111111, [classB({ mmsi: 111111111 })]],
    ["Base", 2442001, [utc({ mmsi: 2442001, messageId: 4 })]],
    ["A", mmsi, [classAStatic({ mmsi })]],
    ["B", mmsi, [classBStaticA({ mmsi })]],
    ["B", mmsi, [classBStaticB({ mmsi })]],
    ["SART", 970012345, [classA({ mmsi: 970012345 })]],
    ["SART", 972012345, [classA({ mmsi: 972012345 })]],
    ["SART", 974012345, [classAStatic({ mmsi: 974012345 })]],
    ["A", 971012345, [classA({ mmsi: 971012345 })]],
    // Message 11 answers a request for the time; ships send it.
    ["A", mmsi, [utc({ mmsi, messageId: 11 })]],
    ["B", mmsi, [classB({ mmsi }), utc({ mmsi, messageId: 11 })]],
    // Static data give way to what tells a position, before and after.
    ["B", mmsi, [classAStatic({ mmsi }), classB({ mmsi })]],
    ["B", mmsi, [classB({ mmsi }), classAStatic({ mmsi })]],
    ["B", mmsi, [classAStatic({ mmsi }), classBStaticA({ mmsi })]],
    ["A", mmsi, [classB({ mmsi }), classA({ mmsi })]],
  ])("%s of %i after %j", (expected, number, messages) => {
    expect(current(targetsAfter(...messages.map((message, index) => [index, message] as const)), 0)).toMatchObject([
      { mmsi: number, class: expected },
    ]);
  });

  test("that changes keeps the static data", () => {
    const targets = targetsAfter(
      [0, classAStatic({ mmsi, name: "NOORDZEE", callsign: "PABC", shipType: 70, imoNumber: 9123456 })],
      [1, classA({ mmsi, ...here, navStatus: "Moored" })],
      [2, classB({ mmsi, latitude: 52.3, longitude: 4.4 })],
    );
    expect(current(targets, 0)).toMatchObject([
      { class: "B", name: "NOORDZEE", callsign: "PABC", type: 70, imo: 9123456, navStatus: "Moored" },
    ]);
  });
});

describe("members", () => {
  test("merge over receivers and messages, the latest value wins", () => {
    const [target] = current(
      targetsAfter(
        [0, classBStaticA({ mmsi, name: "SPRAY" })],
        [
          1,
          classBStaticB({
            mmsi,
            callsign: "PC1234",
            shipType: 36,
            lengthM: 11,
            beamM: 3.8,
            toBowM: 7,
            toStarboardM: 1.9,
          }),
        ],
        [2, classB({ mmsi, ...here, cogDeg: 10, sogKnots: 5 })],
        [3, classB({ mmsi, latitude: 52.21, longitude: 4.31, headingDeg: 12 })],
        [4, classBStaticA({ mmsi, name: "SPRAY II" })],
      ),
      0,
    );
    expect(target).toMatchObject({
      mmsi,
      class: "B",
      name: "SPRAY II",
      callsign: "PC1234",
      type: 36,
      typeName: "Sailing",
      dimensions: { length: 11, beam: 3.8, toBow: 7, toStarboard: 1.9 },
      position: { latitude: 52.21, longitude: 4.31 },
      lastSeen: new Date(WALL + 4).toISOString(),
    });
    expect(target!.cog).toBeCloseTo(10, 2);
    expect(target!.sog).toBeCloseTo(5, 1);
    expect(target!.heading).toBeCloseTo(12, 2);
  });

  test("a latitude without a longitude moves nothing", () => {
    const [target] = current(targetsAfter([0, classA({ mmsi, ...here })], [1, classA({ mmsi, latitude: 10 })]), 0);
    expect(target!.position).toEqual(here);
  });

  test("names lose spaces and @ at their end only", () => {
    // The string of 129041 comes from the bus as it is; fixed texts are trimmed when they are read.
    const [target] = current(targetsAfter([0, aid({ mmsi, name: "N@RTH BUOY @@ @" })]), 0);
    expect(target!.name).toBe("N@RTH BUOY");
    expect(current(targetsAfter([0, aid({ mmsi, name: "@@@@@" })]), 0)[0]!.name).toBeUndefined();
    expect(current(targetsAfter([0, aid({ mmsi, name: "OLD" })], [1, aid({ mmsi, name: "@@" })]), 0)[0]!.name).toBe(
      "OLD",
    );
  });

  test("an aid to navigation has the name of its type and no code, which would be read as a ship's", () => {
    const [target] = current(targetsAfter([0, aid({ mmsi, atonType: "Floating AtoN: port hand mark" })]), 0);
    expect(target!.typeName).toBe("Floating AtoN: port hand mark");
    expect(target!.type).toBeUndefined();
  });

  test("an aid to navigation is virtual and in its place as its last message says", () => {
    const targets = targetsAfter(
      [0, aid({ mmsi, virtual: true, offPosition: true })],
      [1, aid({ mmsi, virtual: true, offPosition: false })],
    );
    expect(current(targets, 1)[0]).toMatchObject({ virtual: true, offPosition: false });
  });

  test("a ship keeps its time of arrival, which needs day and time, and its blue sign until another message", () => {
    const targets = targetsAfter(
      [0, classAStatic({ mmsi, etaDate: 20_779, etaTime: 36_000 })],
      [1, classAStatic({ mmsi, etaDate: 20_780 })],
      [2, classA({ mmsi, specialManeuver: "Engaged in special maneuver" })],
      [3, classA({ mmsi })],
    );
    expect(current(targets, 3)[0]).toMatchObject({ eta: "2026-11-22T10:00:00.000Z", blueSign: true });
    targets.hear(classA({ mmsi, specialManeuver: "Not engaged in special maneuver" }), { arrived: 4, received: 4 });
    expect(current(targets, 4)[0]!.blueSign).toBe(false);
  });

  test.each([
    // ITU-R M.1371, dimension of ship and reference for position.
    ["all zeros: nothing is known", [0, 0, 0, 0], undefined],
    ["zeros to bow and port: the antenna's place is not known", [110, 11.4, 0, 11.4], { length: 110, beam: 11.4 }],
    ["at the bow", [110, 11.4, 0, 5.7], { length: 110, beam: 11.4, toBow: 0, toStarboard: 5.7 }],
    ["at the port side", [110, 11.4, 20, 11.4], { length: 110, beam: 11.4, toBow: 20, toStarboard: 11.4 }],
    ["without the places", [110, 11.4, undefined, undefined], { length: 110, beam: 11.4 }],
    ["only a length", [30, 0, 30, 0], { length: 30, toBow: 30, toStarboard: 0 }],
  ])("dimensions, %s", (_, [lengthM, beamM, toBowM, toStarboardM], expected) => {
    const message = classAStatic({
      mmsi,
      lengthM: lengthM!,
      beamM: beamM!,
      ...(toBowM !== undefined && { toBowM }),
      ...(toStarboardM !== undefined && { toStarboardM }),
    });
    expect(current(targetsAfter([0, message]), 0)[0]!.dimensions).toEqual(expected);
  });

  test("the bow of an aid to navigation is its north edge", () => {
    const [target] = current(targetsAfter([0, aid({ mmsi, lengthM: 6, beamM: 4, toNorthM: 3, toStarboardM: 2 })]), 0);
    expect(target!.dimensions).toEqual({ length: 6, beam: 4, toBow: 3, toStarboard: 2 });
  });

  test("a draught of 0 is none", () => {
    expect(current(targetsAfter([0, classAStatic({ mmsi, draftM: 0 })]), 0)[0]!.draft).toBeUndefined();
    expect(current(targetsAfter([0, classAStatic({ mmsi, draftM: 3.2 })]), 0)[0]!.draft).toBe(3.2);
  });
});

describe("age", () => {
  test.each([
    ["a ship", 10, classA({ mmsi, ...here })],
    ["a small craft", 10, classBStaticA({ mmsi, name: "SPRAY" })],
    ["a base station", 10, utc({ mmsi, ...here, messageId: 4 })],
    ["an aircraft", 10, aircraft({ mmsi, ...here })],
    ["an aid to navigation", 30, aid({ mmsi, ...here })],
  ])("%s is forgotten after %i minutes of silence", (_, minutes, message) => {
    const targets = targetsAfter([0, message]);
    expect(current(targets, minutes * MINUTE - 1)).toHaveLength(1);
    expect(current(targets, minutes * MINUTE)).toHaveLength(0);
  });

  test("static data keep a target, but not its place and motion", () => {
    const motion = { ...here, cogDeg: 10, sogKnots: 5, headingDeg: 11, rateOfTurnDegPerMin: 1.5 };
    const targets = targetsAfter(
      [0, classA({ mmsi, ...motion, navStatus: "Moored" })],
      [5 * MINUTE, classAStatic({ mmsi, name: "NOORDZEE" })],
    );
    const dynamic = ["position", "cog", "sog", "heading", "rot"] as const;
    const [before] = current(targets, 6 * MINUTE - 1);
    for (const member of dynamic) expect(before![member]).toBeDefined();
    const [target] = current(targets, 6 * MINUTE);
    for (const member of dynamic) expect(target![member]).toBeUndefined();
    expect(target).toMatchObject({ name: "NOORDZEE", navStatus: "Moored" });
    expect(current(targets, 15 * MINUTE - 1)).toHaveLength(1);
    expect(current(targets, 15 * MINUTE)).toHaveLength(0);
  });

  test("a position keeps its time when later messages have none", () => {
    const targets = new AisTargets();
    const seen = (at: number, message: AisMessage) => {
      targets.hear(message, { arrived: at, received: WALL + at });
      const { lastSeen, positionSeen } = current(targets, at)[0]!;
      return [Date.parse(lastSeen) - WALL, positionSeen && Date.parse(positionSeen) - WALL];
    };
    expect(seen(0, classA({ mmsi, ...here }))).toEqual([0, undefined]);
    // Latitude 91 and longitude 181 are not available.
    expect(seen(10_000, classA({ mmsi }))).toEqual([10_000, 0]);
    expect(seen(20_000, classAStatic({ mmsi, name: "NOORDZEE" }))).toEqual([20_000, 0]);
    expect(seen(30_000, classA({ mmsi, ...here }))).toEqual([30_000, undefined]);
    expect(seen(40_000, classA({ mmsi }))).toEqual([40_000, 30_000]);
    expect(seen(30_000 + 6 * MINUTE, classA({ mmsi }))).toEqual([30_000 + 6 * MINUTE, undefined]);
  });

  test("a position report of class A without a status takes back that of the report before, other messages do not", () => {
    const moored = classA({ mmsi, ...here, navStatus: "Moored" });
    const others = targetsAfter([0, moored], [1, classAStatic({ mmsi })], [2, classB({ mmsi, ...here })]);
    expect(current(others, 3)).toMatchObject([{ navStatus: "Moored" }]);
    // The status 15 is "not defined".
    const [target] = current(targetsAfter([0, moored], [1, classA({ mmsi, ...here })]), 2);
    expect(target!.navStatus).toBeUndefined();
  });

  test("a heading that is no longer sent is removed by itself", () => {
    const targets = targetsAfter(
      [0, classA({ mmsi, ...here, headingDeg: 88 })],
      [5 * MINUTE, classA({ mmsi, ...here })],
    );
    expect(current(targets, 6 * MINUTE - 1)[0]!.heading).toBeDefined();
    const [target] = current(targets, 6 * MINUTE);
    expect(target!.heading).toBeUndefined();
    expect(target!.position).toEqual(here);
  });
});

describe("a beacon that is active", () => {
  const beacon = 972012345;
  const at = (seconds: number, navStatus?: AisMessage["navStatus"], number = beacon) =>
    [seconds * 1000, classA({ mmsi: number, ...here, ...(navStatus !== undefined && { navStatus }) })] as const;
  const stateAfter = (heard: readonly (readonly [number, AisMessage])[]) =>
    targetsAfter(...heard).current(0)[0]!.target.distress;

  test.each([
    ["is so where another receiver has no status", [at(0, "AIS-SART"), at(0.01)], "active"],
    ["is so until a minute has passed", [at(0, "AIS-SART"), at(59)], "active"],
    ["is under test then", [at(0, "AIS-SART"), at(60)], "test"],
    ["is so at once after a test", [at(0), at(1, "AIS-SART")], "active"],
    ["may be a ship", [at(0, "AIS-SART", mmsi), at(1, "Moored", mmsi)], "active"],
    ["is not one without a status that is under test", [[0, utc({ mmsi: beacon })], at(1)], "test"],
  ] as const)("%s", (_, heard, expected) => expect(stateAfter(heard)).toBe(expected));
});

describe("who is a target", () => {
  test.each([
    ["0", 0],
    ["all ones", 0xffffffff],
    ["ten digits", 1_000_000_000],
  ])("a number of %s is counted and ignored", (_, number) => {
    const targets = targetsAfter([0, { pgn: 129038, mmsi: number, ...here }]);
    expect(current(targets, 0)).toEqual([]);
    expect(targets.counters().withoutMmsi).toBe(1);
  });

  test("own ship is none, whenever it becomes known", () => {
    const targets = targetsAfter([0, classA({ mmsi, ...here })], [1, classA({ mmsi: mmsi + 1, ...here })]);
    targets.setOwnMmsi(mmsi);
    expect(current(targets, 0).map((target) => target.mmsi)).toEqual([mmsi + 1]);
    expect(targets.hear(classA({ mmsi, ...here }), { arrived: 2, received: WALL })).toBe(false);
    expect(current(targets, 0)).toHaveLength(1);
    targets.setOwnMmsi(undefined);
    expect(targets.hear(classA({ mmsi, ...here }), { arrived: 3, received: WALL })).toBe(true);
    expect(current(targets, 0)).toHaveLength(2);
  });

  test.each(["Channel A VDL transmission", "Channel B VDL transmission", "Own information not broadcast"] as const)(
    "own ship is whose messages are marked: %s",
    (transceiver) => {
      const targets = targetsAfter([0, classB({ mmsi, ...here })], [1, classB({ mmsi: mmsi + 1, ...here })]);
      expect(targets.hear(classB({ mmsi, ...here, transceiver }), { arrived: 2, received: WALL })).toBe(false);
      // Another receiver has heard it too.
      const heard = classB({ mmsi, ...here, transceiver: "Channel A VDL reception" });
      expect(targets.hear(heard, { arrived: 3, received: WALL })).toBe(false);
      expect(current(targets, 0).map((target) => target.mmsi)).toEqual([mmsi + 1]);
    },
  );

  test("each transponder on board has a number of its own, the last one that it has marked", () => {
    const targets = new AisTargets();
    const [heard, own] = ["Channel A VDL reception", "Own information not broadcast"] as const;
    const hear = (source: number, number: number, transceiver: typeof heard | typeof own) =>
      targets.hear(classB({ mmsi: number, ...here, transceiver }), { source, arrived: 0, received: WALL });
    hear(44, mmsi, heard);
    for (const [source, number] of [
      [43, mmsi],
      [44, mmsi + 1],
    ] as const)
      expect(hear(source, number, own)).toBe(false);
    for (const [source, number] of [
      [44, mmsi],
      [43, mmsi + 1],
    ] as const)
      expect(hear(source, number, heard)).toBe(false);
    expect(current(targets, 0)).toEqual([]);
    expect(targets.ownMmsis).toEqual([mmsi, mmsi + 1]);
    // A transponder that marks other ships too hides one of them at a time.
    hear(44, mmsi + 2, own);
    expect(hear(43, mmsi + 1, heard)).toBe(true);
  });

  test("of too many the longest silent goes first", () => {
    const targets = new AisTargets();
    const hear = (number: number, arrived: number) =>
      targets.hear({ pgn: 129038, mmsi: number }, { arrived, received: WALL + arrived });
    for (let index = 0; index < 1000; index++) hear(200_000_000 + index, index);
    hear(200_000_000, 2000);
    hear(300_000_000, 2001);
    const numbers = current(targets, 0).map((target) => target.mmsi);
    expect(numbers).toHaveLength(1000);
    expect(numbers).toContain(200_000_000);
    expect(numbers).not.toContain(200_000_001);
    expect(numbers).toContain(300_000_000);
    expect(targets.counters().evicted).toBe(1);
  });

  test("targets are sorted by number, not by name or time", () => {
    const targets = targetsAfter(
      [0, classA({ mmsi: 900 })],
      [1, classA({ mmsi: 999_999_999 })],
      [2, classA({ mmsi: 1000 })],
    );
    expect(current(targets, 0).map((target) => target.mmsi)).toEqual([900, 1000, 999_999_999]);
  });
});

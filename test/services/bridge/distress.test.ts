/** Persons and vessels in distress: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { MAX_COMMAND_BYTES } from "../../../src/core/alarms/commands.ts";
import type { AlarmsData, PastAlarm } from "../../../src/core/alarms/report.ts";
import { claim, setUp, start, topic } from "./alarm-bus.ts";

const position = { pgn: 129025, latitude: 52, longitude: 4 };
const course = { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 3 };
const underWay = [position, course];
/** Dead ahead at 240 m. */
const AHEAD = { latitude: 52 + 240 / 111_195, longitude: 4 };
const report = (mmsi: number, more: object = {}) => ({
  pgn: 129038,
  mmsi,
  ...AHEAD,
  sogMs: 0,
  navStatus: "AIS-SART",
  ...more,
});
const testReport = (mmsi: number) => report(mmsi, { navStatus: undefined });
const text = (mmsi: number, words: string) => ({ pgn: 129802, messageId: 14, mmsi, text: words });
const seconds = (count: number) => new Date(start + count * 1000).toISOString();

describe("AIS beacons", () => {
  test("a man overboard 240 m dead ahead, without way, rings within two seconds, with bearing, distance and first report", () => {
    const { sail, alarms } = setUp();
    sail(60, ...underWay);
    expect(alarms()).toEqual([]);
    sail(2, ...underWay, report(972123456));
    const [alarm, ...others] = alarms();
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({
      id: "manOverboard-972123456",
      title: "Man overboard",
      severity: "emergency",
      state: "active",
      text: "AIS man-overboard beacon",
      range: 0.13,
      bearing: 0,
    });
    expect(alarm!.first).toMatchObject({ position: { latitude: 52.0021584, longitude: 4 }, boat: { latitude: 52 } });
    expect([seconds(60), seconds(61), seconds(62)]).toContain(alarm!.first!.at.replace(/\d{3}Z$/, "000Z"));
  });

  test("range and bearing follow the boat, the first report stays", () => {
    const { sail, alarms } = setUp();
    sail(60, ...underWay, report(972123456));
    const first = alarms()[0]!.first;
    sail(60, { ...position, latitude: 52.004 }, course, report(972123456, { latitude: 52.003 }));
    expect(alarms()[0]).toMatchObject({ ...{ range: 0.06, bearing: 180, position: { latitude: 52.003 }, first } });
  });

  test.each([
    [970123456, "distress", "AIS search and rescue transmitter"],
    [974123456, "distress", "AIS EPIRB"],
    [244660000, "distress", "ship with the status of a distress beacon"],
  ])("%i is %s", (mmsi, kind, words) => {
    const { sail, alarms } = setUp();
    sail(5, ...underWay, report(mmsi));
    expect(alarms()).toMatchObject([{ id: `${kind}-${mmsi}`, severity: "emergency", text: words }]);
  });

  test.each([
    ["at the berth", [position, { ...course, sogMs: 0 }], undefined],
    ["at anchor", [position, { ...course, sogMs: 0 }], "{}"],
    ["without a position", [], undefined],
    ["20 miles away", [{ ...position, latitude: 51.67 }, course], undefined],
  ])("rings %s", (_, messages, watch) => {
    const { bridge, sail, wait, alarms } = setUp();
    wait(200, ...messages, { ...report(244660001), navStatus: "Moored" });
    if (watch !== undefined) bridge.command(`${topic}/anchorWatch/set`, watch);
    sail(5, ...messages, report(972123456));
    expect(alarms()).toMatchObject([{ kind: "manOverboard", state: "active" }]);
  });

  test("one under test is a warning, by its status or its words, and an alert that follows rings", () => {
    const { sail, alarms } = setUp();
    sail(5, ...underWay, testReport(970123456), text(972123456, "MOB TEST"));
    const warnings = alarms().map(({ id, severity }) => `${id} ${severity}`);
    expect(warnings.sort()).toEqual(["beaconTest-970123456 warning", "beaconTest-972123456 warning"]);
    sail(5, ...underWay, report(970123456), text(972123456, "MOB ACTIVE"));
    const emergencies = alarms().filter(({ severity }) => severity === "emergency");
    expect(emergencies.map(({ id }) => id)).toEqual(["manOverboard-972123456", "distress-970123456"]);
    // A beacon that is active is no longer under test, also if it says so once more.
    sail(5, ...underWay, report(970123456), testReport(972123456));
    expect(alarms().map(({ id }) => id)).toEqual(["manOverboard-972123456", "distress-970123456"]);
  });

  test("one that is heard without a status counts as active", () => {
    const { sail, alarms } = setUp();
    sail(5, ...underWay, { pgn: 129809, mmsi: 972123456, name: "CREW 1" });
    expect(alarms()).toMatchObject([{ id: "manOverboard-972123456", name: "CREW 1" }]);
  });

  test("words of others about beacons do not ring as one", () => {
    const { sail, alarms } = setUp();
    sail(5, ...underWay, text(2442000, "MOB ACTIVE NEAR BUOY 7"));
    expect(alarms()).toMatchObject([{ kind: "safetyMessage", severity: "warning" }]);
  });

  test("a beacon without way makes no harbour of the open sea", () => {
    const { wait, alarms } = setUp();
    const ferry = { ...report(244660000), navStatus: "Under way using engine", sogMs: 6, cogDeg: 180 };
    wait(300, position, { ...course, sogMs: 0.4 }, report(972123456, { sogMs: 0 }), ferry);
    expect(alarms().map(({ kind }) => kind)).toEqual(["manOverboard", "cpa"]);
  });

  test("one that drifts towards the boat rings once", () => {
    const { wait, alarms } = setUp();
    wait(300, ...underWay, report(972123456, { sogMs: 1, cogDeg: 180 }));
    expect(alarms()).toMatchObject([{ kind: "manOverboard" }]);
  });
});

describe("answers", () => {
  test("one that a client has left at the broker is old: with each connection it would answer what nobody has seen", () => {
    const { bridge, sail, ringing } = setUp();
    sail(5, ...underWay, { pgn: 128267, depthM: 1 });
    for (const target of ["all", "depth"]) bridge.command(`${topic}/${target}/set`, "acknowledge", true);
    // A watch is kept there by hub-cand itself.
    bridge.command(`${topic}/anchorWatch/set`, '{"radius":40,"latitude":53,"longitude":4}', true);
    sail(15, ...underWay, { pgn: 128267, depthM: 1 });
    expect(ringing().map((alarm) => alarm.split(" ").slice(0, 3).join(" "))).toEqual([
      "depth alarm active",
      "anchor alarm active",
    ]);
  });

  test("all silences for thirty seconds, and acknowledges nothing", () => {
    const { bridge, sail, alarms } = setUp();
    sail(5, ...underWay, report(972123456), { pgn: 128267, depthM: 1 });
    bridge.command(`${topic}/all/set`, "acknowledge");
    sail(1, ...underWay, report(972123456), { pgn: 128267, depthM: 1 });
    const states = (): readonly string[] => alarms().map(({ kind, state }) => `${kind} ${state}`);
    expect(states()).toEqual(["manOverboard active", "depth acknowledged"]);
    bridge.command(`${topic}/all/set`, "silence");
    sail(25, ...underWay, report(972123456), { pgn: 128267, depthM: 1 });
    expect(states()).toContain("manOverboard silenced");
    sail(10, ...underWay, report(972123456), { pgn: 128267, depthM: 1 });
    expect(states()).toContain("manOverboard active");
  });
});

describe("other calls", () => {
  test("the man-overboard notification of the bus, by its status", () => {
    const { sail, alarms } = setUp();
    const notification = { pgn: 127233, emitterId: 4711, ...AHEAD };
    sail(2, ...underWay, { ...notification, status: 2 });
    expect(alarms()).toMatchObject([{ id: "beaconTest-4711", severity: "warning" }]);
    sail(2, ...underWay, { ...notification, status: 0 });
    expect(alarms()[0]).toMatchObject({ id: "manOverboard-4711", range: 0.13, severity: "emergency" });
  });

  test("persons that two devices report without the number of an emitter are two, beside that of the button", () => {
    const { bridge, sail, ringing, alarms } = setUp();
    bridge.command(`${topic}/manOverboard/set`, "{}");
    const plotters = [
      { pgn: 127233, from: 7, status: 1, ...AHEAD },
      { pgn: 127233, from: 8, status: 0, emitterId: 0, latitude: 52.01, longitude: 4 },
    ];
    for (let time = 0; time < 3; time++) sail(2, ...underWay, ...plotters);
    expect(ringing()).toEqual([
      "manOverboard-0 emergency active man-overboard button",
      "manOverboard-device-7 emergency active man-overboard button, address 7",
      "manOverboard-device-8 emergency active man-overboard emitter, address 8",
    ]);
    expect(alarms()[2]!.position).toEqual({ latitude: 52.01, longitude: 4 });
    // Theirs are not those that the button releases.
    bridge.command(`${topic}/manOverboard/set`, "null");
    sail(5, ...underWay);
    expect(ringing().map((row) => row.split(" ")[0])).toEqual(["manOverboard-device-7", "manOverboard-device-8"]);
  });

  describe("of devices that move to other addresses", () => {
    const [one, other] = [0xc0_32_96_00_22_61_24_82n, 0xc0_32_96_00_22_61_24_83n];
    const from = (address: number, latitude = 52.002) => ({
      ...{ pgn: 127233, from: address, status: 1, latitude, longitude: 4 },
    });

    test("persons keep their alarms and the answers to them, also when two devices swap theirs", () => {
      const { bridge, sail, alarms, rung } = setUp();
      sail(2, ...underWay, claim(35, one), claim(36, other), from(35), from(36, 52.01));
      bridge.command(`${topic}/manOverboard-device-${one}/set`, "acknowledge");
      expect(rung(2, ...underWay, claim(36, one), claim(35, other), from(36), from(35, 52.01))).toEqual([
        `manOverboard-device-${one} emergency acknowledged man-overboard button, address 36`,
        `manOverboard-device-${other} emergency active man-overboard button, address 35`,
      ]);
      expect(alarms()).toMatchObject([{ position: { latitude: 52.002 } }, { position: { latitude: 52.01 } }]);
      // A device that loses its address to another one has spoken just before.
      sail(1, ...underWay, from(36), claim(36, 1n << 40n), claim(37, one));
      expect(rung(2, ...underWay, from(37), from(35, 52.01))).toHaveLength(2);
    });

    test("one whose NAME becomes known later keeps the address of its first report", () => {
      const { sail, ringing, rung } = setUp();
      sail(2, ...underWay, from(35));
      sail(2, ...underWay, claim(35, one), from(35));
      sail(2, ...underWay, claim(36, one), from(36));
      const its = "manOverboard-device-35 emergency active man-overboard button, address";
      expect(ringing()).toEqual([`${its} 36`]);
      // Another device at that address is not taken for it.
      expect(rung(2, ...underWay, claim(35, other), from(35), from(36))).toEqual([
        `${its} 36`,
        `manOverboard-device-${other} emergency active man-overboard button, address 35`,
      ]);
    });
  });

  test("a device that has taken its report back reports another person", () => {
    const { bridge, sail, wait, reports, alarms } = setUp();
    const notification = { pgn: 127233, from: 7, status: 0, ...AHEAD };
    sail(2, ...underWay, notification);
    bridge.command(`${topic}/manOverboard-device-7/set`, "acknowledge");
    wait(100, ...underWay, notification);
    expect(alarms()).toMatchObject([{ state: "acknowledged", first: { position: { longitude: 4 } } }]);
    sail(1, ...underWay, notification, { ...notification, status: 3 });
    sail(2, ...underWay, { ...notification, status: 3 });
    expect(alarms()).toMatchObject([{ state: "acknowledged" }]);
    sail(2, ...underWay, { ...notification, latitude: 52.01 });
    expect(alarms()).toMatchObject([{ state: "active", first: { position: { latitude: 52.01 } } }]);
    expect(reports().at(-1)!.leftOut).toBeUndefined();
  });

  describe("by radio without an MMSI", () => {
    const call = (natureOfDistress: string | undefined, minutesNorth?: number) => ({
      ...{ pgn: 129808, format: "Distress", category: "Distress", natureOfDistress },
      ...(minutesNorth !== undefined && { latitude: 52 + minutesNorth / 60, longitude: 4 }),
    });
    const sinking = "distress-0 DSC call: Sinking";
    test.each([
      ["a repetition that has drifted", [call("Sinking", 0), call("Sinking", 2)], [sinking]],
      ["another position", [call("Sinking", 0), call("Sinking", 4)], [sinking, "distress-1 DSC call: Sinking"]],
      ["another nature", [call("Sinking", 0), call("Fire", 0)], [sinking, "distress-1 DSC call: Fire"]],
      [
        "a repetition without a nature, and another nature",
        [call("Sinking", 0), call(undefined, 0), call("Fire", 0)],
        [sinking, "distress-1 DSC call: Fire"],
      ],
      ["a repetition without a position", [call("Sinking", 0), call("Sinking")], [sinking]],
      ["a nature that follows", [call(undefined, 0), call("Sinking", 0)], [sinking]],
    ])("%s", (_, calls, expected) => {
      const { sail, alarms } = setUp();
      // Each is heard again and again, and keeps its alarm.
      for (let time = 0; time < 3; time++) sail(2, ...underWay, ...calls);
      const ids = alarms().map(({ id, text: words }) => `${id} ${words}`);
      expect(ids.sort()).toEqual(expected);
    });

    test("a hundred places are ten alarms, the last of which has the last place", () => {
      const { sail, alarms } = setUp();
      for (let place = 0; place < 100; place++) sail(1, ...underWay, call("Sinking", place * 5));
      sail(2, ...underWay);
      expect(
        alarms()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(Array.from({ length: 10 }, (_, n) => `distress-${n}`));
      expect(alarms().find(({ id }) => id === "distress-9")!.position!.latitude).toBeCloseTo(52 + (99 * 5) / 60, 5);
    });
  });

  test("a distress call by radio, with its nature, the ship and its place", () => {
    const { sail, alarms } = setUp();
    const call = { pgn: 129808, format: "Distress", category: "Distress", natureOfDistress: "Sinking" };
    sail(2, ...underWay, { ...call, address: "2446600000", ...AHEAD });
    expect(alarms()).toMatchObject([
      { id: "distress-244660000", text: "DSC call: Sinking", range: 0.13, severity: "emergency" },
    ]);
  });

  test("its relay is of the ship in distress; a routine call is none", () => {
    const { sail, alarms } = setUp();
    sail(2, ...underWay, { pgn: 129808, format: "Individual stations", category: "Routine", address: "2446600010" });
    expect(alarms()).toEqual([]);
    const relay = { pgn: 129808, format: "All ships", category: "Distress", address: "0024420000" };
    sail(2, ...underWay, { ...relay, mmsiInDistress: "2446600020", natureOfDistress: "Man overboard" });
    expect(alarms()).toMatchObject([{ id: "distress-244660002", text: "DSC relay or acknowledgement: Man overboard" }]);
  });

  test("a bus that calls from thousands of numbers fills no memory, and the report is bounded", () => {
    const { sail, alarms } = setUp();
    const calls = Array.from({ length: 300 }, (_, index) => ({ pgn: 127233, status: 0, emitterId: index + 1 }));
    sail(3, ...calls);
    expect(alarms()).toHaveLength(50);
  });
});

describe("the button", () => {
  const button = `${topic}/manOverboard/set`;

  test("rings until it is released, and its mark outlives the daemon", () => {
    const first = setUp();
    first.sail(3, ...underWay);
    expect(first.reports().at(-1)!.watching.manOverboard).toBe("on");
    first.bridge.command(button, "{}");
    first.sail(1, ...underWay);
    const at = first.alarms()[0]!.first!.at;
    expect(first.alarms()).toMatchObject([
      { id: "manOverboard-0", text: "man-overboard button", range: 0, state: "active" },
    ]);
    const [retained, ...others] = first.retained("manOverboard");
    expect(others).toEqual([]);
    expect(JSON.parse(retained!)).toEqual({ latitude: 52, longitude: 4, press: at, at });

    const second = setUp();
    second.bridge.command(button, retained!);
    second.wait(900, { ...position, latitude: 52.01 }, course);
    expect(second.alarms()).toMatchObject([
      { id: "manOverboard-0", range: 0.6, bearing: 180, first: { at, position: { latitude: 52, longitude: 4 } } },
    ]);
    second.bridge.command(button, "");
    second.sail(5, { ...position, latitude: 52.01 }, course);
    expect(second.alarms()).toEqual([]);
    expect(second.retained("manOverboard").at(-1)).toBeNull();
  });

  test("a press that arrives late marks where the boat was then, and no place that is not known", () => {
    const boat = setUp();
    for (let minute = 0; minute < 4; minute++) boat.sail(60, { ...position, latitude: 52 + minute / 60 }, course);
    const firstOf = (secondsAgo: number) => {
      const at = new Date(start + (240 - secondsAgo) * 1000).toISOString();
      boat.bridge.command(button, JSON.stringify({ at }));
      boat.sail(1, { ...position, latitude: 53 }, course);
      return boat.alarms().find(({ first }) => first?.at === at)!.first!.position;
    };
    expect(firstOf(90)?.latitude).toBeCloseTo(52 + 2 / 60, 3);
    expect(firstOf(3600)).toBeUndefined();
  });

  test("a press is one person however often it is sent, at the place of the boat so long ago, whatever clocks say", () => {
    const boat = setUp();
    for (let minute = 0; minute < 4; minute++) boat.sail(60, { ...position, latitude: 52 + minute / 60 }, course);
    const again = (payload: object): void => {
      for (let time = 0; time < 3; time++) {
        boat.bridge.command(button, JSON.stringify(payload));
        boat.sail(3, { ...position, latitude: 53 }, course);
      }
    };
    again({ press: "k3v9", ago: 90 });
    // The time of a program alone names a person too; nobody falls tomorrow.
    again({ at: new Date(start + 3 * 3_600_000).toISOString() });
    const alarms = boat.alarms().filter(({ kind }) => kind === "manOverboard");
    expect(alarms.map(({ id, press }) => [id, press])).toEqual([
      ["manOverboard-0", "k3v9"],
      ["manOverboard-0-2", new Date(start + 3 * 3_600_000).toISOString()],
    ]);
    const [one, two] = alarms.map(({ first }) => first!);
    expect(one!.position!.latitude).toBeCloseTo(52 + 2 / 60, 3);
    expect([one!.at, two!.at].map((at) => (Date.parse(at) - start) / 1000)).toEqual([
      expect.closeTo(150, 0),
      expect.closeTo(249, 0),
    ]);
    boat.bridge.command(button, '{"press":"k3v9","back":true}');
    boat.sail(5, ...underWay);
    const left = boat.alarms().filter(({ kind }) => kind === "manOverboard");
    expect(left.map(({ id }) => id)).toEqual(["manOverboard-0-2"]);
  });

  test.each([3 * 3600, -3 * 3600])("a clock that is set by %d s changes nobody, and tells for how long", (stepSec) => {
    let boat = setUp();
    boat.sail(10, ...underWay, report(972123456));
    boat.bridge.command(button, "{}");
    boat.sail(50, ...underWay, report(972123456));
    const of = (each: typeof boat) => each.alarms().map(({ id, press, first }) => [id, press, first!.at]);
    const before = of(boat);
    boat.stepClock(1000 * stepSec);
    boat.sail(10, ...underWay, report(972123456));
    expect(of(boat)).toEqual(before);
    const { data, metadata } = boat.publisher.payloads(topic).at(-1) as {
      readonly data: AlarmsData;
      readonly metadata: { readonly rxDate: string };
    };
    const elapsed = data.alarms.map(
      ({ first }) => (Date.parse(metadata.rxDate) - Date.parse(first!.at)) / 1000 - first!.clockSetSec!,
    );
    expect(elapsed.toSorted()).toEqual([expect.closeTo(50, -0.5), expect.closeTo(60, -0.5)]);
    expect(data.alarms.map(({ clockSetSec }) => clockSetSec)).toEqual([stepSec, stepSec]);

    const kept = boat.retained("manOverboard").at(-1)!;
    boat = setUp(start + 70_000 + 2 * 1000 * stepSec);
    boat.bridge.command(button, kept);
    boat.sail(5, ...underWay);
    expect(of(boat)).toEqual(before.filter(([, press]) => press !== undefined));
    boat.bridge.command(
      button,
      JSON.stringify({ at: before.find(([, press]) => press !== undefined)![2], back: true }),
    );
    boat.sail(5, ...underWay);
    expect(boat.alarms()).toEqual([]);
  });

  test.each([true, false])("has one row of the history over starts, the person known first: %s", (isPersonFirst) => {
    const keptHistory = ({ messages }: ReturnType<typeof setUp>["publisher"]): string =>
      messages.findLast((message) => message.topic === `${topic}/history`)!.payload!;
    const historyOf = ({ publisher }: ReturnType<typeof setUp>): readonly PastAlarm[] =>
      JSON.parse(keptHistory(publisher)).data.alarms;
    let boat = setUp();
    boat.sail(3, ...underWay);
    boat.bridge.command(button, "{}");
    boat.sail(15, ...underWay);
    const { at: since } = boat.alarms()[0]!.first!;
    for (const startAfterSec of [600, 1200]) {
      const kept = [
        [button, boat.retained("manOverboard").at(-1)!],
        [`${topic}/history`, keptHistory(boat.publisher)],
      ] as const;
      boat = setUp(start + startAfterSec * 1000);
      for (const [of, payload] of isPersonFirst ? kept : kept.toReversed()) {
        boat.bridge.command(of, payload);
        boat.sail(1, ...underWay);
      }
      boat.sail(90, ...underWay);
      expect(boat.alarms()).toMatchObject([{ id: "manOverboard-0", first: { at: since } }]);
      expect(historyOf(boat).map((each) => [each.since, each.until])).toEqual([[since, undefined]]);
    }
    boat.bridge.command(button, "");
    boat.sail(10, ...underWay);
    expect(historyOf(boat)).toMatchObject([{ since, until: expect.any(String) }]);
    expect(historyOf(boat)).toHaveLength(1);
  });

  test("marks six persons, whose names outlive the daemon, and says why it takes no seventh", () => {
    let boat = setUp();
    boat.sail(10, ...underWay);
    const at = (second: number): string => `2026-01-01T00:00:0${second}.123Z`;
    for (let second = 1; second < 8; second++)
      boat.bridge.command(button, JSON.stringify({ latitude: -52.1234567, longitude: -104.1234567, at: at(second) }));
    boat.sail(2, ...underWay);
    const fell = () => new Map(boat.alarms().map(({ id, first }) => [first!.at, id]));
    const all = fell();
    expect([...all.values()]).toEqual(["", "-2", "-3", "-4", "-5", "-6"].map((rest) => `manOverboard-0${rest}`));
    expect(boat.log.lines.at(-1)).toMatchObject({
      message: "a command to the alarms has no effect",
      fields: { target: "manOverboard", reason: "6 persons are marked already" },
    });
    for (const second of [0, 1, 5]) {
      if (second > 0) boat.bridge.command(button, JSON.stringify({ at: at(second), back: true }));
      all.delete(at(second));
      boat.sail(5, ...underWay);
      expect(fell()).toEqual(all);
      const kept = boat.retained("manOverboard").at(-1)!;
      expect(kept.length).toBeLessThanOrEqual(MAX_COMMAND_BYTES);
      boat = setUp();
      boat.bridge.command(button, kept);
      boat.sail(10, ...underWay);
      expect(fell()).toEqual(all);
    }
  });

  test("gives no number again while a person is marked, also after a restart", () => {
    let boat = setUp();
    const mark = (second: number, more: object = {}): void =>
      boat.bridge.command(button, JSON.stringify({ at: seconds(second), ...more }));
    const marked = (): readonly string[] => {
      boat.sail(5, ...underWay);
      return boat.ringing().map((row) => row.split(" ")[0]!);
    };
    boat.sail(10, ...underWay);
    for (const second of [1, 2, 3]) mark(second);
    mark(2, { back: true });
    mark(4);
    const three = ["manOverboard-0", "manOverboard-0-3", "manOverboard-0-4"];
    expect(marked().toSorted()).toEqual(three);
    const kept = boat.retained("manOverboard").at(-1)!;
    boat = setUp();
    boat.bridge.command(button, kept);
    mark(5);
    expect(marked().toSorted()).toEqual([...three, "manOverboard-0-5"]);
    boat.bridge.command(button, "null");
    expect(marked()).toEqual([]);
    mark(20);
    expect(marked()).toEqual(["manOverboard-0"]);
  });

  test("the highest numbers fit into a command, and a number that was given is better than none", () => {
    const first = setUp();
    const place = { latitude: -52.1234567, longitude: -104.1234567 };
    const numbers = [89, 91, 93, 95, 97, 99];
    const persons = numbers.map((number) => {
      const at = `2026-01-01T00:00:${number - 40}.123Z`;
      return { ...place, press: at, at, clockSetSec: -1_234_567_890, number };
    });
    first.bridge.command(button, JSON.stringify(persons));
    first.sail(2, ...underWay);
    const kept = first.retained("manOverboard").at(-1)!;
    expect(JSON.parse(kept)).toEqual(persons);
    expect(kept.length).toBeLessThanOrEqual(MAX_COMMAND_BYTES);
    first.bridge.command(button, JSON.stringify({ at: persons[0]!.at, back: true }));
    first.bridge.command(button, "{}");
    first.sail(2, ...underWay);
    expect(first.alarms()).toContainEqual(expect.objectContaining({ id: "manOverboard-0", state: "active" }));
    // The next one is free, the first one is not any more.
    first.sail(12, ...underWay);
    first.bridge.command(button, JSON.stringify({ at: persons[1]!.at, back: true }));
    first.bridge.command(button, "{}");
    first.sail(2, ...underWay);
    expect(first.alarms()).toContainEqual(expect.objectContaining({ id: "manOverboard-0-2", state: "active" }));
  });

  test("a press without a time, sent again within ten seconds, moves neither place nor time, and adds the place", () => {
    const { bridge, sail, alarms, retained } = setUp();
    bridge.command(button, "{}");
    sail(2);
    const { at } = alarms()[0]!.first!;
    for (const latitude of [52, 52.0005]) {
      sail(5, { ...position, latitude }, course);
      bridge.command(button, "{}");
      sail(2, { ...position, latitude }, course);
      expect(alarms()).toMatchObject([
        { id: "manOverboard-0", position: { latitude: 52, longitude: 4 }, first: { at, position: { latitude: 52 } } },
      ]);
      expect(JSON.parse(retained("manOverboard").at(-1)!)).toEqual({ latitude: 52, longitude: 4, press: at, at });
    }
  });

  test("a press without a time is released by the time that its report has; the clock of a bus has parts of a millisecond", () => {
    const { bridge, sail, alarms } = setUp(start + 0.4);
    for (const _ of ["one", "other"]) {
      bridge.command(button, "{}");
      sail(12, ...underWay);
    }
    const [one, other] = alarms();
    bridge.command(button, JSON.stringify({ at: one!.first!.at, back: true }));
    sail(5, ...underWay);
    expect(alarms().map(({ id }) => id)).toEqual([other!.id]);
  });

  test("is over with its release only", () => {
    const { bridge, sail, wait, alarms } = setUp();
    bridge.command(button, "{}");
    sail(2, ...underWay);
    bridge.command(`${topic}/manOverboard-0/set`, "acknowledge");
    wait(700, ...underWay);
    expect(alarms()).toMatchObject([{ id: "manOverboard-0", state: "acknowledged" }]);
    bridge.command(button, "null");
    sail(5, ...underWay);
    expect(alarms()).toEqual([]);
  });

  test("pressed again at once after its release is another call, which rings", () => {
    const { bridge, sail, alarms } = setUp();
    sail(2, ...underWay);
    bridge.command(button, "{}");
    sail(2, ...underWay);
    const firstAt = Date.parse(alarms()[0]!.first!.at);
    bridge.command(button, "null");
    sail(1, ...underWay);
    bridge.command(button, '{"latitude":52.01,"longitude":4}');
    sail(1, ...underWay);
    const [again] = alarms();
    expect(again).toMatchObject({ id: "manOverboard-0", state: "active", position: { latitude: 52.01 } });
    expect(Date.parse(again!.first!.at)).toBeGreaterThan(firstAt);
    expect(again!.first!.position).toEqual({ latitude: 52.01, longitude: 4 });
  });

  test("is taken at the place of the command, without a fix too, and released before it was seen", () => {
    const { bridge, sail, alarms, log } = setUp();
    bridge.command(button, JSON.stringify(AHEAD));
    sail(1);
    expect(alarms()).toMatchObject([{ id: "manOverboard-0", position: { longitude: 4 } }]);
    bridge.command(button, "null");
    sail(5);
    bridge.command(button, "{}");
    bridge.command(button, "null");
    sail(5);
    expect(alarms()).toEqual([]);
    bridge.command(button, '{"latitude":52}');
    bridge.command(button, '{"at":"yesterday"}');
    expect(log.lines.filter(({ fields }) => fields?.code === "COMMAND_REFUSED")).toHaveLength(1);
    bridge.command(button, '{"at":"2030-01-01T00:00:00Z"}');
    sail(1);
    expect(alarms()[0]!.first!.at).toMatch(/^2026-11-21T08:14/);
  });
});

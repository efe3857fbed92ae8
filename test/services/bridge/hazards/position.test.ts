/** Positions, time and the network itself: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { setUp, start, topic } from "../alarm-bus.ts";

const at = (latitude: number, from = 3) => ({ pgn: 129025, from, latitude, longitude: 4 });
const course = (sogMs = 3) => ({ pgn: 129026, cogReference: "True", cogDeg: 0, sogMs });
const METRE = 1 / 111_195;

describe("the only receiver fails", () => {
  const log = (speedWaterMs: number) => ({ pgn: 128259, speedWaterMs });

  test("of a boat that is becalmed: it rings", () => {
    const { wait, rung } = setUp();
    wait(130, at(52), course(0.2), log(0.1));
    expect(rung(60, log(0.1))).toEqual(["position alarm active"]);
  });

  test("of a boat that leaves her berth by her log alone: it rings", () => {
    const { command, wait, rung } = setUp();
    wait(130, at(52), course(0.2), log(0.1));
    command("berth", "{}");
    expect(rung(60, log(0.1))).toEqual([]);
    expect(rung(40, log(3))).toEqual(["position alarm active"]);
  });

  test.each([
    ["with all instruments", []],
    ["in a current", [log(1)]],
  ])("at the berth, %s: it stays quiet", (_, messages) => {
    const { command, wait, ringing } = setUp();
    wait(130, at(52), course(0), log(1));
    command("berth", "{}");
    wait(300, ...messages);
    expect(ringing()).toEqual([]);
  });
});

describe("a receiver that jumps", () => {
  test("rings at once, says which one and how far, and stays until it is acknowledged", () => {
    const { bridge, sail, wait, alarms, ringing, rung } = setUp();
    const name = Buffer.from("0102030405060708", "hex");
    const friendlyNames = { [name.readBigUInt64LE().toString()]: "GPS mast" };
    bridge.configure(new Map([["navigation", { name: "navigation", friendlyNames }]]));
    sail(5, { pgn: 60928, hex: name.toString("hex") }, at(52.001), course());
    sail(2, at(53.002), course());
    const [alarm] = alarms();
    expect(alarm).toMatchObject({ kind: "positionJump", name: "GPS mast", unit: "nm", severity: "alarm" });
    expect(alarm!.value).toBeCloseTo(60.1, 0);
    wait(120, at(53.002), course());
    expect(ringing()).toHaveLength(1);
    bridge.command(`${topic}/${alarm!.id}/set`, "acknowledge");
    expect(rung(5, at(53.002), course())).toEqual([]);
  });

  test.each([
    ["a fast boat", 20, 20],
    ["the noise of a receiver", 3, 30],
    ["a boat whose speed is not known", undefined, 20],
  ])("does not ring for %s", (_, sogMs, metres) => {
    const { sail, ringing } = setUp();
    for (let second = 0; second < 60; second++) sail(1, at(52 + second * metres * METRE), course(sogMs));
    expect(ringing()).toEqual([]);
  });

  test("does not ring for a fast boat that has stopped since the fix before", () => {
    const { sail, rung } = setUp();
    sail(10, at(52), course(20));
    sail(60, course(20));
    expect(rung(5, at(52 + 1200 * METRE), course(0))).toEqual([]);
  });

  test("does not ring for a boat that goes on while her receiver is silent", () => {
    const { sail, wait, rung } = setUp();
    sail(60, at(52), course());
    wait(600, course());
    expect(rung(30, at(52 + 1800 * METRE), course())).toEqual([]);
  });
});

test("two receivers of which one has a poor HDOP may be farther apart", () => {
  const fix = { pgn: 129029, method: 1, numberOfSatellites: 4, hdop: 9, latitude: 52, longitude: 4, integrity: 1 };
  expect(setUp().rung(60, at(52 + 150 * METRE), { ...fix, from: 4 }, course())).toEqual([]);
});

describe("the network", () => {
  test("is switched off at the berth, and never rings before the first device", () => {
    const berth = setUp();
    berth.wait(200, at(52), course(0));
    berth.command("berth", "{}");
    berth.sail(60);
    expect(berth.ringing()).toEqual([]);
    const empty = setUp();
    empty.sail(60);
    expect(empty.ringing()).toEqual([]);
  });

  test("without the own course says that positions tell it, or that ships are not watched", () => {
    const { sail, rung } = setUp();
    sail(20, at(52), course());
    expect(rung(45, at(52))).toEqual([
      "dataLost-course warning active no receiver reports course and speed any more: positions tell them",
    ]);
    const other = setUp();
    other.sail(20, at(52), course());
    // Positions so far apart that no speed explains them.
    for (let second = 0; second < 45; second++) other.sail(1, at(52 + (second % 2) / 100));
    expect(other.ringing()).toContain(
      "dataLost-course alarm active course is not watched any more: no usable value is received",
    );
  });

  test("without the device of AIS says that ships are not watched, though none was near", () => {
    const { sail, wait, ringing, rung } = setUp();
    const far = { pgn: 129039, messageId: 18, mmsi: 211_000_001, latitude: 53, longitude: 4, cogDeg: 0, sogMs: 3 };
    sail(20, at(52), course(), { ...far, from: 40 });
    // The receiver sends no position, but its heartbeat: it is still on the bus.
    wait(400, at(52), course(), { pgn: 126993, from: 40, hex: "60eaff00ffffffff" });
    expect(ringing()).toEqual([]);
    wait(240, at(52), course());
    expect(ringing()).toEqual(["dataLost-ships alarm active ships are not watched any more: the AIS device is silent"]);
    expect(rung(5, at(52), course(), { ...far, from: 40 })).toEqual([]);
  });

  test("with one of two devices of AIS left, ships are watched", () => {
    const { sail, wait, ringing } = setUp();
    const far = { pgn: 129039, messageId: 18, mmsi: 211_000_001, latitude: 53, longitude: 4, cogDeg: 0, sogMs: 3 };
    sail(20, at(52), course(), { ...far, from: 40 }, { ...far, from: 41 });
    wait(600, at(52), course(), { ...far, from: 41 });
    expect(ringing()).toEqual([]);
  });
});

test("a clock that differs from the time on the bus is a warning until they agree", () => {
  const { bridge, sail, ringing } = setUp();
  const days = Math.floor(start / 86_400_000);
  const time = (second: number) => ({ pgn: 126992, source: 0, date: days, time: (start % 86_400_000) / 1000 + second });
  let second = 0;
  const pass = (seconds: number, aheadMs: number): void => {
    for (const end = second + seconds; second < end; second++) {
      sail(1, time(second));
      bridge.compareClock((second + 1) * 1000, start + (second + 1) * 1000 + aheadMs);
    }
  };
  pass(10, 0);
  pass(30, 7_200_000);
  expect(ringing()).toEqual([]);
  pass(40, 7_200_000);
  expect(ringing()).toEqual(["clock warning active the computer's clock is ahead of the time of the bus"]);
  pass(10, 0);
  expect(ringing()).toEqual([]);
});

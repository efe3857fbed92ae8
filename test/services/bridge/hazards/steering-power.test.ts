/** Pilots, routes, wind shifts, chargers and the shore's power: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { ArrivalStatus } from "../../../../src/core/n2k/lookups.ts";
import { claim, setUp } from "../alarm-bus.ts";
import { named } from "../named.ts";

const position = { pgn: 129025, latitude: 52, longitude: 4 };
const course = (sogMs: number) => ({ pgn: 129026, cogReference: "True", cogDeg: 0, sogMs });
const underWay = [position, course(3)] as const;
const enabled = (kind: string, more: object = {}) =>
  new Map([["alarms", { name: "alarms", [kind]: { enabled: true, ...more } }]]);

describe("the autopilot", () => {
  test("a hand at the wheel does not ring, nor a limit of which nothing is known", () => {
    const { sail, ringing } = setUp();
    sail(20, ...underWay, { pgn: 127237, hex: "bf" + "ff".repeat(20) }, { pgn: 127237, from: 9, override: 1 });
    expect(ringing()).toEqual([]);
  });

  test("that moves to another address while it steers is not silent, and reports from there alone", () => {
    const { sail, ringing } = setUp();
    const steers = { pgn: 127237, steeringMode: "Heading Control", offHeadingExceeded: 1 };
    for (const from of [10, 11]) sail(20, ...underWay, claim(from, named(10)), { ...steers, from });
    expect(ringing()).toEqual(["pilot-11-offHeadingExceeded alarm active off heading, reported by the autopilot"]);
  });

  test.each([
    ["", [claim(10, named(10))]],
    [", also if its NAME was not known before", []],
  ])("that defends its address is not silent, whatever was heard from there meanwhile%s", (_, before) => {
    const { sail, rung } = setUp();
    const steers = { pgn: 127237, steeringMode: "Heading Control", from: 10 };
    sail(20, ...before, steers);
    sail(1, claim(10, named(10)), claim(10, named(11)), steers, claim(10, named(10)));
    expect(rung(20, ...underWay, steers)).toEqual([]);
  });
});

test("the distance from the leg rings where it is asked for, and says where to steer", () => {
  const { bridge, rung } = setUp();
  const off = { pgn: 129283, xte: 300 };
  expect(rung(30, ...underWay, off)).toEqual([]);
  bridge.configure(enabled("crossTrack"));
  expect(rung(15, ...underWay, off)).toEqual(["crossTrack warning active steer to port"]);
  expect(rung(6, ...underWay, { pgn: 129283, xte: -100 })).toEqual([]);
  expect(rung(15, ...underWay, { pgn: 129283, xte: -300 })).toEqual(["crossTrack warning active steer to starboard"]);
});

test.each([
  [3, 9],
  [9, 3],
])(
  "an answer to a waypoint that is reached is for all plotters that report it, by a number of their own: %i",
  (from, other) => {
    const { sail, command, rung } = setUp();
    const reached = { pgn: 129284, arrivalStatus: "Perpendicular Crossed", waypointId: 4, from };
    const later = { ...reached, waypointId: 7, from: other };
    sail(8, ...underWay, { ...later, arrivalStatus: ArrivalStatus[0] }, reached);
    command("arrival", "acknowledge");
    for (const heard of [[later, reached], [later]])
      expect(rung(10, ...underWay, ...heard)).toEqual(["arrival warning acknowledged perpendicular crossed"]);
  },
);

test("another waypoint that is reached directly after an acknowledged one rings anew", () => {
  const { sail, ringing, command } = setUp();
  const reached = { pgn: 129284, arrivalStatus: "Arrival Circle Entered", waypointId: 4 };
  sail(8, ...underWay, reached);
  command("arrival", "acknowledge");
  sail(5, ...underWay, reached);
  expect(ringing()).toEqual(["arrival warning acknowledged arrival circle entered"]);
  sail(5, ...underWay, { ...reached, waypointId: 5 });
  expect(ringing()).toEqual(["arrival warning active arrival circle entered"]);
});

describe("power", () => {
  test("a bank whose nominal voltage another device tells, unless that one has a bank of this number itself", () => {
    const { sail, ringing } = setUp();
    const configured = { pgn: 127513, from: 9, instance: 0, nominalVoltageV: 24 };
    sail(35, { pgn: 127508, from: 3, instance: 0, voltageV: 16.5 }, configured);
    expect(ringing()).toEqual(["batteryVoltage-0 warning active"]);
    sail(35, { pgn: 127508, from: 3, instance: 0, voltageV: 13 }, { pgn: 127508, from: 9, instance: 0, voltageV: 26 });
    expect(ringing()).toEqual([]);
  });

  test("of each of two devices with one instance", () => {
    const batteries = [11, 12.8].map((voltageV, index) => ({ pgn: 127508, from: 3 + index, instance: 0, voltageV }));
    const faults = [
      { pgn: 127507, from: 3, chargerInstance: 0, operatingState: "Fault" },
      { pgn: 127507, from: 4, chargerInstance: 0, operatingState: "Float" },
    ];
    expect(setUp().rung(35, ...batteries, { pgn: 127508, from: 5, instance: 0, temperatureC: 20 }, ...faults)).toEqual([
      "batteryVoltage-0 warning active address 3",
      "converter-charger-0 warning active fault, reported by charger 0, address 3",
    ]);
  });

  test("a bank of 24 V does not make one of 12 V with its instance low", () => {
    const { sail, ringing } = setUp();
    sail(60, ...[25.6, 12.6].map((voltageV, index) => ({ pgn: 127508, from: 3 + index, instance: 0, voltageV })));
    expect(ringing()).toEqual([]);
  });

  test("a bank of 24 V that is empty at the start is low, and not high once it is charged", () => {
    const { rung } = setUp();
    const bank = (voltageV: number) => ({ pgn: 127508, instance: 0, voltageV });
    expect(rung(150, bank(18.5))).toEqual(["batteryVoltage-0 warning active"]);
    expect(rung(150, bank(25.5))).toEqual([]);
    expect(rung(60, bank(23))).toEqual(["batteryVoltage-0 warning active"]);
  });

  test("a bank of 12 V whose charger gives too much at the start is one of 12 V once it does not", () => {
    const { sail, rung } = setUp();
    const bank = (voltageV: number) => ({ pgn: 127508, instance: 0, voltageV });
    sail(60, bank(18.5));
    expect(rung(200, bank(13))).toEqual([]);
  });

  // 127514 by hand: sequence, length; instance 0, generator 1, states, reasons for on and off, one byte of ones.
  test.each([
    ["0005 00 01 a1 00 12 ff", ["unable to start"]],
    ["2005 00 01 a1 00 12 ff", ["unable to start"]],
    ["00 01 a1 00 12", ["unable to start"]],
    ["0005 00 01 93 0a 00 ff", ["unable to stop"]],
    ["0005 00 01 a7 00 11 ff", ["fault"]],
    ["0005 00 01 91 02 00 ff", []],
    // The frame is no payload: in it these would be the reasons 10 and 18, and the state 7.
    ["0005 00 0a 12 02 00 ff", []],
    ["0005 07 01 91 02 00 ff", []],
    // Two banks of the document's 127514, whose switches are no reasons.
    ["0005 00 01 a1 00 12 00", []],
    ["0105 00 01 a1 00 12 ff", []],
  ])("the automatic start of a generator, %s, reports %j", (hex, failures) => {
    const { sail, ringing, rung } = setUp();
    sail(10, { pgn: 127514, hex: hex.replaceAll(" ", "") });
    const key = (failure: string): string => `converter-generator-1-${failure.replaceAll(" ", "-")}`;
    const text = (failure: string): string => `${failure}, reported by the automatic start of generator 1`;
    expect(ringing()).toEqual(failures.map((failure) => `${key(failure)} warning active ${text(failure)}`));
    expect(rung(6, { pgn: 127514, hex: "00050001910200ff" })).toEqual([]);
  });
});

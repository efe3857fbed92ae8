/** New devices: address claims on the bus in, alarms out. */
import { expect, test } from "vitest";
import { deviceNameBytes } from "../../../../src/core/n2k/device-name.ts";
import { type Said, setUp, start, topic } from "../alarm-bus.ts";
import { named } from "../named.ts";

const claim = (from: number): Said => ({
  ...{ pgn: 60928, from },
  hex: Buffer.from(deviceNameBytes(named(from))).toString("hex"),
});
const own = claim(3);
const intruder = claim(42);
const ring = "newDevice-42 alarm active address 42, not in the baseline";

/** A boat of one device, in which the alarm is on. */
function boat() {
  const all = setUp(start, { findings: true });
  const { bridge, sail, reports } = all;
  bridge.configure(new Map([["alarms", { name: "alarms", newDevice: { enabled: true } }]]));
  sail(20, own);
  return {
    ...all,
    takeBaseline: () => bridge.command("can/can0/findings/baseline/set", "{}"),
    state: () => reports().at(-1)!.watching.newDevice,
  };
}

test("without a baseline no device is new, and the watch says that it has no data", () => {
  const { sail, ringing, state, takeBaseline } = boat();
  sail(20, own, intruder);
  expect([state(), ringing()]).toEqual(["no data", []]);
  takeBaseline();
  sail(20, own, intruder);
  expect([state(), ringing()]).toEqual(["on", []]);
});

test("a new device rings after 10 seconds, and until it is acknowledged although it is gone again", () => {
  const { bridge, sail, wait, ringing, takeBaseline, rung } = boat();
  takeBaseline();
  sail(5, own);
  expect(rung(8, own, intruder)).toEqual([]);
  expect(rung(10, own, intruder)).toEqual([ring]);
  wait(300, own);
  expect(ringing()).toEqual([ring]);
  bridge.command(`${topic}/newDevice-42/set`, "acknowledge");
  expect(rung(10, own)).toEqual([]);
});

test("a baseline with the device ends an acknowledged alarm", () => {
  const { bridge, sail, takeBaseline, rung } = boat();
  takeBaseline();
  sail(25, own, intruder);
  bridge.command(`${topic}/newDevice-42/set`, "acknowledge");
  expect(rung(5, own, intruder)).toEqual([ring.replace("active", "acknowledged")]);
  takeBaseline();
  expect(rung(15, own, intruder)).toEqual([]);
});

test("the alarm is off by default", () => {
  const { bridge, sail, ringing, takeBaseline, state } = boat();
  bridge.configure(new Map());
  takeBaseline();
  sail(25, own, intruder);
  expect([state(), ringing()]).toEqual(["off", []]);
});

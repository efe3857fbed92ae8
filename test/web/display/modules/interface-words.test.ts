/** Words for the state of an interface or gateway, without a browser. */
import { expect, test } from "vitest";
import {
  hasController,
  interfaceName,
  stateDetail,
  stateName,
} from "../../../../src/web/display/bus/interface-words.ts";

const gateway = { source: "yd-raw+tcp://192.168.4.1" };

test.each([
  [{ state: "ERROR-ACTIVE", up: true }, "All well", "ERROR-ACTIVE · up"],
  [{ state: "BUS-OFF", up: true }, "Off the bus", "BUS-OFF · up"],
  [{ state: "STOPPED", up: false }, "Stopped", "STOPPED · down"],
  [
    { interface: "vcan0", state: "UNKNOWN", up: true },
    "Virtual interface",
    "without a controller: no errors are counted",
  ],
  [{ up: true }, "Virtual interface", "without a controller: no errors are counted"],
  [{ interface: "can0", up: false }, "Not there", "the interface is down, or no adapter is plugged in"],
  [{ interface: "toString", up: false }, "Not there", "the interface is down, or no adapter is plugged in"],
  [{ interface: "simulation", up: true }, "Simulated boat", "no bus: the values are made up"],
  [{ interface: "replay", state: "UNKNOWN", up: true }, "Recording", "no bus: a recording is replayed"],
  [{ up: true, gateway }, "Connected", undefined],
  [{ up: false, gateway }, "Not connected", undefined],
] as const)("%o is %s", (status, name, detail) => {
  expect(stateName(status)).toBe(name);
  expect(stateDetail(status)).toBe(detail);
  expect(hasController(status)).toBe(detail?.includes(" · ") ?? false);
});

test("what is read in place of a bus is no interface", () => {
  expect(["can0", "simulation", "replay", undefined].map((name) => interfaceName({ interface: name }))).toEqual([
    ...["can0", undefined, undefined, undefined],
  ]);
});

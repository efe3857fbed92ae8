/** Words for the state of an interface or gateway, without a browser. */
import { expect, test } from "vitest";
import { hasController, stateDetail, stateName } from "../../../../src/web/display/bus/interface-words.ts";

const gateway = { source: "yd-raw+tcp://192.168.4.1" };

test.each([
  [{ state: "ERROR-ACTIVE", up: true }, "All well", "ERROR-ACTIVE · up"],
  [{ state: "BUS-OFF", up: true }, "Off the bus", "BUS-OFF · up"],
  [{ state: "STOPPED", up: false }, "Stopped", "STOPPED · down"],
  [{ state: "UNKNOWN", up: true }, "No controller", "a virtual interface, a recording or a simulation"],
  [{ up: true }, "No controller", "a virtual interface, a recording or a simulation"],
  [{ state: "UNKNOWN", up: false }, "No controller", "down, or not there"],
  [{ up: true, gateway }, "Connected", undefined],
  [{ up: false, gateway }, "Not connected", undefined],
] as const)("%o is %s", (status, name, detail) => {
  expect(stateName(status)).toBe(name);
  expect(stateDetail(status)).toBe(detail);
  expect(hasController(status)).toBe(detail?.includes("·") ?? false);
});

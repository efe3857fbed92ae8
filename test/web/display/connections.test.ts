import { expect, test } from "vitest";
import { newConnections } from "../../../src/web/display/boat/connections.ts";

const networks = (...also: readonly string[]) => ({ name: "networks", also });

test.each([
  ["a host and its port", "nmea0183+tcp://203.0.113.9:10110", ["203.0.113.9:10110"]],
  ["a host alone, with options", "gpsd://gps.example?device=x", ["gps.example"]],
  ["an address of IPv6", "yd-raw+tcp://[2001:db8::1]:1457", ["[2001:db8::1]:1457"]],
  ["a serial port", "nmea0183+serial:///dev/ttyUSB0?baud=38400", ["/dev/ttyUSB0"]],
  ["a port that is listened at", "yd-raw+udp://:1457", ["its own port 1457"]],
  ["an interface", "can1", ["can1"]],
  ["the bus of an engine", "j1939+can1", ["can1"]],
  ["the bus of an engine at a gateway", "j1939+candump+tcp://192.168.4.1:28600", ["192.168.4.1:28600"]],
  ["the broker of sensors", "mqtt://192.168.4.9:1883", ["192.168.4.9:1883"]],
  ["a name in front of the host, that looks like one", "mqtt://boat.local:1883@203.0.113.9", ["203.0.113.9"]],
  ["the own broker", "mqtt:", []],
])("%s", (_, network, words) => {
  expect(newConnections(undefined, networks(network))).toEqual(words);
  expect(newConnections(networks(network), networks(network, "can7"))).toEqual(["can7"]);
});

test("what cannot be used connects to nothing", () => {
  for (const entry of [null, 7, { name: "networks", also: "x" }, { name: "networks", also: [7] }])
    expect(newConnections(undefined, entry)).toEqual([]);
});

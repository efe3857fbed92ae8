/** Serial ports that the settings may name. */
import { expect, test } from "vitest";
import { isFileOfAnother } from "../../src/daemons/hub-cand-networks.ts";

test.each([
  ["nmea0183+serial:///etc/passwd", true],
  ["actisense:///dev/../etc/passwd", true],
  ["j1939+actisense:///dev/./x", true],
  ["actisense:///dev/a/../../etc?baud=4800", true],
  ["actisense:///dev", true],
  ["ikonvert:///devices/x", true],
  ["actisense:///dev/ttyUSB0", false],
  ["actisense:///dev/serial/by-id/usb-..x?baud=4800", false],
  ["yd-raw+tcp://192.168.4.1:1457", false],
  ["mqtt://boat", false],
  ["can1", false],
])("%s is a file of another: %s", (text, expected) => {
  expect(isFileOfAnother(text)).toBe(expected);
});

import { expect, test } from "vitest";
import { hostOf, isLoopback, Places } from "../../../src/core/util/places.ts";

test("an address has a quarter of the places, loopback all that are left", () => {
  const places = new Places(8);
  const lacking = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "127.0.0.1", "127.0.0.1", "::1", "fe80::1"].map((address) => {
    const reason = places.lacking(address);
    if (reason === undefined) places.take(address);
    return reason;
  });
  expect(lacking).toEqual([undefined, undefined, "share", undefined, undefined, undefined, undefined]);
  for (let count = 0; count < 2; count++) places.take("127.0.0.1");
  expect(places.lacking("127.0.0.1")).toBe("all");
  expect(places.lacking("192.0.2.1")).toBe("share");
});

test("a place that is given back, however often, can be taken once", () => {
  const places = new Places(1);
  const leave = places.take("192.0.2.1");
  expect(places.lacking("192.0.2.2")).toBe("all");
  leave();
  leave();
  places.take("192.0.2.2");
  expect(places.lacking("192.0.2.1")).toBe("all");
});

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::ffff:127.0.0.1", true],
  ["::1", true],
  ["::ffff:192.0.2.1", false],
  ["128.0.0.1", false],
  ["", false],
])("%s is loopback: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test("without proxies loopback has a quarter too", () => {
  const places = new Places(4, { hasProxies: false });
  places.take("127.0.0.1");
  expect(places.lacking("127.0.0.1")).toBe("share");
  expect(places.lacking("192.0.2.1")).toBeUndefined();
});

test("a host has one share with all the addresses of its network of IPv6", () => {
  const places = new Places(4);
  places.take("2001:db8:0:1::7");
  expect(places.lacking("2001:db8:0:1:ffff::1")).toBe("share");
  expect(places.lacking("2001:db8:0:2::7")).toBeUndefined();
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::1", "::1"],
  ["2001:db8:0:1::7", "2001:db8:0:1"],
  ["2001:DB8::1", "2001:db8:0:0"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::2", "0:0:0:0"],
  ["", ""],
])("%s counts as %s", (address, host) => {
  expect(hostOf(address)).toBe(host);
});

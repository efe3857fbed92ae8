import { expect, test } from "vitest";
import { isLoopback, Places } from "../../../../src/adapters/node/streams/places.ts";

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

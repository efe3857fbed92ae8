/** Pages that may read Signal K. */
import { expect, test } from "vitest";
import { mayRead } from "../../../src/services/link/signalk-app.ts";

test.each([
  [undefined, "a program that is no browser", true],
  ["http://192.168.4.1", "a page of an address", true],
  ["https://boat.local:8080", "a page of a local name", true],
  ["http://boat.example.org", "the page of the host that is asked", true],
  ["https://evil.example", "a page of the Internet", false],
  ["http://10.evil.example", "one whose name begins like an address", false],
  ["http://evil.example:", "one that looks like an address of IPv6", false],
  ["http://:.example", "one without a name", false],
  ["null", "a page without an origin", false],
  ["", "an origin that is empty", false],
])("origin %s: %s", (origin, _who, expected) => {
  expect(mayRead(origin, "boat.example.org", "boat")).toBe(expected);
});

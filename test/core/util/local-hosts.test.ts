/** Hosts on the boat, origins that are pages, and requests made by DNS rebinding. */
import { describe, expect, test } from "vitest";
import { hostOfOrigin, isLocalHost, isRebound } from "../../../src/core/util/local-hosts.ts";
import { mayRead } from "../../../src/services/link/signalk-app.ts";

const aboard = [
  ...["10.1.2.3", "172.16.0.1", "172.31.255.1", "169.254.1.1", "100.64.0.1", "100.127.255.254", "[fd00::1]"],
  "[fcff::]",
  "[febf::1]",
  ...["127.0.0.1", "192.168.4.1", "[::1]", "[fe80::1]", "boat", "localhost", "localhost.localdomain"],
  ...["boat.local", "boat.lan", "boat.home.arpa", "boat.internal", "a.b.local", "cruiser.example.org"],
];
/** Addresses of the Internet, which are hosts of their own. */
const elsewhere = [
  ...["203.0.113.5", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "100.63.255.255", "100.128.0.1", "11.0.0.1"],
  ...["[2001:db8::1]", "[fec0::1]", "[::]", "[::ffff:cb00:7105]", "128.0.0.1", "169.253.0.1", "1.10.0.0.1"],
];
const ashore = [
  ...elsewhere,
  ...["evil.example", "127.0.0.1.evil.example", "10.evil.example", "local.evil.example", "evil.locale"],
  ...["x.cruiser.example.org", "evilcruiser.example.org", "evil.localdomain"],
];
const ports = ["", ":8080", ":3000"];
/** Schemes of pages, and of OpenCPN, which names the stream. */
const schemes = ["http", "https", "ws", "wss"];
const otherSchemes = ["ftp", "file", "chrome-extension", "moz-extension", "app", "capacitor", "javascript"];

const HOSTNAME = "cruiser.example.org";

test("isLocalHost is true of addresses, local names and the machine's own", () => {
  for (const name of [...aboard, ...aboard.map((each) => each.toUpperCase())])
    expect(isLocalHost(name, HOSTNAME), name).toBe(true);
  for (const name of ashore) expect(isLocalHost(name, HOSTNAME), name).toBe(false);
});

describe("mayRead: scheme, host and port of an origin", () => {
  for (const port of ports) {
    test.each(schemes)(`%s://…${port}: by the host`, (scheme) => {
      for (const name of aboard) expect(mayRead(`${scheme}://${name}${port}`, "boat:3000", HOSTNAME), name).toBe(true);
      for (const name of ashore) expect(mayRead(`${scheme}://${name}${port}`, "boat:3000", HOSTNAME), name).toBe(false);
    });
    test.each(otherSchemes)(`%s://…${port}: none`, (scheme) => {
      for (const name of [...aboard, ...ashore, "abcdefghijklmnop"])
        expect(mayRead(`${scheme}://${name}${port}`, `${name}${port}`, HOSTNAME), name).toBe(false);
    });
  }

  test.each([
    ...["null", "NULL", "", "*", "boat", "127.0.0.1", "//boat", "http:", "http://", "http:boat", "http:/boat"],
    "http://127.0.0.1@evil",
    "http://127.0.0.1:80@evil.example",
    "http://evil@boat",
    "http://boat/",
    "http://boat/x",
    ...["http://boat?x", "http://boat#x", "http://boat\\@evil", "http://boat:", "http://boat:x"],
    ...["http://evil.example:1:2", "http://[::1", "http://boat http://boat", " http://boat", "http://boat\t"],
  ])("%j is no origin of a page", (origin) => {
    expect(hostOfOrigin(origin)).toBeUndefined();
    expect(mayRead(origin, "boat", HOSTNAME)).toBe(false);
  });

  test("a page of the host that is asked may read, whatever its name", () => {
    expect(mayRead("https://public.example", "public.example", HOSTNAME)).toBe(true);
    expect(mayRead("http://PUBLIC.example:81", "Public.Example:81", HOSTNAME)).toBe(true);
    expect(mayRead("http://public.example:81", "public.example", HOSTNAME)).toBe(false);
  });
});

test.each(elsewhere)("a page of %s may read of its own address alone", (name) => {
  expect(mayRead(`http://${name}:8080`, `${name}:3000`, HOSTNAME)).toBe(true);
  expect(mayRead(`http://${name}:8080`, "192.168.4.1:3000", HOSTNAME)).toBe(false);
  expect(isRebound(`${name}:3000`, 3000, HOSTNAME)).toBe(false);
});

test.each([
  ["evil.example:3000", 3000, true],
  ["EVIL.example.:3000", 3000, true],
  ["evil.example:80:3000", 3000, true],
  ["evil.example", 3000, false],
  ["evil.example:80", 3000, false],
  ["evil.example", 80, true],
  ["evil.example:", 80, true],
  ["evil.example:80", 80, true],
  ["evil.example:8080", 80, false],
  ["boat.local", 80, false],
  ["[::1]", 80, false],
  ["[::1]:80", 80, false],
  ["", 80, false],
  [undefined, 80, false],
  ["evil.example", undefined, false],
])("isRebound: Host %s at port %s: %s", (host, port, expected) => {
  expect(isRebound(host, port, HOSTNAME)).toBe(expected);
});

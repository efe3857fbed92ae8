/** Limits of the snippets for nginx, each against the program behind it. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Seconds of a directive of a snippet. */
const secondsOf = (name: string, directive: string): number => {
  const text = readFileSync(`packaging/nginx/${name}.conf`, "utf8");
  const [, count, unit] = new RegExp(`^ *${directive} (\\d+)([smh]);$`, "m").exec(text)!;
  return Number(count) * { s: 1, m: 60, h: 3600 }[unit as "s" | "m" | "h"];
};

/** hub-link pings a quiet client every 30 seconds, and ends one that has not answered by the next time. */
const PING_SECONDS = 30;

test("a quiet stream of Signal K is not ended before hub-link ends it", () => {
  expect(secondsOf("hub-signalk", "proxy_read_timeout")).toBeGreaterThan(2 * PING_SECONDS);
});

test("a quiet display is not ended by the proxy", () => {
  for (const direction of ["read", "send"])
    expect(secondsOf("hub-mqtt", `proxy_${direction}_timeout`)).toBeGreaterThanOrEqual(3600);
});

test("the answer of the engine is waited for longer than the engine takes", () => {
  const [, timeout] = /&timeout=(\d+)s/.exec(readFileSync("packaging/nginx/hub-history.conf", "utf8"))!;
  expect(secondsOf("hub-history", "proxy_read_timeout")).toBeGreaterThan(Number(timeout));
});

test("a GPX file of the greatest size that hub-link takes passes", () => {
  const [, megabytes] = /^ *client_max_body_size (\d+)m;$/m.exec(
    readFileSync("packaging/nginx/hub-signalk.conf", "utf8"),
  )!;
  expect(Number(megabytes)).toBeGreaterThan(4);
});

test("only files with a hash in their name are kept for a year, so that a new display is seen", () => {
  const [, pattern] = /\$uri ~ "(.*)"/.exec(readFileSync("packaging/nginx/hub-display.conf", "utf8"))!;
  const isKept = (name: string): boolean => new RegExp(pattern!).test(`/display/${name}`);
  const asked = readdirSync("dist/display").filter((name) => !isKept(name) && !/\.(LEGAL\.txt|gz|br)$/.test(name));
  expect(asked.sort()).toEqual([
    ...["fleet.html", "icon-192.png", "icon-512.png", "icon.svg"],
    ...["index.html", "manifest.webmanifest", "service-worker.js"],
  ]);
});

test("the kiosk opens the display without a redirect, which would lose its parameter in older sites", () => {
  const unit = readFileSync("packaging/examples/hub-kiosk.service", "utf8");
  expect(/"(http:[^"]*)"/.exec(unit)?.[1]).toBe("http://localhost/display/?kiosk#/sail");
});

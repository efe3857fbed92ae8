import { expect, test } from "vitest";
import { hubConfigFetchCommand } from "../../src/daemons/hub-config-fetch-options.ts";

const needed = ["--url", "https://fleet.example/hull-42.release", "--channel", "hull-42"];

const settings = (...args: string[]) => {
  const command = hubConfigFetchCommand(args);
  if (command.kind !== "run") throw new Error(JSON.stringify(command));
  return command.settings;
};

test("--help fits a terminal", () => {
  const command = hubConfigFetchCommand(["--help"]);
  const text = command.kind === "help" ? command.text : "";
  expect(text).toMatch(/^Usage: hub-config-fetch /);
  for (const row of text.split("\n")) expect(row.length, row).toBeLessThanOrEqual(120);
});

test("with address and channel: keys, state and hub-configd where the package has them", () => {
  expect(settings(...needed)).toEqual({
    url: new URL("https://fleet.example/hull-42.release"),
    channel: "hull-42",
    publicKey: "/etc/hub-config-fetch.pem",
    tls: {},
    timeoutMs: 120_000,
    api: new URL("http://127.0.0.1:12000/"),
    state: "/var/lib/hub-config-fetch",
    logLevel: "info",
  });
});

test.each<[string[], object]>([
  [["-u", "http://127.0.0.1:8080/x"], { url: new URL("http://127.0.0.1:8080/x") }],
  [["-u", "http://[::1]/x"], { url: new URL("http://[::1]/x") }],
  [["--ca", "ca.pem", "--cert", "c", "--key", "k"], { tls: { ca: "ca.pem", cert: "c", key: "k" } }],
  [["--api", "https://boat/api/config"], { api: new URL("https://boat/api/config/") }],
  [
    ["--timeout", "9", "--state", "/srv/s", "--public-key", "k.pem"],
    { timeoutMs: 9000, state: "/srv/s", publicKey: "k.pem" },
  ],
])("%j", (args, expected) => {
  expect(settings(...needed, ...args)).toMatchObject(expected);
});

test.each<[string[], RegExp]>([
  [needed.slice(2), /^--url is missing, see --help$/],
  [needed.slice(0, 2), /^--channel is missing, see --help$/],
  [
    [...needed, "--url", "http://fleet.example/x"],
    /^--url http:\S+: must be https:\/\/, or http:\/\/ on this machine$/,
  ],
  [[...needed, "--url", "http://127.0.0.1.example/x"], /must be https/],
  [[...needed, "--url", "file:///etc/passwd"], /must be https/],
  [[...needed, "--url", "fleet.example"], /must be https/],
  [[...needed, "--url", "https://me:secret@fleet.example/"], /^--url: name and password are not sent/],
  [[...needed, "--api", "http://10.0.0.1:12000"], /^--api http:\S+: must be https/],
  [[...needed, "--channel", "hull_42"], /^--channel hull_42: must be 1 to 32 letters, digits and hyphens$/],
  [[...needed, "--channel", "x".repeat(33)], /must be 1 to 32/],
  [[...needed, "--timeout", "0"], /^--timeout 0: must be a whole number, 1 to 9999$/],
  [[...needed, "--cert", "c"], /^--cert and --key need each other$/],
  [[...needed, "--url", "http://127.0.0.1/x", "--ca", "c"], /^--ca, --cert and --key need https:\/\/$/],
  [[...needed, "release"], /^unexpected argument release/],
])("%j is refused", (args, message) => {
  expect(hubConfigFetchCommand(args)).toEqual({ kind: "usage-error", message: expect.stringMatching(message) });
});

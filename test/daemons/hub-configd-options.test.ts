import fc from "fast-check";
import { expect, test } from "vitest";
import { hubConfigdCommand, parsePort } from "../../src/daemons/hub-configd-options.ts";

const settings = (...args: string[]) => {
  const command = hubConfigdCommand(args);
  return command.kind === "run" ? command.settings : command.kind;
};

test("the help text is the one on record", async () => {
  const command = hubConfigdCommand(["--help"]);
  await expect(command.kind === "help" && command.text).toMatchFileSnapshot("../snapshots/hub-configd.help.txt");
});

test("without options the defaults are the contract's", () => {
  expect(settings()).toEqual({
    verbose: false,
    port: 12000,
    configFolder: "/etc/hub",
    swaggerFolder: "/usr/share/hub-config/swagger",
    chartFolder: "/var/lib/hub-display/charts",
  });
});

test("options may be short, bundled, attached and repeated; the last counts", () => {
  const expected = { verbose: true, port: 1, configFolder: "/c", swaggerFolder: "/s", chartFolder: "/ch" };
  const charts = "--charts=/ch";
  expect(settings("-v", "-p", "1", "-c", "/c", "-s", "/s", charts)).toEqual(expected);
  expect(settings("-vp1", "-c/c", "-s/s", charts)).toEqual(expected);
  expect(settings("-vp", "1", "--config", "/c", "--swagger=/s", charts)).toEqual(expected);
  const twice = ["--verbose", "--port=2", "-p", "1", "--config=/x", "--config=/c", "-s", "/s", "--charts", "/x"];
  expect(settings(...twice, charts)).toEqual(expected);
});

test("options end at the first operand and at --", () => {
  expect(settings("-p1", "command", "-h")).toMatchObject({ port: 1 });
  expect(settings("-p1", "--", "-h")).toMatchObject({ port: 1 });
  expect(settings("-", "-h")).toMatchObject({ port: 12000 });
});

test.each([
  ["unknown option -x", "-x"],
  ["unknown option --unknown", "--unknown"],
  ["unknown option --verb", "--verb"],
  ["--port needs a value", "--port"],
  ["-p needs a value", "-p"],
  ["unknown option -x", "-vx"],
  ["--verbose takes no value", "--verbose=1"],
  ["--help takes no value", "-v", "--help=1"],
])("%s: prints the help, as a request for it would, and names the option", (problem, ...args) => {
  expect(hubConfigdCommand(args)).toEqual({ ...hubConfigdCommand(["-h"]), problem });
});

test("options are handled left to right", () => {
  expect(settings("-V", "-h")).toBe("version");
  expect(settings("-h", "-V")).toBe("help");
  expect(settings("-V", "-x")).toBe("version");
  expect(settings("-p", "x", "-h")).toBe("usage-error");
  expect(settings("-h", "-p", "x")).toBe("help");
  expect(settings("-p", "x", "-x")).toBe("usage-error");
});

test("a port that is no number is refused by name", () => {
  expect(hubConfigdCommand(["-p", "12k"])).toEqual({ kind: "usage-error", message: "invalid port: 12k" });
});

test.each([
  ["0X2ee0", 12000],
  [" \t12000", 12000],
  ["+12000", 12000],
  ["00", 0],
  ["-1", 65535],
  ["-53536", 12000],
  ["18446744073709551615", 65535],
  ["18446744073709551616", 65535],
  ["-18446744073709551616", 65535],
  ["", undefined],
  [" ", undefined],
  ["12k", undefined],
  ["12000 ", undefined],
  ["0x", undefined],
  ["0xg", undefined],
  ["08", undefined],
  ["1e4", undefined],
  ["--1", undefined],
  ["+ 1", undefined],
  ["http", undefined],
])("port %j is %j", (text, port) => {
  expect(parsePort(text)).toBe(port);
});

test("a port is read in any base and wraps at 16 bits", () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), (value) => {
      for (const text of [String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`]) {
        if (parsePort(text) !== value % 65536) return false;
      }
      return true;
    }),
  );
});

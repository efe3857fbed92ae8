import { expect, test } from "vitest";
import { hubHistoryCommand } from "../../src/daemons/hub-history-options.ts";

const settings = (...args: string[]) => {
  const command = hubHistoryCommand(args);
  if (command.kind !== "run") throw new Error(JSON.stringify(command));
  return command.settings;
};

test("--help fits a terminal", () => {
  const command = hubHistoryCommand(["--help"]);
  const text = command.kind === "help" ? command.text : "";
  expect(text).toMatch(/^Usage: hub-history /);
  for (const row of text.split("\n")) expect(row.length, row).toBeLessThanOrEqual(120);
});

test("without options: lane 10 of can0 to the engine on this machine", () => {
  expect(settings()).toEqual({
    prefix: "can/can0",
    lane: 10,
    broker: { secure: false, host: "127.0.0.1", port: 1883 },
    tls: {},
    url: "http://127.0.0.1:8428/write",
    queue: "/var/lib/hub-history",
    queueBytes: 256 * 2 ** 20,
    logLevel: "info",
  });
});

test("voyages are served at port 12010, and have an entry each hour", () => {
  expect(settings("--voyages", "v").voyages).toEqual({ folder: "v", port: 12_010, intervalMinutes: 60 });
});

test.each<[string[], RegExp]>([
  [["--lane", "0"], /^--lane 0: must be a whole number of seconds, 1 to 3600$/],
  [["--lane", "1.5"], /whole number/],
  [["--url", "influx"], /^--url influx: must be http:\/\/ or https:\/\/, or none$/],
  [["--url", "mqtt://boat"], /must be http/],
  [["--url", "http://me:secret@boat/"], /^--url: name and password belong into the file of --authorization$/],
  [["--queue-limit", "1"], /^--queue-limit 1: must be a whole number, 2 to 9999999$/],
  [["--url", "none"], /^--url none: there is nothing to do without --voyages$/],
  [["--voyages-port", "0"], /^--voyages-port 0: must be a whole number, 1 to 65535$/],
  [["--voyages-interval", "2000"], /^--voyages-interval 2000: must be a whole number, 1 to 1440$/],
  [["--queue", ""], /^--queue: empty file name$/],
  [["--speling"], /^unknown option --speling, see --help$/],
  [["can0"], /^unexpected argument can0/],
])("%j is refused", (args, message) => {
  expect(hubHistoryCommand(args)).toEqual({ kind: "usage-error", message: expect.stringMatching(message) });
});

import { expect, test } from "vitest";
import { ConsoleLog } from "../../../src/adapters/node/console-log.ts";
import type { LogLevel } from "../../../src/core/ports/log.ts";

function lines(level: LogLevel, journal: boolean): string[] {
  const written: string[] = [];
  const log = new ConsoleLog({ level, journal, write: (line) => written.push(line) });
  log.error("failed", { code: "INTERNAL_ERROR" });
  log.warn("broker is away", {
    code: "BROKER_AWAY",
    broker: "mqtt://127.0.0.1:1883",
    reason: 'said "no"',
    attempts: 3n,
  });
  log.info("devices", { addresses: [3, 36], names: ["a b"], empty: "" });
  log.debug("two\nlines\u001b[2J", { text: "two\nlines" });
  return written;
}

test("ConsoleLog writes level, message and fields in one line", () => {
  expect(lines("debug", false)).toEqual([
    "error failed code=INTERNAL_ERROR\n",
    'warn broker is away code=BROKER_AWAY broker=mqtt://127.0.0.1:1883 reason="said \\"no\\"" attempts=3\n',
    'info devices addresses=3,36 names="a b" empty=""\n',
    'debug two lines [2J text="two\\nlines"\n',
  ]);
});

test("ConsoleLog leaves out what is below its level", () => {
  expect(lines("error", false)).toHaveLength(1);
  expect(lines("warn", false)).toHaveLength(2);
  expect(lines("info", false)).toHaveLength(3);
});

test("ConsoleLog gives the journal its priorities", () => {
  expect(lines("debug", true).map((line) => line.slice(0, 4))).toEqual(["<3>f", "<4>b", "<6>d", "<7>t"]);
});

test("ConsoleLog is turned up and down while in use, to the last level either way, and says so at any level", () => {
  const written: string[] = [];
  const log = new ConsoleLog({ level: "warn", journal: false, write: (line) => written.push(line) });
  const levels = ([1, 1, 1, -1, -1, -1, -1] as const).map((steps) => {
    log.changeLevel(steps);
    const line = written.splice(0).join("");
    for (const level of ["error", "warn", "info", "debug"] as const) log[level]("x", { code: "INTERNAL_ERROR" });
    return [line, written.splice(0).length];
  });
  expect(levels).toEqual([
    ["info log level level=info\n", 3],
    ["info log level level=debug\n", 4],
    ["info log level level=debug\n", 4],
    ["info log level level=info\n", 3],
    ["info log level level=warn\n", 2],
    ["info log level level=error\n", 1],
    ["info log level level=error\n", 1],
  ]);
});

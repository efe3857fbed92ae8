import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { RepeatedCommand } from "../../../src/adapters/node/repeated-command.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { until } from "../../support/mosquitto.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: string;
let opened: RepeatedCommand[] = [];
beforeEach(() => {
  folder = temporaryFolder("command");
});
afterEach(async () => {
  for (const command of opened) await command.close();
  opened = [];
});

const open = (command: string, clock: Pick<Clock, "after"> = systemClock) => {
  const log = memoryLog();
  const options = { command: `cd '${folder}'; ${command}`, environment: process.env, clock, log };
  const runner = new RepeatedCommand(options);
  opened.push(runner);
  return { log, runner };
};
/** The whole lines of a file: a shell makes the file before it writes. */
const lines = (name: string): readonly string[] =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1) : [];

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("runs again when it has ended, with the words of now, and not after it was stopped", async () => {
  // Looks for the file first: it is made as soon as the line is there.
  const { runner } = open(
    'stay=; [ -e stay ] && stay=yes; echo "$HUB_ALARM_ID" >>runs; [ "$stay" ] && exec sleep 1000',
  );
  runner.run({ HUB_ALARM_ID: "one; touch evil" });
  await until(() => lines("runs").length === 1);
  writeFileSync(join(folder, "stay"), "");
  runner.run({ HUB_ALARM_ID: "two" });
  await until(() => lines("runs").length === 2);
  runner.stop();
  runner.run({ HUB_ALARM_ID: "three" });
  await until(() => lines("runs").length === 3);
  expect(lines("runs")).toEqual(["one; touch evil", "two", "three"]);
  expect(existsSync(join(folder, "evil"))).toBe(false);
});

test("runs when it is wanted again, also if it was stopped in the pause between two runs", async () => {
  const { runner } = open("echo $$ >>runs");
  runner.run({});
  await until(() => lines("runs").length === 1 && !isRunning(Number(lines("runs")[0])));
  await pause(100);
  runner.stop();
  runner.run({});
  await until(() => lines("runs").length === 2);
});

test("ends with all that it has started, also what ignores SIGTERM", async () => {
  const { runner } = open(`trap "" TERM; sleep 1000 & echo $! >>pids; echo $$ >>pids; wait; sleep 1000`);
  runner.run({ HUB_ALARM_ID: "depth" });
  await until(() => lines("pids").length === 2);
  const pids = lines("pids").map(Number);
  expect(pids.map(isRunning)).toEqual([true, true]);
  await runner.close();
  await until(() => !pids.some(isRunning));
});

test("a child that ignores SIGTERM ends, also if the command has ended before it", async () => {
  const { runner } = open(`(trap "" TERM; exec sleep 1000) & echo $! >>pids; wait`);
  runner.run({ HUB_ALARM_ID: "depth" });
  await until(() => lines("pids").length === 1);
  const [pid] = lines("pids").map(Number) as [number];
  // The trap is set before the program is another one.
  await until(() => readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n");
  await runner.close();
  expect(isRunning(pid)).toBe(true);
  await until(() => !isRunning(pid));
});

test("one that fails is told, and runs again", async () => {
  const { log, runner } = open("echo run >>runs; exit 3");
  runner.run({ HUB_ALARM_ID: "depth" });
  await until(() => lines("runs").length === 2);
  expect(log.lines.find(({ level }) => level === "warn")?.fields).toEqual({
    code: "ALARM_COMMAND_FAILED",
    reason: "exit code 3",
  });
});

test("one that goes on in the background is not started again while that runs, and ends with it", async () => {
  const { runner } = open("echo >>runs; sleep 1000 & echo $! >>children");
  runner.run({});
  await until(() => lines("children").length === 1);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(lines("runs")).toHaveLength(1);
  runner.stop();
  await until(() => !isRunning(Number(lines("children")[0])));
});

test.each([
  ["with its outputs", "setsid -f sleep 2"],
  ["without", "setsid sleep 2 >/dev/null 2>&1 &"],
])("one that detaches itself, %s, is not started again while that runs, and then is", async (_how, detached) => {
  const { runner } = open(`date +%s%N >>runs; ${detached}`);
  runner.run({});
  await until(() => lines("runs").length === 2);
  await runner.close();
  const [first, second] = lines("runs").map(Number) as [number, number];
  expect(second - first).toBeGreaterThanOrEqual(2e9);
});

test("one that leaves a service behind which never ends runs again after a minute", async () => {
  const clock = memoryClock();
  const { runner } = open("echo >>runs; setsid -f sh -c 'echo $$ >>pids; exec sleep 1000'", clock);
  runner.run({});
  await until(() => lines("pids").length === 1);
  let seconds = 0;
  while (lines("pids").length < 2 && seconds < 200) {
    clock.advance(1000);
    seconds += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(seconds).toBeGreaterThan(59);
  expect(lines("runs")).toHaveLength(2);
  const closed = runner.close();
  clock.advance(1000);
  await closed;
  for (const pid of lines("pids")) process.kill(Number(pid));
});

test("of its standard error a few lines go to the log", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const { runner } = open("yes | head -c 1000000 1>&2; echo >>runs; exec sleep 1000");
  runner.run({});
  await until(() => lines("runs").length === 1);
  const bytes = written.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThanOrEqual(4096);
});

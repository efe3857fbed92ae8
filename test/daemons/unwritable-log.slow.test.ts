/** A log that cannot be written, on a full disk, costs a daemon its lines and nothing else. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "vitest";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Whether a process has a handler of SIGTERM, the fifteenth bit of its caught signals. */
const awaitsTermination = (pid: number): boolean => {
  const [, caught = "0"] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (BigInt(`0x${caught}`) & (1n << 14n)) !== 0n;
};

const folder = temporaryFolder("unwritable-log");

test.concurrent.for<[name: string, args: readonly string[]]>([
  ["hub-configd", ["-p", `${await freePort()}`, "-c", folder, "-s", "dist/swagger"]],
  ["hub-cand", ["--simulate", "--broker", "mqtt://127.0.0.1:1"]],
  ["hub-link", ["--broker", "mqtt://127.0.0.1:1", "--nmea0183", `${await freePort()}`]],
])("%s goes on while its log is full, and ends as it should", async ([name, args], { expect, onTestFinished }) => {
  const program = spawn(process.execPath, [join("dist", `${name}.mjs`), ...args], {
    stdio: ["ignore", "ignore", openSync("/dev/full", "w")],
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  const ended = once(program, "exit");
  // Without its log nothing else tells that it has started.
  await expect.poll(() => awaitsTermination(program.pid!)).toBe(true);
  // By then each program has logged that there is no broker.
  expect(await Promise.race([ended, delay(4000)])).toBeUndefined();
  program.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

/** What a daemon tells systemd, seen by a program in place of systemd-notify. */
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announceReady } from "../../src/daemons/program/service-manager.ts";
import { memoryLog } from "../support/memory/log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let opened: { close(): void } | undefined;
const told = (): readonly string[] =>
  existsSync(join(folder, "told")) ? readFileSync(join(folder, "told"), "utf8").trim().split("\n") : [];

beforeEach(() => {
  folder = temporaryFolder("notify");
  writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\necho "$@" >> "${folder}/told"\n`);
  chmodSync(join(folder, "systemd-notify"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  vi.stubEnv("SYSTEMD_EXEC_PID", String(process.pid));
});
afterEach(() => {
  opened?.close();
  opened = undefined;
  vi.unstubAllEnvs();
});

test("without a service manager nothing is said", async () => {
  vi.stubEnv("NOTIFY_SOCKET", undefined);
  vi.stubEnv("WATCHDOG_USEC", "30000");
  opened = await announceReady(() => true, memoryLog());
  expect(told()).toEqual([]);
});

test("for the service manager of another process nothing is said", async () => {
  vi.stubEnv("NOTIFY_SOCKET", "/run/notify");
  for (const pid of [undefined, String(process.pid + 1)]) {
    vi.stubEnv("SYSTEMD_EXEC_PID", pid);
    opened = await announceReady(() => true, memoryLog());
  }
  expect(told()).toEqual([]);
});

test("it is ready once, and works three times in the period of the watchdog, until it is closed", async () => {
  vi.stubEnv("NOTIFY_SOCKET", "/run/notify");
  vi.stubEnv("WATCHDOG_USEC", "300000");
  opened = await announceReady(() => true, memoryLog());
  expect(told()).toEqual(["READY=1"]);
  await vi.waitFor(() => expect(told().length).toBeGreaterThan(3), { timeout: 60_000 });
  expect(new Set(told().slice(1))).toEqual(new Set(["WATCHDOG=1"]));
});

test("without a watchdog it only says that it is ready", async () => {
  vi.stubEnv("NOTIFY_SOCKET", "/run/notify");
  vi.stubEnv("WATCHDOG_USEC", undefined);
  opened = await announceReady(() => true, memoryLog());
  await delay(300);
  expect(told()).toEqual(["READY=1"]);
});

test("while nothing works the watchdog hears nothing, and the log says so", async () => {
  vi.stubEnv("NOTIFY_SOCKET", "/run/notify");
  vi.stubEnv("WATCHDOG_USEC", "60000");
  const log = memoryLog();
  let works = false;
  opened = await announceReady(() => Promise.resolve(works), log);
  await vi.waitFor(() => expect(log.lines.length).toBeGreaterThan(2), { timeout: 60_000 });
  expect(log.lines[0]).toMatchObject({ fields: { code: "NOT_WORKING" } });
  expect(told()).toEqual(["READY=1"]);
  works = true;
  await vi.waitFor(() => expect(told()).toContain("WATCHDOG=1"), { timeout: 60_000 });
});

test("the socket that systemd has passed is written to by the process itself, and no program runs", async () => {
  const socket = openSync(join(folder, "socket"), "a");
  vi.stubEnv("NOTIFY_SOCKET", "/run/notify");
  vi.stubEnv("WATCHDOG_USEC", "300000");
  vi.stubEnv("LISTEN_FDNAMES", `${"other:".repeat(socket - 3)}notify`);
  const written = (): string => readFileSync(join(folder, "socket"), "utf8");
  vi.stubEnv("LISTEN_PID", String(process.pid + 1));
  (await announceReady(() => true, memoryLog())).close();
  expect([told(), written()]).toEqual([["READY=1"], ""]);
  vi.stubEnv("LISTEN_PID", String(process.pid));
  opened = await announceReady(() => true, memoryLog());
  await vi.waitFor(() => expect(written()).toMatch(/^READY=1(WATCHDOG=1){3}/), { timeout: 60_000 });
  expect(told()).toEqual(["READY=1"]);
  opened.close();
  closeSync(socket);
});

test("a program that is missing is a line of the log", async () => {
  vi.stubEnv("NOTIFY_SOCKET", "/run/notify");
  vi.stubEnv("PATH", "/nowhere");
  const log = memoryLog();
  opened = await announceReady(() => true, log);
  expect(log.lines[0]).toMatchObject({ fields: { code: "NOTIFY_FAILED", state: "READY=1" } });
});

test.each(["hub-alarm", "hub-cand", "hub-history", "hub-link"])(
  "%s ends for a bad option with 1, and as a service with the code after which its unit is not started again",
  (name) => {
    const run = (script: string) =>
      spawnSync("sh", ["-c", script, name, process.execPath, resolve(`dist/${name}.mjs`)]).status;
    expect(run('"$1" "$2" --simulat')).toBe(1);
    expect(run('SYSTEMD_EXEC_PID=$$ exec "$1" "$2" --simulat')).toBe(64);
    const unit = readFileSync(`packaging/systemd/${name === "hub-cand" ? "hub-cand@" : name}.service`, "utf8");
    expect(unit).toMatch(/^RestartPreventExitStatus=64$/m);
    expect(unit).toMatch(/^RestartSteps=\d+\nRestartMaxDelaySec=1min$/m);
  },
);

/**
 * A computer whose clock is wrong, by libfaketime: it starts in 1970, as one without a battery does, and is set forward
 * and back by years while all programs run.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { basename, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hubCand } from "../support/hub-cand.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";

const library = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
const obstacle =
  withoutNamespace ?? (library === undefined && process.env.CI !== "true" ? "libfaketime is not installed" : undefined);

const DAY_SECONDS = 86_400;
/** Reports come ten times a second. */
const PAUSE_MS = 1000;
const today = Math.floor(Date.now() / 1000 / DAY_SECONDS);
const days = (year: number): number => Math.floor(Date.UTC(year, 5, 1) / 1000 / DAY_SECONDS);

interface Program {
  readonly child: ChildProcess;
  stdout: string;
  stderr: string;
}

interface Computer {
  readonly inside: Namespace;
  /** Sets the clock of all programs by days, real time being 0. */
  setClock(days: number): void;
  start(command: string, ...args: readonly string[]): Program;
  get(port: number, path: string): Promise<string>;
}

async function openComputer(...ports: readonly number[]): Promise<Computer> {
  const inside = await openNamespace(...ports);
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill("SIGKILL");
    await inside.close();
  });
  const clock = {
    LD_PRELOAD: library!,
    FAKETIME_TIMESTAMP_FILE: "/etc/faketime",
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return {
    inside,
    setClock: (days) => writeFileSync(inside.file("/etc/faketime"), `${days < 0 ? "" : "+"}${days}d\n`),
    start(command, ...args) {
      const child = inside.spawn(command, args, clock);
      children.push(child);
      const program: Program = { child, stdout: "", stderr: "" };
      child.stdout!.on("data", (chunk: Buffer) => {
        program.stdout += chunk;
      });
      child.stderr!.on("data", (chunk: Buffer) => {
        program.stderr += chunk;
      });
      return program;
    },
    async get(port, path) {
      const asked = request({ socketPath: inside.socket(port), path, headers: { host: "localhost" } }).end();
      const [response] = (await once(asked, "response")) as [AsyncIterable<Buffer>];
      let text = "";
      for await (const chunk of response) text += chunk;
      return text;
    },
  };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 200));
}

const bundle = (name: string): readonly [string, string] => [process.execPath, resolve(`dist/${name}.mjs`)];

/** A time series engine that takes all, and writes what it takes to standard output. */
const engine = `require("node:http").createServer((request, response) => {
  request.pipe(process.stdout, { end: false });
  request.on("end", () => response.writeHead(204).end());
}).listen(8428, "127.0.0.1")`;

describe(`a wrong clock${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`, {
  skip: obstacle !== undefined,
}, () => {
  test("years back and forth: all programs go on, nothing expires, every deployed version is kept", async () => {
    const { inside, setClock, start, get } = await openComputer(1883, 3000, 12_000);
    setClock(-today);
    mkdirSync(inside.file("/etc/hub/recordings"));
    const programs: Program[] = [];
    const run = (...command: readonly [string, ...string[]]): Program => {
      const program = start(...command);
      programs.push(program);
      return program;
    };
    writeFileSync(inside.file("/etc/mosquitto.conf"), "user root\nlistener 1883 127.0.0.1\nallow_anonymous true\n");
    run("mosquitto", "-c", "/etc/mosquitto.conf");
    inside.run("sh", "-c", "until ss -Hltn src 127.0.0.1:1883 | grep -q .; do sleep 0.1; done");
    const lines = run(process.execPath, "-e", engine);
    const queue = "/etc/hub/queue";
    mkdirSync(inside.file(queue));
    const navigation = run("mosquitto_sub", "-h", "127.0.0.1", "-t", "can/can0/navigation");
    run(...bundle("hub-cand"), "--simulate", "--lanes", "1", "--record", "/etc/hub/recordings");
    run(...bundle("hub-link"));
    run(...bundle("hub-history"), "--lane", "1", "--queue", queue);
    run(...bundle("hub-configd"), "--swagger", "/etc/hub");
    await until(async () => (await get(12_000, "/health").catch(() => "")).includes("ready"));

    type Report = { readonly data: Readonly<Record<string, unknown>>; readonly metadata: { readonly rxDate: string } };
    const reports = (from: number): readonly Report[] =>
      navigation.stdout
        .slice(from)
        .split("\n")
        .slice(1, -1)
        .map((line) => JSON.parse(line) as Report);
    const yearOf = (of: number): number => new Date((today + of) * DAY_SECONDS * 1000).getUTCFullYear();
    let groups: readonly string[] | undefined;
    const deployed: string[] = [];
    let started: readonly number[] | undefined;
    for (const offset of [-today, 0, days(2056) - today, days(1996) - today, -today, days(2100) - today, 0]) {
      setClock(offset);
      const year = yearOf(offset);
      const before = navigation.stdout.length;
      const taken = lines.stdout.length;
      // The first reports of a start have the groups that were heard so far.
      const complete = (): readonly Report[] =>
        reports(before).filter(
          ({ data, metadata }) => metadata.rxDate.startsWith(`${year}`) && (groups || data.wind_true),
        );
      await until(() => complete().length >= 21);
      // Every report has what the first complete ones had: nothing has expired. One after a pause may, because a busy
      // machine stops the simulated sensors too.
      groups ??= Object.keys(complete().at(-1)!.data);
      const latest = reports(before).slice(-21);
      const timeOf = ({ metadata }: Report): number => Date.parse(metadata.rxDate);
      for (const [at, report] of latest.slice(1).entries())
        if (timeOf(report) - timeOf(latest[at]!) < PAUSE_MS) expect(Object.keys(report.data)).toEqual(groups);
      const position = "/signalk/v1/api/vessels/self/navigation/position";
      await until(async () => (await get(3000, position)).includes(`"timestamp":"${year}`));
      // An engine would take a time before this century for that of a fault.
      const yearsOfPoints = (): readonly number[] =>
        [...lines.stdout.slice(taken).matchAll(/ (\d+)\d{9}$/gm)].map(([, at]) =>
          new Date(Number(at) * 1000).getUTCFullYear(),
        );
      if (year > 2000) await until(() => yearsOfPoints().includes(year));

      started ??= programs.map(({ stderr }) => stderr.length);

      const content = JSON.stringify({ name: "boat", settings: [], version: deployed.length });
      writeFileSync(inside.file("/etc/hub/deploy.json"), content);
      deployed.push(content);
      expect(await get(12_000, "/deploy")).toBe(content);
      const backup = start(...bundle("hub-config-backup"));
      await once(backup.child, "close");
      expect(backup.stdout).toMatch(new RegExp(`^Backup created: /etc/hub/backup/deploy\\.json-${year}`));
      const newest = basename(readlinkSync(inside.file("/etc/hub/backup/last_backup")));
      expect(readFileSync(inside.file(`/etc/hub/backup/${newest}`), "utf8")).toBe(content);
    }
    const copies = readdirSync(inside.file("/etc/hub/backup")).filter((name) => name !== "last_backup");
    expect(copies.map((name) => readFileSync(inside.file(`/etc/hub/backup/${name}`), "utf8")).sort()).toEqual(
      deployed.sort(),
    );
    for (const [index, { child, stderr }] of programs.entries()) {
      expect([child.spawnargs.at(-1), child.exitCode, child.signalCode]).toEqual([child.spawnargs.at(-1), null, null]);
      const complaints = stderr.slice(started![index]!).match(/^(warn|error) .*/gm) ?? [];
      expect(complaints.filter((line) => !line.includes("code=HISTORY_CLOCK"))).toEqual([]);
    }
  });

  test("hub-cand tells a clock that differs from the time on the bus, and when it agrees", async () => {
    const { inside, setClock, start, get } = await openComputer(9100);
    setClock(-today);
    // The ship and her receiver, whose time is right.
    const ship = inside.spawn(process.execPath, [hubCand, "--simulate", "--stdout", "--serve-frames", "2599"]);
    ship.stdout!.resume();
    ship.stderr!.resume();
    onTestFinished(() => void ship.kill("SIGKILL"));
    const gateway = "yd-raw+tcp://127.0.0.1:2599";
    const told = start(process.execPath, hubCand, "--source", gateway, "--stdout", "--metrics", "9100");
    const last = (): Record<string, unknown> =>
      JSON.parse(told.stdout.match(/^\{"topic":"can\/can0\/health".*\n/gm)?.at(-1) ?? '{"payload":{}}').payload.data;
    await until(() => last()?.clockAheadSec !== undefined);
    expect(last().clockAheadSec).toBeCloseTo(-today * DAY_SECONDS, -2);
    expect(await get(9100, "/metrics")).toMatch(/^hub_can_clock_ahead_seconds\{.*\} -\d{9,}/m);
    setClock(0);
    await until(() => last()?.clockAheadSec === undefined);
    expect(told.stderr.match(/^.*the computer's clock.*$/gm)).toEqual([
      expect.stringMatching(/^warn the computer's clock differs from the time on the bus code=CLOCK_OFF aheadSec=-\d+/),
      "info the computer's clock agrees with the time on the bus again",
    ]);
  });
});

/**
 * Power loss after each call to the file system of the real programs, with any part of the unsynced data lost: the tree
 * is then in the old state or in the new one, and acknowledged changes are in it. strace reports the calls.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { nodeBlobStore, sweepBlobs } from "../../src/adapters/node/files/blob-store.ts";
import { keepBackups } from "../../src/adapters/node/files/deploy-backup.ts";
import { nodeProjectStore, sweepProjects } from "../../src/adapters/node/files/project-store.ts";
import { segmentQueue } from "../../src/adapters/node/files/segment-queue.ts";
import { joined } from "../../src/core/util/bytes.ts";
import { bundled } from "../support/bundled.ts";
import { bytesOf } from "../support/chunks.ts";
import { memoryLog } from "../support/memory/log.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { callsOf, type FileSystemCall, straceArguments } from "./file-system-calls.ts";
import { LossyFileSystem, layOut, type Tree } from "./lost-effects.ts";

const hasStrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
const reason = withoutNamespace ?? (hasStrace || process.env.CI === "true" ? undefined : "no strace");
const options = { skip: reason !== undefined };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-power-loss-"));
});

const nothing: Tree = { folders: [], files: new Map(), links: new Map() };

/** The contents of a folder. */
function treeOf(path: string): Tree {
  const tree = { folders: [] as string[], files: new Map<string, Uint8Array>(), links: new Map<string, string>() };
  for (const name of (readdirSync(path, { recursive: true }) as string[]).sort()) {
    const place = join(path, name);
    const status = lstatSync(place);
    if (status.isDirectory()) tree.folders.push(name);
    else if (status.isSymbolicLink()) tree.links.set(name, readlinkSync(place));
    else tree.files.set(name, Uint8Array.from(readFileSync(place)));
  }
  return tree;
}

const HOURS = 2 * 3_600_000;

/** The configuration as the service finds it when it starts again, as one text; temporary files have gone. */
async function recovered(path: string): Promise<string> {
  await sweepProjects(path);
  await sweepBlobs(join(path, "apps"));
  const left = (readdirSync(path, { recursive: true }) as string[]).filter((name) => /\.tmp$/.test(name));
  expect(left).toEqual([]);
  const projects = nodeProjectStore({ folder: path, templates: "/nonexistent" });
  const blobs = nodeBlobStore(join(path, "apps"));
  const textOf = (bytes: Uint8Array | undefined): string | null =>
    bytes === undefined ? null : Buffer.from(bytes).toString("base64");
  const ids = (await projects.list()).map(({ id }) => id);
  const state = {
    projects: await Promise.all(ids.map(async (id) => [id, textOf(joined((await projects.read(id))!.bytes))])),
    deployed: textOf(await projects.deployed()),
    blobs: await Promise.all((await blobs.list()).map(async (id) => [id, textOf(await bytesOf(await blobs.read(id)))])),
  };
  return JSON.stringify(state);
}

interface Found {
  readonly prefixes: number;
  readonly states: number;
}

/** Cuts the power before and after each call, and visits every tree that may be left, in a folder of its own. */
async function afterEveryCall(
  path: string,
  before: Tree,
  calls: readonly FileSystemCall[],
  look: (left: string, where: string, told: readonly string[]) => Promise<void>,
): Promise<Found> {
  const disk = new LossyFileSystem(path, before);
  const told: string[] = [];
  let states = 0;
  for (let at = 0; at <= calls.length; at++) {
    const last = calls[at - 1];
    if (last !== undefined) disk.take(last);
    if (last?.kind === "told") told.push(last.text);
    for (const tree of disk.states()) {
      const left = mkdtempSync(join(folder, "left-"));
      layOut(tree, left);
      const where = `after call ${at}, ${last?.kind} ${last && "path" in last ? last.path : ""}: ${[...tree.files.keys()]}`;
      await look(left, where, told);
      rmSync(left, { recursive: true });
      states++;
    }
  }
  return { prefixes: calls.length + 1, states };
}

async function namespace(...ports: readonly number[]): Promise<Namespace> {
  const opened = await openNamespace(...ports);
  onTestFinished(() => opened.close());
  return opened;
}

const steps: readonly (readonly [method: string, path: string, body?: string])[] = [
  ["PUT", "/project/a"],
  ["PUT", "/project/a/sensor/x", '{"n": 1}'],
  ["PUT", "/project/a/sensor/x", '{"n": 2}'],
  ["PUT", "/project/a/deploy"],
  ["PUT", "/project/a/media/large", "m".repeat(700_000)],
  ["PUT", "/project/a/deploy"],
  ["PUT", "/project/a/rename/b"],
  ["PUT", "/project/b/duplicate/c"],
  ["POST", "/project/c/transaction", '[{"url": "/project/c/sensor/y", "method": "PUT", "data": {}}]'],
  ["PUT", "/project/b/restore", '{"uid": "u", "name": "restored"}'],
  ["PUT", "/apps/one", "first"],
  ["PUT", "/apps/one", "second"],
  ["DELETE", "/apps/one"],
  ["DELETE", "/project/c"],
  ["PUT", "/project/b/deploy"],
];

test(
  "hub-configd: power that goes at any call leaves the old state or the new one, and what was acknowledged",
  options,
  async () => {
    const inside = await namespace(12000);
    const program = await bundled(folder, 'import "./src/daemons/hub-configd.ts";');
    const config = mkdtempSync(join(folder, "config-"));
    const trace = join(folder, "hub-configd.strace");
    const child = inside.spawn("strace", [
      ...straceArguments,
      trace,
      process.execPath,
      program,
      "-c",
      config,
      "-s",
      folder,
    ]);
    child.stdout!.resume();
    child.stderr!.resume();
    const ended = once(child, "close");
    /** Ends the daemon, and strace with it: strace passes no signal on. */
    const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
      const traced = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "latin1").trim();
      if (child.exitCode === null && traced !== "") process.kill(Number(traced.split(" ")[0]), signal);
      await ended;
    };
    onTestFinished(() => (child.exitCode === null ? end("SIGKILL") : undefined));
    const call = (method: string, path: string, body?: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { Host: "x", "Content-Length": body === undefined ? 0 : Buffer.byteLength(body) };
        const outgoing = request(
          { socketPath: inside.socket(12000), method, path, headers, agent: false },
          (incoming) => {
            incoming.resume().on("end", () => resolve(incoming.statusCode!));
          },
        );
        outgoing.on("error", reject).end(body);
      });
    while ((await call("GET", "/health").catch(() => 0)) !== 200)
      await new Promise((resolve) => setTimeout(resolve, 20));

    // The states there are to be, read from the files as they lie after each step.
    const wanted = [await recovered(config)];
    for (const [method, path, body] of steps) {
      expect(await call(method, path, body), path).toBeOneOf([200, 201]);
      wanted.push(await recovered(config));
    }
    expect(new Set(wanted).size).toBeGreaterThanOrEqual(steps.length);
    await end("SIGTERM");

    const all = callsOf(readFileSync(trace, "latin1"), config);
    // The answers of the second process pass through the first, so that they are seen twice.
    const first = all.find((call) => call.kind === "told")?.thread;
    const calls = all.filter((call) => call.kind !== "told" || call.thread === first);
    const answers = (told: readonly string[]): number => told.filter((text) => /^HTTP\/1\.1 20[01] /.test(text)).length;
    const answered = answers(calls.flatMap((call) => (call.kind === "told" ? [call.text] : [])));
    const healths = answered - steps.length;
    expect(healths).toBeGreaterThan(0);
    const { prefixes, states } = await afterEveryCall(config, nothing, calls, async (left, where, told) => {
      const acknowledged = Math.max(0, answers(told) - healths);
      expect(wanted.slice(acknowledged, acknowledged + 2), where).toContain(await recovered(left));
      // The service goes on: the next change succeeds in the remaining tree.
      const store = nodeProjectStore({ folder: left, templates: "/nonexistent" });
      await store.save("next", [Buffer.from("{}")]);
      await store.deploy(Buffer.from("{}"));
      expect(Buffer.from((await store.deployed())!).toString(), where).toBe("{}");
    });
    console.log(`hub-configd: ${calls.length} calls, ${prefixes} prefixes, ${states} states`);
    expect(states).toBeGreaterThan(prefixes);
  },
);

test("hub-config-backup: power that goes at any call costs no copy and leaves no broken one", options, async () => {
  const inside = await namespace();
  const program = await bundled(folder, 'import "./src/daemons/hub-config-backup.ts";');
  const etc = inside.file("/etc/hub");
  let prefixes = 0;
  let states = 0;
  const contents = ["one", "two", "three"].map((content) => content.repeat(50_000));
  const created: string[] = [];
  for (const [run, content] of contents.entries()) {
    if (run === 2) {
      // The third has something to prune.
      for (let at = 0; at < 30; at++) {
        const stamp = `2020-01-01_00-00-${String(at).padStart(2, "0")}`;
        writeFileSync(join(etc, `backup/deploy.json-${stamp}`), "old");
        inside.run("touch", "-d", "2020-01-01", `/etc/hub/backup/deploy.json-${stamp}`);
      }
    }
    writeFileSync(join(etc, "deploy.json"), content);
    const before = treeOf(etc);
    const trace = join(folder, `backup-${run}.strace`);
    const child = inside.spawn("strace", [...straceArguments, trace, process.execPath, program]);
    child.stdout!.resume();
    child.stderr!.resume();
    expect((await once(child, "close"))[0]).toBe(0);

    const calls = callsOf(readFileSync(trace, "latin1"), "/etc/hub");
    const found = await afterEveryCall("/etc/hub", before, calls, async (left, where, told) => {
      const backup = join(left, "backup");
      const whole = (path: string): boolean => [...contents, "old"].includes(readFileSync(path, "utf8"));
      const copies = (): string[] => readdirSync(backup).filter((name) => name.startsWith("deploy.json-"));
      if (statSync(backup, { throwIfNoEntry: false })) {
        for (const name of copies()) expect(whole(join(backup, name)), `${name} ${where}`).toBe(true);
      }
      // The copies that were reported as created are there, and so are those of earlier runs.
      const promised = [...created, ...told.flatMap((text) => /Backup created: .*\/(.*)\n/.exec(text)?.[1] ?? [])];
      for (const name of promised) expect(whole(join(backup, name)), `${name} ${where}`).toBe(true);
      // The next run makes it good.
      const source = join(left, "deploy.json");
      await keepBackups({ source, folder: backup }, { wall: () => Date.now() + HOURS, wait: async () => {} }, () => {});
      expect(readFileSync(join(backup, "last_backup"), "utf8") === content, where).toBe(true);
      const names = readdirSync(backup);
      expect(
        names.filter((name) => name.endsWith(".tmp")),
        where,
      ).toEqual([]);
      expect(names.length, where).toBeLessThanOrEqual(32);
      for (const name of copies()) expect(whole(join(backup, name)), `${name} ${where}`).toBe(true);
    });
    prefixes += found.prefixes;
    states += found.states;
    created.push(
      ...calls.flatMap((call) =>
        call.kind === "told" ? (/Backup created: .*\/(.*)\n/.exec(call.text)?.[1] ?? []) : [],
      ),
    );
    expect(created).toHaveLength(run + 1);
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  console.log(`hub-config-backup: ${prefixes} prefixes, ${states} states`);
});

test("hub-history: power that goes at any call costs no line that the queue has taken", options, async () => {
  const program = await bundled(
    folder,
    `import { segmentQueue } from "./src/adapters/node/files/segment-queue.ts";
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const queue = await segmentQueue({ folder: process.argv[2], maxBytes: 1 << 30, log });
    for (const number of [1, 2, 3, 4]) {
      await queue.append(Buffer.from(String(number).padStart(400_000, "0") + "\\n"));
      process.stdout.write("taken " + number + "\\n");
    }
    await queue.close();`,
  );
  const queued = mkdtempSync(join(folder, "queue-"));
  const trace = join(folder, "queue.strace");
  const child = spawn("strace", [...straceArguments, trace, process.execPath, program, queued]);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout.resume();
  child.stderr.resume();
  expect((await once(child, "close"))[0]).toBe(0);
  const calls = callsOf(readFileSync(trace, "latin1"), queued);
  const takenOf = (told: readonly string[]): readonly number[] =>
    told.flatMap((text) => [...text.matchAll(/taken (\d)/g)].map(([, number]) => Number(number)));
  const { states } = await afterEveryCall(queued, nothing, calls, async (left, where, told) => {
    const queue = await segmentQueue({ folder: left, maxBytes: 1 << 30, log: memoryLog() });
    const found: number[] = [];
    for (let segment = await queue.take(); segment !== undefined; segment = await queue.take(segment.number))
      found.push(...String(Buffer.from(segment.bytes)).split("\n").slice(0, -1).map(Number));
    await queue.close();
    const taken = takenOf(told);
    expect(found.slice(0, taken.length), where).toEqual(taken);
  });
  // Two files of two lines each.
  expect(takenOf(calls.flatMap((call) => (call.kind === "told" ? [call.text] : [])))).toEqual([1, 2, 3, 4]);
  expect(calls.filter(({ kind }) => kind === "create")).toHaveLength(2);
  expect(states).toBeGreaterThan(calls.length);
});

test("a write without its sync would be seen: the same model loses unsynced data", () => {
  const call = (kind: "create" | "sync", path: string): FileSystemCall => ({ kind, path });
  const bytes = Buffer.from("new");
  const write: FileSystemCall = { kind: "write", path: "/d/.t", bytes };
  const rename: FileSystemCall = { kind: "rename", path: "/d/.t", to: "/d/f" };
  const old: Tree = { ...nothing, files: new Map([["f", Buffer.from("old")]]) };
  const found = (...calls: readonly FileSystemCall[]): string[] => {
    const disk = new LossyFileSystem("/d", old);
    for (const each of calls) disk.take(each);
    return [...new Set(disk.states().map(({ files }) => String(Buffer.from(files.get("f") ?? []))))].sort();
  };
  const whole = [call("create", "/d/.t"), write, call("sync", "/d/.t"), rename] as const;
  expect(found(...whole)).toEqual(["new", "old"]);
  expect(found(...whole, call("sync", "/d"))).toEqual(["new"]);
  expect(found(call("create", "/d/.t"), write, rename)).toEqual(["", "\0\0\0", "n", "new", "old"]);
  mkdirSync(join(folder, "laid-out"));
  layOut(old, join(folder, "laid-out"));
  expect(treeOf(join(folder, "laid-out")).files.get("f")).toEqual(Uint8Array.from(Buffer.from("old")));
});

import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { bundled } from "../support/bundled.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const options = { skip: withoutNamespace !== undefined };

let folder: string;
let program: string;

beforeAll(async () => {
  folder = temporaryFolder("config-backup");
  program = await bundled(folder, 'import "./src/daemons/hub-config-backup.ts";');
});

async function namespace(): Promise<Namespace> {
  const opened = await openNamespace();
  onTestFinished(() => opened.close());
  return opened;
}

async function backUp(inside: Namespace, ...args: readonly string[]): Promise<[number | null, string, string]> {
  const child = inside.spawn(process.execPath, [program, ...args], { TZ: "Pacific/Auckland" });
  const output: [string, string] = ["", ""];
  child.stdout!.on("data", (chunk: Buffer) => {
    output[0] += chunk;
  });
  child.stderr!.on("data", (chunk: Buffer) => {
    output[1] += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return [code, ...output];
}

const deploy = (inside: Namespace, content: string): void =>
  writeFileSync(inside.file("/etc/hub/deploy.json"), content);
const copies = (inside: Namespace): string[] => readdirSync(inside.file("/etc/hub/backup")).sort();

/** Puts a copy of a day with that modification time. */
function place(inside: Namespace, name: string, day: number): void {
  inside.run("mkdir", "-p", "/etc/hub/backup");
  writeFileSync(inside.file(`/etc/hub/backup/${name}`), name);
  inside.run("touch", "-d", `2020-01-01 00:00:00 UTC + ${day} days`, `/etc/hub/backup/${name}`);
}

const copyOfDay = (day: number): string => `deploy.json-2020-01-01_00-00-${String(day).padStart(2, "0")}`;

test("without a source it does nothing", options, async () => {
  const inside = await namespace();
  expect(await backUp(inside, "--nonsense")).toEqual([0, "", ""]);
  expect(readdirSync(inside.file("/etc/hub"))).toEqual([]);
});

test("asked for help or its version, in whatever place, it prints it and copies nothing", options, async () => {
  const inside = await namespace();
  deploy(inside, "one");
  for (const args of [["--help"], ["-h"], ["--nonsense", "--help"]]) {
    const [code, stdout, stderr] = await backUp(inside, ...args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^Usage: hub-config-backup .*\n {2}-h, --help[\s\S]*\nCopies .* and keeps the newest 30\.\n$/,
    );
  }
  for (const args of [["--version"], ["nonsense", "-V", "--help"]])
    expect(await backUp(inside, ...args)).toEqual([
      0,
      expect.stringMatching(/^hub-config-backup \d+\.\d+\.\d+\S*\n$/),
      "",
    ]);
  expect(readdirSync(inside.file("/etc/hub"))).toEqual(["deploy.json"]);
});

test("it copies what has changed, names it by local time and points to it", options, async () => {
  const inside = await namespace();
  deploy(inside, "one");
  const before = Date.now();
  const [code, stdout, stderr] = await backUp(inside);
  expect([code, stderr]).toEqual([0, ""]);
  const [, path, date, time] = /^Backup created: (\/etc\/hub\/backup\/deploy\.json-([\d-]{10})_([\d-]{8}))\n$/.exec(
    stdout,
  )!;
  const [hours, minutes, seconds] = time!.split("-");
  const local = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Pacific/Auckland",
    dateStyle: "short",
    timeStyle: "medium",
  });
  const expected = [before, before + 1000, before + 2000, before + 3000].map((wall) => local.format(wall));
  expect(expected).toContain(`${date} ${hours}:${minutes}:${seconds}`);
  expect(readFileSync(inside.file(path!), "utf8")).toBe("one");
  expect(readlinkSync(inside.file("/etc/hub/backup/last_backup"))).toBe(path!.split("/").at(-1));
  const mode = (path: string): string => (statSync(inside.file(path)).mode & 0o777).toString(8);
  expect([mode("/etc/hub/backup"), mode(path!)]).toEqual(["755", "644"]);

  expect(await backUp(inside)).toEqual([0, "", ""]);
  expect(copies(inside)).toHaveLength(2);

  deploy(inside, "two");
  expect((await backUp(inside))[1]).toMatch(/^Backup created: /);
  deploy(inside, "one");
  expect((await backUp(inside))[1]).toMatch(/^Backup created: /);
  expect(copies(inside)).toHaveLength(4);
});

test("a pointer that is missing, dangling or a folder counts as different", options, async () => {
  const inside = await namespace();
  deploy(inside, "one");
  const pointer = "/etc/hub/backup/last_backup";
  await backUp(inside);
  inside.run("rm", pointer);
  expect((await backUp(inside))[1]).toMatch(/^Backup created: /);
  inside.run("ln", "-sfn", "nowhere", pointer);
  expect((await backUp(inside))[1]).toMatch(/^Backup created: /);
  expect(lstatSync(inside.file(pointer)).isSymbolicLink()).toBe(true);
  inside.run("rm", pointer);
  inside.run("mkdir", pointer);
  const [code, , stderr] = await backUp(inside);
  expect([code, stderr.split("\n").length]).toEqual([1, 2]);
  expect(stderr).toMatch(/^hub-config-backup: EISDIR/);
});

test("the newest thirty by modification time stay; what is no copy is left alone", options, async () => {
  const inside = await namespace();
  for (let day = 1; day <= 40; day++) place(inside, copyOfDay(day), 100 - day);
  for (const other of ["notes.txt", "deploy.json", "deploy.json-2020", `${copyOfDay(1)}.bak`]) place(inside, other, 0);
  inside.run("mkdir", `/etc/hub/backup/${copyOfDay(99)}`);
  for (const leftover of [".deploy.json-2020-01-01_00-00-00.tmp", ".other.tmp"]) place(inside, leftover, 0);
  inside.run("ln", "-s", "x", "/etc/hub/backup/.last_backup.tmp");
  deploy(inside, "new");
  const [, stdout] = await backUp(inside);
  const newest = stdout.trim().split("/").at(-1)!;
  const kept = Array.from({ length: 29 }, (_, at) => copyOfDay(at + 1));
  expect(copies(inside)).toEqual(
    [
      ...kept,
      newest,
      ...[
        "notes.txt",
        "deploy.json",
        "deploy.json-2020",
        `${copyOfDay(1)}.bak`,
        copyOfDay(99),
        ".other.tmp",
        "last_backup",
      ],
    ].sort(),
  );
});

test("the copy that the pointer names stays, however old it looks", options, async () => {
  const inside = await namespace();
  for (let day = 1; day <= 35; day++) place(inside, copyOfDay(day), 10 + day);
  place(inside, copyOfDay(50), 0);
  inside.run("ln", "-s", copyOfDay(50), "/etc/hub/backup/last_backup");
  deploy(inside, copyOfDay(50));
  expect(await backUp(inside)).toEqual([0, "", ""]);
  expect(copies(inside)).toEqual([
    ...Array.from({ length: 30 }, (_, at) => copyOfDay(at + 6)),
    copyOfDay(50),
    "last_backup",
  ]);
});

test("what cannot be done is one line on stderr and 1", options, async () => {
  const inside = await namespace();
  deploy(inside, "x".repeat(100_000));
  inside.run("mkdir", "/etc/hub/backup");
  inside.run("mount", "-t", "tmpfs", "-o", "size=64k", "none", "/etc/hub/backup");
  const [code, stdout, stderr] = await backUp(inside);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^hub-config-backup: ENOSPC: no space left on device.*\n$/);
  expect(copies(inside)).toEqual([]);
  inside.run("umount", "/etc/hub/backup");
  inside.run("rmdir", "/etc/hub/backup");
  writeFileSync(inside.file("/etc/hub/backup"), "a file");
  expect((await backUp(inside))[0]).toBe(1);
});

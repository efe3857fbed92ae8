import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { cachedFileReader } from "../../../../src/adapters/node/files/cached-files.ts";
import { nodeProjectStore } from "../../../../src/adapters/node/files/project-store.ts";
import type { Pieces } from "../../../../src/core/util/bytes.ts";
import { newApp, secretHash } from "../../../services/api/harness.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** The tick of the clock of the file system, milliseconds; 0 leaves its times as they are. */
const clock = vi.hoisted(() => ({ tickMs: 0 }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const coarse =
    (stat: typeof fs.lstatSync) =>
    (...args: Parameters<typeof fs.lstatSync>): unknown => {
      const status = stat(...args) as Stats | undefined;
      if (clock.tickMs === 0 || status === undefined) return status;
      const { ctimeMs, mtimeMs } = status;
      return Object.assign(status, {
        ctimeMs: ctimeMs - (ctimeMs % clock.tickMs),
        mtimeMs: mtimeMs - (mtimeMs % clock.tickMs),
      });
    };
  return { ...fs, lstatSync: coarse(fs.lstatSync), statSync: coarse(fs.statSync) };
});

const MINUTE_MS = 60_000;

function newFile(content: string): string {
  const path = join(temporaryFolder("kept"), "file");
  writeFileSync(path, content);
  // A whole second, which `utimes` can give it once more.
  utimesSync(path, 1e9, 1e9);
  return path;
}

const text = (bytes: Pieces | undefined): string | undefined => bytes && Buffer.concat(bytes).toString();

/** Moves the clock, so that all files count as written long ago. */
function aMinuteLater(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE_MS });
  onTestFinished(() => void vi.useRealTimers());
}

/** Time enough for the clock of the file system to tick. */
const aTick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

test.each(["just", "long ago"])(
  "as long as a file written %s holds the same bytes the same list is given",
  async (when) => {
    const path = newFile("one");
    if (when === "long ago") aMinuteLater();
    const read = cachedFileReader();
    const first = await read(path);
    expect(text(first)).toBe("one");
    expect(await read(path)).toBe(first);
    await aTick();
    writeFileSync(path, "one");
    expect(await read(path)).toBe(first);
    writeFileSync(path, "two");
    const second = await read(path);
    expect(text(second)).toBe("two");
    expect(text(first)).toBe("one");
    expect(await read(path)).toBe(second);
  },
);

test("a file that is changed again and again within a tick of a coarse clock is seen as it is, every time", async () => {
  // The tick of FAT; many other file systems use the kernel's ticks of milliseconds.
  clock.tickMs = 2000;
  onTestFinished(() => {
    clock.tickMs = 0;
  });
  const path = newFile("-");
  const read = cachedFileReader();
  const times = new Set<number>();
  for (let n = 100; n < 200; n++) {
    writeFileSync(path, String(n));
    expect(text(await read(path))).toBe(String(n));
    times.add(lstatSync(path).ctimeMs);
  }
  // Otherwise nothing has been tried.
  expect(times.size).toBeLessThan(50);
});

test.each<[string, (path: string) => void]>([
  ["is written over with as many bytes", (path) => writeFileSync(path, "two")],
  [
    "is written over with as many bytes and given its old times back",
    (path) => {
      writeFileSync(path, "two");
      utimesSync(path, 1e9, 1e9);
    },
  ],
  [
    "is replaced",
    (path) => {
      writeFileSync(`${path}.new`, "two");
      renameSync(`${path}.new`, path);
    },
  ],
  [
    "is replaced by an older one",
    (path) => {
      writeFileSync(`${path}.new`, "two");
      utimesSync(`${path}.new`, 1, 1);
      renameSync(`${path}.new`, path);
    },
  ],
])("an old file that %s is read anew", async (_, change) => {
  const path = newFile("one");
  aMinuteLater();
  const read = cachedFileReader();
  expect([text(await read(path)), text(await read(path))]).toEqual(["one", "one"]);
  await aTick();
  change(path);
  expect([text(await read(path)), text(await read(path))]).toEqual(["two", "two"]);
});

test.each<[string, string | undefined, (path: string) => void]>([
  ["nothing", undefined, () => {}],
  ["a folder", undefined, (path) => mkdirSync(path)],
  ["a pipe", undefined, (path) => void spawnSync("mkfifo", [path])],
  [
    "a link",
    "two",
    (path) => {
      writeFileSync(`${path}.elsewhere`, "two");
      symlinkSync(`${path}.elsewhere`, path);
    },
  ],
])("where a file was and %s is now the file is no longer", async (_, followed, put) => {
  for (const follow of [false, true]) {
    const path = newFile("one");
    aMinuteLater();
    const read = cachedFileReader();
    expect(text(await read(path, { follow }))).toBe("one");
    unlinkSync(path);
    put(path);
    expect(text(await read(path, { follow }))).toBe(follow ? followed : undefined);
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, "three");
    expect(text(await read(path, { follow }))).toBe("three");
    vi.useRealTimers();
  }
});

test("a link that is followed gives what it points to, whichever file that is and whatever becomes of it", async () => {
  const folder = temporaryFolder("kept");
  for (const name of ["one", "two"]) writeFileSync(join(folder, name), name);
  aMinuteLater();
  const link = join(folder, "link");
  const read = cachedFileReader();
  for (const name of ["one", "two", "one"]) {
    rmSync(link, { force: true });
    symlinkSync(name, link);
    expect(text(await read(link, { follow: true }))).toBe(name);
  }
  await aTick();
  writeFileSync(join(folder, "one"), "ten");
  expect(text(await read(link, { follow: true }))).toBe("ten");
});

test("what was remembered with a status is not read as long as the file has that status", async () => {
  const path = newFile("one");
  const read = cachedFileReader();
  const bytes = [Buffer.from("not read")];
  read.remember(path, bytes, lstatSync(path));
  expect(await read(path)).toBe(bytes);
  await aTick();
  writeFileSync(path, "two");
  expect(text(await read(path))).toBe("two");
});

test.each<[string, (path: string, content: string) => void]>([
  ["written over", (path, content) => writeFileSync(path, content, { flag: "r+" })],
  [
    "replaced",
    (path, content) => {
      writeFileSync(`${path}.new`, content);
      renameSync(`${path}.new`, path);
    },
  ],
])("a project that is %s in the moment after it was saved is read anew, however large it is", async (_, change) => {
  const folder = temporaryFolder("kept");
  const store = nodeProjectStore({ folder, templates: join(folder, "templates") });
  const file = join(folder, "configuration/a.json");
  for (let n = 0; n < 100; n++) {
    const size = n % 10 === 0 ? 3_000_000 : 100;
    await store.save("a", [Buffer.alloc(size, "saved "), Buffer.from(String(n))]);
    const other = `${n}`.padEnd(size + String(n).length, "x");
    change(file, other);
    expect(text((await store.read("a"))?.bytes) === other, String(n)).toBe(true);
    expect(text((await store.read("a"))?.bytes) === other, String(n)).toBe(true);
  }
});

test("of many files, and of large ones, each gives its own bytes", async () => {
  const folder = temporaryFolder("kept");
  const names = Array.from({ length: 20 }, (_, n) => `file-${n}`);
  for (const [n, name] of names.entries()) writeFileSync(join(folder, name), `${n}`.padEnd(n * 10_000, "x"));
  aMinuteLater();
  const read = cachedFileReader();
  for (let round = 0; round < 3; round++) {
    for (const [n, name] of names.entries())
      expect(text(await read(join(folder, name)))).toBe(`${n}`.padEnd(n * 10_000, "x"));
  }
});

test("the service answers what is on disk after every change, its own or another's, however old the files are", async () => {
  const folder = temporaryFolder("kept");
  mkdirSync(join(folder, "configuration"));
  const file = join(folder, "configuration/a.json");
  const deployed = join(folder, "deploy.json");
  const app = newApp({ projects: nodeProjectStore({ folder, templates: join(folder, "templates") }) });
  const places = ["/project/a", "/project/a/backup", "/project/a/sensor", "/project/a/sensor/s"];
  /** The values of the sensor in the responses of all readers. */
  const seen = async (): Promise<unknown[]> => {
    const answers = await Promise.all(places.map((path) => app.json("GET", path)));
    // The values of the sensor, at any place of a response.
    return [...new Set(answers.map(([, body]) => /"n":(\d+)/.exec(JSON.stringify(body))?.[1]).map(Number))];
  };
  const edit = (n: number): void => writeFileSync(file, `{"uid": "u", "sensor": [{"name": "s", "n": ${n}}]}`);
  edit(0);
  aMinuteLater();
  expect([await seen(), await seen()]).toEqual([[0], [0]]);
  for (let n = 1; n < 9; n += 4) {
    await aTick();
    edit(n);
    expect([await seen(), await seen()], "an edit by hand").toEqual([[n], [n]]);
    await app.json("PUT", "/project/a/sensor/s", { n: n + 1 });
    expect([await seen(), await seen()], "a PUT").toEqual([[n + 1], [n + 1]]);
    const step = { url: "/project/a/sensor/s", method: "PUT", data: { n: n + 2 } };
    await app.json("POST", "/project/a/transaction", [step]);
    expect([await seen(), await seen()], "a transaction").toEqual([[n + 2], [n + 2]]);
    await app.json("PUT", "/project/a/restore", { uid: "u", sensor: [{ name: "s", n: n + 3 }] });
    expect([await seen(), await seen()], "a restore").toEqual([[n + 3], [n + 3]]);
  }

  const tags = new Set<string | null>();
  for (const content of ["1\n", "2\n", "3\n"]) {
    await aTick();
    writeFileSync(deployed, content);
    for (let round = 0; round < 2; round++) {
      const answer = await app.request("/deploy");
      expect(await answer.text()).toBe(content);
      const tag = answer.headers.get("etag")!;
      tags.add(tag);
      expect((await app.request("/deploy", { headers: { "If-None-Match": tag } })).status).toBe(304);
      expect((await app.request("/deploy", { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    }
  }
  expect(tags.size).toBe(3);
  await app.json("PUT", "/project/a/deploy");
  expect(await (await app.request("/deploy")).text()).toContain('"n": 8');
});

test("a password set in the file is required at once, also for cached responses", async () => {
  const folder = temporaryFolder("kept");
  mkdirSync(join(folder, "configuration"));
  const file = join(folder, "configuration/a.json");
  const app = newApp({ projects: nodeProjectStore({ folder, templates: join(folder, "templates") }) });
  const status = async (headers: Record<string, string> = {}): Promise<number> =>
    (await app.request("/project/a", { headers })).status;
  writeFileSync(file, '{"uid": "u"}');
  aMinuteLater();
  expect([await status(), await status()]).toEqual([200, 200]);
  await aTick();
  writeFileSync(file, `{"uid": "u", "settings": [{"name": "password", "hash": "${secretHash}"}]}`);
  const bearer = { Authorization: `Bearer ${secretHash}` };
  expect([await status(), await status(bearer), await status(), await status(bearer)]).toEqual([401, 200, 401, 200]);
});

test("files that are too large together lose the oldest, and the last one stays", async () => {
  const [folder, read] = [temporaryFolder(), cachedFileReader()];
  const bytes = [new Uint8Array(20 << 20)];
  for (const name of ["before", "last"]) {
    writeFileSync(join(folder, name), bytes[0]!);
    read.remember(join(folder, name), bytes);
  }
  const isKept = async (name: string): Promise<boolean> => (await read(join(folder, name))) === bytes;
  expect([await isKept("last"), await isKept("before")]).toEqual([true, false]);
});

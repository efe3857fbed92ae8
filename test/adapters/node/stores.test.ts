import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeBlobStore, sweepBlobs } from "../../../src/adapters/node/files/blob-store.ts";
import { type Files, nodeFiles, replaceFile } from "../../../src/adapters/node/files/durable-files.ts";
import { nodeProjectStore, sweepProjects } from "../../../src/adapters/node/files/project-store.ts";
import { temporaryName } from "../../../src/adapters/node/files/temporary-name.ts";
import { nodeStaticFiles } from "../../../src/adapters/node/http/static-files.ts";
import { blobStoreContract } from "../../contracts/blob-store.ts";
import { projectStoreContract } from "../../contracts/project-store.ts";
import { newApp } from "../../services/api/harness.ts";
import { chunksOf } from "../../support/chunks.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

projectStoreContract("node", async () => {
  const folder = temporaryFolder("store");
  const templates = join(temporaryFolder("store"), "templates");
  return {
    store: nodeProjectStore({ folder, templates }),
    async addTemplate(id, content) {
      mkdirSync(templates, { recursive: true });
      writeFileSync(join(templates, `${id}.json`), content);
    },
    async setAsideBytes(id) {
      const path = join(folder, "configuration", `${id}.json.bad`);
      return existsSync(path) ? readFileSync(path) : undefined;
    },
  };
});

test.each<[string, (temporary: string, elsewhere: string) => void]>([
  ["a file", (temporary) => writeFileSync(temporary, "half of anoth")],
  ["a link", (temporary, elsewhere) => symlinkSync(elsewhere, temporary)],
])("deploy goes its way although another one was interrupted and has left %s", async (_, leave) => {
  const folder = temporaryFolder("store");
  const elsewhere = join(temporaryFolder("store"), "elsewhere");
  writeFileSync(elsewhere, "another's");
  leave(join(folder, "deploy.json.tmp"), elsewhere);
  const store = nodeProjectStore({ folder, templates: join(folder, "templates") });
  await store.deploy(bytes("{}"));
  expect(readdirSync(folder)).toEqual(["deploy.json"]);
  expect(readFileSync(join(folder, "deploy.json"), "utf8")).toBe("{}");
  expect(readFileSync(elsewhere, "utf8")).toBe("another's");
});

blobStoreContract("node", async () => nodeBlobStore(join(temporaryFolder("store"), "apps")));

const storeIn = (folder: string, files?: Files) => nodeProjectStore({ folder, templates: "/nonexistent" }, files);

test("files and folders get the modes of the perms unit, whatever the umask", async () => {
  const folder = temporaryFolder("store");
  const before = process.umask(0o077);
  onTestFinished(() => void process.umask(before));
  const store = storeIn(folder);
  await store.save("a", [bytes("x")]);
  await store.deploy(bytes("x"));
  await nodeBlobStore(join(folder, "apps")).write("b", chunksOf(bytes("x")));
  chmodSync(join(folder, "configuration/a.json"), 0o600);
  await store.save("a", [bytes("y")]);
  const mode = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);
  expect(["configuration", "apps", "configuration/a.json", "deploy.json", "apps/b"].map(mode)).toEqual([
    "755",
    "755",
    "644",
    "644",
    "644",
  ]);
});

test("only regular files with a project's name are projects", async () => {
  const folder = temporaryFolder("store");
  const configuration = join(folder, "configuration");
  mkdirSync(join(configuration, "folder.json"), { recursive: true });
  writeFileSync(join(folder, "outside.json"), "x");
  symlinkSync(join(folder, "outside.json"), join(configuration, "link.json"));
  symlinkSync("loop.json", join(configuration, "loop.json"));
  for (const name of ["a_b.json", "a.json.bad", ".0123456789abcdef.tmp", "b.txt", `${"c".repeat(64)}.json`, ".json"]) {
    writeFileSync(join(configuration, name), "x");
  }
  spawnSync("mkfifo", [join(configuration, "pipe.json")]);
  writeFileSync(join(configuration, "good.json"), "x");
  const store = storeIn(folder);
  expect(await store.list()).toEqual([{ id: "good", template: false }]);
  for (const id of ["folder", "link", "loop", "pipe"]) expect(await store.read(id)).toBeUndefined();
});

test("ids as long as a file name may be are kept, longer ones are told", async () => {
  const store = nodeBlobStore(join(temporaryFolder("store"), "apps"));
  await store.write("a".repeat(255), chunksOf(bytes("x")));
  expect(await store.list()).toEqual(["a".repeat(255)]);
  const long = "a".repeat(256);
  expect([await store.read(long), await store.remove(long)]).toEqual([undefined, false]);
  await expect(store.write(long, chunksOf(bytes("x")))).rejects.toMatchObject({
    code: "ENAMETOOLONG",
    message: "name too long",
  });
  expect(await store.list()).toHaveLength(1);
});

/** System errors, with their numbers and messages. */
const failures = [
  [5, "EIO", "i/o error"],
  [13, "EACCES", "permission denied"],
  [24, "EMFILE", "too many open files"],
  [28, "ENOSPC", "no space left on device"],
  [30, "EROFS", "read-only file system"],
] as const;
type Failure = (typeof failures)[number];

/** A file system on which the n-th call fails, as if the power had gone or the medium were full. */
function failingAt(step: number, calls: string[], [errno, code]: Failure = failures[0]): Files {
  const fail = (name: string): void => {
    calls.push(name);
    if (calls.length === step) {
      throw Object.assign(new Error(`${code}, ${name}`), { errno: -errno, code, syscall: name });
    }
  };
  const failing = ["open", "chmod", "write", "sync", "close", "rename", "link", "unlink", "mkdir"];
  return new Proxy(nodeFiles, {
    get(files, name: string) {
      const call = Reflect.get(files, name) as (...args: unknown[]) => unknown;
      if (!failing.includes(name)) return call;
      return (...args: unknown[]) => {
        // A close that fails has closed all the same.
        if (name !== "close") fail(name);
        const result = call(...args);
        if (name === "close") fail(name);
        return result;
      };
    },
  });
}

const changes = {
  save: (store) => store.save("a", [bytes("new")]),
  "first save": (store) => store.save("first", [bytes("new")]),
  rename: (store) => store.rename("a", "b"),
  remove: (store) => store.remove("a"),
  setAside: (store) => store.setAside("a"),
  keepAside: (store) => store.keepAside("a"),
  deploy: (store) => store.deploy(bytes("new")),
} satisfies Record<string, (store: ReturnType<typeof storeIn>) => Promise<void>>;

const stateOf = (folder: string): string =>
  JSON.stringify(
    [
      "configuration/a.json",
      "configuration/first.json",
      "configuration/b.json",
      "configuration/a.json.bad",
      "deploy.json",
    ].map((path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : null)),
  );

test.each(
  Object.entries(changes).flatMap(([name, change]) =>
    failures.map((failure) => [name, failure[1], change, failure] as const),
  ),
)("%s that fails with %s at any step leaves the old state or the new one", async (_name, _code, change, failure) => {
  const prepare = async (): Promise<string> => {
    const folder = temporaryFolder("store");
    await storeIn(folder).save("a", [bytes("old")]);
    await storeIn(folder).deploy(bytes("old"));
    return folder;
  };
  const wholeFolder = await prepare();
  const old = stateOf(wholeFolder);
  const allCalls: string[] = [];
  await change(storeIn(wholeFolder, failingAt(0, allCalls)));
  const after = stateOf(wholeFolder);
  expect(after).not.toBe(old);
  expect(allCalls).toContain("sync");

  for (let step = 1; step <= allCalls.length; step += 1) {
    const folder = await prepare();
    const failed = await change(storeIn(folder, failingAt(step, [], failure))).then(
      () => undefined,
      (error: unknown) => error,
    );
    const where = `step ${step}, ${allCalls[step - 1]}`;
    // The leftover of a deploy may be missing, and then its removal has nothing to fail at.
    const [errno, code, message] = failure;
    expect(failed, where).toMatchObject({ name: "SystemError", errno, code, message });
    expect([old, after], where).toContain(stateOf(folder));
    // A leftover file is not listed as a project and does not disturb the next attempt.
    expect(
      (await storeIn(folder).list()).every(({ id }) => /^(a|b|first)$/.test(id)),
      where,
    ).toBe(true);
    if (stateOf(folder) === old) {
      await change(storeIn(folder));
      expect(stateOf(folder), where).toBe(after);
    }
  }
});

test.each(failures.map((failure) => [failure[1], failure] as const))(
  "%s at any step of a write is told to the caller, whether it was the project's or an application's",
  async (code, failure) => {
    const [errno, , message] = failure;
    // The contract lists names of errors; EMFILE is not among them.
    const told = { errno, ...(code !== "EMFILE" && { code }), message };
    const prepare = async (step: number, calls: string[]) => {
      const folder = temporaryFolder("store");
      await storeIn(folder).save("a", [bytes('{"uid":"u"}')]);
      await nodeBlobStore(folder).write("b", chunksOf(bytes("old")));
      const files = failingAt(step, calls, failure);
      const app = newApp({ projects: storeIn(folder, files), blobStore: nodeBlobStore(folder, files) });
      return { app, folder };
    };
    for (const [path, error, file] of [
      ["/project/a/sensor/x", "cannot save project", "configuration/a.json"],
      ["/apps/b", "cannot save application", "b"],
    ] as const) {
      const allCalls: string[] = [];
      const whole = await prepare(0, allCalls);
      const before = readFileSync(join(whole.folder, file), "utf8");
      expect((await whole.app.json("PUT", path, { new: true }))[0]).toBe(201);
      const after = readFileSync(join(whole.folder, file), "utf8");
      const rename = allCalls.indexOf("rename") + 1;
      for (let step = 1; step <= allCalls.length; step += 1) {
        const { app, folder } = await prepare(step, []);
        expect(await app.json("PUT", path, { new: true }), `step ${step}`).toEqual([500, { error, ...told }]);
        // The rename decides; after it only the folder's sync can fail.
        expect(readFileSync(join(folder, file), "utf8"), `step ${step}`).toBe(step <= rename ? before : after);
        expect(readdirSync(join(folder, file, "..")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
      }
    }
  },
);

/** As for the files of another user, see protected_hardlinks in proc_sys_fs(5). */
const withoutLinks: Files = {
  ...nodeFiles,
  link: async () => {
    throw Object.assign(new Error("EPERM"), { errno: -1, code: "EPERM", syscall: "link" });
  },
};

test("bytes are kept aside although the system refuses a second name", async () => {
  const folder = temporaryFolder("store");
  const store = storeIn(folder, withoutLinks);
  await store.save("a", [bytes("{")]);
  await store.keepAside("a");
  expect(readdirSync(join(folder, "configuration")).sort()).toEqual(["a.json", "a.json.bad"]);
  expect(readFileSync(join(folder, "configuration/a.json.bad"), "utf8")).toBe("{");
});

test("a file that can be neither read nor have a second name is renamed", async () => {
  const folder = temporaryFolder("store");
  mkdirSync(join(folder, "configuration"));
  // Larger than a string of V8.
  writeFileSync(join(folder, "configuration/a.json"), "");
  truncateSync(join(folder, "configuration/a.json"), 2 ** 29);
  await storeIn(folder, withoutLinks).keepAside("a");
  expect(readdirSync(join(folder, "configuration"))).toEqual(["a.json.bad"]);
});

test.each(["removed", "removed and made again"])(
  "an upload whose folder is %s meanwhile is told as failed, and no empty file is left",
  async (kind) => {
    const folder = join(temporaryFolder("store"), "apps");
    mkdirSync(folder);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield bytes("first");
      rmSync(folder, { recursive: true });
      if (kind !== "removed") mkdirSync(folder);
      yield bytes("second");
    }
    const store = nodeBlobStore(folder);
    await expect(store.write("a", chunks())).rejects.toMatchObject({ name: "SystemError", code: "ENOENT" });
    expect(await store.list()).toEqual([]);
  },
);

test("of two removals of an application at once one finds none", async () => {
  const files: Files = {
    ...nodeFiles,
    async unlink(path) {
      await new Promise(setImmediate);
      await nodeFiles.unlink(path);
    },
  };
  const store = nodeBlobStore(temporaryFolder("store"), files);
  await store.write("a", chunksOf(bytes("1")));
  // The thread pool may turn their order round.
  expect((await Promise.all([store.remove("a"), store.remove("a")])).sort()).toEqual([false, true]);
});

test("a change is synced before it is told: file, rename, folder", async () => {
  const folder = temporaryFolder("store");
  await storeIn(folder).save("a", [bytes("old")]);
  const calls: string[] = [];
  await storeIn(folder, failingAt(0, calls)).save("a", [bytes("new")]);
  expect(calls.filter((call) => call !== "mkdir")).toEqual([
    ...["open", "chmod", "write", "sync", "close", "rename"],
    ...["open", "sync", "close"],
  ]);
});

test("what is written is known by its status, unless a change in the same moment could have left that as it is", async () => {
  const path = join(temporaryFolder("store"), "file");
  const slow: Files = {
    ...nodeFiles,
    async sync(descriptor) {
      await nodeFiles.sync(descriptor);
      // Longer than a tick of the clock.
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
  };
  // Early in a second, since Deno gives the time of a change in whole seconds: within one second it does not tell the two
  // times apart, and the file is read again.
  await new Promise((resolve) => setTimeout(resolve, 1100 - (Date.now() % 1000)));
  const status = await replaceFile(slow, path, [bytes("one"), bytes("two")]);
  expect(status).toEqual("Deno" in globalThis ? undefined : lstatSync(path));
  const meddling = (meddle: () => void): Files => ({
    ...slow,
    async rename(from, to) {
      await nodeFiles.rename(from, to);
      meddle();
    },
  });
  for (const meddle of [
    () => writeFileSync(path, "other", { flag: "r+" }),
    () => {
      writeFileSync(`${path}.other`, "onetwo");
      renameSync(`${path}.other`, path);
    },
    () => unlinkSync(path),
  ])
    expect(await replaceFile(meddling(meddle), path, bytes("onetwo"))).toBeUndefined();
});

/** Deno shows other processes only with --allow-all, and then nothing is swept. */
const cannotSeeProcesses = { skip: "Deno" in globalThis };

test(
  "temporary files of processes that have ended are swept at once, all others stay",
  cannotSeeProcesses,
  async () => {
    const folder = temporaryFolder("store");
    const running = temporaryName();
    /** Pid and start time as in a name of ours, changed by `change`. */
    const other = (change: (digits: string) => string): string =>
      `.${change(/^\.([0-9a-f]{16})\.tmp$/.exec(running)![1]!)}.tmp`;
    const ended = spawnSync(process.execPath, ["-e", "process.stdout.write(String(process.pid))"]);
    const endedPid = Number(ended.stdout).toString(16).padStart(6, "0");
    const abandoned = [
      other((digits) => endedPid + digits.slice(6)),
      // The pid is in use again, by a process that started at another time.
      other((digits) => digits.slice(0, 6) + (digits[6] === "0" ? "1" : "0") + digits.slice(7)),
      ".000000abcdef0000.tmp",
    ];
    const kept = [running, ".notes.tmp", "a.tmp", ".0123.tmp"];
    for (const part of ["configuration", "apps", "backup"]) {
      mkdirSync(join(folder, part));
      for (const name of [...abandoned, ...kept, "a.json"]) writeFileSync(join(folder, part, name), "x");
    }
    writeFileSync(join(folder, "deploy.json.tmp"), "x");
    writeFileSync(join(folder, "deploy.json"), "x");
    await sweepProjects(folder);
    await sweepBlobs(join(folder, "apps"));
    await sweepBlobs(join(folder, "none"));
    expect(readdirSync(folder).sort()).toEqual(["apps", "backup", "configuration", "deploy.json"]);
    for (const part of ["configuration", "apps", "backup"]) {
      expect(readdirSync(join(folder, part)).sort()).toEqual([...kept, "a.json"].sort());
    }
  },
);

test("an application is no part of a backup, of what is deployed, and of its copies", async () => {
  const folder = temporaryFolder("store");
  const app = newApp({ projects: storeIn(folder), blobStore: nodeBlobStore(join(folder, "apps")) });
  await app.json("PUT", "/project/a");
  await app.json("PUT", "/apps/plotter", bytes("bytes of the plotter"));
  await app.json("PUT", "/project/a/deploy");
  expect(await (await app.request("/project/a/backup")).text()).not.toContain("plotter");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const copies = files.filter(({ name }) => /^deploy\.json-/.test(name));
  expect(copies).toHaveLength(1);
  const withPlotter = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => /plotter/.test(path + readFileSync(path, "utf8")));
  expect(withPlotter).toEqual([join(folder, "apps/plotter")]);
});

test("copies of the deployed file are listed as they were made, also under a wrong clock", async () => {
  const folder = temporaryFolder("store");
  mkdirSync(join(folder, "backup"));
  const names = ["2031-01-01_00-00-00", "1970-01-01_00-00-10", "2026-11-21_08-14-26"];
  for (const [place, name] of names.entries()) {
    const path = join(folder, "backup", `deploy.json-${name}`);
    writeFileSync(path, name);
    utimesSync(path, 1000 - place, 1000 - place);
  }
  const store = nodeProjectStore({ folder, templates: join(folder, "none") });
  expect((await store.backups()).map(({ name }) => name)).toEqual(names);
});

test("temporary names are short, hidden and each another one", () => {
  const names = Array.from({ length: 1000 }, temporaryName);
  for (const name of names) expect(name).toMatch(/^\.[0-9a-f]{16}\.tmp$/);
  expect(new Set(names).size).toBe(1000);
});

test("static files: nothing hidden, nothing outside, nothing that is no file", async () => {
  const folder = temporaryFolder("store");
  const root = join(folder, "root");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(folder, "secret"), "secret");
  writeFileSync(join(root, "index.html"), "index");
  writeFileSync(join(root, ".hidden"), "hidden");
  symlinkSync("../secret", join(root, "out"));
  symlinkSync("index.html", join(root, "in"));
  symlinkSync("..", join(root, "up"));
  const files = nodeStaticFiles(root);
  const read = async (...path: string[]): Promise<string | undefined> => {
    const content = await files.read(path);
    return content && Buffer.from(content).toString();
  };
  expect([await read("index.html"), await read("in")]).toEqual(["index", "index"]);
  for (const path of [
    ["none"],
    ["sub"],
    ["out"],
    ["up", "secret"],
    [".hidden"],
    ["..", "secret"],
    ["index.html", "x"],
    ["a".repeat(300)],
  ]) {
    expect(await read(...path)).toBeUndefined();
  }
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockFolder } from "../../../../src/adapters/node/files/folder-lock.ts";
import { bundled } from "../../../support/bundled.ts";
import { endsWithTest } from "../../../support/ends-with-test.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const root = temporaryFolder("lock");
const USE = "hub-x --state";
const inUse = (path: string, pid?: number) => `${path}: in use by another ${USE}${pid ? `, process ${pid}` : ""}`;

/** A lock that ends with the test. */
async function locked(folder: string, use = USE) {
  const lock = (await lockFolder(folder, use))!;
  onTestFinished(() => void lock.close());
  return lock;
}

test("a folder is made, and locked for one use at a time, by whatever path", async () => {
  const [folder, link] = [join(root, "made", "one"), join(root, "link")];
  const lock = await locked(folder);
  symlinkSync(folder, link);
  await expect(lockFolder(folder, USE)).rejects.toThrow(inUse(folder, process.pid));
  await expect(lockFolder(link, USE)).rejects.toThrow(inUse(link, process.pid));
  await locked(folder, "hub-x --queue");
  await locked(join(root, "made"));
  expect(readdirSync(folder)).toEqual([]);
  await new Promise((closed) => lock.close(closed));
  await locked(link);
});

test("a process that is killed leaves nothing; one that is suspended has the folder still", async () => {
  const folder = join(root, "killed");
  const program = await bundled(
    mkdtempSync(join(root, "program-")),
    `import { lockFolder } from "./src/adapters/node/files/folder-lock.ts";
     await lockFolder(${JSON.stringify(folder)}, ${JSON.stringify(USE)});
     process.stdout.write("locked");
     setInterval(() => {}, 1000);`,
  );
  const owner = endsWithTest(spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] }));
  await once(owner.stdout!, "data");
  await expect(lockFolder(folder, USE)).rejects.toThrow(inUse(folder, owner.pid));
  owner.kill("SIGSTOP");
  await expect(lockFolder(folder, USE)).rejects.toThrow(new Error(inUse(folder)));
  owner.kill("SIGKILL");
  await once(owner, "exit");
  await locked(folder);
});

test("without a folder there is no lock; what an owner says that is no process id is not repeated", async () => {
  expect(await lockFolder("/proc/none", USE)).toBeUndefined();
  const folder = join(root, "odd");
  const lock = await locked(folder);
  const address = lock.address() as string;
  await new Promise((closed) => lock.close(closed));
  const other = createServer((socket) => socket.on("error", () => {}).end("12\u001b[31m".repeat(1000)));
  other.listen({ path: address });
  await once(other, "listening");
  onTestFinished(() => void other.close());
  await expect(lockFolder(folder, USE)).rejects.toThrow(new Error(inUse(folder)));
});

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRegularFile, requireRegularFile } from "../../../../src/adapters/node/files/regular-file.ts";
import { readCredentials } from "../../../../src/adapters/node/mqtt/credentials.ts";
import { readTlsFiles } from "../../../../src/adapters/node/tls-files.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const folder = temporaryFolder("regular-file");

const inFolder = (name: string, make: (path: string) => void): string => {
  const path = join(folder, name);
  make(path);
  return path;
};
const fifo = inFolder("fifo", (path) => void spawnSync("mkfifo", [path]));
const directory = inFolder("directory", (path) => mkdirSync(path));
const loop = inFolder("loop", (path) => symlinkSync("loop", path));
const zero = inFolder("zero", (path) => symlinkSync("/dev/zero", path));
const file = inFolder("file", (path) => writeFileSync(path, "content"));
const link = inFolder("link", (path) => symlinkSync("file", path));
/** Sparse: it takes no room on the disk. */
const huge = inFolder("huge", (path) => {
  writeFileSync(path, "", { mode: 0o600 });
  truncateSync(path, 2 ** 29 - 23);
});

test.each([
  ["a FIFO", fifo],
  ["a device", "/dev/zero"],
  ["a link to a device", zero],
  ["a directory", directory],
])("%s is no file, and is not waited for", async (_, path) => {
  expect(await readRegularFile(path)).toBeUndefined();
  expect(await readRegularFile(path, { follow: true })).toBeUndefined();
  await expect(requireRegularFile(path, 1000)).rejects.toThrow(`${path}: not a regular file`);
  await expect(readCredentials(path)).rejects.toThrow(`${path}: not a regular file`);
  for (const kind of ["ca", "cert", "key"]) {
    await expect(readTlsFiles({ [kind]: path })).rejects.toThrow(`${path}: not a regular file`);
  }
});

test("a link is followed only where that is asked for", async () => {
  expect(await readRegularFile(link)).toBeUndefined();
  expect(String(await readRegularFile(link, { follow: true }))).toBe("content");
  expect(await readRegularFile(loop)).toBeUndefined();
  await expect(readRegularFile(loop, { follow: true })).rejects.toMatchObject({ code: "ELOOP" });
});

test("requireRegularFile gives the content and the permission bits", async () => {
  chmodSync(file, 0o640);
  const { bytes, mode } = await requireRegularFile(link, 7);
  expect([String(bytes), mode]).toEqual(["content", 0o640]);
  await expect(requireRegularFile(join(folder, "none"), 7)).rejects.toThrow(/ENOENT.*none/);
});

test("a file beyond the limit is refused before it is read", async () => {
  const before = process.memoryUsage.rss();
  await expect(readRegularFile(huge)).rejects.toMatchObject({ code: "EFBIG", errno: -27 });
  await expect(readCredentials(huge)).rejects.toThrow(/EFBIG: .*huge has 536870889 bytes, more than 65536/);
  await expect(readTlsFiles({ ca: huge })).rejects.toThrow(/more than 1048576/);
  expect(process.memoryUsage.rss() - before).toBeLessThan(50e6);
  await expect(readRegularFile(file, { maxBytes: 6 })).rejects.toMatchObject({ code: "EFBIG" });
  expect(String(await readRegularFile(file, { maxBytes: 7 }))).toBe("content");
});

/**
 * Files that are whole or not there, whenever the power goes: written beside their place, synced, renamed into it, and the
 * folder synced, before anybody is told. What a crash leaves behind is a temporary file with a leading dot.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readFile, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { failedWith } from "./system-errors.ts";

/** What of Node's file system changes go through; a test's own may fail at any step. */
export type Files = Pick<typeof promises, "open" | "rename" | "unlink" | "mkdir" | "readdir" | "stat">;

export const nodeFiles: Files = promises;

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
const HOUR_MS = 3_600_000;
const SMALL = 128 << 10;

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/**
 * A name for a file on its way, short so that it fits where a long name does. Web Crypto is there when it is first asked for;
 * importing `node:crypto` would cost a tenth of the time to start.
 */
const temporaryName = (): string => `.${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}.tmp`;

export interface ReadOptions {
  /** Whether a link is followed. Default: it counts as nothing. */
  readonly follow?: boolean;
}

/**
 * The bytes of a regular file; undefined for anything else and for nothing.
 *
 * Opening is done at once and so is reading a small file: that takes some ten microseconds, each way to the thread pool and
 * back several times as many.
 */
export async function readRegularFile(
  path: string,
  { follow = false }: ReadOptions = {},
): Promise<Uint8Array | undefined> {
  let file: number;
  try {
    // Deno resolves links itself where its permissions are limited, and then O_NOFOLLOW finds none to refuse.
    if (!follow && lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    // Without O_NONBLOCK a pipe of that name would be waited for.
    file = openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  } catch (error) {
    if (failedWith(error, "ENOENT", "ENAMETOOLONG", "ENXIO") || (!follow && failedWith(error, "ELOOP")))
      return undefined;
    throw error;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile()) return undefined;
    return status.size <= SMALL ? readSmall(file, status.size) : await readAll(file);
  } finally {
    closeSync(file);
  }
}

function readSmall(file: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(file, bytes, length, size - length, null);
  return bytes.subarray(0, length);
}

const readAll = promisify(readFile) as (file: number) => Promise<Uint8Array>;

/** Puts a file in its place, whatever was there. `temporary`: its name on the way, if the name is promised to others. */
export async function replaceFile(
  files: Files,
  path: string,
  bytes: Uint8Array,
  { temporary = temporaryName() } = {},
): Promise<void> {
  const folder = dirname(path);
  const beside = join(folder, temporary);
  try {
    const handle = await files.open(beside, "wx", FILE_MODE);
    try {
      // Whatever the umask of whoever started us.
      await handle.chmod(FILE_MODE);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await files.rename(beside, path);
  } catch (error) {
    if (!failedWith(error, "EEXIST")) await files.unlink(beside).catch(() => {});
    throw error;
  }
  await syncFolder(files, folder);
}

/** Moves a file within its folder, over whatever has that name. */
export async function moveFile(files: Files, from: string, to: string): Promise<void> {
  await files.rename(from, to);
  await syncFolder(files, dirname(to));
}

export async function removeFile(files: Files, path: string): Promise<void> {
  await files.unlink(path);
  await syncFolder(files, dirname(path));
}

export async function syncFolder(files: Files, path: string): Promise<void> {
  const handle = await files.open(path, O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts a file in its place, as `replaceFile` does; its folder is made if it is not there. */
export async function placeFile(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(files, path, bytes);
  } catch (error) {
    if (!failedWith(error, "ENOENT")) throw error;
    await ensureFolder(files, dirname(path));
    await replaceFile(files, path, bytes);
  }
}

/** Makes a folder if it is not there; its parent has to be. */
export async function ensureFolder(files: Files, path: string): Promise<void> {
  try {
    await files.mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    if (failedWith(error, "EEXIST")) return;
    throw error;
  }
  const handle = await files.open(path, O_RDONLY);
  try {
    await handle.chmod(FOLDER_MODE);
  } finally {
    await handle.close();
  }
  await syncFolder(files, dirname(path));
}

/** Names of the regular files in a folder that match; none if there is no folder. */
export async function regularFiles(files: Files, folder: string, pattern: RegExp): Promise<readonly string[]> {
  try {
    const entries = await files.readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && pattern.test(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (failedWith(error, "ENOENT")) return [];
    throw error;
  }
}

/** Removes what crashes have left in a folder: temporary files older than an hour at `now`, in milliseconds since 1970. */
export async function sweep(files: Files, folder: string, now: number): Promise<void> {
  for (const name of await regularFiles(files, folder, /^\..*\.tmp$/)) {
    const path = join(folder, name);
    const { mtimeMs } = await files.stat(path);
    if (now - mtimeMs > HOUR_MS) await files.unlink(path);
  }
}

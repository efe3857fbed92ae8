/**
 * Files that are complete or absent after a power cut: they are written under a temporary name, synced and renamed, and
 * the folder is synced, before the promise resolves. A crash leaves at worst a temporary file, which the next start
 * removes (`sweep`).
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  ftruncate,
  lstatSync,
  openSync,
  promises,
  type Stats,
  writeFile,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { failedWith, noneIfGone } from "../system-errors.ts";
import { isAbandoned, temporaryName } from "./temporary-name.ts";

/**
 * The calls that change files; tests pass failing ones. Calls that wait for the medium use the thread pool; the others
 * take microseconds, less than the thread pool itself.
 */
export interface Files extends Pick<typeof promises, "rename" | "link" | "unlink" | "mkdir" | "readdir"> {
  readonly open: (path: string, flags: string | number, mode?: number) => number;
  readonly chmod: (descriptor: number, mode: number) => void;
  readonly write: (descriptor: number, bytes: Uint8Array) => Promise<void> | void;
  readonly sync: (descriptor: number) => Promise<void>;
  readonly truncate: (descriptor: number, length: number) => Promise<void>;
  readonly close: (descriptor: number) => void;
}

/** Maximum length of content that is written synchronously. */
const SYNC_WRITE_BYTES = 128 << 10;

const writeLong = promisify(writeFile);

export const nodeFiles: Files = {
  open: openSync,
  chmod: fchmodSync,
  write: (descriptor, bytes) =>
    bytes.length > SYNC_WRITE_BYTES ? writeLong(descriptor, bytes) : writeFileSync(descriptor, bytes),
  sync: promisify(fsync),
  truncate: promisify(ftruncate),
  close: closeSync,
  rename: promises.rename,
  link: promises.link,
  unlink: promises.unlink,
  mkdir: promises.mkdir,
  readdir: promises.readdir,
};

/** Chunks are written as they arrive, the first one after the file is open. */
export type Content = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
const { O_RDONLY } = constants;

interface ReplaceOptions {
  /** The name until the file is complete, if a document fixes one. */
  readonly temporary?: string;
  readonly open?: typeof openNew;
  readonly mode?: number;
}

/**
 * Writes a file in place of any file of that name. Resolves with the status of the file if every later change will show
 * in it.
 */
export async function replaceFile(
  files: Files,
  path: string,
  bytes: Content,
  options?: ReplaceOptions,
): Promise<Stats | undefined> {
  const status = await exchangeFile(files, path, bytes, options);
  await syncFolder(files, dirname(path));
  return status;
}

/** Writes a file as `replaceFile` does; its name is durable after the folder is synced, once for many files. */
export async function exchangeFile(
  files: Files,
  path: string,
  bytes: Content,
  { temporary = temporaryName(), open = openNew, mode = FILE_MODE }: ReplaceOptions = {},
): Promise<Stats | undefined> {
  const beside = join(dirname(path), temporary);
  let status: Stats | undefined;
  try {
    const written = await writeNewFile(files, beside, bytes, open, mode);
    await files.rename(beside, path);
    status = tellingStatus(path, written);
  } catch (error) {
    if (!failedWith(error, "EEXIST")) await files.unlink(beside).catch(() => {});
    throw error;
  }
  return status;
}

/**
 * A write gives a file the time of the clock's latest tick twice, a rename only as change time. If the two differ, as
 * after the sync of a large file, a write in the tick of the rename shows in one of them, and a write in a later tick
 * in both.
 */
function tellingStatus(path: string, written: Stats): Stats | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  const isOurs = status?.ino === written.ino && status.mtimeMs === written.mtimeMs && status.size === written.size;
  return isOurs && status.ctimeMs > status.mtimeMs ? status : undefined;
}

/**
 * Writes and syncs a file that must not exist; its name is durable after the folder is synced. Resolves with its
 * status.
 */
export async function writeNewFile(
  files: Files,
  path: string,
  content: Content,
  open = openNew,
  mode = FILE_MODE,
): Promise<Stats> {
  const file = await open(files, path);
  try {
    // open() applies the umask.
    files.chmod(file, mode);
    if (content instanceof Uint8Array) await files.write(file, content);
    else for await (const chunk of content) await files.write(file, chunk);
    await files.sync(file);
    return fstatSync(file);
  } finally {
    files.close(file);
  }
}

async function openNew(files: Files, path: string): Promise<number> {
  return files.open(path, "wx", FILE_MODE);
}

/**
 * Changes a file; if that fails, puts back its content before, because a change may be on the medium though its folder
 * cannot be synced.
 */
export async function changeOrRestore(
  files: Files,
  path: string,
  before: Uint8Array | undefined,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    const restored = before === undefined ? removeIfThere(files, path) : replaceFile(files, path, before);
    // The first failure is the one that is told.
    await restored.catch(() => {});
    throw error;
  }
}

/** Renames a file within its folder, in place of any file of that name. */
export async function moveFile(files: Files, from: string, to: string): Promise<void> {
  await files.rename(from, to);
  await syncFolder(files, dirname(to));
}

/** Gives a file a second name in its folder, in place of any file of that name. */
export async function linkFile(files: Files, path: string, second: string): Promise<void> {
  const folder = dirname(second);
  const beside = join(folder, temporaryName());
  await files.link(path, beside);
  try {
    await files.rename(beside, second);
  } finally {
    // A rename leaves both names if both are of one file.
    await removeIfThere(files, beside);
  }
  await syncFolder(files, folder);
}

export async function removeFile(files: Files, path: string): Promise<void> {
  await files.unlink(path);
  await syncFolder(files, dirname(path));
}

/** Removes a file, or nothing if there is none; the folder is not synced. */
export async function removeIfThere(files: Pick<Files, "unlink">, path: string): Promise<void> {
  await files.unlink(path).catch(noneIfGone);
}

export async function syncFolder(files: Files, path: string): Promise<void> {
  const folder = files.open(path, O_RDONLY);
  try {
    await files.sync(folder);
  } finally {
    files.close(folder);
  }
}

/** Writes a file as `replaceFile` does; makes its folder if it is missing. */
export const placeFile = (files: Files, path: string, bytes: Content): Promise<Stats | undefined> =>
  replaceFile(files, path, bytes, { open: openInFolder });

/** Only the opening is tried again: content that arrives in chunks is there once. */
export async function openInFolder(files: Files, path: string): Promise<number> {
  try {
    return await openNew(files, path);
  } catch (error) {
    if (!failedWith(error, "ENOENT")) throw error;
    await ensureFolder(files, dirname(path));
    return openNew(files, path);
  }
}

/**
 * Makes a folder and those above it if they are missing. Node's `recursive` tries for ever where the file system makes no
 * folders, such as `/proc`.
 */
export async function ensureFolders(files: Files, path: string): Promise<void> {
  await ensureFolder(files, path).catch(async (error: unknown) => {
    const parent = dirname(path);
    if (!failedWith(error, "ENOENT") || parent === path) throw error;
    await ensureFolders(files, parent);
    await ensureFolder(files, path);
  });
}

/** Makes a folder if it is missing; its parent has to exist. */
export async function ensureFolder(files: Files, path: string): Promise<void> {
  try {
    await files.mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    if (failedWith(error, "EEXIST")) return;
    throw error;
  }
  const folder = files.open(path, O_RDONLY);
  try {
    files.chmod(folder, FOLDER_MODE);
  } finally {
    files.close(folder);
  }
  await syncFolder(files, dirname(path));
}

/** Names of the regular files in a folder that match; none if there is no folder. */
export async function regularFiles(files: Files, folder: string, pattern: RegExp): Promise<readonly string[]> {
  const entries = (await files.readdir(folder, { withFileTypes: true }).catch(noneIfGone)) ?? [];
  return entries.filter((entry) => entry.isFile() && pattern.test(entry.name)).map(({ name }) => name);
}

/** Removes the temporary files of processes that have ended. */
export async function sweep(files: Files, folder: string): Promise<void> {
  for (const name of await regularFiles(files, folder, /^\./)) {
    if (isAbandoned(name)) await removeIfThere(files, join(folder, name));
  }
}

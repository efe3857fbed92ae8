/**
 * Keeps copies of the deployed configuration: `deploy.json-2026-11-21_08-14-26`, the newest of them named by the link
 * `last_backup`. Whatever step a crash comes at, copies are whole, and at worst one is made a second time.
 */
import type { Dirent } from "node:fs";
import { promises } from "node:fs";
import { basename, join } from "node:path";
import { ensureFolder, nodeFiles, readRegularFile, replaceFile, syncFolder } from "./durable-files.ts";
import { failedWith } from "./system-errors.ts";

export interface BackupPaths {
  readonly source: string;
  /** Made if it is not there; its parent has to be. */
  readonly folder: string;
}

export interface BackupTime {
  /** Wall clock, milliseconds since 1970. */
  wall(): number;
  wait(milliseconds: number): Promise<void>;
}

const KEPT = 30;
const pointer = "last_backup";
const pointerTemporary = ".last_backup.tmp";
const copyName = /^deploy\.json-\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}$/;
const ownTemporary = /^\.(deploy\.json-[\d_-]+|last_backup)\.tmp$/;

/** Local time, as people on board read the clock. */
export function nameAt(wall: number): string {
  const time = new Date(wall);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `deploy.json-${date}_${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join("-")}`;
}

/**
 * Copies the source if it differs from the newest copy, then prunes: a run that a crash cut short is made good by the next.
 * Without a source nothing is done. `onCopy` hears the path of a new copy before the pruning, which may fail.
 */
export async function keepBackups(
  { source, folder }: BackupPaths,
  time: BackupTime,
  onCopy: (path: string) => void,
): Promise<void> {
  // Read once: what is compared is what is written, whatever is deployed meanwhile.
  const bytes = await readRegularFile(source, { follow: true });
  if (bytes === undefined) return;
  await ensureFolder(nodeFiles, folder);
  const last = await readRegularFile(join(folder, pointer), { follow: true }).catch(() => undefined);
  if (last === undefined || Buffer.compare(last, bytes) !== 0) {
    const name = await freeName(folder, time);
    await replaceFile(nodeFiles, join(folder, name), bytes, { temporary: `.${name}.tmp` });
    await pointTo(folder, name);
    onCopy(join(folder, name));
  }
  await prune(folder);
}

/** A copy is never overwritten, so a second that is taken, by a clock set back perhaps, is waited out. */
async function freeName(folder: string, { wall, wait }: BackupTime): Promise<string> {
  for (;;) {
    const now = wall();
    const name = nameAt(now);
    const names = await promises.readdir(folder);
    // A temporary file of that name is an interrupted run's.
    await removeIfThere(join(folder, `.${name}.tmp`));
    if (!names.includes(name)) return name;
    await wait(1000 - (now % 1000));
  }
}

async function pointTo(folder: string, name: string): Promise<void> {
  const beside = join(folder, pointerTemporary);
  await removeIfThere(beside);
  await promises.symlink(name, beside);
  await promises.rename(beside, join(folder, pointer));
  await syncFolder(nodeFiles, folder);
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await promises.unlink(path);
  } catch (error) {
    if (!failedWith(error, "ENOENT")) throw error;
  }
}

/** Removes copies beyond the newest 30, but never the one the pointer names, and what interrupted runs have left. */
async function prune(folder: string): Promise<void> {
  const entries = await promises.readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
  for (const { name } of files.filter(({ name }) => ownTemporary.test(name))) await removeIfThere(join(folder, name));
  const target = await promises.readlink(join(folder, pointer)).then(basename, () => undefined);
  const copies = await datedCopies(folder, entries);
  for (const { name } of copies.slice(KEPT)) {
    if (name !== target) await removeIfThere(join(folder, name));
  }
}

/** Copies in a folder, newest first by modification time, by name where that is one. */
async function datedCopies(folder: string, entries: readonly Dirent[]): Promise<readonly { readonly name: string }[]> {
  const copies: { name: string; mtime: bigint }[] = [];
  for (const { name } of entries.filter((entry) => entry.isFile() && copyName.test(entry.name))) {
    const { mtimeNs } = await promises.lstat(join(folder, name), { bigint: true });
    copies.push({ name, mtime: mtimeNs });
  }
  return copies.sort((one, other) =>
    one.mtime === other.mtime ? (one.name < other.name ? 1 : -1) : one.mtime < other.mtime ? 1 : -1,
  );
}

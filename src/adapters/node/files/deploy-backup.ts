/**
 * Keeps copies of the deployed configuration: `deploy.json-2026-11-21_08-14-26`. The daily ones have a folder, in which
 * the link `last_backup` names the newest, and those of deployments another, in which the second copy of a second ends
 * in `-2`. Copies are complete, at whatever step a crash or another run happens; at worst a copy is made twice. A name
 * has the time of the computer's clock, which may be wrong by years; the modification time of a copy is later than that
 * of every copy before it.
 */
import { type BigIntStats, type Dirent, promises } from "node:fs";
import { basename, join } from "node:path";
import { failedWith, noneIfGone } from "../system-errors.ts";
import { ensureFolder, nodeFiles, removeIfThere, syncFolder, writeNewFile } from "./durable-files.ts";
import { readRegularFile } from "./regular-file.ts";
import { isAbandoned, temporaryName } from "./temporary-name.ts";

export interface BackupPaths {
  readonly source: string;
  /** Folder of the copies, made if it is missing; its parent has to exist. */
  readonly folder: string;
  /** The folder of the other copies, which are in one order with these. */
  readonly beside?: string;
}

export interface BackupTime {
  /** Wall clock, milliseconds since 1970. */
  wall(): number;
  wait(milliseconds: number): Promise<void>;
}

const RETAINED_COPIES = 30;
const pointer = "last_backup";
const copyName = /^deploy\.json-\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}(?:-\d+)?$/;
/** Temporary files of version 1.0.0. */
const formerTemporary = /^\.(deploy\.json-[\d_-]+|last_backup)\.tmp$/;

/** Local time, as people on board read the clock. */
export function nameAt(wall: number): string {
  const time = new Date(wall);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `deploy.json-${date}_${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join("-")}`;
}

/**
 * Copies the source if it differs from the newest copy, then prunes, which completes an interrupted run too. Does
 * nothing without a source. `onCopy` gets the path of a new copy before the pruning, which may fail.
 */
export async function keepBackups(
  { source, folder, beside = folder }: BackupPaths,
  time: BackupTime,
  onCopy: (path: string) => void = () => {},
): Promise<void> {
  // The file is read once, so that the compared bytes are written even if another project is deployed meanwhile.
  const bytes = await readRegularFile(source, { follow: true });
  if (bytes === undefined) return;
  await ensureFolder(nodeFiles, folder);
  const copy = await addCopy([folder, beside], bytes, time);
  if (copy !== undefined) onCopy(join(folder, copy));
  await sweepBackups(folder);
  await prune(folder);
}

const [SECOND_MS, QUARTER_MS, GREATEST_OFFSET_MS] = [1000, 15 * 60_000, 14 * 3_600_000];

/**
 * When a copy was made. The name has the local time, and the modification time tells of which zone, because a boat
 * changes hers; where the two have nothing to do with one another, the zone is that of today.
 */
export function timeOf({ name, mtime }: Pick<DatedCopy, "name" | "mtime">): Date {
  const [year, month, day, hours, minutes, seconds] = name.match(/\d+/g)!.map(Number);
  const time = [year!, month! - 1, day, hours, minutes, seconds] as const;
  const ahead = Date.UTC(...time) - Number(mtime / 1_000_000n);
  const offset = Math.round(ahead / QUARTER_MS) * QUARTER_MS;
  // Each further copy of a second is a second later.
  const isOfZone = Math.abs(offset) <= GREATEST_OFFSET_MS && Math.abs(ahead - offset) < 5 * SECOND_MS;
  return isOfZone ? new Date(Date.UTC(...time) - offset) : new Date(...time);
}

/** Copies the source, when it is deployed, if it differs from the newest copy of a deployment, then prunes. */
export async function keepDeployment(
  { source, folder, beside = folder }: BackupPaths,
  wall: () => number,
): Promise<void> {
  const bytes = await readRegularFile(source, { follow: true });
  if (bytes === undefined) return;
  await ensureFolder(nodeFiles, folder);
  const [newest] = await copiesIn(folder);
  if (newest !== undefined && (await hasBytes(join(folder, newest.name), bytes))) return;
  const now = wall();
  const name = nameAt(now);
  for (let count = 1; !(await placeCopy([folder, beside], count === 1 ? name : `${name}-${count}`, bytes, now)); )
    count += 1;
  await prune(folder);
}

/** Removes files and links of interrupted runs; does nothing if there is no folder. */
export async function sweepBackups(folder: string): Promise<void> {
  const files = (await entriesOf(folder)).filter((entry) => entry.isFile() || entry.isSymbolicLink());
  const leftovers = files.filter(({ name }) => isAbandoned(name) || formerTemporary.test(name));
  for (const { name } of leftovers) await removeIfThere(nodeFiles, join(folder, name));
}

/** Adds a copy unless the newest has these bytes; returns its name. */
async function addCopy(folders: Folders, bytes: Uint8Array, { wall, wait }: BackupTime): Promise<string | undefined> {
  const [folder] = folders;
  for (;;) {
    if (await hasBytes(join(folder, pointer), bytes)) return undefined;
    const now = wall();
    const name = nameAt(now);
    if (await placeCopy(folders, name, bytes, now)) {
      await pointTo(folder, name);
      return name;
    }
    // Another run made a copy in this second, or the clock was set back.
    await wait(1000 - (now % 1000));
  }
}

async function hasBytes(copy: string, bytes: Uint8Array): Promise<boolean> {
  const last = await readRegularFile(copy, { follow: true, maxBytes: bytes.length }).catch(() => undefined);
  return last !== undefined && Buffer.compare(last, bytes) === 0;
}

/** The folder of a copy, and that of the others. */
type Folders = readonly [folder: string, beside: string];

/**
 * Writes a copy; false if there is one of that name, in either folder, because copies are asked for by name. A link,
 * unlike a rename, never replaces a file.
 */
async function placeCopy([folder, beside]: Folders, name: string, bytes: Uint8Array, now: number): Promise<boolean> {
  const isIn = async (place: string): Promise<boolean> => (await statusOf(join(place, name))) !== undefined;
  if ((await isIn(folder)) || (await isIn(beside))) return false;
  const temporary = join(folder, temporaryName());
  try {
    await writeNewFile(nodeFiles, temporary, bytes);
    const [newest] = await copiesOf([folder, beside]);
    const modified = Math.max(now / 1000, newest === undefined ? 0 : Number(newest.mtime / 1_000_000_000n) + 1);
    await promises.utimes(temporary, modified, modified);
    await promises.link(temporary, join(folder, name));
    // Another run may have placed a copy of this name beside it at the same time; then both go on to other names.
    if (beside !== folder && (await isIn(beside))) {
      await removeIfThere(nodeFiles, join(folder, name));
      return false;
    }
  } catch (error) {
    if (failedWith(error, "EEXIST")) return false;
    throw error;
  } finally {
    await removeIfThere(nodeFiles, temporary);
  }
  await syncFolder(nodeFiles, folder);
  return true;
}

async function pointTo(folder: string, name: string): Promise<void> {
  const temporary = join(folder, temporaryName());
  try {
    await promises.symlink(name, temporary);
    await promises.rename(temporary, join(folder, pointer));
  } finally {
    await removeIfThere(nodeFiles, temporary);
  }
  await syncFolder(nodeFiles, folder);
}

/** Removes the copies beyond the newest 30, but never the one to which the link leads. */
async function prune(folder: string): Promise<void> {
  const entries = await promises.readdir(folder, { withFileTypes: true });
  const target = await promises.readlink(join(folder, pointer)).then(basename, () => undefined);
  const copies = await datedCopies(folder, entries);
  for (const { name } of copies.slice(RETAINED_COPIES)) {
    if (name !== target) await removeIfThere(nodeFiles, join(folder, name));
  }
}

export interface DatedCopy {
  readonly name: string;
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtime: bigint;
}

/** The copies in a folder, the newest first; none if there is no folder. */
const copiesIn = async (folder: string): Promise<readonly DatedCopy[]> => datedCopies(folder, await entriesOf(folder));

/** The copies of several folders in one order. */
export const copiesOf = async (folders: readonly string[]): Promise<readonly DatedCopy[]> =>
  (await Promise.all(folders.map(copiesIn))).flat().sort(newestFirst);

/** Nothing if there is no folder. */
const entriesOf = async (folder: string): Promise<readonly Dirent[]> =>
  (await promises.readdir(folder, { withFileTypes: true }).catch(noneIfGone)) ?? [];

/** Copies in a folder, newest first by modification time, then by name. */
async function datedCopies(folder: string, entries: readonly Dirent[]): Promise<readonly DatedCopy[]> {
  const copies: DatedCopy[] = [];
  for (const { name } of entries.filter((entry) => entry.isFile() && copyName.test(entry.name))) {
    const status = await statusOf(join(folder, name));
    if (status !== undefined) copies.push({ name, size: Number(status.size), mtime: status.mtimeNs });
  }
  return copies.sort(newestFirst);
}

/** By modification time, then by name, in which the tenth copy of a second comes after the second. */
function newestFirst(one: DatedCopy, other: DatedCopy): number {
  if (one.mtime !== other.mtime) return one.mtime < other.mtime ? 1 : -1;
  return other.name.localeCompare(one.name, "en", { numeric: true });
}

/** Status of a file, links not followed; undefined if there is none, because another run may have pruned it. */
const statusOf = (path: string): Promise<BigIntStats | undefined> =>
  promises.lstat(path, { bigint: true }).catch(noneIfGone);

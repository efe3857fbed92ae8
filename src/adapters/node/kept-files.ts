/**
 * Files that are read again and again. As long as one holds the same bytes the same array is given, so that whoever has worked
 * on them need not do it again; and it is read only when the system says that it may be another.
 *
 * A change, by whomever, gives a file another change time (ctime), which no program can set, or another inode. The clock of
 * these times has coarse ticks, though: a file that has just been changed may be changed once more without a trace. So what is
 * kept counts only if the last change was long over when the file was read, as git has it for its index.
 */
import { lstatSync, type Stats, statSync } from "node:fs";
import { type ReadOptions, readRegularFile } from "./durable-files.ts";

/** So many are kept, those that were read last; a boat has a project or two. */
const FILES = 8;
const LARGEST_BYTES = 64 << 10;
/** Longer than the ticks of any file system; FAT's are two seconds. */
const TICK_MS = 3000;

interface Kept {
  readonly bytes: Uint8Array;
  readonly status: Stats;
  /** Whether any change since then shows in the status. */
  readonly isSettled: boolean;
}

/** As `readRegularFile`; the arrays that it gives are nobody's to change. */
export function keptFiles(): (path: string, options?: ReadOptions) => Promise<Uint8Array | undefined> {
  const kept = new Map<string, Kept>();
  return async (path, options) => {
    const before = kept.get(path);
    const now = Date.now();
    // Taken before reading, so that a change in between is seen the next time.
    const status = statusOf(path, options);
    if (before?.isSettled && status !== undefined && isSame(status, before.status)) return before.bytes;
    const read = await readRegularFile(path, options);
    const isKnown = before !== undefined && read !== undefined && Buffer.compare(read, before.bytes) === 0;
    const bytes = isKnown ? before.bytes : read;
    kept.delete(path);
    if (status !== undefined && bytes !== undefined && bytes.length <= LARGEST_BYTES) {
      if (kept.size === FILES) kept.delete(kept.keys().next().value!);
      kept.set(path, { bytes, status, isSettled: now - status.ctimeMs > TICK_MS });
    }
    return bytes;
  };
}

const noError = { throwIfNoEntry: false } as const;

/** What the system says of a file; undefined if nothing, and then reading will tell why. */
function statusOf(path: string, { follow = false }: ReadOptions = {}): Stats | undefined {
  try {
    return (follow ? statSync : lstatSync)(path, noError);
  } catch {
    return undefined;
  }
}

const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino &&
  one.ctimeMs === other.ctimeMs &&
  one.mtimeMs === other.mtimeMs &&
  one.size === other.size &&
  one.dev === other.dev;

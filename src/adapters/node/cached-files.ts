/**
 * A reader of files that caches their bytes. An unchanged file gives the same array again, by which callers memoize their work.
 *
 * Every change gives a file another change time (ctime), which no program can set, or another inode. The clock of these times has
 * coarse ticks, so a file that was just changed may change once more without a trace: as in git's index, a cached file counts
 * only if its last change was long over when it was read.
 */
import { lstatSync, type Stats, statSync } from "node:fs";
import { type ReadOptions, readRegularFile } from "./regular-file.ts";

/** The files that were read last; a boat has a project or two. */
const MAX_FILES = 8;
const MAX_BYTES = 64 << 10;
/** Longer than the ticks of any file system; FAT's are two seconds. */
const TICK_MS = 3000;

interface CachedFile {
  readonly bytes: Uint8Array;
  readonly status: Stats;
  /** True if any later change shows in the status. */
  readonly isSettled: boolean;
}

/** As `readRegularFile`; callers must not change the arrays. */
export function cachedFileReader(): (path: string, options?: ReadOptions) => Promise<Uint8Array | undefined> {
  const cached = new Map<string, CachedFile>();
  return async (path, options) => {
    const before = cached.get(path);
    const now = Date.now();
    // Taken before reading, so that a change in between is seen the next time.
    const status = statusOf(path, options);
    if (before?.isSettled && status !== undefined && isSame(status, before.status)) return before.bytes;
    const read = await readRegularFile(path, options);
    const isKnown = before !== undefined && read !== undefined && Buffer.compare(read, before.bytes) === 0;
    const bytes = isKnown ? before.bytes : read;
    cached.delete(path);
    if (status !== undefined && bytes !== undefined && bytes.length <= MAX_BYTES) {
      if (cached.size === MAX_FILES) cached.delete(cached.keys().next().value!);
      cached.set(path, { bytes, status, isSettled: now - status.ctimeMs > TICK_MS });
    }
    return bytes;
  };
}

const noError = { throwIfNoEntry: false } as const;

/** The status of a file; undefined if there is none, and reading tells why. */
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

/**
 * A reader of files that caches their bytes. For an unchanged file it returns the same list, by which callers memoize
 * their work.
 *
 * Every change gives a file another change time (ctime), which no program can set, or another inode. The clock of these
 * times has coarse ticks, so a file that was just changed may change again within the same tick: as in git's index, a
 * cached file counts only if its last change was older than a tick when it was read. Until then it is read again and
 * compared, without a new array. A file that was written here counts at once if its status will show every later
 * change.
 */
import { lstatSync, type Stats, statSync } from "node:fs";
import { attempt } from "../../../core/util/attempt.ts";
import { lengthOf, type Pieces } from "../../../core/util/bytes.ts";
import { type ReadOptions, readPieces } from "./regular-file.ts";

/** Maximum files in the cache; a boat has a project or two, with some photos. */
const MAX_FILES = 8;
const MAX_BYTES = 32 << 20;
/** Longer than the ticks of any file system; FAT's are two seconds. */
const TICK_MS = 3000;

interface CachedFile {
  readonly bytes: Pieces;
  /** Undefined if any later change shows in the status. */
  readonly settled: Stats | undefined;
}

export interface CachedFileReader {
  /** As `readRegularFile`, but in pieces: one, or the remembered ones. Callers must not change them. */
  (path: string, options?: ReadOptions): Promise<Pieces | undefined>;
  /**
   * Remembers the bytes that have been written to a file: the next read returns this list if the file still has its
   * content; while the status is `settled`, that is known without reading.
   */
  remember(path: string, bytes: Pieces, settled?: Stats): void;
}

export function cachedFileReader(): CachedFileReader {
  const cached = new Map<string, CachedFile>();
  /** The last read of each file. A read waits for the one before, so that there is only one array of a file. */
  const reads = new Map<string, Promise<unknown>>();

  const enter = (path: string, file: CachedFile): void => {
    cached.delete(path);
    cached.set(path, file);
    let bytes = [...cached.values()].reduce((sum, file) => sum + lengthOf(file.bytes), 0);
    for (const [oldest, file] of cached) {
      if (cached.size <= MAX_FILES && bytes <= MAX_BYTES) break;
      cached.delete(oldest);
      bytes -= lengthOf(file.bytes);
    }
  };

  const read = async (path: string, options: ReadOptions): Promise<Pieces | undefined> => {
    const known = cached.get(path);
    const now = Date.now();
    // The status is taken before reading, so that a change in between is noticed the next time.
    const status = statusOf(path, options);
    if (known?.settled !== undefined && status !== undefined && isSame(status, known.settled)) return known.bytes;
    const bytes = await readPieces(path, options, known?.bytes);
    if (status === undefined || bytes === undefined) cached.delete(path);
    else enter(path, { bytes, settled: now - status.ctimeMs > TICK_MS ? status : undefined });
    return bytes;
  };

  const inTurn = async (path: string, options: ReadOptions = {}): Promise<Pieces | undefined> => {
    const before = reads.get(path);
    const reading = before === undefined ? read(path, options) : before.then(() => read(path, options));
    const over = reading.catch(() => {});
    reads.set(path, over);
    try {
      return await reading;
    } finally {
      if (reads.get(path) === over) reads.delete(path);
    }
  };

  return Object.assign(inTurn, {
    remember: (path: string, bytes: Pieces, settled?: Stats) => enter(path, { bytes, settled }),
  });
}

const noError = { throwIfNoEntry: false } as const;

/** The status of a file; undefined if there is none; reading then throws the reason. */
const statusOf = (path: string, { follow = false }: ReadOptions): Stats | undefined =>
  attempt(() => (follow ? statSync : lstatSync)(path, noError));

const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino &&
  one.ctimeMs === other.ctimeMs &&
  one.mtimeMs === other.mtimeMs &&
  one.size === other.size &&
  one.dev === other.dev;

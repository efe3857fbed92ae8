/** The free space of the disks that hub's daemons write to, measured at intervals. */
import { statfs } from "node:fs/promises";
import type { Clock } from "../../../core/ports/clock.ts";

const INTERVAL_MS = 30_000;
/** The file systems in memory, tmpfs and ramfs, by their numbers in linux/magic.h. */
const IN_MEMORY = [0x01021994, 0x858458f6];

interface DiskSpace {
  readonly path: string;
  readonly freeBytes: number;
}

export class DiskWatch {
  readonly #folders: readonly string[];
  readonly #others: readonly string[];
  readonly #stop: () => void;
  #least: DiskSpace | undefined;

  /**
   * Missing folders are skipped, and those of other programs, `others`, that lie in memory: a journal is kept there to
   * spare the medium, and is small on purpose.
   */
  constructor(folders: readonly string[], others: readonly string[], clock: Pick<Clock, "every">) {
    this.#folders = folders;
    this.#others = others;
    this.#stop = clock.every(INTERVAL_MS, () => void this.measure());
  }

  /** The disk with the least free space; undefined before the first measurement. */
  get least(): DiskSpace | undefined {
    return this.#least;
  }

  async measure(): Promise<void> {
    const spaces = await Promise.all([
      ...this.#folders.map((path) => freeOn(path)),
      ...this.#others.map((path) => freeOn(path, IN_MEMORY)),
    ]);
    const known = spaces.filter((space) => space !== undefined);
    this.#least = known.length === 0 ? undefined : known.reduce((a, b) => (b.freeBytes < a.freeBytes ? b : a));
  }

  close(): void {
    this.#stop();
  }
}

async function freeOn(path: string, without: readonly number[] = []): Promise<DiskSpace | undefined> {
  try {
    const { type, bavail, bsize } = await statfs(path);
    return without.includes(type) ? undefined : { path, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}

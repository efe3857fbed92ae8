/** The free space of the disks that hub's daemons write to, measured at intervals. */
import { statfs } from "node:fs/promises";
import type { Clock } from "../../../core/ports/clock.ts";

const INTERVAL_MS = 30_000;

interface DiskSpace {
  /** A folder on the disk. */
  readonly path: string;
  readonly freeBytes: number;
}

export class DiskWatch {
  readonly #folders: readonly string[];
  readonly #stop: () => void;
  #least: DiskSpace | undefined;

  /** Missing folders are skipped. */
  constructor(folders: readonly string[], clock: Pick<Clock, "every">) {
    this.#folders = folders;
    this.#stop = clock.every(INTERVAL_MS, () => void this.measure());
  }

  /** The disk with the least free space; undefined before the first measurement. */
  get least(): DiskSpace | undefined {
    return this.#least;
  }

  async measure(): Promise<void> {
    const spaces = await Promise.all(this.#folders.map(freeOn));
    const known = spaces.filter((space) => space !== undefined);
    this.#least = known.length === 0 ? undefined : known.reduce((a, b) => (b.freeBytes < a.freeBytes ? b : a));
  }

  close(): void {
    this.#stop();
  }
}

async function freeOn(path: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return { path, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}

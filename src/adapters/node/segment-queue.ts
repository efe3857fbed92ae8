/**
 * A bounded queue of lines on disk, for what an engine that is away shall have later: files of a megabyte, named by number, the
 * last of which grows.
 *
 * `flush` appends what was added and syncs it, so that a power cut or SIGKILL costs what was added since. Beyond the bound the
 * oldest file is removed and its lines are counted. A line that was cut off by a power cut is left out. A file that cannot be read
 * is passed over, and stays.
 */
import { type FileHandle, lstat, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../ports/log.ts";

const SEGMENT_BYTES = 1 << 20;
/** Text that is held while the disk is full. */
const MAX_PENDING = 1 << 20;
const LINE_FEED = 0x0a;

export interface SegmentQueueOptions {
  readonly folder: string;
  readonly maxBytes: number;
  /** Limits the rate of its lines itself. */
  readonly log: Log;
}

export interface Segment {
  readonly number: number;
  /** Whole lines. */
  readonly bytes: Uint8Array;
}

const nameOf = (number: number): string => `${String(number).padStart(16, "0")}.lp`;

export const linesIn = (bytes: Uint8Array): number =>
  bytes.reduce((count, byte) => count + Number(byte === LINE_FEED), 0);

/** Opens the folder, which is made if need be. Rejects with the error of a system call. */
export async function segmentQueue(options: SegmentQueueOptions): Promise<SegmentQueue> {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => /^\d{16}\.lp$/.test(name)).sort();
  const sizes = new Map<number, number>();
  for (const name of names) {
    const file = await lstat(join(folder, name));
    if (file.isFile()) sizes.set(Number.parseInt(name, 10), file.size);
  }
  return new SegmentQueue(options, sizes);
}

export class SegmentQueue {
  readonly #options: SegmentQueueOptions;
  /** Bytes of each file by number, the oldest first. */
  readonly #sizes: Map<number, number>;
  /** The file that grows. */
  #current: { readonly number: number; readonly handle: FileHandle } | undefined;
  #next: number;
  #pending: string[] = [];
  #pendingLength = 0;
  /** The last task; they run one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Lines that were dropped: no room in the queue or on the disk. */
  dropped = 0;

  constructor(options: SegmentQueueOptions, sizes: Map<number, number>) {
    this.#options = options;
    this.#sizes = sizes;
    this.#next = Math.max(0, ...sizes.keys()) + 1;
  }

  /** Bytes on disk. */
  get bytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Adds a line, which ends with a line feed. */
  add(line: string): void {
    if (this.#pendingLength + line.length > MAX_PENDING) {
      this.dropped += 1;
      return;
    }
    this.#pending.push(line);
    this.#pendingLength += line.length;
  }

  /** Makes what was added durable. */
  flush(): Promise<void> {
    return this.#inTurn(async () => {
      const lines = this.#pending;
      if (lines.length === 0) return;
      this.#pending = [];
      this.#pendingLength = 0;
      await this.#append(lines).catch((error: Error) => {
        this.#options.log.warn("the queue cannot be written", { code: "HISTORY_DISK", reason: error.message });
        this.dropped += lines.length;
      });
      await this.#makeRoom();
    });
  }

  /** The oldest file behind a number, which does not grow any more; undefined: there is none. */
  take(behind = 0): Promise<Segment | undefined> {
    return this.#inTurn(async () => {
      for (const number of this.#sizes.keys()) {
        if (number <= behind) continue;
        if (number === this.#current?.number) await this.#closeCurrent();
        const bytes = await readFile(this.#path(number)).catch((error: Error) => this.#passOver(number, error));
        if (bytes !== undefined) return { number, bytes: bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1) };
      }
      return undefined;
    });
  }

  remove(number: number): Promise<void> {
    return this.#inTurn(() => this.#unlink(number));
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#inTurn(() => this.#closeCurrent());
  }

  #path(number: number): string {
    return join(this.#options.folder, nameOf(number));
  }

  #passOver(number: number, { message }: Error): undefined {
    this.#sizes.delete(number);
    this.#options.log.warn("a file of the queue cannot be read, it is left as it is", {
      code: "HISTORY_DISK",
      reason: message,
    });
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (this.#current === undefined) {
      const number = this.#next++;
      this.#current = { number, handle: await open(this.#path(number), "wx", 0o600) };
      this.#sizes.set(number, 0);
    }
    const { number, handle } = this.#current;
    const before = this.#sizes.get(number)!;
    const bytes = Buffer.from(lines.join(""));
    try {
      await handle.writeFile(bytes);
      await handle.datasync();
    } catch (error) {
      // Half a line would be glued to the next one.
      await handle.truncate(before).catch(() => {});
      await this.#closeCurrent();
      if (before === 0) await this.#unlink(number);
      throw error;
    }
    this.#sizes.set(number, before + bytes.length);
    if (before + bytes.length >= SEGMENT_BYTES) await this.#closeCurrent();
  }

  async #makeRoom(): Promise<void> {
    const { maxBytes } = this.#options;
    while (this.bytes > maxBytes && this.#sizes.size > 1) {
      const [number] = this.#sizes.keys();
      const bytes = await readFile(this.#path(number!)).catch(() => new Uint8Array());
      await this.#unlink(number!);
      this.dropped += linesIn(bytes);
    }
  }

  async #closeCurrent(): Promise<void> {
    const handle = this.#current?.handle;
    this.#current = undefined;
    await handle?.close();
  }

  async #unlink(number: number): Promise<void> {
    this.#sizes.delete(number);
    await unlink(this.#path(number)).catch(() => {});
  }

  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }
}

/**
 * A bounded queue of lines on disk for an engine that is away: files of a megabyte, named by number. The last one
 * grows, and is synced at each write.
 *
 * Beyond the bound the oldest file is removed and its lines are counted. A line that a power cut has truncated is left
 * out. A file that cannot be read is skipped, and stays. The removal of a file that cannot be removed is tried again,
 * and its lines are not sent again.
 */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../../core/ports/log.ts";
import { createExclusive } from "../../../core/util/exclusive.ts";
import { ensureFolders, type Files, nodeFiles, syncFolder } from "./durable-files.ts";

const SEGMENT_BYTES = 1 << 20;
const LINE_FEED = 0x0a;

export interface SegmentQueueOptions {
  readonly folder: string;
  readonly maxBytes: number;
  /** Limits the rate of its lines itself. */
  readonly log: Log;
  /** Those of Node.js by default. */
  readonly files?: Files;
}

export interface Segment {
  readonly number: number;
  /** Whole lines. */
  readonly bytes: Uint8Array;
}

const nameOf = (number: number): string => `${String(number).padStart(16, "0")}.lp`;

export const linesIn = (bytes: Uint8Array): number =>
  bytes.reduce((count, byte) => count + Number(byte === LINE_FEED), 0);

/**
 * Whole lines in parts, each of which fits into a file of the queue unless it is a single long line: a larger file
 * would exceed the bound.
 */
function* partsOf(lines: Uint8Array): Generator<Uint8Array> {
  for (let begin = 0; begin < lines.length; ) {
    const last = lines.subarray(begin, begin + SEGMENT_BYTES).lastIndexOf(LINE_FEED);
    const length = last < 0 ? lines.subarray(begin).indexOf(LINE_FEED) : last;
    const end = length < 0 ? lines.length : begin + length + 1;
    yield lines.subarray(begin, end);
    begin = end;
  }
}

/** Opens the folder, which is made if it is missing. Rejects with the error of a system call. */
export async function segmentQueue(options: SegmentQueueOptions): Promise<SegmentQueue> {
  const { folder, files = nodeFiles } = options;
  await ensureFolders(files, folder);
  const names = (await files.readdir(folder)).filter((name) => /^\d{16}\.lp$/.test(name)).sort();
  const sizes = new Map<number, number>();
  for (const name of names) {
    const file = await lstat(join(folder, name));
    if (file.isFile()) sizes.set(Number.parseInt(name, 10), file.size);
  }
  return new SegmentQueue({ ...options, files }, sizes);
}

export class SegmentQueue {
  readonly #options: Required<SegmentQueueOptions>;
  /** Bytes of each file by number, the oldest first. */
  readonly #sizes: Map<number, number>;
  /** The growing file. */
  #current: { readonly number: number; readonly descriptor: number } | undefined;
  #next: number;
  /** Files that are no longer wanted, but cannot be removed. */
  readonly #unwanted = new Set<number>();
  readonly #inTurn = createExclusive();
  /** Lines that were dropped because the queue had no room. */
  dropped = 0;
  /** The last error of the disk; empty: none yet. */
  failure = "";

  constructor(options: Required<SegmentQueueOptions>, sizes: Map<number, number>) {
    this.#options = options;
    this.#sizes = sizes;
    this.#next = [...sizes.keys()].reduce((most, number) => Math.max(most, number), 0) + 1;
  }

  get bytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Appends whole lines and makes them durable; false: they cannot be written. */
  append(bytes: Uint8Array): Promise<boolean> {
    return this.#inTurn(async () => {
      try {
        for (const part of partsOf(bytes)) {
          await this.#write(part);
          await this.#makeRoom();
        }
        return true;
      } catch (error) {
        return this.#fail("the queue cannot be written", error as Error);
      }
    });
  }

  /** The oldest file after a number, which no longer grows; undefined: there is none. */
  take(behind = 0): Promise<Segment | undefined> {
    return this.#inTurn(async () => {
      for (const number of this.#sizes.keys()) {
        if (number <= behind || this.#unwanted.has(number)) continue;
        if (number === this.#current?.number) this.#closeCurrent();
        const bytes = await readFile(this.#path(number)).catch((error: Error) => this.#passOver(number, error));
        if (bytes !== undefined) return { number, bytes: bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1) };
      }
      return undefined;
    });
  }

  /** Removes files, also those that could not be removed before. */
  remove(numbers: readonly number[]): Promise<void> {
    return this.#inTurn(() => this.#remove(numbers));
  }

  close(): Promise<void> {
    return this.#inTurn(async () => this.#closeCurrent());
  }

  #path(number: number): string {
    return join(this.#options.folder, nameOf(number));
  }

  #fail(message: string, { message: reason }: Error): false {
    this.failure = reason;
    this.#options.log.warn(message, { code: "HISTORY_DISK", reason });
    return false;
  }

  #passOver(number: number, error: Error): undefined {
    this.#sizes.delete(number);
    this.#fail("a file of the queue cannot be read, it is left as it is", error);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { files, folder } = this.#options;
    if (this.#current !== undefined && this.#sizes.get(this.#current.number)! + bytes.length > SEGMENT_BYTES)
      this.#closeCurrent();
    if (this.#current === undefined) {
      const number = this.#next++;
      this.#current = { number, descriptor: files.open(this.#path(number), "wx", 0o600) };
      this.#sizes.set(number, 0);
    }
    const { number, descriptor } = this.#current;
    const before = this.#sizes.get(number)!;
    try {
      await files.write(descriptor, bytes);
      await files.sync(descriptor);
      if (before === 0) await syncFolder(files, folder);
    } catch (error) {
      // An incomplete line would be joined to the next one.
      await files.truncate(descriptor, before).catch(() => {});
      this.#closeCurrent();
      if (before === 0) await this.#remove([number]);
      throw error;
    }
    this.#sizes.set(number, before + bytes.length);
  }

  async #makeRoom(): Promise<void> {
    const { maxBytes } = this.#options;
    const wanted = [...this.#sizes.keys()].filter((number) => !this.#unwanted.has(number));
    for (const number of wanted.slice(0, -1)) {
      if (this.bytes <= maxBytes) return;
      this.dropped += linesIn(await readFile(this.#path(number)).catch(() => new Uint8Array()));
      await this.#remove([number]);
    }
  }

  #closeCurrent(): void {
    if (this.#current !== undefined) this.#options.files.close(this.#current.descriptor);
    this.#current = undefined;
  }

  async #remove(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) this.#unwanted.add(number);
    for (const number of this.#unwanted) {
      const error = await this.#options.files.unlink(this.#path(number)).catch((error: NodeJS.ErrnoException) => error);
      if (error !== undefined && error.code !== "ENOENT") {
        this.#fail("a file of the queue cannot be removed", error);
        continue;
      }
      this.#unwanted.delete(number);
      this.#sizes.delete(number);
    }
  }
}

/**
 * Reads a recording from a file or from standard input, packed by gzip or not, and gives what is in it in batches: as fast as
 * they are asked for, or at the pace they were recorded.
 *
 *     RecordingError  the recording cannot be read, or not to its end; the message is a sentence that names it
 */
import { fstatSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Format, Reader } from "../../recording/format.ts";
import { Pace } from "../../recording/pacing.ts";
import { HEAD_BYTES, recogniseFormat } from "../../recording/recognise-format.ts";
import { type RecordingBatch, RecordWriter } from "../../recording/record-writer.ts";

/** A recording that cannot be read: absent, empty, of no known format, or packed data that ends too early. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

export interface RecordingFileOptions {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * How many times faster than recorded; 1 by default. The stamps are then those of delivery. With 0 everything is given as
   * fast as it is asked for, with the stamps of the recording.
   */
  readonly speed?: number;
  /** In place of the standard input of the process. */
  readonly input?: Readable;
}

const CHUNK_BYTES = 65_536;
const READ_BYTES = 262_144;
const LONGEST_SLEEP = 60_000;
const CAPTURE_HEAD_BYTES = 24;
const LINE_FEED = 0x0a;
const nothing = new Uint8Array(0);

export class RecordingFile {
  /** Its name in messages. */
  readonly title: string;
  readonly #path: string;
  readonly #options: RecordingFileOptions;
  readonly #writer = new RecordWriter();
  #format: Format | undefined;
  #reader: Reader | undefined;
  #stream: Readable | undefined;
  /** When the first record was delivered, on the monotonic clock; for pacing. */
  #began: number | undefined;
  #closed = false;
  #wake: () => void = () => {};

  /** `path` is that of a file, or `-` for standard input. Nothing is opened before batches are asked for. */
  constructor(path: string, options: RecordingFileOptions) {
    this.#path = path;
    this.title = path === "-" ? "standard input" : path;
    this.#options = options;
  }

  /** The name of its format, once that is known. */
  get format(): string | undefined {
    return this.#format?.name;
  }

  /** Lines or records that could not be read and were skipped. */
  get malformed(): number {
    return this.#reader?.malformed ?? 0;
  }

  /** Why a capture broke off before its end; the log has been told. */
  get problem(): string | undefined {
    return this.#reader?.problem;
  }

  /** Messages left out because their number is no PGN but a gateway's own (262144 and above). */
  get internal(): number {
    return this.#writer.internal;
  }

  /** Whole messages left out because their source (254, 255) is no device. */
  get unaddressed(): number {
    return this.#writer.unaddressed;
  }

  /**
   * What the recording holds, in its order; can be asked for once. Throws a `RecordingError` when it cannot be read, behind
   * what could be; a capture that breaks off is a warning in the log.
   */
  async *batches(): AsyncGenerator<RecordingBatch, void, void> {
    const modified = await this.#modified();
    const chunks = this.#unpacked();
    try {
      const head = await this.#head(chunks);
      if (this.#closed) return;
      this.#format = recogniseFormat(head.bytes, true);
      if (!this.#format) {
        throw new RecordingError(
          head.bytes.length === 0 ? `${this.title} is empty` : `${this.title}: not a recording that is known`,
        );
      }
      this.#options.log.info(`replay: ${this.title}, ${this.#format.name}`);
      this.#reader = this.#format.createReader({ modified });
      let empty = true;
      for await (const batch of this.#read(head.bytes, false)) {
        empty = false;
        yield batch;
      }
      if (head.failure) throw head.failure;
      for (;;) {
        const next = await chunks.next();
        if (this.#closed) return;
        for await (const batch of this.#read(next.done ? nothing : next.value, next.done === true)) {
          empty = false;
          yield batch;
        }
        if (next.done || this.#reader.problem !== undefined) break;
      }
      if (this.#reader.problem === undefined) return;
      const sentence = `${this.title} ${this.#reader.problem}`;
      if (empty) throw new RecordingError(sentence);
      this.#options.log.warn(sentence);
    } finally {
      this.close();
      await chunks.return();
    }
  }

  /** Ends the batches; may be called at any time and more than once. */
  close(): void {
    this.#closed = true;
    this.#stream?.destroy();
    this.#wake();
  }

  async *#read(chunk: Uint8Array, end: boolean): AsyncGenerator<RecordingBatch, void, void> {
    const speed = this.#options.speed ?? 1;
    // Not a Buffer: its search is another function than that of the bytes the reader keeps, and a slower one.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#reader!.read(bytes, end, this.#writer);
    for (const batch of this.#writer.drain()) {
      if (speed === 0) yield batch;
      else yield* this.#paced(new Pace(batch, speed));
      if (this.#closed) return;
    }
  }

  async *#paced(pace: Pace): AsyncGenerator<RecordingBatch, void, void> {
    const { clock } = this.#options;
    for (let due = pace.due(); due !== undefined && !this.#closed; due = pace.due()) {
      const now = clock.monotonic();
      this.#began ??= now;
      const stretch = pace.take(now - this.#began, clock.wall(), now);
      if (stretch) yield stretch;
      else await this.#sleep(this.#began + due - now);
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = deferred();
    // At a very small speed the time would be longer than timers count; whoever sleeps looks at the clock again anyway.
    const callOff = this.#options.clock.after(Math.max(1, Math.min(Math.ceil(milliseconds), LONGEST_SLEEP)), resolve);
    this.#wake = resolve;
    await promise;
    callOff();
  }

  /** Bytes from the beginning, until the format shows in them. A failure behind them is for later. */
  async #head(chunks: AsyncGenerator<Uint8Array>): Promise<{ bytes: Uint8Array; failure?: unknown }> {
    let bytes: Uint8Array = nothing;
    try {
      while (bytes.length < HEAD_BYTES) {
        const next = await chunks.next();
        if (next.done) break;
        bytes = Buffer.concat([bytes, next.value]);
        // Looked at again only when a line has ended or the head of a capture may just have become whole.
        const telling = next.value.includes(LINE_FEED) || bytes.length - next.value.length < CAPTURE_HEAD_BYTES;
        if (telling && recogniseFormat(bytes, false)) break;
      }
    } catch (failure) {
      if (bytes.length === 0) throw failure;
      return { bytes, failure };
    }
    return { bytes };
  }

  async #modified(): Promise<number> {
    try {
      if (this.#path !== "-") return Math.floor((await stat(this.#path)).mtimeMs);
      const input = this.#options.input ? undefined : fstatSync(0);
      return input?.isFile() ? Math.floor(input.mtimeMs) : this.#options.clock.wall();
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  async *#unpacked(): AsyncGenerator<Uint8Array, void, void> {
    const packed = this.#chunks();
    const { value: first } = await packed.next();
    if (!first) return;
    const all = startingWith(first, packed);
    yield* first[0] === 0x1f && (first[1] ?? 0x8b) === 0x8b ? this.#gunzipped(all) : all;
  }

  /** Each is valid until the next one is asked for. */
  async *#chunks(): AsyncGenerator<Uint8Array, void, void> {
    try {
      if (this.#path !== "-") yield* chunksOf(await open(this.#path));
      else {
        this.#stream = this.#options.input ?? process.stdin;
        yield* this.#stream as AsyncIterable<Uint8Array>;
      }
    } catch (error) {
      if (!this.#closed) throw this.#unreadable(error);
    }
  }

  /**
   * Unpacks any number of gzip members. Not a pipe: a stream that fails throws away what it has unpacked, and the frames in
   * front of a break are to be had.
   */
  async *#gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    let wake = (): void => {};
    let taken = false;
    let failure: Error | undefined;
    gunzip.on("readable", () => wake());
    gunzip.on("end", () => wake());
    gunzip.on("error", (error) => {
      failure = error;
      wake();
    });
    const title = this.title;
    async function* unpacked(finished: () => boolean): AsyncGenerator<Uint8Array, void, void> {
      for (;;) {
        const chunk: Uint8Array | null = gunzip.read();
        if (chunk) yield chunk;
        else if (failure)
          throw new RecordingError(`${title}: gzip data cannot be unpacked further: ${failure.message}`);
        else if (finished()) return;
        else {
          const { promise, resolve } = deferred();
          wake = resolve;
          await promise;
        }
      }
    }
    try {
      for await (const chunk of packed) {
        taken = false;
        gunzip.write(chunk, () => {
          taken = true;
          wake();
        });
        yield* unpacked(() => taken);
      }
      gunzip.end();
      yield* unpacked(() => gunzip.readableEnded);
    } finally {
      gunzip.destroy();
    }
  }

  #unreadable(error: unknown): RecordingError {
    const { message } = error instanceof Error ? error : { message: String(error) };
    return new RecordingError(`cannot read ${this.title}: ${message}`, { cause: error });
  }
}

/**
 * A file in one stretch of memory that is used again and again: a stream has new memory for every chunk, and a long recording
 * is read faster than that is collected.
 */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array, void, void> {
  try {
    const bytes = new Uint8Array(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(bytes, 0, READ_BYTES, null);
      if (bytesRead === 0) return;
      yield bytes.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Ends `others` too when it is ended, even before they have had their turn. */
async function* startingWith<T>(first: T, others: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
  try {
    yield first;
    yield* others;
  } finally {
    await others.return();
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

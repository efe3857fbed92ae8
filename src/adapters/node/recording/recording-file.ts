/**
 * Reads a recording from a file or from standard input, compressed by gzip or not, in batches: as fast as the consumer
 * requests them, or at the recorded pace.
 *
 *     RecordingError  the recording cannot be read, or not to its end; the message has its name
 */

import { constants, fstatSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { RecordedTimes } from "../../../core/ports/packet-source.ts";
import { Tally } from "../../../core/util/tally.ts";
import { detectFormat, HEAD_BYTES } from "../../../formats/recording/detect-format.ts";
import type { Format, Reader } from "../../../formats/recording/formats/format.ts";
import { Pace } from "../../../formats/recording/pacing.ts";
import { type RecordingBatch, RecordWriter } from "../../../formats/recording/record-writer.ts";
import { readCandumpLog } from "../can/can-bus.ts";

/** A recording that cannot be read: absent, empty, of unknown format, or truncated compressed data. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

export interface RecordingFileOptions {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Factor of the recorded pace; 1 by default. Time stamps are then those of delivery. 0: as fast as requested, with
   * the time stamps of the recording.
   */
  readonly speed?: number;
  /** Stream in place of the standard input of the process. */
  readonly input?: Readable;
}

/** Opening must not wait for a FIFO that has replaced the file. */
const { O_RDONLY, O_NONBLOCK } = constants;

const CHUNK_BYTES = 65_536;
const READ_BYTES = 262_144;
const MAX_SLEEP_MS = 60_000;
/**
 * Longest time of a batch at full speed: reports are made for all of it before the source waits for its readers, and
 * where few messages meet many ships these are many times the size of the recording.
 */
const STRETCH_MS = 2000;
const CAPTURE_HEAD_BYTES = 24;
const LINE_FEED = 0x0a;
const nothing = new Uint8Array(0);

/** The records of a batch in stretches of a limited time. */
function* stretches(pace: Pace): Generator<RecordingBatch> {
  for (let due = pace.due(); due !== undefined; due = pace.due()) yield pace.take(due + STRETCH_MS)!;
}

export class RecordingFile {
  /** Name of the recording in messages. */
  readonly title: string;
  /** See `ReaderOptions`. */
  readonly unusedTransducers = new Tally();
  readonly #path: string;
  readonly #options: RecordingFileOptions;
  readonly #writer = new RecordWriter();
  #format: Format | undefined;
  #reader: Reader | undefined;
  #stream: Readable | undefined;
  /** Monotonic time of the delivery of the first record. */
  #began: number | undefined;
  #closed = false;
  #wake: () => void = () => {};

  /** `path` of a file, or `-` for standard input. Nothing is opened before `batches` is iterated. */
  constructor(path: string, options: RecordingFileOptions) {
    this.#path = path;
    this.title = path === "-" ? "standard input" : path;
    this.#options = options;
  }

  /** Name of the format, once detected. */
  get format(): string | undefined {
    return this.#format?.name;
  }

  /** Malformed lines or records, which were skipped. */
  get malformed(): number {
    return this.#reader?.malformed ?? 0;
  }

  get times(): RecordedTimes {
    return this.#reader?.times ?? "dated";
  }

  /** Why a capture ended early; logged. */
  get problem(): string | undefined {
    return this.#reader?.problem;
  }

  /** Messages of gateways about themselves (numbers above the PGNs, 262144 and above), left out. */
  get internal(): number {
    return this.#writer.internal;
  }

  /** Complete messages whose source (254, 255) is not a device, left out. */
  get unaddressed(): number {
    return this.#writer.unaddressed;
  }

  /**
   * The records in their order; to be iterated once. Throws a `RecordingError` after the records that could be read; a
   * capture that ends early is only a warning in the log.
   */
  async *batches(): AsyncGenerator<RecordingBatch, void, void> {
    const modified = await this.#modified();
    const chunks = this.#unpacked();
    try {
      const head = await this.#head(chunks);
      if (this.#closed) return;
      this.#format = detectFormat(head.bytes, true);
      if (!this.#format) {
        throw new RecordingError(
          head.bytes.length === 0 ? `${this.title} is empty` : `${this.title}: not a recording that is known`,
        );
      }
      this.#options.log.info("replaying a recording", { file: this.title, format: this.#format.name });
      this.#reader = this.#format.createReader({ modified, readCandumpLog, unusedTransducers: this.unusedTransducers });
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
      const reason = this.#reader.problem;
      if (empty) throw new RecordingError(`${this.title} ${reason}`);
      this.#options.log.warn("the recording breaks off", { code: "RECORDING_BROKEN_OFF", file: this.title, reason });
    } finally {
      this.close();
      await chunks.return();
    }
  }

  /** Ends the batches; may be called at any time and repeatedly. */
  close(): void {
    this.#closed = true;
    this.#stream?.destroy();
    this.#wake();
  }

  async *#read(chunk: Uint8Array, end: boolean): AsyncGenerator<RecordingBatch, void, void> {
    const speed = this.#options.speed ?? 1;
    // A Uint8Array, because indexOf of a Buffer is slower, and a reader that sees both kinds slower still.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#reader!.read(bytes, end, this.#writer);
    for (const batch of this.#writer.drain()) {
      if (speed === 0) yield* stretches(new Pace(batch, 1));
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
    // Timers overflow at 24 days, which a low speed can exceed; the caller checks the clock again anyway.
    const callOff = this.#options.clock.after(Math.max(1, Math.min(Math.ceil(milliseconds), MAX_SLEEP_MS)), resolve);
    this.#wake = resolve;
    await promise;
    callOff();
  }

  /** The first bytes, until the format can be detected. A failure after them is thrown later. */
  async #head(chunks: AsyncGenerator<Uint8Array>): Promise<{ bytes: Uint8Array; failure?: unknown }> {
    let bytes: Uint8Array = nothing;
    try {
      while (bytes.length < HEAD_BYTES) {
        const next = await chunks.next();
        if (next.done) break;
        bytes = Buffer.concat([bytes, next.value]);
        // Detection can only succeed anew after the end of a line or of the head of a capture.
        const hasNews = next.value.includes(LINE_FEED) || bytes.length - next.value.length < CAPTURE_HEAD_BYTES;
        if (hasNews && detectFormat(bytes, false)) break;
      }
    } catch (failure) {
      if (bytes.length === 0) throw failure;
      return { bytes, failure };
    }
    return { bytes };
  }

  /** When the recording was last written, milliseconds since 1970; of a pipe, now. */
  async #modified(): Promise<number> {
    try {
      if (this.#path === "-") {
        const input = this.#options.input ? undefined : fstatSync(0);
        return input?.isFile() ? Math.floor(input.mtimeMs) : this.#options.clock.wall();
      }
      const status = await stat(this.#path);
      // For a folder, read() fails with the right error.
      if (!status.isFile() && !status.isDirectory()) throw new Error("not a regular file; give - to read a pipe");
      return Math.floor(status.mtimeMs);
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

  /** Each chunk is valid until the next one is requested. */
  async *#chunks(): AsyncGenerator<Uint8Array, void, void> {
    try {
      if (this.#path !== "-") yield* chunksOf(await open(this.#path, O_RDONLY | O_NONBLOCK));
      else {
        this.#stream = this.#options.input ?? process.stdin;
        yield* this.#stream as AsyncIterable<Uint8Array>;
      }
    } catch (error) {
      if (!this.#closed) throw this.#unreadable(error);
    }
  }

  /**
   * Decompresses any number of gzip members. It does not use a pipe: a failing stream discards its decompressed data,
   * and the frames before the failure are needed.
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
 * Chunks of a file in one reused buffer: a stream allocates one for every chunk, and a long recording is read faster
 * than these are collected.
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

/** Ends `others` when it is ended, even if they have not begun. */
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

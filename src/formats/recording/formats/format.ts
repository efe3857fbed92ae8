/** A format of recordings: a test of the first bytes, and a reader. */
import type { RecordedTimes } from "../../../core/ports/packet-source.ts";
import type { Tally } from "../../../core/util/tally.ts";
import type { RecordWriter } from "../record-writer.ts";

/** The first bytes of a recording. */
export interface Head {
  readonly bytes: Uint8Array;
  /** The format has to be decided from these bytes: the recording ends here, or `HEAD_BYTES` are reached. */
  readonly complete: boolean;
}

/**
 * Reads the lines at the beginning of `text` into records of frames (`frame-batch.ts`) whose monotonic time is zero,
 * until a line has another form or may be incomplete, or `records` is full. Returns the bytes of these lines, and their
 * number.
 */
export type ReadLines = (text: Uint8Array, records: Uint8Array) => { readonly bytes: number; readonly frames: number };

export interface ReaderOptions {
  /**
   * Modification time of the recording, milliseconds since 1970: the date for formats with only a time of day, or none.
   */
  readonly modified: number;
  /** Reads lines of `candump -L`, many at a time; without it each line is read separately. */
  readonly readCandumpLog?: ReadLines | undefined;
  /** See `SessionOptions`. */
  readonly unusedTransducers?: Tally | undefined;
}

/** Reads a recording in chunks, which may end anywhere, and never throws. */
export interface Reader {
  /** Writes the records that end in `chunk` to `writer`; `end`: this is the last chunk. */
  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void;
  /** Lines or records that could not be read and were skipped. */
  readonly malformed: number;
  /** Why reading stopped before the end, as the predicate of a sentence about the file: "ends within a record". */
  readonly problem?: string | undefined;
  /** The stamps that were read so far; absent: the format always has dates. */
  readonly times?: RecordedTimes | undefined;
}

export interface Format {
  /** Shown to users: "candump -L". */
  readonly name: string;
  /** Whether a recording that begins like this has the format; false, too, if more bytes are needed to decide. */
  matches(head: Head): boolean;
  createReader(options: ReaderOptions): Reader;
}

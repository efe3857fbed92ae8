/** What every format of recordings is made of: a test of the first bytes, and a reader. */
import type { RecordWriter } from "./record-writer.ts";

/** The first bytes of a recording. */
export interface Head {
  readonly bytes: Uint8Array;
  /** No more of the recording will be shown before its format has to be known. */
  readonly complete: boolean;
}

export interface ReaderOptions {
  /** When the recording was written last, milliseconds since 1970: the date of those that carry only a time, or none. */
  readonly modified: number;
}

/** Takes a recording piece by piece, cut anywhere, and never throws. */
export interface Reader {
  /** Writes the records that end in `chunk` to `writer`; `end` says that no other chunk follows. */
  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void;
  /** Lines or records that could not be read and were skipped. */
  readonly malformed: number;
  /** Why reading stopped before the end, in words that follow the name of the file: "ends within a record". */
  readonly problem?: string | undefined;
}

export interface Format {
  /** Its name for people, as in "candump -L". */
  readonly name: string;
  /** Whether a recording that begins like this has the format; no, too, when more of it is needed to know. */
  recognises(head: Head): boolean;
  createReader(options: ReaderOptions): Reader;
}

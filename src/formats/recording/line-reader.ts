/** Splits a recording in text into lines, across chunks, and parses each. */
import type { RecordedTimes } from "../../core/ports/packet-source.ts";
import type { Format, Head, Reader, ReaderOptions, ReadLines } from "./formats/format.ts";
import { RecordWriter } from "./record-writer.ts";

/** Bytes of the longest line: enough for a payload of 1785 bytes as canboat writes it (`,ff` each). */
const LONGEST_LINE = 8192;

/**
 * Parses the line from `from` to `to` of `bytes` (without line end, not empty, not a comment) and writes its record;
 * false if it is malformed, and then nothing has been written.
 */
export type LineParser = (bytes: Uint8Array, from: number, to: number, writer: RecordWriter) => boolean;

/** How the lines of a text format are parsed. */
export interface LineParsing {
  readonly parse: LineParser;
  /** Reads many lines at once, if present. */
  readonly readLines?: ReadLines | undefined;
  /** The stamps of the lines so far; absent: they have dates. */
  readonly times?: RecordedTimes;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;

/** Lines that are read one by one, at most, before reading many is tried again. */
const LONGEST_PAUSE = 64;

class LineReader implements Reader {
  malformed = 0;
  readonly #parsing: LineParsing;
  /** A line that began in the previous chunk. */
  readonly #begun = new Uint8Array(LONGEST_LINE);
  #held = 0;
  /** Within a line that is too long. */
  #skipping = false;
  #first = true;
  /** Lines to be read one by one before `readLines` is called again, and their number after its next failure. */
  #singleLines = 0;
  #pause = 1;

  constructor(parsing: LineParsing) {
    this.#parsing = parsing;
  }

  get times(): RecordedTimes | undefined {
    return this.#parsing.times;
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    let at = 0;
    while (at < chunk.length) {
      at += this.#many(chunk, at, writer);
      const lineFeed = chunk.indexOf(LINE_FEED, at);
      if (lineFeed < 0) {
        this.#hold(chunk, at, chunk.length);
        break;
      }
      if (this.#skipping) this.#skipping = false;
      else if (this.#held === 0) this.#line(chunk, at, lineFeed, writer);
      else {
        this.#hold(chunk, at, lineFeed);
        this.#heldLine(writer);
      }
      at = lineFeed + 1;
    }
    if (end) this.#heldLine(writer);
  }

  /** Reads as many lines as `readLines` does; returns their bytes. */
  #many(chunk: Uint8Array, from: number, writer: RecordWriter): number {
    const { readLines } = this.#parsing;
    if (readLines === undefined || this.#held > 0 || this.#skipping) return 0;
    if (this.#singleLines > 0) {
      this.#singleLines--;
      return 0;
    }
    let at = from;
    const read = (records: Uint8Array): number => {
      const lines = readLines(chunk.subarray(at), records);
      at += lines.bytes;
      return lines.frames;
    };
    while (writer.frames(read) > 0) this.#first = false;
    if (at === from) {
      // The current line is the first of them.
      this.#singleLines = this.#pause - 1;
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    } else this.#pause = 1;
    return at - from;
  }

  #hold(bytes: Uint8Array, from: number, to: number): void {
    if (this.#skipping) return;
    if (this.#held + to - from > LONGEST_LINE) {
      this.malformed++;
      this.#held = 0;
      this.#first = false;
      this.#skipping = true;
      return;
    }
    this.#begun.set(bytes.subarray(from, to), this.#held);
    this.#held += to - from;
  }

  #heldLine(writer: RecordWriter): void {
    if (!this.#skipping) this.#line(this.#begun, 0, this.#held, writer);
    this.#skipping = false;
    this.#held = 0;
  }

  #line(bytes: Uint8Array, from: number, to: number, writer: RecordWriter): void {
    if (to - from > LONGEST_LINE) {
      this.malformed++;
      this.#first = false;
      return;
    }
    if (this.#first) {
      this.#first = false;
      if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf && to - from >= 3) from += 3;
    }
    if (to > from && bytes[to - 1] === CARRIAGE_RETURN) to--;
    let word = from;
    while (word < to && (bytes[word] === SPACE || bytes[word] === TAB)) word++;
    if (word === to || bytes[word] === HASH) return;
    if (!this.#parsing.parse(bytes, from, to, writer)) this.malformed++;
  }
}

/** A reader that parses line by line: skips empty lines and comments (`#`), counts and skips malformed ones. */
export function lineReader(parse: LineParser): Reader {
  return new LineReader({ parse });
}

/** Whether a reader finds a record in the first bytes of a recording, by which most text formats are detected. */
function findsRecord(head: Head, reader: Reader): boolean {
  const writer = new RecordWriter();
  reader.read(wholeLines(head), true, writer);
  return !writer.drain().next().done || writer.internal + writer.unaddressed > 0;
}

/** The head without its last line, unless that is complete. */
export function wholeLines(head: Head): Uint8Array {
  return head.complete ? head.bytes : head.bytes.subarray(0, head.bytes.lastIndexOf(LINE_FEED) + 1);
}

/** A text format whose lines are independent of each other. */
export function lineFormat(name: string, createParsing: (options: ReaderOptions) => LineParsing): Format {
  return {
    name,
    matches: (head) => findsRecord(head, lineReader(createParsing({ modified: 0 }).parse)),
    createReader: (options) => new LineReader(createParsing(options)),
  };
}

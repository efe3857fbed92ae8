/** Splits a recording in text into lines, across chunks, and parses each. */
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";
import { RecordWriter } from "./record-writer.ts";

/** Bytes of the longest line: enough for a payload of 1785 bytes as canboat writes it (`,ff` each). */
export const LONGEST_LINE = 8192;

/**
 * Parses the line from `from` to `to` of `bytes` (without line end, not empty, not a comment) and writes its record; false
 * if it is malformed, and then nothing has been written.
 */
export type LineParser = (bytes: Uint8Array, from: number, to: number, writer: RecordWriter) => boolean;

/**
 * Parses the line at `from`, which ends with a line feed, in a buffer that goes on for at least `READ_AHEAD` bytes. Writes its
 * record and returns the index behind the line feed; -1 if it is malformed, and then nothing has been written.
 */
export type InPlaceParser = (bytes: Uint8Array, from: number, writer: RecordWriter) => number;

/** Bytes behind a line feed that an `InPlaceParser` may read, because it reads several bytes before it checks them. */
export const READ_AHEAD = 8;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;

class LineReader implements Reader {
  malformed = 0;
  readonly #parse: LineParser;
  readonly #parseInPlace: InPlaceParser | undefined;
  /** A line that began in the previous chunk, and room for a line feed. */
  readonly #begun = new Uint8Array(LONGEST_LINE + 1 + READ_AHEAD);
  #held = 0;
  /** Within a line that is too long. */
  #skipping = false;
  #first = true;

  constructor(parse: LineParser, parseInPlace?: InPlaceParser) {
    this.#parse = parse;
    this.#parseInPlace = parseInPlace;
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    // Typed arrays slow down for good once they are read beyond their end.
    const within = chunk.subarray(0, Math.max(0, chunk.length - READ_AHEAD));
    const inPlaceEnd = this.#parseInPlace ? within.lastIndexOf(LINE_FEED) + 1 : 0;
    let at = 0;
    while (at < chunk.length) {
      if (at < inPlaceEnd && this.#held === 0 && !this.#skipping) {
        const next = this.#parseInPlace!(chunk, at, writer);
        if (next > at) {
          this.#first = false;
          at = next;
          continue;
        }
      }
      const lineFeed = chunk.indexOf(LINE_FEED, at);
      if (lineFeed < 0) {
        this.#hold(chunk, at, chunk.length);
        break;
      }
      if (this.#skipping) this.#skipping = false;
      else if (this.#held === 0 && lineFeed + READ_AHEAD < chunk.length) this.#line(chunk, at, lineFeed, writer);
      else {
        this.#hold(chunk, at, lineFeed);
        this.#heldLine(writer);
      }
      at = lineFeed + 1;
    }
    if (end) this.#heldLine(writer);
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
    this.#begun[this.#held] = LINE_FEED;
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
    if (!this.#parse(bytes, from, to, writer)) this.malformed++;
  }
}

/** A reader that parses line by line: skips empty lines and comments (`#`), counts and skips malformed ones. */
export function lineReader(parse: LineParser): Reader {
  return new LineReader(parse);
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
export function lineFormat(name: string, createParser: (options: ReaderOptions) => LineParser): Format {
  return {
    name,
    matches: (head) => findsRecord(head, new LineReader(createParser({ modified: 0 }))),
    createReader: (options) => new LineReader(createParser(options)),
  };
}

/** The same with a parser that finds the end of a line itself. */
export function inPlaceFormat(name: string, parse: InPlaceParser): Format {
  const parseLine: LineParser = (bytes, from, _to, writer) => parse(bytes, from, writer) >= 0;
  return {
    name,
    matches: (head) => findsRecord(head, new LineReader(parseLine, parse)),
    createReader: () => new LineReader(parseLine, parse),
  };
}

/** Cuts a recording in text into its lines, wherever the chunks were cut, and has each one parsed. */
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";
import { RecordWriter } from "./record-writer.ts";

/** Bytes of the longest line that can be a record: 1785 bytes as canboat writes them (`,ff` each), and some more. */
export const LONGEST_LINE = 8192;

/**
 * Reads the line from `from` to `to` of `bytes` (no line end, not empty, no comment) and writes what it says;
 * false when it is malformed, and then nothing has been written.
 */
export type LineParser = (bytes: Uint8Array, from: number, to: number, writer: RecordWriter) => boolean;

/**
 * Reads the line that begins at `from` of `bytes` (and of `view`, which is of the same) if it lies there whole, with its line
 * end, and is of the most common kind: writes what it says and gives the index behind it. -1 when it is left to the
 * `LineParser`, and then nothing has been written.
 */
export type PlainLineParser = (bytes: Uint8Array, view: DataView, from: number, writer: RecordWriter) => number;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;

class LineReader implements Reader {
  malformed = 0;
  readonly #parse: LineParser;
  readonly #parsePlain: PlainLineParser | undefined;
  /** The beginning of a line that the chunk before did not end. */
  readonly #begun = new Uint8Array(LONGEST_LINE);
  #held = 0;
  /** Inside a line that is too long, until it ends. */
  #skipping = false;
  #first = true;

  constructor(parse: LineParser, parsePlain?: PlainLineParser) {
    this.#parse = parse;
    this.#parsePlain = parsePlain;
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    let at = 0;
    while (at < chunk.length) {
      if (this.#parsePlain && this.#held === 0 && !this.#skipping) {
        const next = this.#parsePlain(chunk, view, at, writer);
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
      else if (this.#held === 0) this.#line(chunk, at, lineFeed, writer);
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

/** A reader that parses line by line; malformed lines are counted and skipped, empty ones and comments (`#`) only skipped. */
export function lineReader(parse: LineParser, parsePlain?: PlainLineParser): Reader {
  return new LineReader(parse, parsePlain);
}

/** Whether a reader finds a record in the first bytes of a recording: what most text formats are recognised by. */
export function readsSomethingOf(head: Head, reader: Reader): boolean {
  const writer = new RecordWriter();
  reader.read(wholeLines(head), true, writer);
  return !writer.drain().next().done || writer.internal + writer.unaddressed > 0;
}

/** The head without the line that more bytes may go on with. */
export function wholeLines(head: Head): Uint8Array {
  return head.complete ? head.bytes : head.bytes.subarray(0, head.bytes.lastIndexOf(LINE_FEED) + 1);
}

/** A text format of which each line speaks for itself. */
export function lineFormat(
  name: string,
  createParser: (options: ReaderOptions) => LineParser,
  createPlainParser?: () => PlainLineParser,
): Format {
  return {
    name,
    recognises: (head) => readsSomethingOf(head, lineReader(createParser({ modified: 0 }))),
    createReader: (options) => lineReader(createParser(options), createPlainParser?.()),
  };
}

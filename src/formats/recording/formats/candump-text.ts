/**
 * The output of candump on a terminal, in the forms of its versions:
 *
 *       can0  09F8027F   [8]  00 FC FF FF 00 00 FF FF                       no stamp: 1 ms per frame
 *      (1675349980.504289)  can0  18EEFF16   [8]  F1 FB 09 FF 00 82 96 C0   -t a
 *      (2023-02-20 16:17:04.590873)  can0  15FD0617   [8]  01 9D            -t A, taken as UTC
 *      (000.019798)  can0  15FD0616   [8]  01 C1 70 FF FF FF FF FF          -t z since start, -t d since last frame
 *       can0  RX - -  123   [3]  11 22 33   '.".3'                          -x says the direction, -a shows the text
 *       can0  123   [4]  remote request
 *       can0  20000004   [8]  00 01 00 00 00 00 00 00   ERRORFRAME          -e adds a line that begins with a tab
 *     <0x18eeff01> [8] 05 a0 be 1c 00 a0 a0 c0                              canutils 4 (Angstrom)
 *
 * A line of -t d looks like one of -t z, but differences soon decrease, which the time since the start never does.
 */

import type { RecordedTimes } from "../../../core/ports/packet-source.ts";
import { REMOTE_FRAME } from "../frame-batch.ts";
import { type LineParser, lineReader, wholeLines } from "../line-reader.ts";
import { RecordWriter } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { MICROSECONDS_OF_SECOND, takeDate, takeTimeOfDay } from "../wall-time.ts";
import { candumpIdentifier } from "./candump-identifier.ts";
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";

const MILLISECOND = 1000;
/** candump writes the seconds since 1970 with at least ten digits, a time since something else with at least three. */
const DIGITS_SINCE_1970 = 10;
/** Stamps without a decrease after which they are taken for times since the start. */
const ENOUGH_STAMPS = 100;

/** The relative stamps of a recording, and whether one was less than its predecessor. */
interface RelativeStamps {
  count: number;
  last: number;
  stepsBack: boolean;
}

class CandumpTextParser {
  readonly #cursor = new TextCursor();
  /** Wall clock of a recording without stamps, or of the zero of relative ones, microseconds. */
  readonly #start: number;
  readonly #areDifferences: boolean;
  readonly #seen: RelativeStamps;
  /** Wall clock of the frame before. */
  #wall: number | undefined;
  times: RecordedTimes = "none";

  constructor({ modified }: ReaderOptions, areDifferences: boolean, seen: RelativeStamps) {
    this.#start = modified * 1000;
    this.#areDifferences = areDifferences;
    this.#seen = seen;
  }

  readonly parse: LineParser = (bytes, from, to, writer) => {
    if (bytes[from] === TAB) return true;
    const cursor = this.#cursor;
    cursor.set(bytes, from, to);
    if (cursor.takeWord("interface = ")) return true;
    cursor.takeBlanks();
    const stamp = this.#takeStamp();
    if (Number.isNaN(stamp)) return false;
    cursor.takeBlanks();
    const identifier = this.#takeIdentifier();
    if (identifier === -1) return false;
    const length = this.#takeLength();
    if (length < 0) return false;
    const isRemote = cursor.takeWord("remote request");
    if (isRemote) writer.data.fill(0);
    else if (!this.#takeData(writer.data, length)) return false;
    this.#wall = stamp;
    writer.frame(stamp, isRemote ? identifier | REMOTE_FRAME : identifier, length);
    return true;
  };

  /** Wall clock of the frame from the stamp of the line, or from the frame before; NaN if the stamp is malformed. */
  #takeStamp(): number {
    const cursor = this.#cursor;
    const wall = this.#wall;
    const start = this.#start;
    if (!cursor.take("(")) return wall === undefined ? start : wall + MILLISECOND;
    const date = new TextCursor();
    date.set(cursor.bytes, cursor.at, cursor.end);
    const day = takeDate(date);
    if (!Number.isNaN(day)) {
      cursor.at = date.at;
      cursor.takeBlanks();
      const time = takeTimeOfDay(cursor);
      this.times = "dated";
      return time >= 0 && cursor.take(")") ? day * 1000 + time : Number.NaN;
    }
    const seconds = cursor.decimal();
    const { digits } = cursor;
    const fraction = cursor.take(".") ? cursor.microseconds() : -1;
    if (seconds < 0 || fraction < 0 || !cursor.take(")")) return Number.NaN;
    const microseconds = seconds * MICROSECONDS_OF_SECOND + fraction;
    this.times = digits >= DIGITS_SINCE_1970 ? "dated" : "undated";
    if (this.times === "dated") return microseconds;
    const seen = this.#seen;
    seen.stepsBack ||= microseconds < seen.last;
    seen.last = microseconds;
    seen.count++;
    return (this.#areDifferences ? (wall ?? start) : start) + microseconds;
  }

  /** The identifier, the last word before the length; -1 if there is none. */
  #takeIdentifier(): number {
    const cursor = this.#cursor;
    let words = 0;
    let word = cursor.at;
    let behind = cursor.at;
    while (!cursor.done && cursor.next !== OPEN_BRACKET) {
      word = cursor.at;
      while (!cursor.done && !cursor.isBlank) cursor.at++;
      behind = cursor.at;
      words++;
      cursor.takeBlanks();
    }
    const length = cursor.at;
    cursor.at = word;
    const old = cursor.takeWord("<0x");
    const identifier = cursor.hexadecimal();
    const { digits } = cursor;
    if (old ? !cursor.take(">") : words < 2) return -1;
    if (cursor.at !== behind) return -1;
    cursor.at = length;
    return candumpIdentifier(identifier, digits);
  }

  /** The length in brackets, with the raw data length code, `{F}`, of a frame of eight bytes; -1 if it is malformed. */
  #takeLength(): number {
    const cursor = this.#cursor;
    if (!cursor.take("[")) return -1;
    const length = cursor.decimal();
    if (length < 0 || length > 8 || cursor.digits !== 1 || !cursor.take("]")) return -1;
    cursor.takeBlanks();
    if (cursor.take("{") && (cursor.hexadecimal() < 0 || !cursor.take("}"))) return -1;
    cursor.takeBlanks();
    return length;
  }

  #takeData(data: Uint8Array, length: number): boolean {
    const cursor = this.#cursor;
    for (let index = 0; index < length; index++) {
      if (index > 0 && !cursor.takeBlanks()) return false;
      const byte = cursor.byte();
      if (byte < 0) return false;
      data[index] = byte;
    }
    return length === 0 || cursor.done || cursor.isBlank;
  }
}

const TAB = 0x09;
const OPEN_BRACKET = 0x5b;

const noStamps = (): RelativeStamps => ({ count: 0, last: 0, stepsBack: false });

/** Kind of the stamps in a head; undefined if it has no lines of candump, or too few to decide. */
function kindOf(head: Head): "differences" | "times" | undefined {
  const seen = noStamps();
  const writer = new RecordWriter();
  lineReader(new CandumpTextParser({ modified: 0 }, false, seen).parse).read(wholeLines(head), true, writer);
  if (writer.drain().next().done) return undefined;
  if (seen.stepsBack) return "differences";
  return seen.count === 0 || seen.count >= ENOUGH_STAMPS || head.complete ? "times" : undefined;
}

function readerOf(options: ReaderOptions, areDifferences: boolean): Reader {
  const parser = new CandumpTextParser(options, areDifferences, noStamps());
  const lines = lineReader(parser.parse);
  return {
    read: (chunk, end, writer) => lines.read(chunk, end, writer),
    get malformed() {
      return lines.malformed;
    },
    get times() {
      return parser.times;
    },
  };
}

export const candumpText: Format = {
  name: "candump",
  matches: (head) => kindOf(head) === "times",
  createReader: (options) => readerOf(options, false),
};

export const candumpDifferences: Format = {
  name: "candump -t d",
  matches: (head) => kindOf(head) === "differences",
  createReader: (options) => readerOf(options, true),
};

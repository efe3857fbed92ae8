/**
 * Files of NMEA 0183 sentences, as chart plotters and multiplexers write them. Their times are those of tag blocks, if
 * there are any, and otherwise those of RMC and ZDA, at which the sentences behind them are sent too:
 *
 *     \s:GP0001,c:1795248866*16\$GPGLL,5213.1234,N,00454.5678,E,081426,A,A*4C     seconds or milliseconds since 1970
 *     $GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D*3F
 *
 * Sentences before the first time have that time. In a file without any each sentence takes a millisecond.
 */

import { GLOBAL_ADDRESS } from "../../../core/can/can-id.ts";
import type { RecordedTimes } from "../../../core/ports/packet-source.ts";
import { dayOf, timestampOf } from "../../../core/text/date.ts";
import { Fields } from "../../nmea0183/input/fields.ts";
import { type Line, readLine } from "../../nmea0183/input/line.ts";
import { Listener, type Tell } from "../../nmea0183/input/listener.ts";
import { sentencesIn } from "../../nmea0183/input/sentences.ts";
import { lineReader, wholeLines } from "../line-reader.ts";
import { RecordWriter } from "../record-writer.ts";
import { ReplayClock } from "../replay-clock.ts";
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";

const PRIORITY = 6;
/** Lines that are kept for a time that follows; RMC comes once in a few seconds. */
const MAX_WAITING = 10_000;
/** A receiver whose time is so much behind that of another one is late, and sets no clock back; milliseconds. */
const LATE_MS = 60_000;
const WITHOUT_TIME_MS = 1;

const decoder = new TextDecoder("latin1");
const lineAt = (bytes: Uint8Array, from: number, to: number): string => decoder.decode(bytes.subarray(from, to));

/** Writes the messages of talkers, with a wall clock in microseconds since 1970. */
export const sentenceRecords =
  (writer: RecordWriter, wall: number): Tell =>
  (address, said) => {
    for (const { pgn, payload } of said)
      writer.packet(wall, PRIORITY, pgn, address, GLOBAL_ADDRESS, payload, payload.length);
  };

/** The date and time in RMC and ZDA, milliseconds since 1970. */
function momentIn({ body, isEncapsulated }: Line): number | undefined {
  if (isEncapsulated || !/^[A-Z]{2}(RMC|ZDA),/.test(body)) return undefined;
  const fields = new Fields(body);
  const [days, seconds] = [fields.letters === "ZDA" ? fields.dateOfThree(1) : fields.date(8), fields.time(0)];
  return days === undefined || seconds === undefined ? undefined : timestampOf(days, 0) + Math.round(seconds * 1000);
}

/** Fields of a sentence without a checksum by which this format is recognized; prose has fewer. */
const MIN_FIELDS = 3;

/** A sentence by which this format is recognized: it has a checksum, or is known, and is not of a manufacturer. */
function isSentence(text: string): boolean {
  const line = readLine(text);
  if (line === undefined || line.body.startsWith("P")) return false;
  const { talker, letters, count } = new Fields(line.body);
  return talker.length === 2 && (line.hasChecksum || (sentencesIn[letters] !== undefined && count >= MIN_FIELDS));
}

function matches(head: Head): boolean {
  let isFound = false;
  const reader = lineReader((bytes, from, to) => {
    isFound ||= isSentence(lineAt(bytes, from, to));
    return true;
  });
  reader.read(wholeLines(head), true, new RecordWriter());
  return isFound;
}

class SentenceReader implements Reader {
  readonly #modified: number;
  readonly #listener: Listener;
  readonly #clock = new ReplayClock();
  readonly #lines = lineReader((bytes, from, to, writer) => this.#line(lineAt(bytes, from, to), writer));
  /** Lines before the first time. */
  #waiting: (Line | undefined)[] = [];
  /** Those of them that cannot be read. */
  #refused = 0;
  #hasTags = false;
  /** The time of the last sentence, milliseconds since 1970. */
  #at: number | undefined;
  /** There was no time for so long that the sentences have none. */
  #isUntimed = false;

  constructor({ modified, unusedTransducers }: ReaderOptions) {
    this.#modified = modified;
    this.#listener = new Listener("recording", unusedTransducers);
  }

  get times(): RecordedTimes {
    return this.#isUntimed ? "none" : "dated";
  }

  get malformed(): number {
    return this.#lines.malformed + this.#refused;
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    this.#lines.read(chunk, end, writer);
    if (end && this.#waiting.length > 0) this.#beginUntimed(writer);
  }

  #beginUntimed(writer: RecordWriter): void {
    this.#isUntimed = true;
    this.#at = this.#modified;
    this.#hearWaiting(writer);
  }

  #hearWaiting(writer: RecordWriter): void {
    this.#refused = this.#waiting.filter((each) => !this.#hear(each, writer)).length;
    this.#waiting = [];
  }

  #line(text: string, writer: RecordWriter): boolean {
    const line = readLine(text);
    const isFirst = this.#at === undefined;
    if (line !== undefined && !this.#isUntimed) this.#setTime(line);
    if (this.#at === undefined) {
      this.#waiting.push(line);
      if (this.#waiting.length > MAX_WAITING) this.#beginUntimed(writer);
      return true;
    }
    if (isFirst) this.#hearWaiting(writer);
    return this.#hear(line, writer);
  }

  #setTime(line: Line): void {
    this.#hasTags ||= line.sentAt !== undefined;
    const at = this.#hasTags ? line.sentAt : momentIn(line);
    if (at === undefined) return;
    const isLate = this.#at !== undefined && at < this.#at && this.#at - at < LATE_MS;
    if (!isLate) this.#at = at;
  }

  #hear(line: Line | undefined, writer: RecordWriter): boolean {
    if (this.#isUntimed) this.#at! += WITHOUT_TIME_MS;
    const wall = this.#at! * 1000;
    const seconds = this.#clock.advance(wall) / 1e6;
    return this.#listener.hear(line, seconds, dayOf(this.#at!), sentenceRecords(writer, wall));
  }
}

export const nmea0183Sentences: Format = {
  name: "NMEA 0183",
  matches,
  createReader: (options) => new SentenceReader(options),
};

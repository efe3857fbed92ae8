/**
 * Files *.CAN of Yacht Devices' Voyage Recorder and CAN Log Viewer (manual of the viewer, "Description of .CAN file
 * format"), records of 16 bytes, little endian:
 *
 *     u16  bits 0-9 minutes, 10 interface, 11-13 data length less one, 14 sent by the recorder, 15 identifier of 11 bits
 *     u16  milliseconds of the minute
 *     u32  identifier; FFFFFFFF is a record of the recorder itself
 *     u8[8] data
 *
 * The first record is the recorder's, with the version of the format as its data. The minutes have no date and start
 * again after 1024.
 */
import { CollectedBlock } from "../collected-block.ts";
import { EXTENDED_FRAME, LARGEST_IDENTIFIER } from "../frame-batch.ts";
import type { RecordWriter } from "../record-writer.ts";
import { timesFrom } from "../wall-time.ts";
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";

const RECORD_BYTES = 16;
const DATA = 8;
const VERSION = "YDVR v05";
const OF_RECORDER = 0xffffffff;
const LARGEST_SHORT_IDENTIFIER = 0x7ff;

const MINUTES = 0x3ff;
const LENGTH_SHIFT = 11;
const SHORT_IDENTIFIER = 0x8000;

const MILLISECONDS_OF_MINUTE = 60_000;
const PERIOD_US = (MINUTES + 1) * MILLISECONDS_OF_MINUTE * 1000;

/** The first record; its identifier is not looked at, which some recorders leave undefined. */
const isVersion = (bytes: Uint8Array): boolean =>
  Array.from(VERSION, (character) => character.charCodeAt(0)).every((code, index) => bytes[DATA + index] === code);

class CanFileReader implements Reader {
  malformed = 0;
  readonly times = "undated";
  problem: string | undefined;
  readonly #record = new CollectedBlock(RECORD_BYTES);
  /** The first is at the time of the file. */
  readonly #wallOf: (microseconds: number) => number;

  constructor({ modified }: ReaderOptions) {
    this.#wallOf = timesFrom(modified, PERIOD_US);
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    for (let at = 0; ; this.#record.have = 0) {
      at = this.#record.take(chunk, at, RECORD_BYTES);
      if (!this.#record.isWhole(RECORD_BYTES)) break;
      if (!this.#write(writer)) this.malformed++;
    }
    if (end && this.#record.isOpen) this.problem = "ends within a record";
  }

  #write(writer: RecordWriter): boolean {
    const { kept, view } = this.#record;
    const head = view.getUint16(0, true);
    const milliseconds = view.getUint16(2, true);
    const identifier = view.getUint32(4, true);
    if (identifier === OF_RECORDER || isVersion(kept)) return true;
    const isShort = (head & SHORT_IDENTIFIER) !== 0;
    if (identifier > (isShort ? LARGEST_SHORT_IDENTIFIER : LARGEST_IDENTIFIER)) return false;
    if (milliseconds >= MILLISECONDS_OF_MINUTE) return false;
    const time = ((head & MINUTES) * MILLISECONDS_OF_MINUTE + milliseconds) * 1000;
    const length = ((head >> LENGTH_SHIFT) & 7) + 1;
    const flagged = isShort ? identifier : (identifier | EXTENDED_FRAME) >>> 0;
    writer.frameOf(this.#wallOf(time), flagged, kept.subarray(DATA), length);
    return true;
  }
}

export const yachtDevicesCan: Format = {
  name: "Yacht Devices CAN",
  matches: ({ bytes }: Head) => bytes.length >= RECORD_BYTES && isVersion(bytes),
  createReader: (options) => new CanFileReader(options),
};

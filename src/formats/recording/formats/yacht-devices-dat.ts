/**
 * Files *.DAT of Yacht Devices' Voyage Recorder (manual of the recorder, appendix D), records without padding, little
 * endian:
 *
 *     u16  milliseconds of the minute
 *     u32  identifier; FFFFFFFF is a record of the recorder itself, with 8 bytes
 *     u8[] of PGN 59904 3 bytes; of the PGNs below a sequence, a length and as many bytes, put together; of others 8
 *
 * The times have no date, and no minute.
 */
import { fromCanId } from "../../../core/can/can-id.ts";
import { CollectedBlock } from "../collected-block.ts";
import { EXTENDED_FRAME, LARGEST_IDENTIFIER } from "../frame-batch.ts";
import type { RecordWriter } from "../record-writer.ts";
import { timesFrom } from "../wall-time.ts";
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";

const HEAD_BYTES = 6;
const WITH_LENGTH_BYTES = 8;
const FRAME_BYTES = 8;
const LONGEST_RECORD = WITH_LENGTH_BYTES + 255;
const LONGEST_PACKET = 223;
const OF_RECORDER = 0xffffffff;
const REQUEST = 59_904;
const REQUEST_BYTES = 3;
const MINUTE_MS = 60_000;
/** Records in a row by which a file is recognized. */
const ENOUGH_RECORDS = 8;

/** Ranges of the PGNs that the recorder puts together. */
const joinedRanges: readonly (readonly [first: number, last: number])[] = [
  ...[65_240, 126_208, 126_464, 126_720, 126_996, 126_998, 127_233, 127_237, 127_489].map(alone),
  [126_983, 126_986],
  [127_496, 127_498],
  [127_503, 127_504],
  [127_506, 127_507],
  [127_509, 127_514],
  ...[128_275, 128_520, 129_029, 129_301, 129_302, 129_538, 129_545, 129_547, 129_549, 129_551, 129_556].map(alone),
  [129_038, 129_041],
  [129_044, 129_045],
  [129_284, 129_285],
  [129_540, 129_542],
  [129_792, 129_810],
  [130_052, 130_054],
  [130_060, 130_061],
  [130_064, 130_074],
  [130_320, 130_324],
  ...[130_567, 130_577, 130_578, 130_816].map(alone),
];

function alone(pgn: number): readonly [number, number] {
  return [pgn, pgn];
}

const isJoined = (pgn: number): boolean => joinedRanges.some(([first, last]) => pgn >= first && pgn <= last);

const isRecord = (milliseconds: number, identifier: number): boolean =>
  identifier === OF_RECORDER || (milliseconds < MINUTE_MS && identifier <= LARGEST_IDENTIFIER);

/** Bytes of a record in front of its data, and of its data; undefined while its length has not come. */
function sizesOf(view: DataView, at: number, have: number): readonly [head: number, data: number] | undefined {
  const identifier = view.getUint32(at + 2, true);
  if (identifier === OF_RECORDER) return [HEAD_BYTES, FRAME_BYTES];
  const { pgn } = fromCanId(identifier);
  if (pgn === REQUEST) return [HEAD_BYTES, REQUEST_BYTES];
  if (!isJoined(pgn)) return [HEAD_BYTES, FRAME_BYTES];
  return have < WITH_LENGTH_BYTES ? undefined : [WITH_LENGTH_BYTES, view.getUint8(at + HEAD_BYTES + 1)];
}

class DatFileReader implements Reader {
  malformed = 0;
  readonly times = "undated";
  problem: string | undefined;
  readonly #record = new CollectedBlock(LONGEST_RECORD);
  /** The first is at the time of the file. */
  readonly #wallOf: (microseconds: number) => number;
  /** The bytes before are no record. */
  #isLost = false;

  constructor({ modified }: ReaderOptions) {
    this.#wallOf = timesFrom(modified, MINUTE_MS * 1000);
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    const record = this.#record;
    let at = 0;
    const has = (need: number): boolean => {
      if (record.have < need) at = record.take(chunk, at, need);
      return record.have >= need;
    };
    while (has(HEAD_BYTES)) {
      if (!isRecord(record.view.getUint16(0, true), record.view.getUint32(2, true))) {
        this.#skipByte();
        continue;
      }
      if (sizesOf(record.view, 0, record.have) === undefined && !has(WITH_LENGTH_BYTES)) break;
      const [head, data] = sizesOf(record.view, 0, record.have)!;
      if (!has(head + data)) break;
      if (!this.#write(head, data, writer)) this.malformed++;
      record.have = 0;
    }
    if (end && record.isOpen) this.problem = "ends within a record";
  }

  /** Looks for the next record one byte further on; a row of such bytes is one malformed record. */
  #skipByte(): void {
    if (!this.#isLost) this.malformed++;
    this.#isLost = true;
    this.#record.kept.copyWithin(0, 1, HEAD_BYTES);
    this.#record.have--;
  }

  #write(head: number, length: number, writer: RecordWriter): boolean {
    this.#isLost = false;
    const { kept, view } = this.#record;
    const identifier = view.getUint32(2, true);
    if (identifier === OF_RECORDER) return true;
    const time = view.getUint16(0, true) * 1000;
    const wall = this.#wallOf(time);
    const data = kept.subarray(head, head + length);
    if (head === HEAD_BYTES) {
      writer.frameOf(wall, (identifier | EXTENDED_FRAME) >>> 0, data, length);
      return true;
    }
    const { priority, pgn, source, destination } = fromCanId(identifier);
    return length <= LONGEST_PACKET && writer.packet(wall, priority, pgn, source, destination, data, length);
  }
}

/** Whether the first records follow one another to the end of the head, or are enough. */
function matches({ bytes, complete }: Head): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let records = 0;
  for (let at = 0; records < ENOUGH_RECORDS; records++) {
    const have = bytes.length - at;
    if (complete && have === 0 && records > 0) return true;
    if (have < HEAD_BYTES || !isRecord(view.getUint16(at, true), view.getUint32(at + 2, true))) return false;
    const sizes = sizesOf(view, at, have);
    if (sizes === undefined || sizes[0] + sizes[1] > have) return false;
    at += sizes[0] + sizes[1];
  }
  return true;
}

export const yachtDevicesDat: Format = {
  name: "Yacht Devices DAT",
  matches,
  createReader: (options) => new DatFileReader(options),
};

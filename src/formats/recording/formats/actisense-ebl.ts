/**
 * Logs of Actisense's gateways and programs, EBL (Actisense SDK, docs/FileFormats/ebl/ebl-file-format.md): the bytes of
 * a connection, with tags between them. An ESC within either is written twice.
 *
 *     ESC SOH  tag  data  ESC LF
 *     01 version(4)     1002 is version 1.002
 *     03 time(8)        of what follows: units of 100 ns since 1601, little endian
 *     05 direction(1)   of what follows: 0 from the gateway, 1 to it
 *     07 message        a BST message without its framing; a W2K-1 leaves out the checksum, too
 *
 * The bytes are BST messages in their framing. A tag from 80 on is the first byte of a BST message itself, as some
 * home-made recorders write it, and any other is skipped. Frames have a counter of milliseconds: a W2K-1 writes the time
 * once a second, and frames count from it.
 */
import type { RecordedTimes } from "../../../core/ports/packet-source.ts";
import type { RecordWriter } from "../record-writer.ts";
import { RunningTime } from "../wall-time.ts";
import { BstMessages, BstReader, isChecked, LONGEST_BST } from "./actisense-bst.ts";
import type { Format, Head, Reader, ReaderOptions } from "./format.ts";

const ESC = 0x1b;
const SOH = 0x01;
const LF = 0x0a;

const VERSION = 0x01;
const DESCRIPTION = 0x02;
const TIME = 0x03;
const ELEMENT = 0x04;
const DIRECTION = 0x05;
const BST_MESSAGE = 0x07;
const tags: readonly number[] = [VERSION, DESCRIPTION, TIME, ELEMENT, DIRECTION, BST_MESSAGE];
/** The lowest first byte of a BST message. */
const FIRST_BST = 0x80;

/** The first version that may have another layout. */
const UNKNOWN_VERSION = 2000;
const COUNTER_PERIOD_US = 0x10000 * 1000;
/** From 1601 to 1970, and to the year 2970, after which a time is damaged, in units of 100 ns. */
const EPOCH = 116_444_736_000_000_000n;
const LATEST = 432_014_256_000_000_000n;

class EblReader implements Reader {
  problem: string | undefined;
  times: RecordedTimes = "none";
  readonly #messages = new BstMessages();
  readonly #stream = new BstReader(this.#messages);
  readonly #tag = new Uint8Array(LONGEST_BST + 1);
  readonly #view = new DataView(this.#tag.buffer);
  #length = 0;
  #state: "stream" | "tag" = "stream";
  #isEscaped = false;
  #isFromHost = false;
  #damaged = 0;
  /** The times of frames since the last time in the log; undefined before the first frame after it. */
  #counted: RunningTime | undefined;

  constructor({ modified }: ReaderOptions) {
    this.#messages.wall = modified * 1000;
    this.#messages.frameWall = (counter) => {
      this.#counted ??= new RunningTime(this.#messages.wall - counter * 1000, COUNTER_PERIOD_US);
      return this.#counted.wall(counter * 1000);
    };
  }

  get malformed(): number {
    return this.#damaged + this.#stream.malformed;
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    const { answers } = this.#messages;
    for (const byte of chunk) {
      if (this.problem !== undefined) break;
      if (this.#isEscaped) {
        this.#isEscaped = false;
        this.#control(byte, writer);
      } else if (byte === ESC) this.#isEscaped = true;
      else this.#take(byte, writer);
    }
    writer.internal += this.#messages.answers - answers;
    if (end && this.problem === undefined && (this.#state === "tag" || this.#isEscaped))
      this.problem = "ends within a record";
  }

  #take(byte: number, writer: RecordWriter): void {
    if (this.#state === "tag") {
      if (this.#length < this.#tag.length) this.#tag[this.#length] = byte;
      this.#length++;
    } else if (!this.#isFromHost) this.#stream.push(byte, writer);
  }

  /** A byte behind an ESC. */
  #control(byte: number, writer: RecordWriter): void {
    if (byte === ESC) this.#take(byte, writer);
    else if (byte === SOH) {
      if (this.#state === "tag") this.#damaged++;
      this.#state = "tag";
      this.#length = 0;
    } else {
      const isTag = byte === LF && this.#state === "tag" && this.#length <= this.#tag.length;
      if (!isTag || !this.#tagged(writer)) this.#damaged++;
      this.#state = "stream";
    }
  }

  /** Reads the tag; false if it is damaged. */
  #tagged(writer: RecordWriter): boolean {
    const tag = this.#tag[0]!;
    const length = this.#length - 1;
    if (length < 0) return false;
    if (tag >= FIRST_BST) return this.#message(0, writer);
    switch (tag) {
      case VERSION:
        return length >= 4 && this.#version(this.#view.getUint32(1, true));
      case TIME:
        return length >= 8 && this.#time();
      case DIRECTION:
        this.#isFromHost = length >= 1 && this.#tag[1] !== 0;
        return length >= 1;
      case BST_MESSAGE:
        return this.#message(1, writer);
    }
    return true;
  }

  #version(version: number): boolean {
    if (version >= UNKNOWN_VERSION) this.problem = `has version ${version / 1000} of EBL, which is not known`;
    return true;
  }

  #time(): boolean {
    const time = this.#view.getBigUint64(1, true);
    if (time < EPOCH || time >= LATEST) return false;
    this.#messages.wall = Number((time - EPOCH) / 10n);
    this.#counted = undefined;
    this.times = "dated";
    return true;
  }

  /** The message from `from` on in the tag, with its checksum or without it. */
  #message(from: number, writer: RecordWriter): boolean {
    if (this.#isFromHost) {
      this.#messages.answers++;
      return true;
    }
    const bytes = this.#tag.subarray(from);
    const length = this.#length - from;
    return (
      this.#messages.write(bytes, length, writer) ||
      (length > 0 && isChecked(bytes, length) && this.#messages.write(bytes, length - 1, writer))
    );
  }
}

export const actisenseEbl: Format = {
  name: "Actisense EBL",
  matches({ bytes }: Head) {
    const [first, second, tag = 0] = bytes;
    return first === ESC && second === SOH && (tags.includes(tag) || tag >= FIRST_BST);
  },
  createReader: (options) => new EblReader(options),
};

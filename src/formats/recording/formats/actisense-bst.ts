/**
 * BST messages of Actisense gateways, in their framing over serial lines, TCP and in logs, or without it (Actisense
 * SDK, docs/DataProtocols/bdtp-protocol.md and docs/DataFormats/Binary):
 *
 *     DLE STX  message  checksum  DLE ETX       a DLE within is sent twice; all bytes between sum up to 0 modulo 256
 *
 *     93 length  priority pgn(3) destination source time(4) length  payload      a whole message of the bus
 *     95 length  time(2) source ps pf flags  data                                a frame
 *     D0 length(2)  destination source ps pf flags control time(4)  payload      a whole message of any length
 *     A0 length  command sequence model(2) serial(4) error(4)  data              an answer or report of the gateway
 *
 * The first length is that of what follows it; that of D0 counts from D0 on. Multi-byte numbers are little endian.
 */
import { type CanIdParts, GLOBAL_ADDRESS, isAddressed, toCanId } from "../../../core/can/can-id.ts";
import { EXTENDED_FRAME } from "../frame-batch.ts";
import { LONGEST_PAYLOAD, type RecordWriter } from "../record-writer.ts";

export const STX = 0x02;
export const ETX = 0x03;
export const DLE = 0x10;

const N2K_MESSAGE = 0x93;
const CAN_FRAME = 0x95;
const GATEWAY_ANSWER = 0xa0;
const N2K_MESSAGE_LONG = 0xd0;

const N2K_HEAD = 13;
const FRAME_HEAD = 8;
const LONG_HEAD = 13;
const ANSWER_HEAD = 14;
/** The longest message with its checksum. */
export const LONGEST_BST = LONG_HEAD + LONGEST_PAYLOAD + 1;

/** Whether the bytes of a message and its checksum sum up to 0. */
export function isChecked(bytes: Uint8Array, length: number): boolean {
  let sum = 0;
  for (let index = 0; index < length; index++) sum += bytes[index]!;
  return (sum & 0xff) === 0;
}

/** Takes messages without their framing and checksum, and writes those of the bus. */
export class BstMessages {
  /** Messages of the gateway about itself. */
  answers = 0;
  /** Wall clock of the next whole message, microseconds since 1970. */
  wall = 0;
  /** Wall clock of a frame whose counter, of 16 bits and milliseconds, is given. */
  frameWall: (counter: number) => number = () => this.wall;
  readonly #onAnswer: (command: number, data: Uint8Array) => void;

  /** `data` is valid until the listener returns; empty where the message has none. */
  constructor(onAnswer: (command: number, data: Uint8Array) => void = () => {}) {
    this.#onAnswer = onAnswer;
  }

  /** Writes the message in the first `length` of `bytes`; false if it is none. */
  write(bytes: Uint8Array, length: number, writer: RecordWriter): boolean {
    if (length < 2) return false;
    if (bytes[0] === N2K_MESSAGE_LONG) return length >= LONG_HEAD && this.#writeLong(bytes, length, writer);
    if (bytes[1] !== length - 2) return false;
    switch (bytes[0]) {
      case N2K_MESSAGE:
        return length >= N2K_HEAD && this.#writeMessage(bytes, length, writer);
      case CAN_FRAME:
        return length >= FRAME_HEAD && length <= FRAME_HEAD + 8 && this.#writeFrame(bytes, length, writer);
      case GATEWAY_ANSWER:
        if (length < 3) return false;
        this.#onAnswer(bytes[2]!, bytes.subarray(Math.min(ANSWER_HEAD, length), length));
    }
    this.answers++;
    return true;
  }

  #writeMessage(bytes: Uint8Array, length: number, writer: RecordWriter): boolean {
    if (bytes[N2K_HEAD - 1] !== length - N2K_HEAD) return false;
    const pgn = bytes[3]! | (bytes[4]! << 8) | ((bytes[5]! & 3) << 16);
    const head = { priority: bytes[2]! & 7, pgn, source: bytes[7]!, destination: bytes[6]! };
    return this.#packet(head, bytes.subarray(N2K_HEAD, length), writer);
  }

  #writeLong(bytes: Uint8Array, length: number, writer: RecordWriter): boolean {
    if ((bytes[1]! | (bytes[2]! << 8)) !== length) return false;
    const pgn = bytes[5]! | (bytes[6]! << 8) | ((bytes[7]! & 3) << 16);
    const head = { priority: (bytes[7]! >> 2) & 7, pgn, source: bytes[4]!, destination: bytes[3]! };
    return this.#packet(head, bytes.subarray(LONG_HEAD, length), writer);
  }

  #packet({ priority, pgn, source, destination }: CanIdParts, payload: Uint8Array, writer: RecordWriter): boolean {
    // The low byte of an addressed PGN may be the destination.
    const [number, target] = isAddressed(pgn) ? [pgn & 0x3ff00, destination] : [pgn, GLOBAL_ADDRESS];
    return writer.packet(this.wall, priority, number, source, target, payload, payload.length);
  }

  #writeFrame(bytes: Uint8Array, length: number, writer: RecordWriter): boolean {
    const counter = bytes[2]! | (bytes[3]! << 8);
    const flags = bytes[7]!;
    const pgn = bytes[5]! | (bytes[6]! << 8) | ((flags & 3) << 16);
    const id = toCanId({ priority: (flags >> 2) & 7, pgn, source: bytes[4]!, destination: bytes[5]! });
    const data = bytes.subarray(FRAME_HEAD, length);
    writer.frameOf(this.frameWall(counter), (id | EXTENDED_FRAME) >>> 0, data, data.length);
    return true;
  }
}

/** Takes bytes of any length in turn, finds the messages in their frames, and counts the rest. */
export class BstReader {
  malformed = 0;
  readonly #messages: BstMessages;
  readonly #message = new Uint8Array(LONGEST_BST);
  #length = 0;
  #state: "outside" | "noise" | "inside" = "outside";
  #isEscaped = false;

  constructor(messages: BstMessages) {
    this.#messages = messages;
  }

  read(chunk: Uint8Array, writer: RecordWriter): void {
    for (const byte of chunk) this.push(byte, writer);
  }

  push(byte: number, writer: RecordWriter): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#control(byte, writer);
    } else if (byte === DLE) this.#isEscaped = true;
    else this.#take(byte);
  }

  /** A byte behind a DLE. */
  #control(byte: number, writer: RecordWriter): void {
    if (byte === STX) {
      if (this.#state === "inside") this.malformed++;
      this.#state = "inside";
      this.#length = 0;
    } else if (byte === DLE) this.#take(byte);
    else if (this.#state === "inside") {
      if (byte !== ETX || !this.#write(writer)) this.malformed++;
      this.#state = "outside";
    } else this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#state === "inside") {
      if (this.#length < LONGEST_BST) this.#message[this.#length++] = byte;
      else this.#lose();
    } else if (this.#state === "outside") this.#lose();
  }

  /** Counts bytes that are not a message once, up to the beginning of the next one. */
  #lose(): void {
    this.malformed++;
    this.#state = "noise";
  }

  #write(writer: RecordWriter): boolean {
    return isChecked(this.#message, this.#length) && this.#messages.write(this.#message, this.#length - 1, writer);
  }
}

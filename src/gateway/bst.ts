/**
 * BST messages of Actisense gateways in their framing over serial lines and TCP (Actisense SDK,
 * docs/DataProtocols/bdtp-protocol.md and docs/DataFormats/Binary):
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
import { fromCanId, GLOBAL_ADDRESS, isAddressed, toCanId } from "../can/can-id.ts";
import { EXTENDED_FRAME } from "../recording/frame-batch.ts";
import { LONGEST_PAYLOAD, type RecordWriter } from "../recording/record-writer.ts";

const STX = 0x02;
const ETX = 0x03;
const DLE = 0x10;

const N2K_MESSAGE = 0x93;
const N2K_SEND = 0x94;
const CAN_FRAME = 0x95;
const GATEWAY_ANSWER = 0xa0;
const GATEWAY_COMMAND = 0xa1;
const N2K_MESSAGE_LONG = 0xd0;

const N2K_HEAD = 13;
const FRAME_HEAD = 8;
const LONG_HEAD = 13;
const ANSWER_HEAD = 14;
/** The longest message with its checksum. */
const LONGEST = LONG_HEAD + LONGEST_PAYLOAD + 1;

/** A message with its checksum, in its frame. */
function bstFrame(message: readonly number[]): Uint8Array {
  const checksum = -message.reduce((sum, byte) => sum + byte, 0) & 0xff;
  const stuffed = [...message, checksum].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  return Uint8Array.of(DLE, STX, ...stuffed, DLE, ETX);
}

export const gatewayCommand = (command: number, ...data: readonly number[]): Uint8Array =>
  bstFrame([GATEWAY_COMMAND, data.length + 1, command, ...data]);

/** A message that the gateway sends from its own address. */
export function sendCommand(id: number, data: Uint8Array): Uint8Array {
  const { priority, pgn, destination } = fromCanId(id);
  const head = [priority, pgn & 0xff, (pgn >> 8) & 0xff, pgn >> 16, destination, data.length];
  return bstFrame([N2K_SEND, head.length + data.length, ...head, ...data]);
}

/** Takes bytes of any length in turn, writes the messages and frames of the bus, and counts the rest. */
export class BstReader {
  malformed = 0;
  /** Messages of the gateway about itself. */
  answers = 0;
  readonly #onAnswer: (command: number, data: Uint8Array) => void;
  readonly #message = new Uint8Array(LONGEST);
  readonly #view = new DataView(this.#message.buffer);
  #length = 0;
  #state: "outside" | "noise" | "inside" = "outside";
  #isEscaped = false;

  /** `data` is valid until the listener returns; empty where the message has none. */
  constructor(onAnswer: (command: number, data: Uint8Array) => void = () => {}) {
    this.#onAnswer = onAnswer;
  }

  read(chunk: Uint8Array, writer: RecordWriter): void {
    for (const byte of chunk) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
        this.#control(byte, writer);
      } else if (byte === DLE) this.#isEscaped = true;
      else this.#take(byte);
    }
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
      if (this.#length < LONGEST) this.#message[this.#length++] = byte;
      else this.#lose();
    } else if (this.#state === "outside") this.#lose();
  }

  /** Counts bytes that are not a message once, up to the beginning of the next one. */
  #lose(): void {
    this.malformed++;
    this.#state = "noise";
  }

  #write(writer: RecordWriter): boolean {
    const bytes = this.#message;
    const length = this.#length - 1;
    let sum = 0;
    for (let index = 0; index <= length; index++) sum += bytes[index]!;
    if (length < 2 || (sum & 0xff) !== 0) return false;
    if (bytes[0] === N2K_MESSAGE_LONG) return length >= LONG_HEAD && this.#writeLong(length, writer);
    if (bytes[1] !== length - 2) return false;
    switch (bytes[0]) {
      case N2K_MESSAGE:
        return length >= N2K_HEAD && this.#writeMessage(length, writer);
      case CAN_FRAME:
        return length >= FRAME_HEAD && length <= FRAME_HEAD + 8 && this.#writeFrame(length, writer);
      case GATEWAY_ANSWER:
        if (length < 3) return false;
        this.#onAnswer(bytes[2]!, bytes.subarray(Math.min(ANSWER_HEAD, length), length));
    }
    this.answers++;
    return true;
  }

  #writeMessage(length: number, writer: RecordWriter): boolean {
    const bytes = this.#message;
    if (bytes[N2K_HEAD - 1] !== length - N2K_HEAD) return false;
    const pgn = bytes[3]! | (bytes[4]! << 8) | ((bytes[5]! & 3) << 16);
    return this.#packet(bytes[2]! & 7, pgn, bytes[7]!, bytes[6]!, N2K_HEAD, length, writer);
  }

  #writeLong(length: number, writer: RecordWriter): boolean {
    const bytes = this.#message;
    if (this.#view.getUint16(1, true) !== length) return false;
    const pgn = bytes[5]! | (bytes[6]! << 8) | ((bytes[7]! & 3) << 16);
    return this.#packet((bytes[7]! >> 2) & 7, pgn, bytes[4]!, bytes[3]!, LONG_HEAD, length, writer);
  }

  #packet(
    priority: number,
    pgn: number,
    source: number,
    destination: number,
    from: number,
    to: number,
    writer: RecordWriter,
  ): boolean {
    // The low byte of an addressed PGN may be the destination.
    const [number, target] = isAddressed(pgn) ? [pgn & 0x3ff00, destination] : [pgn, GLOBAL_ADDRESS];
    return writer.packet(0, priority, number, source, target, this.#message.subarray(from, to), to - from);
  }

  #writeFrame(length: number, writer: RecordWriter): boolean {
    const bytes = this.#message;
    const flags = bytes[7]!;
    const pgn = bytes[5]! | (bytes[6]! << 8) | ((flags & 3) << 16);
    const id = toCanId({ priority: (flags >> 2) & 7, pgn, source: bytes[4]!, destination: bytes[5]! });
    const data = bytes.subarray(FRAME_HEAD, length);
    writer.frameOf(0, (id | EXTENDED_FRAME) >>> 0, data, data.length);
    return true;
  }
}

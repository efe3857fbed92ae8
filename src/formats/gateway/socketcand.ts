/**
 * socketcand, a daemon that shares SocketCAN interfaces (its doc/protocol.md). Elements in angle brackets, with or
 * without blanks and line ends between them:
 *
 *     < hi >                                      greeting; `< open can0 >` is the answer
 *     < ok >                                      the bus is open, then raw mode is on (`< rawmode >`)
 *     < frame 19F51323 1675349980.504289 0102 >   three digits: 11 bits; data with or without blanks between bytes
 *     < error 004 1675349980.504289 >             an error frame, by its class; any other error is a refusal
 *     < send 19F51323 2 01 02 >                   to it: sends a frame
 *     < echo >                                    to it and back: it is there
 */
import { dataText, digitsOf } from "../recording/formats/frame-text.ts";
import { ERROR_FRAME, EXTENDED_FRAME, LARGEST_IDENTIFIER } from "../recording/frame-batch.ts";
import type { RecordWriter } from "../recording/record-writer.ts";
import { TextCursor } from "../recording/text-cursor.ts";
import { MICROSECONDS_OF_SECOND } from "../recording/wall-time.ts";
import type { Gateway, Session, SessionOptions } from "./gateway.ts";
import { bytesOf, textAt } from "./text.ts";

const OPEN = 0x3c;
const CLOSE = 0x3e;
/** A frame has 64 bytes, a refusal a few more. */
const LONGEST_ELEMENT = 256;
const ASK_AFTER_MS = 2000;
const SILENCE_MS = 15_000;

class SocketcandSession implements Session {
  malformed = 0;
  answers = 0;
  refusal: string | undefined;
  readonly #options: SessionOptions;
  readonly #cursor = new TextCursor();
  /** An element that has begun, without its brackets. */
  readonly #element = new Uint8Array(LONGEST_ELEMENT);
  /** -1 outside of an element. */
  #length = -1;
  #state: "greeting" | "opening" | "raw mode" | "ready" = "greeting";

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get waitsFor(): string | undefined {
    return this.#state === "ready" ? undefined : "the daemon has not opened the bus yet";
  }

  read(chunk: Uint8Array, _end: boolean, writer: RecordWriter): void {
    for (const byte of chunk) {
      if (byte === OPEN) {
        if (this.#length >= 0) this.malformed++;
        this.#length = 0;
      } else if (this.#length < 0) continue;
      else if (byte === CLOSE) {
        if (!this.#take(this.#length, writer)) this.malformed++;
        this.#length = -1;
      } else if (this.#length === LONGEST_ELEMENT) {
        this.malformed++;
        this.#length = -1;
      } else this.#element[this.#length++] = byte;
    }
  }

  advance(silence: number): void {
    if (this.#state === "ready" && silence >= ASK_AFTER_MS) this.#options.send(bytesOf("< echo >"));
  }

  encode(id: number, data: Uint8Array): Uint8Array {
    return bytesOf(`< send ${digitsOf(id, 8)} ${data.length}${dataText(data, 0, data.length, " ")} >`);
  }

  #take(length: number, writer: RecordWriter): boolean {
    const cursor = this.#cursor;
    cursor.set(this.#element, 0, length);
    cursor.takeBlanks();
    if (cursor.takeWord("frame ")) return this.#frame(writer);
    if (cursor.takeWord("error ")) return this.#error(writer);
    const word = textAt(this.#element, cursor.at, length).trim();
    if (word === "hi" && this.#state === "greeting") this.#ask("opening", `< open ${this.#options.busName} >`);
    else if (word === "ok" && this.#state === "opening") this.#ask("raw mode", "< rawmode >");
    else if (word === "ok" && this.#state === "raw mode") this.#state = "ready";
    else if (word !== "echo" && !word.startsWith("rtr ")) return false;
    this.answers++;
    return true;
  }

  #ask(next: "opening" | "raw mode", command: string): void {
    this.#state = next;
    this.#options.send(bytesOf(command));
  }

  #frame(writer: RecordWriter): boolean {
    const cursor = this.#cursor;
    const identifier = cursor.hexadecimal();
    const isExtended = cursor.digits > 3;
    const wall = this.#stamp();
    if (identifier < 0 || identifier > (isExtended ? LARGEST_IDENTIFIER : 0x7ff) || wall < 0) return false;
    const length = cursor.takeBytes(writer.data, () => cursor.takeBlanks() || true);
    if (length < 0 || !cursor.done) return false;
    writer.frame(wall, isExtended ? (identifier | EXTENDED_FRAME) >>> 0 : identifier, length);
    return true;
  }

  #error(writer: RecordWriter): boolean {
    const cursor = this.#cursor;
    const text = textAt(this.#element, cursor.at, cursor.end).trim();
    const errorClass = cursor.hexadecimal();
    const wall = this.#stamp();
    if (errorClass < 0 || errorClass >= ERROR_FRAME || wall < 0 || !cursor.done) {
      this.refusal = text;
      return true;
    }
    writer.data.fill(0);
    writer.frame(wall, errorClass | ERROR_FRAME, 8);
    return true;
  }

  /** ` seconds.microseconds ` as microseconds, -1 if it is malformed. */
  #stamp(): number {
    const cursor = this.#cursor;
    if (!cursor.takeBlanks()) return -1;
    const seconds = cursor.decimal();
    const fraction = cursor.take(".") ? cursor.microseconds() : -1;
    if (seconds < 0 || fraction < 0 || !(cursor.takeBlanks() || cursor.done)) return -1;
    return seconds * MICROSECONDS_OF_SECOND + fraction;
  }
}

export const socketcand: Gateway = {
  title: "socketcand",
  endpoints: [{ scheme: "socketcand", transport: "tcp", port: 29_536 }],
  carries: "frames",
  hasDates: true,
  transmits: "frames",
  hasBusName: true,
  silenceMs: SILENCE_MS,
  open: (options) => new SocketcandSession(options),
};

/**
 * Messages on their way out: written one behind the other into one stretch of memory, which leaves as one write. Once the
 * other side has taken it, it is used again; memory that is new for every write is collected too late and makes a long
 * replay large. Little that has to wait waits in a copy, or each few hundred bytes would keep a whole stretch.
 */
import type { Writable } from "node:stream";
import { AsciiBuffer, type Piece } from "../../n2k/ascii-buffer.ts";
import type { Stream } from "../../ports/publisher.ts";

/** So many bytes leave without waiting for the end of the burst: each write wakes who reads, which costs as much as many bytes. */
const FULL_BYTES = 128 << 10;
/** With room for the message that goes beyond it. */
const STRETCH_BYTES = FULL_BYTES + (32 << 10);
/** Less than this is copied when it has to wait. */
const LITTLE_BYTES = FULL_BYTES / 4;
/** A slow reader may have had many; these are kept. */
const MOST_FREE = 8;

export class Burst {
  #buffer = new AsciiBuffer(STRETCH_BYTES);
  readonly #free: AsciiBuffer[] = [];
  /** Whole messages, and their bytes. */
  #messages = 0;
  #length = 0;

  /** Where the next message is to be written: at the end, over one that was begun and not ended. */
  begin(): AsciiBuffer {
    this.#buffer.at = this.#length;
    return this.#buffer;
  }

  /** Where the message that was begun is written. */
  get out(): AsciiBuffer {
    return this.#buffer;
  }

  /** Where that message begins. */
  get start(): number {
    return this.#length;
  }

  /** Bytes of the message that was begun. */
  get begun(): number {
    return this.#buffer.at - this.#length;
  }

  /** The message that was begun is whole. */
  end(): void {
    this.#length = this.#buffer.at;
    this.#messages++;
  }

  get messages(): number {
    return this.#messages;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= FULL_BYTES;
  }

  /** Forgets all of it; gives how many messages those were. */
  clear(): number {
    const messages = this.#messages;
    this.#messages = 0;
    this.#length = 0;
    return messages;
  }

  /** Writes all of it to `output` in one go; gives how many messages those were. */
  write(output: Writable): number {
    const buffer = this.#buffer;
    if (output.writableLength > 0 && this.#length < LITTLE_BYTES) {
      output.write(buffer.bytes.slice(0, this.#length));
      return this.clear();
    }
    let isTaken = false;
    output.write(Buffer.from(buffer.bytes.buffer, 0, this.#length), () => {
      if (!isTaken && this.#free.length < MOST_FREE) this.#free.push(buffer);
    });
    // Nearly always the system has taken it by now, though the stream says so only later.
    isTaken = output.writableLength === 0;
    if (!isTaken) this.#buffer = this.#free.pop() ?? new AsciiBuffer(STRETCH_BYTES);
    return this.clear();
  }
}

/** The messages of one topic, each of which begins with the same bytes. */
export class BurstStream implements Stream {
  readonly topic: string;
  readonly #burst: Burst;
  readonly #head: Piece;
  readonly #end: (limit: number) => void;
  readonly #limit: number;

  /** `end` does what a publisher does with the message that was begun, if it has no more than `limit` bytes waiting. */
  constructor(topic: string, burst: Burst, head: Piece, end: (limit: number) => void, limit: number) {
    this.topic = topic;
    this.#burst = burst;
    this.#head = head;
    this.#end = end;
    this.#limit = limit;
  }

  begin(): AsciiBuffer {
    const out = this.#burst.begin();
    out.put(this.#head);
    return out;
  }

  end(): void {
    this.#end(this.#limit);
  }
}

/**
 * Outgoing messages, one after the other in one block of memory that is one write:
 *
 *     open(head) ─► append the payload ─► commit(limit), or discard() ─► … ─► flush()
 *
 * Blocks are pooled, because new memory for every write is collected too late and makes a long replay large. A write
 * that the output cannot take at once keeps its block, so a small one is copied first.
 */
import type { Writable } from "node:stream";
import type { Stream } from "../../../core/ports/publisher.ts";
import { AsciiBuffer, type EncodedText } from "../../../core/text/ascii-buffer.ts";

/**
 * Committed bytes that are written without waiting for `flush`: a write wakes its reader, which costs as much as many
 * bytes.
 */
const FULL_BYTES = 128 << 10;
/** A full block has room for the message that filled it. */
const BLOCK_BYTES = FULL_BYTES + (32 << 10);
/** A write of fewer bytes is copied when it has to wait. */
const COPIED_BYTES = FULL_BYTES / 4;
/** Maximum free blocks that are kept; a slow reader may have caused many. */
const MAX_FREE = 8;
/** `drained` resolves below this backlog. */
const DRAINED_BYTES = 256 << 10;

export interface OutputBufferOptions {
  /** Completes the message that begins at `start` and ends at `out.at`: fills in its length, appends its end. */
  readonly complete: (out: AsciiBuffer, start: number) => void;
  /** Called for each message that was dropped while an output was attached. */
  readonly onDrop?: () => void;
}

export class OutputBuffer {
  readonly #options: OutputBufferOptions;
  #buffer = new AsciiBuffer(BLOCK_BYTES);
  readonly #free: AsciiBuffer[] = [];
  /** Committed messages that have not been written, and their bytes. */
  #messages = 0;
  #length = 0;
  #isOpen = false;
  #output: Writable | undefined;
  /** Whether an output has been attached: messages dropped from then on count as lost. */
  #hasBegun = false;
  /**
   * `writableLength` of the output when last read; until the next flush it only shrinks, apart from a few packets of
   * MQTT.js.
   */
  #unsent = 0;
  #published = 0;
  #dropped = 0;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  constructor(options: OutputBufferOptions) {
    this.#options = options;
  }

  /** Messages passed to an output. */
  get published(): number {
    return this.#published;
  }

  /**
   * Messages that were dropped because the output was too slow, or gone. Before the first output nothing counts as
   * lost.
   */
  get dropped(): number {
    return this.#dropped;
  }

  /** Committed bytes that the output has not taken. */
  get backlog(): number {
    return this.#length + (this.#output?.writableLength ?? 0);
  }

  /** Messages are written to `output` from now on; before, they are dropped. */
  attach(output: Writable): void {
    this.#output = output;
    this.#hasBegun = true;
    this.#unsent = output.writableLength;
    output.on("drain", this.#release);
    this.#release();
  }

  /** The output no longer takes data; messages that have not been written are dropped. */
  detach(): void {
    this.#output?.off("drain", this.#release);
    this.#output = undefined;
    this.#dropped += this.#messages;
    this.#clear();
  }

  /** No output will be attached any more: `drained` does not wait. */
  end(): void {
    this.#hasEnded = true;
    this.#release();
  }

  /** Begins a message with `head`; its payload is appended to the returned buffer. Throws while another one is open. */
  open(head: EncodedText): AsciiBuffer {
    this.requireClosed();
    this.#isOpen = true;
    const buffer = this.#buffer;
    buffer.at = this.#length;
    buffer.write(head);
    return buffer;
  }

  /** Ends the open message; drops it if more than `limit` bytes would be waiting then. */
  commit(limit: number): void {
    if (!this.#isOpen) throw new Error("no message is open");
    this.#isOpen = false;
    const buffer = this.#buffer;
    this.#options.complete(buffer, this.#length);
    if (!this.#hasRoom(buffer.at - this.#length, limit)) {
      if (this.#hasBegun) this.#dropped++;
      if (this.#output !== undefined) this.#options.onDrop?.();
      return;
    }
    this.#length = buffer.at;
    this.#messages++;
    if (this.#length >= FULL_BYTES) this.flush();
  }

  /** Forgets the open message. */
  discard(): void {
    this.#isOpen = false;
  }

  /** Throws while a message is open, because nothing else may be published then. */
  requireClosed(): void {
    if (this.#isOpen) throw new Error("a message is open");
  }

  /** Writes the committed messages to the output, at once. */
  flush(): void {
    this.requireClosed();
    const output = this.#output;
    if (output === undefined || this.#messages === 0) return;
    const buffer = this.#buffer;
    if (output.writableLength > 0 && this.#length < COPIED_BYTES) {
      output.write(buffer.bytes.slice(0, this.#length));
    } else {
      let isTaken = false;
      output.write(Buffer.from(buffer.bytes.buffer, 0, this.#length), () => {
        if (!isTaken && this.#free.length < MAX_FREE) this.#free.push(buffer);
      });
      // Nearly always the system has taken the data by now, although the stream calls back later.
      isTaken = output.writableLength === 0;
      if (!isTaken) this.#buffer = this.#free.pop() ?? new AsciiBuffer(BLOCK_BYTES);
    }
    this.#published += this.#messages;
    this.#clear();
    this.#unsent = output.writableLength;
  }

  /** Resolves when an output is attached and has little left to take; at once after `end`. */
  drained(): Promise<void> {
    if (this.#hasEnded || (this.#output !== undefined && this.backlog <= DRAINED_BYTES)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #hasRoom(bytes: number, limit: number): boolean {
    if (this.#output === undefined) return false;
    if (this.#unsent + this.#length + bytes <= limit) return true;
    this.#unsent = this.#output.writableLength;
    return this.#unsent + this.#length + bytes <= limit;
  }

  #clear(): void {
    this.#messages = 0;
    this.#length = 0;
  }

  readonly #release = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };
}

/** The messages of one topic: each begins with its head, and is dropped beyond the same limit. */
export class BufferedStream implements Stream {
  readonly topic: string;
  readonly #output: OutputBuffer;
  readonly #head: () => EncodedText;
  readonly #limit: number;

  constructor(topic: string, output: OutputBuffer, head: () => EncodedText, limit: number) {
    this.topic = topic;
    this.#output = output;
    this.#head = head;
    this.#limit = limit;
  }

  open(): AsciiBuffer {
    return this.#output.open(this.#head());
  }

  commit(): void {
    this.#output.commit(this.#limit);
  }

  discard(): void {
    this.#output.discard();
  }
}

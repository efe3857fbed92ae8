/**
 * Publishes as JSON lines, for pipes and tests; each message is one line without spaces:
 *
 *     {"topic":"can/can0/device/3/pgn/127250","retain":false,"payload":{"data":…,"metadata":…}}
 *
 * The payload is appended unchanged. A removed state has the payload null. Lines are written in order, and none is lost
 * at the end. A slow reader makes sources wait that can wait (`drained`); messages of other sources are dropped beyond
 * a limit and counted, so that memory stays bounded.
 */
import type { Writable } from "node:stream";
import type { Publisher, PublisherCounters, Stream } from "../../core/ports/publisher.ts";
import { type EncodedText, encodeText } from "../../core/text/ascii-buffer.ts";
import { asciiJson } from "../../core/text/ascii-json.ts";
import { BufferedStream, OutputBuffer } from "./streams/output-buffer.ts";

const TAIL = encodeText("}\n");
/** Unsent bytes beyond which streams are dropped; far above the burst of a source that waits. */
const STREAM_LIMIT = 8 << 20;
/** States are dropped only beyond this, after minutes without a reader. */
const STATE_LIMIT = 9 << 20;

export interface StdoutPublisherOptions {
  /** Called once when the reader has gone (`| head`) or the device is full, with the error's code. */
  readonly onGone: (code: string) => void;
  /** The source waits for the reader between its batches (`drained`), so that nothing has to be dropped. */
  readonly isWaitedFor?: boolean;
}

const headOf = (topic: string, retain: boolean): EncodedText =>
  encodeText(`{"topic":${asciiJson(JSON.stringify(topic))},"retain":${retain},"payload":`);

export class StdoutPublisher implements Publisher {
  readonly #stdout: Writable;
  readonly #output = new OutputBuffer({ complete: (out) => out.write(TAIL) });
  readonly #gone: Promise<void>;
  readonly #streamLimit: number;
  readonly #stateLimit: number;

  constructor(stdout: Writable, { onGone, isWaitedFor = false }: StdoutPublisherOptions) {
    this.#stdout = stdout;
    this.#streamLimit = isWaitedFor ? Number.POSITIVE_INFINITY : STREAM_LIMIT;
    this.#stateLimit = isWaitedFor ? Number.POSITIVE_INFINITY : STATE_LIMIT;
    this.#gone = new Promise((resolve) => {
      stdout.once("error", (error: NodeJS.ErrnoException) => {
        // Each pending write fails too.
        stdout.on("error", () => {});
        this.#output.detach();
        this.#output.end();
        resolve();
        onGone(error.code ?? error.message);
      });
    });
    this.#output.attach(stdout);
  }

  stream(topic: string): Stream {
    const head = headOf(topic, false);
    return new BufferedStream(topic, this.#output, () => head, this.#streamLimit);
  }

  retain(topic: string, payload: string | null): void {
    this.#output.open(headOf(topic, true)).ascii(payload ?? "null");
    this.#output.commit(this.#stateLimit);
  }

  flush(): void {
    this.#output.flush();
  }

  drained(): Promise<void> {
    return this.#output.drained();
  }

  counters(): PublisherCounters {
    const { published, dropped, backlog } = this.#output;
    return { published, refused: 0, dropped, backlog };
  }

  /** Waits for a slow reader as long as it takes. */
  async close(): Promise<void> {
    this.flush();
    const written = new Promise<void>((resolve) => this.#stdout.write("", () => resolve()));
    await Promise.race([written, this.#gone]);
  }
}

/**
 * Publishes as JSON lines, for pipes and tests; each message is one line without spaces:
 *
 *     {"topic":"can/can0/device/3/pgn/127250","retain":false,"payload":{"data":…,"metadata":…}}
 *
 * The payload is put in as it is. A removed state has the payload null. Lines leave in order, none is lost at the end.
 * A reader that is slow makes a source wait that can wait (`drained`); from one that cannot, messages are dropped and
 * counted beyond a limit, so that memory stays bounded.
 */
import type { Writable } from "node:stream";
import { pieceOf } from "../../n2k/ascii-buffer.ts";
import { asciiJson } from "../../n2k/ascii-json.ts";
import type { Publisher } from "../../ports/publisher.ts";
import { Burst, BurstStream } from "./burst.ts";

const TAIL = pieceOf("}\n");
const DRAINED_BYTES = 256 << 10;
/** Unsent bytes beyond which streams are dropped; far above what a source that waits leaves behind in one burst. */
const STREAM_LIMIT = 8 << 20;
/** States are dropped only beyond this, when nobody has read for minutes. */
const STATE_LIMIT = 9 << 20;

export interface StdoutPublisherOptions {
  /** Called once when the reader has gone (`| head`) or the device is full, with the error's code. */
  readonly onGone: (code: string) => void;
}

export function stdoutPublisher(output: Writable, { onGone }: StdoutPublisherOptions): Publisher {
  const burst = new Burst();
  let published = 0;
  let dropped = 0;
  let isGone = false;
  let waiting: (() => void)[] = [];

  const release = (): void => {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  };
  const backlog = (): number => burst.length + output.writableLength;

  output.on("drain", release);
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (isGone) return;
    isGone = true;
    dropped += burst.clear();
    release();
    onGone(error.code ?? error.message);
  });

  const flush = (): void => {
    if (burst.messages > 0) published += burst.write(output);
  };
  const openingOf = (topic: string, retain: boolean): string =>
    `{"topic":${asciiJson(JSON.stringify(topic))},"retain":${retain},"payload":`;
  const end = (limit: number): void => {
    burst.out.put(TAIL);
    if (isGone || backlog() + burst.begun > limit) {
      dropped += 1;
      return;
    }
    burst.end();
    if (burst.isFull) flush();
  };

  return {
    stream: (topic) => new BurstStream(topic, burst, pieceOf(openingOf(topic, false)), end, STREAM_LIMIT),
    retain(topic, payload) {
      const out = burst.begin();
      out.ascii(openingOf(topic, true));
      out.ascii(payload ?? "null");
      end(STATE_LIMIT);
    },
    flush,
    drained() {
      if (isGone || backlog() <= DRAINED_BYTES) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
    counters: () => ({ published, dropped, backlog: backlog() }),
    /** Waits for a slow reader as long as it takes; whoever cannot wait so long stops waiting. */
    async close() {
      flush();
      if (isGone) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        output.write("", () => resolve());
      });
    },
  };
}

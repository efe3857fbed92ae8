#!/usr/bin/env -S node --max-semi-space-size=2 --v8-pool-size=1
/**
 * hub-history: from a slow lane of hub-cand to a time series engine, through a queue on disk.
 *
 * Flags of the first line: as in hub-link.ts.
 *
 * Exit codes: 0 help, version, clean stop; 1 a bad option or value, a file that cannot be read, a folder that cannot be written. It
 * goes on without a broker, without hub-cand and without an engine.
 */
// First, because it installs the signal handlers.
import "./stop.ts";
import { LineForwarder } from "../adapters/node/line-forwarder.ts";
import { requireRegularFile } from "../adapters/node/regular-file.ts";
import { type SegmentQueue, segmentQueue } from "../adapters/node/segment-queue.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { type LossCounter, LossLog } from "../bridge/loss-log.ts";
import { RateLimitedLog } from "../bridge/rate-limited-log.ts";
import { History } from "../history/history.ts";
import type { Log } from "../ports/log.ts";
import { openSubscriber } from "./broker-subscriber.ts";
import { Closers } from "./closers.ts";
import { started } from "./errors.ts";
import { type HubHistorySettings, hubHistoryCommand } from "./hub-history-options.ts";
import { runProgram } from "./program.ts";
import { stop } from "./stop.ts";

/** Points are made durable so often. */
const FLUSH_MS = 1000;
/** Time after a request to stop for closing everything. */
const CLOSE_MS = 1600;
const MAX_HEADER_BYTES = 8192;

async function readHeader(path: string): Promise<string> {
  const { bytes } = await requireRegularFile(path, MAX_HEADER_BYTES);
  return new TextDecoder().decode(bytes).trim();
}

interface Parts {
  readonly queue: SegmentQueue;
  readonly forwarder: LineForwarder;
  readonly history: History;
}

const countersOf = ({ queue, forwarder, history }: Parts): readonly LossCounter[] => [
  {
    message: "the queue has no room, points are dropped",
    count: () => queue.dropped,
    fields: () => ({ code: "HISTORY_DROPPED", dropped: queue.dropped }),
  },
  {
    message: "the engine refuses points, they are dropped",
    count: () => forwarder.refused,
    fields: () => ({ code: "HISTORY_REFUSED", refused: forwarder.refused, ...forwarder.refusal }),
  },
  {
    message: "messages are skipped that are no JSON object or have no time",
    count: () => history.malformed + history.undated,
    fields: () => ({ code: "MESSAGES_SKIPPED", notJson: history.malformed, undated: history.undated }),
  },
];

async function run(settings: HubHistorySettings, log: Log): Promise<void> {
  const opened = new Closers();
  const close = (): Promise<void> => Promise.race([opened.close(), stop.after(CLOSE_MS)]);
  const limitedLog = new RateLimitedLog(log);
  limitedLog.now = systemClock.monotonic();
  try {
    const { prefix, lane, url, authorization, queue: folder, queueBytes: maxBytes } = settings;
    const queue: SegmentQueue = opened.add(await started(segmentQueue({ folder, maxBytes, log: limitedLog })));
    const header = authorization === undefined ? undefined : await started(readHeader(authorization));
    const forwarder = opened.add(new LineForwarder({ url, authorization: header, queue, clock: systemClock, log }));
    const history = new History({ prefix, lane, onLine: (line) => queue.add(line) });
    const losses = opened.add(new LossLog(log, countersOf({ queue, forwarder, history })));
    const tick = async (): Promise<void> => {
      limitedLog.now = systemClock.monotonic();
      losses.advance(limitedLog.now);
      await queue.flush();
      await forwarder.advance();
    };
    opened.add({ close: systemClock.every(FLUSH_MS, () => void tick()) });
    opened.add(await openSubscriber("hub-history", settings, history, log));
    await stop.asked;
  } finally {
    await close();
  }
}

process.exitCode = await runProgram("hub-history", hubHistoryCommand(process.argv.slice(2)), run);

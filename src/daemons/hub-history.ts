#!/usr/bin/env -S node --optimize-for-size --max-semi-space-size=2 --v8-pool-size=1 --no-sparkplug
/**
 * hub-history: writes a slow lane of hub-cand to a time series engine, and to a queue on disk while the engine is away;
 * keeps the voyages.
 *
 * Flags of the first line: as in hub-link.ts.
 *
 * Exit codes: 0 help, version, clean stop; 1 a bad option or value (of a service 64), a file that cannot be read, a folder
 * that cannot be written or is in use. It continues without a broker, without hub-cand and without an engine.
 */
// Imported first, because it installs the signal handlers.
import "./program/stop.ts";
import { lockFolder } from "../adapters/node/files/folder-lock.ts";
import { requireRegularFile } from "../adapters/node/files/regular-file.ts";
import { type SegmentQueue, segmentQueue } from "../adapters/node/files/segment-queue.ts";
import { EngineClient } from "../adapters/node/http/engine-client.ts";
import { LineBuffer } from "../adapters/node/streams/line-buffer.ts";
import { LineForwarder } from "../adapters/node/streams/line-forwarder.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { type LossCounter, LossLog } from "../services/bridge/health/loss-log.ts";
import { History } from "../services/history/history.ts";
import { ReplayWatch } from "../services/history/replay-watch.ts";
import { type HubHistorySettings, hubHistoryCommand } from "./hub-history-options.ts";
import type { HistoryService } from "./hub-history-voyages.ts";
import { openSubscriber } from "./program/broker-subscriber.ts";
import { started } from "./program/errors.ts";
import { endWith, type Run, runProgram } from "./program/program.ts";
import { announceReady, whileTimersRun } from "./program/service-manager.ts";
import { stop } from "./program/stop.ts";

/** Interval at which points are sent. */
const TICK_MS = 1000;
/** Maximum characters in memory; the messages of a boat in a minute have a hundred thousand. */
const BUFFER_LENGTH = 4 << 20;
const MAX_HEADER_BYTES = 8192;

async function readHeader(path: string): Promise<string> {
  const { bytes } = await requireRegularFile(path, MAX_HEADER_BYTES);
  return new TextDecoder().decode(bytes).trim();
}

interface Parts {
  readonly buffer: LineBuffer;
  readonly queue: SegmentQueue;
  readonly forwarder: LineForwarder;
  readonly history: History;
}

const countersOf = ({ buffer, queue, forwarder, history }: Parts): readonly LossCounter[] => [
  {
    message: "the queue has no room, points are dropped",
    count: () => queue.dropped,
    fields: () => ({ code: "HISTORY_DROPPED", dropped: queue.dropped }),
  },
  {
    message: "neither the engine nor the disk takes points, they are dropped",
    count: () => buffer.dropped,
    fields: () => ({ code: "HISTORY_DISK", dropped: buffer.dropped, reason: queue.failure }),
  },
  {
    message: "the engine refuses points, they are dropped",
    count: () => forwarder.refused,
    fields: () => ({ code: "HISTORY_REFUSED", refused: forwarder.refused, ...forwarder.refusal }),
  },
  {
    message: "the boat's clock is wrong, its points are not written",
    count: () => history.undated,
    fields: () => ({ code: "HISTORY_CLOCK", undated: history.undated, clock: history.undatedTime }),
  },
  {
    message: "messages are skipped that are no JSON object, too long or have no time",
    count: () => history.malformed + history.tooLong,
    fields: () => ({ code: "MESSAGES_SKIPPED", notJson: history.malformed, tooLong: history.tooLong }),
  },
  {
    message: "messages cost hub-history a fault, the others are written",
    count: () => history.faults,
    fields: () => ({ code: "HISTORY_FAILED", faults: history.faults, ...history.fault }),
  },
  {
    message: "the work of sending points has failed, it is tried again",
    count: () => forwarder.faults,
    fields: () => ({ code: "HISTORY_FAILED", faults: forwarder.faults, reason: forwarder.fault }),
  },
  {
    message: "values are left out that are too long or too many",
    count: () => history.leftOut,
    fields: () => ({ code: "VALUES_LEFT_OUT", leftOut: history.leftOut }),
  },
];

async function openEngine(
  url: string,
  settings: HubHistorySettings,
  { log, limitedLog, opened }: Run,
): Promise<HistoryService> {
  const { prefix, lane, authorization, queue: folder, queueBytes: maxBytes } = settings;
  opened.add(await started(lockFolder(folder, "hub-history --queue")));
  const queue: SegmentQueue = opened.add(await started(segmentQueue({ folder, maxBytes, log: limitedLog })));
  const header = authorization === undefined ? undefined : await started(readHeader(authorization));
  const engine = new EngineClient({ url, authorization: header });
  const buffer = new LineBuffer(BUFFER_LENGTH);
  const forwarder = new LineForwarder({ url, engine, buffer, queue, clock: systemClock, log });
  const history = new History({ prefix, lane, onLine: (line) => buffer.add(line) });
  // The log of losses is closed after the forwarder, which may lose points at the end.
  const losses = opened.add(new LossLog(log, countersOf({ buffer, queue, forwarder, history })));
  opened.add(forwarder);
  const tick = (): void => {
    losses.advance(systemClock.monotonic());
    void forwarder.advance();
  };
  return { hearer: history, tick };
}

async function run(settings: HubHistorySettings, run: Run): Promise<void> {
  const { log, opened } = run;
  const { prefix, url, voyages } = settings;
  const services: HistoryService[] = [];
  if (url !== undefined) services.push(await openEngine(url, settings, run));
  if (voyages !== undefined) {
    const { openVoyages } = await import("./hub-history-voyages.ts");
    services.push(await openVoyages(prefix, voyages, run));
  }
  const tick = (): void => {
    for (const service of services) service.tick();
  };
  opened.add({ close: systemClock.every(TICK_MS, tick) });
  const replay = new ReplayWatch(prefix);
  const hearer = {
    filters: [replay.topic, ...services.flatMap((service) => service.hearer.filters)],
    expected: services[0]!.hearer.expected,
    hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean) {
      if (!replay.hear(topic, payload)) return;
      for (const service of services) service.hearer.hear(topic, payload, isRetained);
    },
  };
  opened.add(await openSubscriber("hub-history", settings, hearer, log));
  opened.add(await announceReady(whileTimersRun, log));
  await stop.asked;
}

endWith(runProgram("hub-history", hubHistoryCommand(process.argv.slice(2)), run));

/**
 * Hours of the simulated voyage, written to an engine at speed by the parts of hub-cand and hub-history: each device
 * sends each of its messages once in twenty seconds, because a lane of ten seconds keeps few of the others.
 */
import { rmSync } from "node:fs";
import { segmentQueue } from "../../../src/adapters/node/files/segment-queue.ts";
import { EngineClient } from "../../../src/adapters/node/http/engine-client.ts";
import { LineBuffer } from "../../../src/adapters/node/streams/line-buffer.ts";
import { LineForwarder } from "../../../src/adapters/node/streams/line-forwarder.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { History } from "../../../src/services/history/history.ts";
import { devices } from "../../../src/services/simulation/devices.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const STEP_SECONDS = 20;
const LANE_SECONDS = 10;

/** The messages of the lane, by topic below the prefix. */
export type PublishedMessages = ReadonlyMap<string, readonly string[]>;

/** Lists of satellites have no numbers of the boat, and ships are none of it. */
const notRecorded = [129_540, 129_039, 129_038, 129_794, 129_809, 129_810, 129_041, 129_793, 129_798, 129_802];

export interface Part {
  /** Seconds of the voyage, from and to. */
  readonly from: number;
  readonly to: number;
  /** Wall clock at `from`, milliseconds since 1970. */
  readonly wall: number;
}

/** Writes parts of the voyage, one after the other, each with a bridge of its own; returns what they published. */
export async function writeVoyage(url: string, prefix: string, parts: readonly Part[]): Promise<PublishedMessages> {
  const folder = temporaryFolder("queue");
  const log = memoryLog();
  const queue = await segmentQueue({ folder, maxBytes: 1 << 28, log });
  const buffer = new LineBuffer(1 << 24);
  const engine = new EngineClient({ url: `${url}/write` });
  const forwarder = new LineForwarder({ url, engine, buffer, queue, clock: systemClock, log });
  const history = new History({ prefix, lane: LANE_SECONDS, onLine: (line) => buffer.add(line) });
  const published = new Map<string, string[]>();
  let count = 0;
  for (const part of parts) {
    for (const { topic, payload } of messagesOf(prefix, part)) {
      history.hear(topic, Buffer.from(payload), false);
      const path = topic.slice(prefix.length + 1);
      const before = published.get(path);
      if (before === undefined) published.set(path, [payload]);
      else before.push(payload);
      if (++count % 5000 === 0) await forwarder.advance();
    }
  }
  await forwarder.advance();
  const left = [buffer.waitingLength, buffer.dropped, queue.bytes, history.malformed, forwarder.refused];
  if (left.some((count) => count > 0)) throw new Error(`left ${left.join()}`);
  await forwarder.close();
  await queue.close();
  rmSync(folder, { recursive: true });
  return published;
}

/** The messages of the lane, and the lists of devices. */
function* messagesOf(prefix: string, { from, to, wall }: Part): Generator<{ topic: string; payload: string }> {
  const { bridge, publisher } = memoryBridge({ prefix, lanes: [LANE_SECONDS] });
  const writer = new RecordWriter();
  const isHeard = (topic: string): boolean =>
    topic === `${prefix}/devices` || (topic.startsWith(`${prefix}/every/`) && !topic.endsWith("/ais"));
  for (let seconds = from; seconds < to; seconds += STEP_SECONDS) {
    const now = wall + 1000 * (seconds - from);
    for (const { address, messages } of devices) {
      for (const { definition, destination, priority, payload } of messages) {
        if (notRecorded.includes(definition.pgn)) continue;
        const bytes = payload({ seconds, wall: now });
        writer.packet(1000 * now, priority, definition.pgn, address, destination, bytes, bytes.length);
      }
    }
    for (const { packets } of writer.drain()) bridge.take(packets!);
    // The report with these values, and the next time that its lane is free.
    for (const later of [1000, 1000 * LANE_SECONDS + 1000])
      bridge.advance(1000 * (seconds - from) + later, now + later);
    for (const { topic, payload } of publisher.messages) {
      if (payload != null && isHeard(topic)) yield { topic, payload };
    }
    publisher.clear();
  }
}

/** Numbers by time of reception, milliseconds since 1970. */
export const numbersOf = (
  messages: readonly string[],
  read: (data: never) => number | undefined,
): ReadonlyMap<number, number> =>
  new Map(
    messages.flatMap((text) => {
      const { data, metadata } = JSON.parse(text);
      const value = read(data as never);
      return value === undefined ? [] : [[Date.parse(metadata.rxDate), value] as const];
    }),
  );

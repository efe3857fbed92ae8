/** Boats of Signal K made of what the bridge publishes. */

import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import type { SharedText } from "../../../src/core/ports/text-stream.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { Boat } from "../../../src/formats/signalk/boat.ts";
import type { Leaf } from "../../../src/formats/signalk/model.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";

export const SELF = "urn:mrn:signalk:uuid:b7590868-1d62-47d9-989c-32321b349fb9";
export const START = Date.UTC(2026, 10, 21);

export interface Published {
  readonly topic: string;
  readonly payload: string;
}

/** The messages that the bridge publishes for frames, in order; the topic is without the prefix. */
export async function* publishedOf(batches: AsyncIterable<RecordingBatch>): AsyncGenerator<Published> {
  const { bridge, publisher } = memoryBridge();
  const source = new ReassembledSource({ name: "replay", batches });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    bridge.take(batch);
    for (const { topic, payload } of publisher.messages)
      if (payload !== null) yield { topic: topic.replace(/^can\/can0\//, ""), payload: String(payload) };
    publisher.clear();
  }
}

/** The first milliseconds of the simulated voyage. */
export async function* voyageOf(duration: number): AsyncGenerator<RecordingBatch> {
  yield* simulated(duration, START);
}

/** The boat's clock is that of the messages; 0 for what hub-cand keeps for itself. */
export const clockOf = ({ payload }: Published): number =>
  Date.parse(/"rxDate":"([^"]+)"/.exec(payload)?.[1] ?? "1970");

/** Passes a message of a topic to a boat. */
export function hear(boat: Boat, message: Published, now = clockOf(message)): void {
  const { topic, payload } = message;
  const parsed = JSON.parse(payload.replaceAll(/"name":(\d+)/g, '"name":"$1"'));
  const [, address, pgn] = /^device\/(\d+)\/pgn\/(\d+)$/.exec(topic) ?? [];
  if (pgn !== undefined) boat.hearPgn(Number(address), Number(pgn), parsed, now);
  else if (topic === "navigation") boat.hearNavigation(parsed, now);
  else if (topic === "ais") boat.hearAis(parsed, now);
  else if (topic === "alarms") boat.hearAlarms(parsed, now);
  else if (topic === "findings") boat.hearFindings(parsed, now);
  else if (topic === "devices") boat.sources.hearDevices(parsed.data);
  else if (topic.endsWith("/infos")) boat.sources.hearInformation(parsed.data);
}

/** A boat that tells what changes to `listener`, its identity not. */
export function boatOf(listener: (leaf: Leaf) => void = () => {}): Boat {
  const startedAt = new Date(START).toISOString();
  let isReady = false;
  const boat = new Boat({ self: SELF, label: "can0", startedAt, listener: (leaf) => void (isReady && listener(leaf)) });
  isReady = true;
  return boat;
}

/** The text that a client of the stream is sent. */
export const textOf = (text: string | SharedText): string => (typeof text === "string" ? text : text.text);

/** The messages that voyages are made of, as hub-cand publishes them, from the simulated voyage at speed. */
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { devices } from "../../../src/services/simulation/devices.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";

/** PGNs of the boat's motion, wind, depth, engines, tanks and route. */
const sent = [
  127_245, 127_250, 127_257, 127_258, 127_488, 127_489, 127_505, 128_259, 128_267, 128_275, 129_025, 129_026,
];
const also = [126_992, 129_029, 129_033, 129_283, 129_284, 130_306, 130_310, 130_311, 130_312, 130_314];
const isSent: ReadonlySet<number> = new Set([...sent, ...also]);

export interface Published {
  readonly topic: string;
  readonly payload: string;
}

/** Each message of the devices once a second, from the second `from` of the voyage on. */
export function* simulatedBoat(prefix: string, from: number, to: number, wall: number): Generator<Published> {
  const { bridge, publisher } = memoryBridge({ prefix });
  const writer = new RecordWriter();
  for (let seconds = from; seconds < to; seconds++) {
    const now = wall + 1000 * (seconds - from);
    for (const { address, messages } of devices)
      for (const { definition, destination, priority, payload } of messages) {
        if (!isSent.has(definition.pgn)) continue;
        const bytes = payload({ seconds, wall: now });
        writer.packet(1000 * now, priority, definition.pgn, address, destination, bytes, bytes.length);
      }
    for (const { packets } of writer.drain()) bridge.take(packets!);
    bridge.advance(1000 * (seconds - from) + 500, now + 500);
    for (const { topic, payload } of publisher.messages) if (payload != null) yield { topic, payload: String(payload) };
    publisher.clear();
  }
}

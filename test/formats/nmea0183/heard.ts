/** The messages of hub-cand for the simulated voyage, and for real recordings where they are. */

import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { FrameCounter } from "../../../src/formats/recording/frame-counter.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { present, realRecording } from "../../support/recordings.ts";

type Data = Readonly<Record<string, unknown>>;

export interface HeardMessage {
  /** `navigation`, or the number of a PGN. */
  readonly on: "navigation" | number;
  readonly address: number;
  readonly data: Data;
  /** Time by the wall clock. */
  readonly atMs: number;
}

/** Recordings with AIS, routes or satellite navigation. */
export const recordings = present([
  "can0-2.candump.log.gz",
  "can0-3.candump.log.gz",
  "candumpSample1.txt.gz",
  "candumpSample3.txt",
  "dirona-actisense-serial.raw.gz",
  "susteranna-actisense-serial.raw.gz",
  "sample-fast.raw.txt",
]);

const VOYAGE_MS = 400_000;
const START = Date.UTC(2026, 10, 21, 23, 58);

/** `voyage`, or a real recording. */
export async function* heardOf(name: string): AsyncGenerator<HeardMessage> {
  const batches =
    name === "voyage"
      ? (async function* (): AsyncGenerator<RecordingBatch> {
          yield* simulated(VOYAGE_MS, START);
        })()
      : new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 }).batches();
  const source = new ReassembledSource({ name, batches, atFullSpeed: true });
  const { bridge, publisher } = memoryBridge({ prefix: "b", monitor: new FrameCounter(name) });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    bridge.take(batch);
    for (const { topic, payload } of publisher.messages) {
      const [, address, pgn] = /^b\/device\/(\d+)\/pgn\/(\d+)$/.exec(topic) ?? [];
      if (pgn === undefined && topic !== "b/navigation") continue;
      const { data, metadata } = JSON.parse(payload!);
      const on = pgn === undefined ? "navigation" : Number(pgn);
      yield { on, address: Number(address ?? 0), data, atMs: Date.parse(metadata.rxDate) };
    }
    publisher.clear();
  }
}

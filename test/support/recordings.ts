/**
 * Recordings for tests: the simulated voyage in every format, which is always there, and real ones: beside the
 * checkout, or where HUB_RECORDINGS says. Those are no part of it; tests of them are on top of the others.
 */
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ReassembledSource } from "../../src/adapters/node/can/reassembled-source.ts";
import { createCatalogue } from "../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../src/core/n2k/fast-packets.ts";
import type { RecordingBatch } from "../../src/formats/recording/record-writer.ts";
import { simulated } from "../../src/services/simulation/traffic.ts";
import { recordsOf } from "../formats/recording/reading.ts";
import type { Said, StampedFrame, Variant } from "../formats/recording/writing.ts";

const folder = process.env.HUB_RECORDINGS ?? resolve("../shared/recordings");
const longest = Number(process.env.HUB_RECORDING_BYTES ?? Number.POSITIVE_INFINITY);

/** The names of the real recordings, of all or of the short ones; none where there is no folder of them. */
export const realRecordings: readonly string[] = existsSync(folder)
  ? readdirSync(folder).filter((name) => !/^README|\.out$/.test(name) && statSync(join(folder, name)).size <= longest)
  : [];

/** The path of a real recording that is there. */
export const realRecording = (name: string): string => join(folder, name);

/** The names of recordings that exist. */
export const present = <Name extends string>(names: readonly Name[]): readonly Name[] =>
  names.filter((name) => realRecordings.includes(name));

/** Start of the voyage. */
export const VOYAGE_BEGINS = Date.UTC(2026, 10, 21, 8, 14, 26);

export interface Voyage {
  readonly frames: readonly StampedFrame[];
  readonly said: readonly Said[];
}

/** The first milliseconds of the simulated voyage: its frames, and the messages that they make. */
export async function voyage(duration: number): Promise<Voyage> {
  const frames: StampedFrame[] = [];
  const said: Said[] = [];
  async function* batches(): AsyncGenerator<RecordingBatch> {
    for (const batch of simulated(duration, VOYAGE_BEGINS)) {
      for (const record of recordsOf(batch)) {
        if (!("identifier" in record)) continue;
        const { identifier, data, wall } = record;
        frames.push({ id: identifier & 0x1fffffff, data: Buffer.from(data, "hex"), wall });
      }
      yield batch;
    }
  }
  const source = new ReassembledSource({ name: "simulation", batches: batches() });
  for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets()))) {
    for (const record of recordsOf({ packets: batch }))
      if ("pgn" in record) said.push({ ...record, payload: Buffer.from(record.payload, "hex") });
  }
  return { frames, said };
}

/** Writes a recording of the voyage into a folder and gives its path; its date is that of the voyage. */
export function writeRecording({ frames, said }: Voyage, { format, how, write }: Variant, into: string): string {
  const path = join(into, `${format} ${how}`.replaceAll(/\W+/g, "-"));
  writeFileSync(path, write(frames, said));
  utimesSync(path, VOYAGE_BEGINS / 1000, VOYAGE_BEGINS / 1000);
  return path;
}

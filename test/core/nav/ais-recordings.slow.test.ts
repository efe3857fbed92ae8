/**
 * Traffic, simulated and real where there are recordings, as a summary: how many stations of each kind, what is known
 * of them, and within what ranges.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { cogSogRapidUpdate, positionRapidUpdate } from "../../../src/core/n2k/pgns/gnss.ts";
import { type AisMessage, aisPgns } from "../../../src/core/nav/ais-messages.ts";
import { aisReport } from "../../../src/core/nav/ais-report.ts";
import { AisReporter } from "../../../src/core/nav/ais-reporter.ts";
import type { OwnShip } from "../../../src/core/nav/own-ship.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { candumpLog } from "../../formats/recording/writing.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { packetsOf } from "../../support/packets.ts";
import { present, realRecording, voyage, writeRecording } from "../../support/recordings.ts";
import { advance, reportOf } from "./ais-texts.ts";

const quiet: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

type Read<Result> = (bytes: Uint8Array, at: number, end: number, source: number) => Result;

/** All reports of a recording, own ship being where its fast position and course messages say. */
async function reportsOf(path: string) {
  const readers = new Map(
    aisPgns.map((definition) => [definition.pgn as number, decoderOf(definition) as Read<AisMessage>]),
  );
  const readPosition = decoderOf(positionRapidUpdate);
  const readCourse = decoderOf(cogSogRapidUpdate);
  const reporter = new AisReporter();
  const reports: string[] = [];
  const own: { -readonly [Key in keyof OwnShip]?: OwnShip[Key] } = {};
  const ownShip = (): OwnShip | undefined => (own.latitude === undefined ? undefined : (own as OwnShip));
  let [now, wall] = [0, 0];
  const recording = new RecordingFile(path, { clock: memoryClock(), log: quiet, speed: 0 });
  const source = new ReassembledSource({ name: "replay", batches: recording.batches() });
  for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets()))) {
    for (const packet of packetsOf(batch)) {
      const { bytes, at, end, source } = packet;
      ({ arrived: now, received: wall } = packet);
      const report = advance(reporter, now, wall, ownShip());
      if (report !== undefined) reports.push(report);
      if (packet.pgn === positionRapidUpdate.pgn) {
        const { latitude, longitude } = readPosition(bytes, at, end, source);
        if (latitude !== undefined && longitude !== undefined) Object.assign(own, { latitude, longitude });
      } else if (packet.pgn === cogSogRapidUpdate.pgn) {
        const { cogReference, cogDeg, sogKnots } = readCourse(bytes, at, end, source);
        if (cogReference === "True" && cogDeg !== undefined) Object.assign(own, { cog: cogDeg, sog: sogKnots });
      } else {
        const read = readers.get(packet.pgn);
        if (read !== undefined) reporter.hear(read(bytes, at, end, source), packet);
      }
    }
  }
  reports.push(reportOf(reporter, now, wall, ownShip()));
  return { reports, counters: reporter.counters() };
}

type Target = z.infer<typeof aisReport>["data"]["targets"][number];

/** Counts and ranges of a report. */
function summary(report: string) {
  const { targets, ownShip } = aisReport.parse(JSON.parse(report)).data;
  const own = ownShip.position;
  const known = (member: keyof Target) => targets.filter((target) => target[member] !== undefined).length;
  const extent = (member: "range" | "sog" | "cpa") => {
    const values = targets.flatMap((target) => target[member] ?? []);
    return values.length === 0 ? [] : [Math.min(...values), Math.max(...values)];
  };
  const classes: Record<string, number> = {};
  for (const target of targets) classes[target.class] = (classes[target.class] ?? 0) + 1;
  return {
    own: own && `${own.latitude.toFixed(1)} ${own.longitude.toFixed(1)}`,
    classes,
    named: known("name"),
    placed: known("position"),
    typed: known("type"),
    measured: known("dimensions"),
    approaching: known("cpa"),
    range: extent("range"),
    sog: extent("sog"),
    cpa: extent("cpa"),
  };
}

// can0-3: 148 stations and 134 places were counted by another program, own ship (244010225) among them.
const recordings: Readonly<Record<string, unknown>> = {
  "can0-3.candump.log.gz": {
    reports: 61,
    withoutMmsi: 0,
    evicted: 0,
    own: "52.5 5.4",
    classes: { A: 117, B: 28, Base: 2 },
    named: 24,
    placed: 133,
    typed: 24,
    measured: 22,
    approaching: 63,
    range: [0.02, 21.9],
    sog: [0, 19.98],
    cpa: [0, 19.54],
  },
  // A boat in port without AIS targets.
  "dirona-actisense-serial.raw.gz": {
    reports: 128,
    withoutMmsi: 0,
    evicted: 0,
    own: "14.1 -61.0",
    classes: {},
    named: 0,
    placed: 0,
    typed: 0,
    measured: 0,
    approaching: 0,
    range: [],
    sog: [],
    cpa: [],
  },
  "susteranna-actisense-serial.raw.gz": {
    reports: 32,
    withoutMmsi: 0,
    evicted: 0,
    own: "52.6 5.5",
    classes: { A: 65, B: 12, Base: 1 },
    named: 4,
    placed: 75,
    typed: 3,
    measured: 4,
    approaching: 30,
    range: [0.07, 14.35],
    sog: [0, 21.21],
    cpa: [0.05, 12.11],
  },
  // A receiver without a position of its own.
  "ikonvert.log.gz": {
    reports: 269,
    withoutMmsi: 0,
    evicted: 0,
    own: undefined,
    classes: { A: 40, AtoN: 1, B: 36, Base: 3 },
    named: 51,
    placed: 75,
    typed: 48,
    measured: 46,
    approaching: 0,
    range: [],
    sog: [0, 27.99],
    cpa: [],
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-voyage-"));
});

/** All twelve stations of `src/services/simulation/ships.ts`; aids to navigation and an aircraft have no type of a ship. */
const voyagePicture = {
  reports: 241,
  withoutMmsi: 0,
  evicted: 0,
  own: "53.3 3.6",
  classes: { A: 5, B: 4, AtoN: 2, SAR: 1 },
  named: 11,
  placed: 12,
  typed: 9,
  measured: 9,
  approaching: 5,
  range: [0.19, 4.8],
  sog: [0, 89.4],
  cpa: [0.07, 4.71],
};

async function expectPicture(path: string, expected: unknown): Promise<void> {
  const { reports, counters } = await reportsOf(path);
  for (const report of reports) aisReport.parse(JSON.parse(report));
  expect({ reports: reports.length, ...counters, ...summary(reports.at(-1)!) }).toEqual(expected);
  expect((await reportsOf(path)).reports).toEqual(reports);
}

test("the AIS picture of the voyage is plausible, the same every time", async () => {
  await expectPicture(writeRecording(await voyage(240_000), candumpLog, folder), voyagePicture);
});

test.each(present(Object.keys(recordings)))("the AIS picture of %s is plausible, the same every time", (name) =>
  expectPicture(realRecording(name), recordings[name]),
);

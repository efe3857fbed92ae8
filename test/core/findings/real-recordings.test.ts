/**
 * The findings of real recordings, each compared by eye with the data. Most recordings last for seconds: their findings
 * are those of single messages, and any other one would be false.
 */
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { RecordingFindings } from "../../../src/core/findings/recording.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { forEachPacket } from "../../../src/core/ports/packet-batch.ts";
import { realRecording, realRecordings } from "../../support/recordings.ts";

/** Recordings, read one after the other, and their findings: the kind, and the device or stream. */
const known: readonly (readonly [names: readonly string[], findings: readonly string[]])[] = [
  // The monitor of the shore power sends phases A, B and C of six connections each second, as the public messages do.
  [["can0-2.candump.log.gz"], ["publicLayout-1"]],
  [["can0-3.candump.log.gz"], ["publicLayout-1"]],
  // Two minutes of one boat on a test bench: the sounder at address 36 says 1.4 m, the one at 38 says 62 m.
  [
    ["can0-2.candump.log.gz", "can0-3.candump.log.gz"],
    ["depthsDiffer", "publicLayout-1"],
  ],
  // The product codes of the three are 0; at the berth the satellite compass says 86 degrees true, the fluxgate 130
  // magnetic, and the variation is 15 to 19 degrees west.
  [["dirona-actisense-serial.raw.gz"], ["headingsDiffer", "noProductCode-0", "noProductCode-2", "noProductCode-3"]],
  // The receiver has no fix, and sends its empty position and course each second.
  [["ikonvert.log.gz"], ["slowStream-129025-2", "slowStream-129026-2"]],
  // Messages of many boats in one file; the product codes of the two are 65535, not available.
  [["sample-single.raw.txt"], ["noProductCode-40", "noProductCode-32"]],
  // Six NAMEs claim address 75 every two seconds; the seven fast packets that lack frames there are of no one device.
  [["simulator2.raw"], ["addressWar-75"]],
  // Made by hand, with frames that are missing and out of order.
  [["recombine-frames.in"], ["incomplete-0"]],
];

const ignore = (): void => {};
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

async function findingsOf(names: readonly string[]): Promise<readonly string[]> {
  const input = Readable.from(names.map((name) => readFileSync(realRecording(name))));
  const file = new RecordingFile("-", { clock: systemClock, log, speed: 0, input });
  const source = new ReassembledSource({ name: "replay", batches: file.batches(), times: () => file.times });
  const findings = new RecordingFindings(() => source.counters());
  for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets())))
    forEachPacket(batch, (packet) => findings.hear(packet));
  return findings.report(source.times).findings.map(({ id }) => id);
}

describe.skipIf(realRecordings.length === 0)("findings of real recordings", () => {
  const explained = new Set(known.flatMap(([names]) => (names.length === 1 ? names : [])));
  // Captures and log files of one name have the same frames.
  const others = realRecordings.filter((name) => !explained.has(name) && !/^can0-.*pcap/.test(name));
  test.each([...known, ...others.map((name) => [[name], []] as const)])("%j", async (names, findings) => {
    if (names.every((name) => realRecordings.includes(name))) expect(await findingsOf(names)).toEqual(findings);
  });
});

/**
 * Boats at sea: what the report makes of the simulated voyage, and of recordings of real buses where they are, as
 * counts and ranges. They show the effect of a changed rule.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { Devices } from "../../../src/core/nav/devices.ts";
import { createNavigatorReaders } from "../../../src/core/nav/messages.ts";
import { navigationReport } from "../../../src/core/nav/navigation-report.ts";
import { Navigator } from "../../../src/core/nav/navigator.ts";
import { writerOf } from "../../../src/core/report/write.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { candumpLog } from "../../formats/recording/writing.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { packetsOf } from "../../support/packets.ts";
import { present, realRecording, voyage, writeRecording } from "../../support/recordings.ts";

const reportText = textOf(writerOf(navigationReport));

interface Summary {
  reports: number;
  /** Per group: reports with it, and how often its source changed. */
  readonly groups: Map<string, { reports: number; changes: number }>;
  /** Per number: lowest and highest. */
  readonly ranges: Map<string, readonly [number, number]>;
  /** Per member that is no number: what it was. */
  readonly others: Map<string, Set<string>>;
}

/** The summary, with a line for each quantity. */
const summaryText = ({ reports, groups, ranges, others }: Summary): string =>
  [
    `${reports} reports`,
    ...[...groups].map(([name, counts]) => `${name}: ${counts.reports} reports, ${counts.changes} changes of source`),
    ...[...ranges].map(([name, [low, high]]) => `${name}: ${low} to ${high}`).sort(),
    ...[...others].map(([name, values]) => `${name}: ${[...values].join(", ")}`).sort(),
    "",
  ].join("\n");

/** Reads a recording as fast as it goes, with a report whenever one is due. */
async function summaryOf(path: string): Promise<Summary> {
  const file = new RecordingFile(path, { clock: systemClock, log: memoryLog(), speed: 0 });
  const source = new ReassembledSource({ name: "replay", batches: file.batches() });
  const readers = createNavigatorReaders();
  // The recordings have no NAMEs; addresses replace them, so that the summary shows the sources used.
  const [navigator, devices] = [new Navigator(), new Devices()];
  const summary: Summary = { reports: 0, groups: new Map(), ranges: new Map(), others: new Map() };
  const users = new Map<string, string>();

  const take = (data: object): void => {
    summary.reports++;
    for (const [name, group] of Object.entries(data)) {
      const counts = summary.groups.get(name) ?? { reports: 0, changes: -1 };
      summary.groups.set(name, counts);
      counts.reports++;
      const { source: from, ...members } = group as { source?: { name: string; pgn: number } };
      const user = `${from?.name} ${name === "position" ? "" : from?.pgn}`;
      if (users.get(name) !== user) counts.changes++;
      users.set(name, user);
      for (const [key, value] of Object.entries(members as Record<string, unknown>)) {
        const place = `${name}.${key}`;
        if (typeof value === "number") {
          const [low, high] = summary.ranges.get(place) ?? [value, value];
          summary.ranges.set(place, [Math.min(low, value), Math.max(high, value)]);
        } else if (!["date", "time"].includes(key)) {
          summary.others.set(place, (summary.others.get(place) ?? new Set()).add(String(value)));
        }
      }
    }
  };
  for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets()))) {
    for (const packet of packetsOf(batch)) {
      if (packet.arrived >= navigator.due()) {
        const report: unknown = JSON.parse(reportText(navigator.report(packet.arrived, packet.received)));
        take(navigationReport.parse(report).data);
      }
      const read = readers.get(packet.pgn);
      if (read === undefined) continue;
      const { bytes, at, end, source, arrived, received } = packet;
      const device = devices.at(source, BigInt(source), arrived);
      navigator.hear(read(bytes, at, end, source), { device, arrived, received });
    }
  }
  return summary;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-voyage-"));
});

test("the voyage gives a plausible picture", async () => {
  const path = writeRecording(await voyage(400_000), candumpLog, folder);
  await expect(summaryText(await summaryOf(path))).toMatchFileSnapshot("../../snapshots/navigation-voyage.txt");
});

test.each(present(["can0-3.candump.log.gz", "dirona-actisense-serial.raw.gz"]))(
  "%s gives a plausible picture",
  async (name) => {
    const boat = /^(can0-3|[a-z]+)/.exec(name)![0];
    await expect(summaryText(await summaryOf(realRecording(name)))).toMatchFileSnapshot(
      `../../snapshots/navigation-${boat}.txt`,
    );
  },
);

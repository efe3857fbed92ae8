/** hub-cand --findings: reads a recording at full speed and prints its findings, and nothing else. */
import { RecordingFindings } from "../core/findings/recording.ts";
import { textOfReport } from "../core/findings/recording-report.ts";
import { createCatalogue } from "../core/n2k/catalogue.ts";
import { fastPacketTable } from "../core/n2k/fast-packets.ts";
import type { Log } from "../core/ports/log.ts";
import { forEachPacket } from "../core/ports/packet-batch.ts";
import type { PacketSource } from "../core/ports/packet-source.ts";
import type { FindingsTarget } from "./hub-cand-options.ts";

/** Prints the findings of a source to its end, or to the place from which it cannot be read. */
export async function printFindings(source: PacketSource, { format }: FindingsTarget, log: Log): Promise<void> {
  const findings = new RecordingFindings(() => source.counters());
  let isHeard = false;
  let brokenOff: string | undefined;
  try {
    for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets()))) {
      forEachPacket(batch, (packet) => findings.hear(packet));
      isHeard = true;
    }
  } catch (error) {
    if (!isHeard) throw error;
    brokenOff = (error as Error).message;
  }
  const report = findings.report(source.times, brokenOff);
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    log.error("standard output cannot be written", { code: "STDOUT_GONE", reason: code ?? "unknown" });
    process.exitCode = 1;
  });
  process.stdout.write(format === "json" ? `${JSON.stringify(report, null, 2)}\n` : textOfReport(report));
}

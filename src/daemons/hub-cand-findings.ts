/** hub-cand --findings: reads a recording at full speed and prints its findings, and nothing else. */
import { RecordingFindings, textOfReport } from "../findings/recording.ts";
import { createCatalogue } from "../n2k/catalogue.ts";
import { fastPacketTable } from "../n2k/fast-packets.ts";
import { forEachPacket } from "../ports/packet-batch.ts";
import type { PacketSource } from "../ports/packet-source.ts";
import type { FindingsTarget } from "./hub-cand-options.ts";

/** Prints the findings of a source to its end. */
export async function printFindings(source: PacketSource, { format }: FindingsTarget): Promise<void> {
  const findings = new RecordingFindings(() => source.counters());
  for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets())))
    forEachPacket(batch, (packet) => findings.hear(packet));
  const report = findings.report(source.hasTimes);
  process.stdout.write(format === "json" ? `${JSON.stringify(report, null, 2)}\n` : textOfReport(report));
}

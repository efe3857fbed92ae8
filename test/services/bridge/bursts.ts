/** Bursts of packets for tests, as reassembly would give them. */
import type { PacketBatch } from "../../../src/core/ports/packet-source.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";

export interface TestPacket {
  readonly pgn: number;
  /** Payload in hex. */
  readonly hex: string;
  readonly source?: number;
  readonly priority?: number;
  /** Wall clock, milliseconds since 1970; the monotonic clock moves along from 0. */
  readonly at?: number;
}

/** Makes bursts one after the other; their monotonic clock goes on. */
export function createBursts(
  start = Date.UTC(2026, 10, 21, 8, 14, 26, 123),
): (packets: readonly TestPacket[]) => PacketBatch {
  const writer = new RecordWriter();
  return (packets) => {
    for (const { pgn, hex, source = 3, priority = 2, at = start } of packets) {
      const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
      writer.packet(at * 1000, priority, pgn, source, 255, bytes, bytes.length);
    }
    const [batch] = [...writer.drain()];
    return batch?.packets ?? { bytes: new Uint8Array(0), length: 0 };
  };
}

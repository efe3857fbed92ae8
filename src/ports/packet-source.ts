/** Where finished packets come from: a SocketCAN interface, a recording, the simulator. */

/**
 * A burst of finished packets, one record behind the other as `bridge/packet-batch.ts` reads them.
 * Valid until the next batch is asked for.
 */
export interface PacketBatch {
  readonly bytes: Uint8Array;
  /** Bytes in use; the rest of `bytes` is not part of the batch. */
  readonly length: number;
}

export interface PacketSource {
  /** Ends when the source has ended or was closed; of a bus comes first what had been read until then. */
  batches(): AsyncIterable<PacketBatch>;
  counters(): BusCounters;
  /** Settles anew which PGNs are fast packets (`n2k/framing.ts`). */
  setFraming(framing: Uint32Array): void;
  close(): void;
}

/** Counts since the source was opened. */
export interface BusCounters {
  /** 29-bit data frames taken in, without those of `ignored`. */
  readonly frames: number;
  /**
   * Frames left aside, by kind: 11-bit, remote and error frames have no PGN; `noAddress` are those of source 254 or 255,
   * which is no device's, apart from address claims and requests.
   */
  readonly ignored: Readonly<Record<"standard" | "remote" | "error" | "noAddress", number>>;
  /** Finished packets, by transport. */
  readonly packets: Readonly<Record<"single" | "fast" | "isoTp", number>>;
  /** Frames that the kernel threw away before anybody saw them, and frames of finished packets that a full ring did. */
  readonly lost: Readonly<Record<"kernel" | "ring", number>>;
  /** Packets given up, by reason. */
  readonly discarded: Readonly<Record<DiscardReason, number>>;
  /** Lines or records of a recording that could not be read. */
  readonly malformed: number;
}

export const discardReasons = [
  "fastOrphan",
  "fastOrder",
  "fastRestarted",
  "fastTimeout",
  "fastLength",
  "fastStale",
  "fastEvicted",
  "isoOrphan",
  "isoOrder",
  "isoRestarted",
  "isoTimeout",
  "isoSize",
  "isoAborted",
  "isoEvicted",
] as const;

/**
 * Why a packet was given up: `…Orphan` a continuation without a beginning, `…Order` a frame out of order,
 * `…Restarted` a new beginning in its place, `…Timeout` 750 ms of silence, `fastLength`/`isoSize` an impossible length,
 * `fastStale` its sequence counter came round, `…Evicted` too many open at once, `isoAborted` its sender said so.
 */
export type DiscardReason = (typeof discardReasons)[number];

/** The source of finished packets: a SocketCAN interface, a recording, the simulator. */
import type { FrameSender } from "./frame-sender.ts";
import type { InterfaceMonitor } from "./interface-monitor.ts";

/**
 * A burst of finished packets, one record after the other as `ports/packet-batch.ts` reads them. Valid until the next
 * batch is requested.
 */
export interface PacketBatch {
  readonly bytes: Uint8Array;
  /** Bytes in use; the rest of `bytes` is not part of the batch. */
  readonly length: number;
}

/** A source is created without opening anything, connected to the bridge, and opened by `packets`. */
export interface PacketSource {
  /**
   * Opens the source and gives its packets, once. `fastPacketTable` lists the PGNs that are fast packets
   * (`n2k/fast-packets.ts`). Ends when the source has ended or was closed; a closed bus first yields the packets that
   * it has read.
   */
  packets(fastPacketTable: Uint32Array): AsyncIterable<PacketBatch>;
  counters(): BusCounters;
  /** The interface of the source, or a stand-in for one. */
  readonly monitor: InterfaceMonitor;
  /** Present if frames can be sent. */
  readonly sender?: FrameSender;
  /**
   * Present if the source may come and go. The listener is called for its first state and whenever the state may have
   * changed.
   */
  onState?(listener: (state: SourceState) => void): void;
  /** Its packets are read as fast as the bridge takes them, and their stamps are the only clock. */
  readonly atFullSpeed?: boolean;
  /** The time stamps of a recording; known once packets were read. */
  readonly times?: RecordedTimes;
  /** The wall clock of its packets is that of another computer, which the reports follow. */
  readonly hasOwnClock?: boolean;
  /** Changes which PGNs are fast packets. */
  setFastPacketTable(fastPacketTable: Uint32Array): void;
  /** May be called at any time and more than once. */
  close(): void;
}

/**
 * The time stamps of a recording: with dates; without dates, for which that of the file is taken; or none, and the times
 * are made up.
 */
export type RecordedTimes = "dated" | "undated" | "none";

export interface SourceState {
  /** Frames are received and can be sent. */
  readonly isUp: boolean;
  /**
   * The source has come, gone or been replaced since the last call; otherwise only the readings of `monitor` may have
   * changed.
   */
  readonly hasChanged: boolean;
}

/** Counts since the source was opened. */
export interface BusCounters {
  /** 29-bit data frames, without those of `ignored`. */
  readonly frames: number;
  /**
   * Ignored frames, by kind: 11-bit, remote and error frames have no PGN; `noAddress` are frames of source 254 or 255,
   * which no device has, apart from address claims and requests; CAN FD frames are not part of NMEA 2000.
   */
  readonly ignored: Readonly<Record<"standard" | "remote" | "error" | "noAddress" | "canFd", number>>;
  /** Finished packets, by transport; messages that a gateway or a recording has as a whole, by that of their length. */
  readonly packets: Readonly<Record<"single" | "fast" | "isoTp", number>>;
  /**
   * Frames for which the kernel had no room, which it reports with the next frame, and frames of finished packets for
   * which the ring had no room.
   */
  readonly lost: Readonly<Record<"kernel" | "ring", number>>;
  readonly discarded: Readonly<Record<DiscardReason, number>>;
  /**
   * Errors on the bus that a CAN controller has seen, by kind; `acknowledge`: no other device has confirmed a frame.
   */
  readonly busErrors: Readonly<Record<BusErrorKind, number>>;
  /** Lines or records of a recording that could not be read. */
  readonly malformed: number;
  /** Measurements of XDR of NMEA 0183 of which nothing is made, by name; absent if there were none. */
  readonly unusedTransducers?: Readonly<Record<string, number>> | undefined;
}

export type BusErrorKind = "bit" | "form" | "stuff" | "checksum" | "acknowledge";

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
 * Why a packet was discarded: `…Orphan` a continuation without a beginning, `…Order` a frame out of order, `…Restarted`
 * the sender began another one in its place, `…Timeout` no further frame in time (fast packets 750 ms in which other
 * devices send, ISO TP the times T1 to T4 of ISO 11783-3), `fastLength`/`isoSize` an impossible length, `fastStale` its
 * sequence counter came round, `…Evicted` too many open at once, `isoAborted` aborted by its sender or receiver. After
 * frames that were lost, the next one may be of another packet: `fastStale`, `isoOrder`.
 */
export type DiscardReason = (typeof discardReasons)[number];

/** The counters of a source that has not been opened. */
export const noCounts: BusCounters = {
  frames: 0,
  ignored: { standard: 0, remote: 0, error: 0, noAddress: 0, canFd: 0 },
  packets: { single: 0, fast: 0, isoTp: 0 },
  lost: { kernel: 0, ring: 0 },
  discarded: Object.fromEntries(discardReasons.map((reason) => [reason, 0])) as BusCounters["discarded"],
  busErrors: { bit: 0, form: 0, stuff: 0, checksum: 0, acknowledge: 0 },
  malformed: 0,
};

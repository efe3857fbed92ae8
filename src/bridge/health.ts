/**
 * What the document has no place for and whoever looks after a bus wants to know: what was taken in, lost and given up and
 * why, how busy the bus is, how the program is. Pure functions of counters; counts are since the start.
 */
import type { InterfaceStatistics } from "../ports/interface-monitor.ts";
import type { BusCounters, DiscardReason } from "../ports/packet-source.ts";

/** Members in the order in which they are published; `health-schema.ts` says the same of what is read. */
export interface Health {
  /** Seconds since the bridge began, on the clock of its packets: the recording's where that is read at full speed. */
  readonly uptimeSec: number;
  /** 29-bit data frames taken in. */
  readonly frames: number;
  /** Frames left aside, by kind. */
  readonly framesIgnored: BusCounters["ignored"];
  /** Frames that nobody saw: the kernel had no room for them, or a full ring of ours had none. */
  readonly framesLost: BusCounters["lost"];
  /** Finished packets, by transport. */
  readonly packets: BusCounters["packets"];
  /** Packets given up, by reason; reasons that never occurred are absent. */
  readonly packetsDiscarded: Readonly<Partial<Record<DiscardReason, number>>>;
  /** Lines or records of a recording that could not be read. */
  readonly malformed: number;
  /** Packets that could not be decoded, each a fault of ours. */
  readonly decodeErrors: number;
  /** Packets that fit none of the layouts their PGN may have. */
  readonly refused: number;
  /** Packets of PGNs that are not in the tables. */
  readonly unknown: number;
  /** PGN messages made. */
  readonly published: number;
  /** Percent of the time in which bits were on the bus; absent while it cannot be told. */
  readonly busLoadPercent?: number;
  /** Messages that the broker was away or too slow for. */
  readonly dropped?: number;
  /** Bytes accepted for publishing and not yet taken by the connection. */
  readonly backlogBytes?: number;
  /** Resident memory of the program. */
  readonly memoryBytes?: number;
  /** Frames written by `--record`, and frames that were not; absent where nothing is recorded. */
  readonly recorded?: number;
  readonly recordDropped?: number;
}

/** What is counted outside of the bridge. */
export interface Vitals {
  bus(): BusCounters;
  /** Absent where everything is to be the same each time: a recording read as fast as possible. */
  machine?(): MachineVitals;
}

/** What depends on the machine and on the broker, and not on the bus alone. */
export type MachineVitals = Required<Pick<Health, "dropped" | "backlogBytes" | "memoryBytes">> &
  Pick<Health, "recorded" | "recordDropped">;

/** What the bridge itself counts, as far as it matters here. */
export interface BridgeVitals {
  readonly published: number;
  readonly failed: number;
  readonly unknown: ReadonlyMap<number, number>;
  readonly refused: ReadonlyMap<number, number>;
  readonly busLoadPercent?: number;
}

const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

/** `uptimeSec` as in `Health`. */
export function healthOf(uptimeSec: number, bridge: BridgeVitals, vitals: Vitals): Health {
  const { frames, ignored, lost, packets, discarded, malformed } = vitals.bus();
  const { published, failed, unknown, refused, busLoadPercent } = bridge;
  return {
    uptimeSec,
    frames,
    framesIgnored: { ...ignored },
    framesLost: { ...lost },
    packets: { ...packets },
    packetsDiscarded: Object.fromEntries(Object.entries(discarded).filter(([, count]) => count > 0)),
    malformed,
    decodeErrors: failed,
    refused: sum(refused),
    unknown: sum(unknown),
    published,
    ...(busLoadPercent !== undefined && { busLoadPercent }),
    ...vitals.machine?.(),
  };
}

/**
 * Bits of an extended data frame besides its data, before stuffing (ISO 11898-1): start 1, identifier 11 + 18, SRR, IDE
 * and RTR 3, reserved 2, length 4, CRC 15 and its delimiter 1, acknowledgement 2, end 7, pause between frames 3.
 */
const OVERHEAD_BITS = 67;
/** Of these, the bits from start to CRC may be stuffed. */
const STUFFED_OVERHEAD_BITS = 54;

/**
 * Bits on the wire of so many extended data frames with so many bytes of data in all. Stuff bits depend on what is sent:
 * none at the least, (54 + 8n - 1) / 4 in a frame of n bytes at the most. Counters do not say, so the mean of both is
 * taken, which is off by a ninth at most.
 */
export function bitsOnWire(frames: number, bytes: number): number {
  const most = (frames * (STUFFED_OVERHEAD_BITS - 1) + 8 * bytes) / 4;
  return frames * OVERHEAD_BITS + 8 * bytes + most / 2;
}

/**
 * Percent of the time between two readings, `milliseconds` apart, in which bits of data frames were on a bus of `bitrate`
 * bits a second, with one decimal. Undefined where counters are missing or have begun anew.
 */
export function busLoadPercent(
  earlier: InterfaceStatistics,
  later: InterfaceStatistics,
  milliseconds: number,
  bitrate: number,
): number | undefined {
  const grown = (name: "rx_frames" | "tx_frames" | "rx_bytes" | "tx_bytes"): number =>
    (later[name] ?? Number.NaN) - (earlier[name] ?? Number.NaN);
  const growth = [grown("rx_frames"), grown("tx_frames"), grown("rx_bytes"), grown("tx_bytes")];
  // Also false for NaN.
  if (!growth.every((count) => count >= 0) || !(milliseconds > 0) || !(bitrate > 0)) return undefined;
  const [rxFrames, txFrames, rxBytes, txBytes] = growth as [number, number, number, number];
  const bits = bitsOnWire(rxFrames + txFrames, rxBytes + txBytes);
  return Math.round((bits / ((bitrate * milliseconds) / 1000)) * 1000) / 10;
}

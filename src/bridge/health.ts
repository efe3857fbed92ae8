/**
 * What the document has no place for and whoever looks after a bus wants to know: what was lost, what was given up and
 * why, how busy the bus is. Pure functions of counters.
 */
import type { InterfaceStatistics } from "../ports/interface-monitor.ts";
import type { BusCounters, DiscardReason } from "../ports/packet-source.ts";

export interface Health {
  /** Frames that nobody saw: the kernel had no room for them, or a full ring of ours had none. */
  readonly framesLost: { readonly kernel: number; readonly ring: number };
  /** Packets given up, by reason; reasons that never occurred are absent. */
  readonly packetsDiscarded: Readonly<Partial<Record<DiscardReason, number>>>;
  /** Percent of the time in which bits were on the bus; absent while it cannot be told. */
  readonly busLoadPercent?: number;
}

export function healthOf({ lost, discarded }: BusCounters, busLoadPercent?: number): Health {
  return {
    framesLost: { ...lost },
    packetsDiscarded: Object.fromEntries(Object.entries(discarded).filter(([, count]) => count > 0)),
    ...(busLoadPercent !== undefined && { busLoadPercent }),
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

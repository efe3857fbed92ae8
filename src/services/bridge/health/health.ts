/** The health of bus and bridge from counters; all counts are since the start. Pure functions. */
import { bitsOnWire } from "../../../core/can/wire-load.ts";
import type { BusCounters } from "../../../core/ports/packet-source.ts";
import type { InterfaceStatistics } from "../../../core/report/interface-status.ts";
import type { Health } from "../../../core/topics/health.ts";
import type { BridgeCounters } from "../counters.ts";

/** Counters from outside the bridge. */
export interface Vitals {
  bus(): BusCounters;
  /**
   * Members that depend on the machine and on the broker, and not on the bus alone. Absent in a full-speed replay, whose
   * output must be the same each time.
   */
  machine?(): Partial<Health>;
}

/** `uptimeSec` as in `Health`. */
export function healthOf(
  uptimeSec: number,
  counters: BridgeCounters,
  { bus, machine }: Vitals,
  ignoredSettings: Health["ignoredSettings"] = [],
): Health {
  const { frames, ignored, lost, packets, discarded, malformed, unusedTransducers } = bus();
  const { packetsTaken, notSent, refusedByPgn, commandsSkipped, ...ofBridge } = counters;
  return {
    uptimeSec,
    frames,
    framesIgnored: { ...ignored },
    framesLost: { ...lost },
    packets: { ...packets },
    packetsDiscarded: Object.fromEntries(Object.entries(discarded).filter(([, count]) => count > 0)),
    malformed,
    ...(unusedTransducers && { unusedTransducers }),
    ...ofBridge,
    ignoredSettings,
    ...(machine !== undefined && { ...machine(), commandsSkipped }),
  };
}

/**
 * Percent of the time between two readings, `milliseconds` apart, in which bits of data frames were on a bus of
 * `bitrate` bits a second, with one decimal. Undefined if counters are missing or have begun anew.
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
  // The condition is also false for NaN.
  if (!growth.every((count) => count >= 0) || !(milliseconds > 0) || !(bitrate > 0)) return undefined;
  const [rxFrames, txFrames, rxBytes, txBytes] = growth as [number, number, number, number];
  const bits = bitsOnWire(rxFrames + txFrames, rxBytes + txBytes);
  return Math.round((bits / ((bitrate * milliseconds) / 1000)) * 1000) / 10;
}

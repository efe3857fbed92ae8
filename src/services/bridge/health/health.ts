/** The health of bus and bridge from counters; all counts are since the start. Pure functions. */
import { bitsOnWire } from "../../../core/can/wire-load.ts";
import type { BusCounters } from "../../../core/ports/packet-source.ts";
import type { InterfaceStatistics } from "../../../core/report/interface-status.ts";
import type { Health } from "../../../core/topics/health.ts";
import type { FaultCounts } from "../part-faults.ts";

/** Counters from outside the bridge. */
export interface Vitals {
  bus(): BusCounters;
  /** Absent in a full-speed replay, whose output must be the same each time. */
  machine?(): MachineVitals;
}

/** Members that depend on the machine and on the broker, and not on the bus alone. */
export type MachineVitals = Required<Pick<Health, "publishRefused" | "dropped" | "backlogBytes" | "memoryBytes">> &
  Pick<
    Health,
    "recorded" | "recordDropped" | "frameClients" | "frameClientsDropped" | "frameClientBytes" | "framesNotServed"
  >;

/** Counters of the bridge itself. */
export interface BridgeVitals {
  readonly published: number;
  readonly failed: number;
  readonly unknown: ReadonlyMap<number, number>;
  readonly refused: ReadonlyMap<number, number>;
  readonly commandsSkipped: NonNullable<Health["commandsSkipped"]>;
  readonly busLoadPercent?: number;
  readonly clockAheadSec?: number;
  readonly lanes?: { readonly topics: number; readonly leftOut: number };
  readonly networks?: readonly NetworkVitals[];
  readonly partFaults?: FaultCounts;
}

/** A network in addition to the first. */
export interface NetworkVitals {
  readonly name: string;
  readonly firstAddr: number;
  /** Packets that the bridge has taken, those that came whole among them. */
  readonly packets: number;
  readonly counters: BusCounters;
}

const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

/** `uptimeSec` as in `Health`. */
export function healthOf(
  uptimeSec: number,
  bridge: BridgeVitals,
  vitals: Vitals,
  ignoredSettings: Health["ignoredSettings"] = [],
): Health {
  const { frames, ignored, lost, packets, discarded, malformed } = vitals.bus();
  const {
    published,
    failed,
    unknown,
    refused,
    commandsSkipped,
    busLoadPercent,
    clockAheadSec,
    lanes,
    networks,
    partFaults,
  } = bridge;
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
    ignoredSettings,
    ...(busLoadPercent !== undefined && { busLoadPercent }),
    ...(clockAheadSec !== undefined && { clockAheadSec }),
    ...(vitals.machine !== undefined && { ...vitals.machine(), commandsSkipped: { ...commandsSkipped } }),
    ...(lanes !== undefined && { laneTopics: lanes.topics, laneLeftOut: lanes.leftOut }),
    ...(networks !== undefined && { networks: networks.map(networkHealthOf) }),
    ...(partFaults !== undefined && { partFaults }),
  };
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

function networkHealthOf({
  name,
  firstAddr,
  packets,
  counters,
}: NetworkVitals): NonNullable<Health["networks"]>[number] {
  const { frames, lost, discarded, malformed } = counters;
  return {
    interface: name,
    firstAddr,
    frames,
    framesLost: total(lost),
    packets,
    packetsDiscarded: total(discarded),
    malformed,
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

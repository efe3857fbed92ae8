/** The options and the counters of the bridge. */
import type { DiskSpace } from "../../core/alarms/surroundings.ts";
import type { PublicPgns } from "../../core/n2k/public-pgns.ts";
import type { InterfaceMonitor } from "../../core/ports/interface-monitor.ts";
import type { Log } from "../../core/ports/log.ts";
import type { MagneticModel } from "../../core/ports/magnetic-model.ts";
import type { BusCounters } from "../../core/ports/packet-source.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import type { Health } from "../../core/topics/health.ts";
import type { Vitals } from "./health/health.ts";
import type { HomeAssistantOptions } from "./home-assistant/home-assistant.ts";
import type { NodeOptions } from "./node/bus-node.ts";

export interface BridgeOptions {
  readonly prefix: string;
  /** Name of the interface in topics; the last level of the prefix if absent. */
  readonly interface?: string | undefined;
  readonly publisher: Publisher;
  readonly log: Log;
  /** The interface of the source, or a stand-in for one. */
  readonly monitor: InterfaceMonitor;
  /** Options of the node; without them nothing is sent. */
  readonly node?: NodeOptions | undefined;
  /** Counters of source and machine for the health report; none is published without them. */
  readonly vitals?: Vitals | undefined;
  /** The disk with the least space among those that hub writes to. */
  readonly disk?: (() => DiskSpace | undefined) | undefined;
  /** Messages a second that each stream of a PGN may publish; no limit when absent. */
  readonly maxRate?: number | undefined;
  /** Gives the magnetic variation if the settings say so. */
  readonly magneticModel?: MagneticModel | undefined;
  /**
   * Dates before this wall-clock time count as wrong, milliseconds since 1970: on a live bus, the day on which hub was
   * built.
   */
  readonly notBefore?: number | undefined;
  /** Publish PGNs that are not in the tables, as raw bytes. */
  readonly unknown?: boolean | undefined;
  /** Publish all public PGNs, also if the settings do not ask for them. */
  readonly allPgns?: boolean | undefined;
  /** The public PGNs; called when they are needed for the first time. Undefined if there is no table of them. */
  readonly publicPgns?: (() => PublicPgns | undefined) | undefined;
  /**
   * Publish PGNs of assumed layout in every layout; true if absent. Off in a replay at full speed, in which no user
   * chooses a layout.
   */
  readonly layouts?: boolean | undefined;
  /** Watch the bus for faults; true if absent. Off in a replay at full speed, which it would slow down. */
  readonly findings?: boolean | undefined;
  /** Slow lanes in addition to those of the settings, in seconds. */
  readonly lanes?: readonly number[] | undefined;
  /** Publish the discovery messages of Home Assistant. */
  readonly homeAssistant?: HomeAssistantOptions | undefined;
}

/** A network in addition to the first. */
export interface FurtherNetwork {
  /** Interface or URL. */
  readonly name: string;
  readonly monitor: InterfaceMonitor;
  counters(): BusCounters;
}

/** Counters that a bridge always has; all counts are since the start. */
const noCounters = {
  published: 0,
  decodeErrors: 0,
  refused: 0,
  unknown: 0,
  commandsSkipped: { tooLong: 0, notUnderstood: 0, withoutEffect: 0 },
  /** Not in the health: packets taken from all networks. */
  packetsTaken: 0,
  /** Not in the health: attempts of the node to send a frame for which there was no room or no bus. */
  notSent: 0,
  /** Not in the health: `refused` by PGN, because the operator sets the layout of each. */
  refusedByPgn: new Map() as ReadonlyMap<number, number>,
};

/** Counters of the bridge, in the words of the health. */
export type BridgeCounters = Partial<Health> & Readonly<typeof noCounters>;

/** The counters of all parts together; skipped commands of several parts add up. */
export function addedCounters(all: readonly (Partial<BridgeCounters> | undefined)[]): BridgeCounters {
  const commandsSkipped = { ...noCounters.commandsSkipped };
  for (const counters of all)
    for (const [reason, count] of Object.entries(counters?.commandsSkipped ?? {}))
      commandsSkipped[reason as keyof typeof commandsSkipped] += count;
  return Object.assign({ ...noCounters }, ...all, { commandsSkipped });
}

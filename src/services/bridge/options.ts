/** The options and the counters of the bridge. */
import type { DiskSpace } from "../../core/alarms/situation.ts";
import type { PublicPgns } from "../../core/n2k/public-pgns.ts";
import type { InterfaceMonitor } from "../../core/ports/interface-monitor.ts";
import type { Log } from "../../core/ports/log.ts";
import type { MagneticModel } from "../../core/ports/magnetic-model.ts";
import type { BusCounters } from "../../core/ports/packet-source.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import type { NetworkVitals, Vitals } from "./health/health.ts";
import type { HomeAssistantOptions } from "./home-assistant/home-assistant.ts";
import type { NodeOptions } from "./node/bus-node.ts";
import type { FaultCounts } from "./part-faults.ts";

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

/** Skipped commands by reason, since the start. */
export interface CommandsSkipped {
  readonly tooLong: number;
  readonly notUnderstood: number;
  /**
   * Commands without effect: an alarm that is not raised, an anchor watch without a position, an alarm of another
   * program for which there is no room, a call from before the start that has ended.
   */
  readonly withoutEffect: number;
}

/** A network in addition to the first. */
export interface FurtherNetwork {
  /** Interface or URL. */
  readonly name: string;
  readonly monitor: InterfaceMonitor;
  counters(): BusCounters;
}

/** All counts are since the start. */
export interface BridgeCounters {
  readonly packets: number;
  readonly published: number;
  /** Packets that could not be decoded. */
  readonly failed: number;
  /** Attempts of the node to send a frame for which there was no room or no bus. */
  readonly notSent: number;
  /** Packets of PGNs that are not in the tables, by PGN. */
  readonly unknown: ReadonlyMap<number, number>;
  /** Messages of PGNs of assumed layout that fitted neither the assumed nor the public layout, by PGN. */
  readonly refused: ReadonlyMap<number, number>;
  /** Commands to the alarms and to the findings that had no effect. */
  readonly commandsSkipped: CommandsSkipped;
  /** Topics of the slow lanes, and messages left out of them because they have no room; absent without lanes. */
  readonly lanes?: { readonly topics: number; readonly leftOut: number };
  /** Percent of the last ten seconds in which the bus was busy; absent without a CAN controller. */
  readonly busLoadPercent?: number;
  /** See `Health`. */
  readonly clockAheadSec?: number;
  /** Networks in addition to the first; absent if there is none. */
  readonly networks?: readonly NetworkVitals[];
  /** Faults of the parts, by part and method; absent if there were none. */
  readonly partFaults?: FaultCounts;
}

const noCounters = {
  packets: 0,
  published: 0,
  failed: 0,
  notSent: 0,
  unknown: new Map<number, number>(),
  refused: new Map<number, number>(),
  commandsSkipped: { tooLong: 0, notUnderstood: 0, withoutEffect: 0 },
} satisfies BridgeCounters;

/** The counters of all parts together; skipped commands of several parts add up. */
export function addedCounters(all: readonly (Partial<BridgeCounters> | undefined)[]): BridgeCounters {
  const skipped = { ...noCounters.commandsSkipped };
  for (const counters of all)
    for (const [reason, count] of Object.entries(counters?.commandsSkipped ?? {}))
      skipped[reason as keyof CommandsSkipped] += count;
  return Object.assign({ ...noCounters }, ...all, { commandsSkipped: skipped });
}

/** The options of the bridge. */
import type { DiskSpace } from "../../core/alarms/surroundings.ts";
import type { PublicPgns } from "../../core/n2k/public-pgns.ts";
import type { InterfaceMonitor } from "../../core/ports/interface-monitor.ts";
import type { Log } from "../../core/ports/log.ts";
import type { MagneticModel } from "../../core/ports/magnetic-model.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
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

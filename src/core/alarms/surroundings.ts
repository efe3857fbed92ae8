/** The boat and the ships around it, as they are known when the alarms are evaluated. */
import type { Approach } from "../nav/ais-targets.ts";
import type { NavigationData } from "../nav/navigation-report.ts";
import type { OtherSounder, ReceiverFix, SounderInUse } from "../nav/navigator.ts";
import type { Names, Sender } from "./names.ts";

/** Space of a disk, named by a folder on it. */
export interface DiskSpace {
  readonly path: string;
  readonly freeBytes: number;
}

/** A device that is not in the baseline of the boat. */
export interface NewDevice {
  readonly addr: number;
  readonly label?: string | undefined;
}

export interface Surroundings extends Names {
  readonly navigation: NavigationData;
  readonly targets: readonly Approach[];
  /** MMSIs of own ship, which may have been a target before they were known. */
  readonly ownMmsis?: readonly number[] | undefined;
  /** Whether a device was heard recently, at whatever address. */
  readonly isHeard: (device: Sender) => boolean;
  readonly receivers: readonly ReceiverFix[];
  readonly otherSounders: readonly OtherSounder[];
  readonly sounderInUse?: SounderInUse | undefined;
  /** When a sounder was last heard, with or without a depth, monotonic milliseconds; undefined: never. */
  readonly sounderHeardAt: number | undefined;
  /** Knots by which the last wind is above the damped one of the report. */
  readonly gust: number;
  /** Seconds by which the computer's clock is ahead of the time on the bus; undefined while it is right. */
  readonly clockAheadSec: number | undefined;
  /** The disk with the least space among those that hub writes to. */
  readonly disk: DiskSpace | undefined;
  /** Parts of hub-cand that have failed within the last minutes. */
  readonly faultyParts: readonly string[];
  /** The name of hub-cand at the broker, while another one of that name displaces it. */
  readonly rival?: string | undefined;
  /** Devices that are not in the baseline; undefined: there is no baseline. */
  readonly newDevices: readonly NewDevice[] | undefined;
  /** Addresses that have sent AIS. */
  readonly aisSources: ReadonlySet<number>;
  /** The report is not published yet: no client has its alarms. */
  readonly isUnpublished?: boolean | undefined;
  /** When a device was last heard, monotonic milliseconds; undefined: never. */
  readonly heardAt: number | undefined;
}

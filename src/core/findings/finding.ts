/** The language of the findings: a kind of finding is a row of a table; its readings are the cases on the bus now. */

import type { Sentence } from "../text/sentence.ts";
import type { Bus } from "./bus.ts";
import type { Device } from "./device.ts";

/**
 * `fault`: data are lost or wrong; `warning`: it works, and will not for long, or not well; `information`: good to
 * know.
 */
export const findingSeverities = ["fault", "warning", "information"] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** The properties of a device that a finding names; more than one device may claim an address. */
export type Named = Pick<Device, "address" | "name" | "label">;

/** When a case was there, and how bad it is. */
export interface Timing {
  /** Monotonic times at which the case began and was last there; absent: those of the observations. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Orders the measurements of a finding; of one that has ended, the greatest is reported, or else the last. */
  readonly weight?: number;
}

/** A case on the bus now. It becomes a finding when it has lasted for the seconds of its kind. */
export interface Reading extends Timing {
  /** Distinguishes findings of one kind: a device, a stream; absent: the kind has one finding. */
  readonly key?: string | number;
  readonly devices?: readonly Named[];
  readonly pgn?: number;
  readonly measured: Sentence;
}

export interface Kind {
  readonly title: string;
  readonly severity: FindingSeverity;
  /** The data that it reads, for the documentation. */
  readonly reads: string;
  /** Its condition in words, for the documentation. */
  readonly raised: string;
  /** Seconds for which the case has to last to begin, and to be over to end. */
  readonly after: number;
  readonly endsAfter?: number;
  /** Whether it is about talkers and sensors of a further network too, which have no bus. */
  readonly ofStandIns?: true;
  /** The remedy, a whole sentence. */
  readonly advice: string;
  readonly readings: (bus: Bus) => readonly Reading[];
}

/** Default of `Kind.endsAfter`: a fault that comes and goes is one finding. */
export const ENDS_AFTER_SECONDS = 60;

/** The members of a reading about one device. */
export const about = (device: Device) => ({ key: device.address, devices: [device] });

export const kind = (row: Kind): Kind => row;

/** The reading, if the condition holds. */
export const when = (condition: boolean | undefined, reading: () => Reading): readonly Reading[] =>
  condition === true ? [reading()] : [];

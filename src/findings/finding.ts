/** The language of the findings: a kind of finding is a row of a table, and its readings are what the bus says of it now. */
import type { Bus } from "./bus.ts";
import type { Device } from "./device.ts";

/** `fault`: data are lost or wrong; `warning`: it works, and will not for long, or not well; `information`: good to know. */
export const findingSeverities = ["fault", "warning", "information"] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** What is the case now. It becomes a finding when it has been the case for the seconds of its kind. */
export interface Reading {
  /** Tells findings of one kind apart: a device, a stream; absent: there is one. */
  readonly key?: string | number;
  readonly devices?: readonly Device[];
  readonly pgn?: number;
  /** What was measured, a sentence without its full stop. */
  readonly measured: string;
}

export interface Kind {
  readonly title: string;
  readonly severity: FindingSeverity;
  /** What it is read from, for the documentation. */
  readonly reads: string;
  /** What raises it, in words, for the documentation. */
  readonly raised: string;
  /** Seconds for which it has to be the case, and not to be the case to end. */
  readonly after: number;
  readonly endsAfter?: number;
  /** What to do: a whole sentence. */
  readonly advice: string;
  readonly readings: (bus: Bus) => readonly Reading[];
}

/** As `Kind.endsAfter` where a kind says nothing else: a fault that comes and goes is one. */
export const ENDS_AFTER_SECONDS = 60;

export const kind = (row: Kind): Kind => row;

/** The reading, if the condition holds. */
export const when = (condition: boolean | undefined, reading: () => Reading): readonly Reading[] =>
  condition === true ? [reading()] : [];

export const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** A time in words: 0.25 s, 12 s, 3 min. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds >= 120) return `${Math.round(seconds / 60)} min`;
  if (seconds >= 10) return `${Math.round(seconds)} s`;
  return `${Number(seconds.toPrecision(2))} s`;
}

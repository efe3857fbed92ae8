/** A kind of entry: when it is written, and what it says. */
import type { EntryLine } from "../lines.ts";
import type { Conditions, HeardAlarm, Mooring } from "../observation.ts";

export type Details = NonNullable<EntryLine["details"]>;

/** What a kind may ask of the boat, once a second. */
export interface Situation {
  readonly time: number;
  readonly isUnderway: boolean;
  readonly mooring: Mooring | undefined;
  readonly conditions: Conditions;
  /** Instances of engines that were heard, and whether they run. */
  readonly engines: ReadonlyMap<string, boolean>;
  /** Undefined until the list of alarms was heard. */
  readonly alarms: readonly HeardAlarm[] | undefined;
  /** Destination of the navigation, and whether the boat has arrived. */
  readonly waypoint: { readonly id: number; readonly hasArrived: boolean } | undefined;
  readonly entryEveryMs: number;
}

/** Decides about the entries of a kind in one voyage. All that must outlast a power cut comes from kept entries. */
export interface Watcher {
  /** Hears each entry of the voyage, also its own, after it was kept or read again. */
  recall?(entry: EntryLine): void;
  /** The details of the entries that are due. */
  hear(situation: Situation): readonly Details[];
}

/** A value in the unit of the reports (knots, pascals), which a reader shows in the unit of its user. */
export interface Measured {
  readonly measure: "wind" | "airPressure";
  readonly value: number;
}

/** A text with the names of its values in braces, so that each language may have its own; a name has one in all. */
export type Words = readonly [
  text: string,
  values?: Readonly<Record<string, string | number | Measured>>,
  name?: string,
];

export interface Kind {
  /** Name in kept lines. */
  readonly name: string;
  readonly title: string;
  /** Without one the entry is written by hand, or where a voyage begins, rests and ends. */
  readonly watch?: () => Watcher;
  /** An entry by hand. */
  readonly isByHand?: true;
  /** What the entry says beyond its title. */
  readonly words?: (details: Details) => Words;
}

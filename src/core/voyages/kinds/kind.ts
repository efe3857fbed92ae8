/** A kind of entry: when it is written, and what it says. */
import type { EntryLine } from "../lines.ts";
import type { Conditions, HeardAlarm, Mooring, PastAlarm } from "../observation.ts";

export type Details = NonNullable<EntryLine["details"]>;

/** The state of the boat that a kind reads, once a second. */
export interface Situation {
  /** Without what the clock was set ahead by under way, `setAheadMs`. */
  readonly time: number;
  readonly setAheadMs: number;
  readonly isUnderway: boolean;
  readonly mooring: Mooring | undefined;
  readonly conditions: Conditions;
  readonly isAnchorWatched: boolean | undefined;
  /** Instances of engines of which it is known whether they run. */
  readonly engines: ReadonlyMap<string, boolean>;
  /** Whether the boat was heard for so long that an engine that is silent is off. */
  readonly isSilenceKnown: boolean;
  /** Milliseconds without observations before those by which the state of the boat is known again. */
  readonly unheardMs: number;
  /** Undefined until the list of alarms was heard. */
  readonly alarms: readonly HeardAlarm[] | undefined;
  /** See the observation. */
  readonly isStarting: boolean;
  readonly pastAlarms: readonly PastAlarm[];
  /** Destination of the navigation, and whether the boat has arrived. */
  readonly waypoint: { readonly id: number; readonly hasArrived: boolean } | undefined;
  readonly entryEveryMs: number;
}

/** An entry that is due: its details, and its time and conditions where these are not those of the situation. */
export interface Due {
  readonly details: Details;
  /** See `Situation`; of a change that may have happened in that time. */
  readonly unheardMs?: number;
  readonly time?: number;
  readonly conditions?: Conditions;
}

/** Decides about the entries of a kind in one voyage. All that must outlast a power cut comes from kept entries. */
export interface Watcher {
  /** Hears each entry of the voyage, also its own, after it was kept or read again. */
  recall?(entry: EntryLine): void;
  hear(situation: Situation): readonly Due[];
}

/** A value in the unit of the reports (knots, pascals), which a reader shows in the unit of its user. */
export interface Measured {
  readonly measure: "wind" | "airPressure";
  readonly value: number;
}

type Values = Readonly<Record<string, string | number | Measured>>;

/**
 * A text with the names of its values in braces, so that each language may have its own, and what it is about: a name,
 * which has one in all, or another text.
 */
export type Words = readonly [text: string, values?: Values, of?: string | readonly [text: string, values: Values]];

export interface Kind {
  /** Name in kept lines. */
  readonly name: string;
  readonly title: string;
  /** Without one the entry is written by hand, or where a voyage begins, rests and ends. */
  readonly watch?: () => Watcher;
  readonly isByHand?: true;
  /** The text of the entry beside its title. */
  readonly words?: (details: Details) => Words;
}

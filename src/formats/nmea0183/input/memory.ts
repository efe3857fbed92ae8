/** The state of a talker from one sentence to the next; its size is bounded for any input. */

import type { dscCallInformation } from "../../../core/n2k/pgns/dsc.ts";
import type { say } from "../../../core/n2k/said.ts";
import type { Position } from "../../../core/nav/great-circle.ts";
import type { Tally } from "../../../core/util/tally.ts";

/** Sentences of a talker after which a better one that has not come again counts as gone. */
const FORGOTTEN_AFTER = 100;
const MAX_WAYPOINTS = 200;
/** A receiver lists its satellites every few seconds. */
const SATELLITES_FOR_SEC = 10;
const HALF_A_DAY_SEC = 43_200;
/** Maximum sentences of a route. */
const MAX_PARTS = 99;

/** Quantities that several sentences have. */
export type Quantity =
  | "fix"
  | "true heading"
  | "magnetic heading"
  | "depth"
  | "course"
  | "apparent angle"
  | "apparent speed"
  | "destination"
  | "track";

interface Best {
  rank: number;
  heard: number;
}

/** Degrees and whole minutes of both coordinates, with their signs. */
export interface CallPlace {
  readonly signs: readonly [latitude: 1 | -1, longitude: 1 | -1];
  readonly minutes: readonly [latitude: number, longitude: number];
}

export type CallData = Parameters<typeof say<typeof dscCallInformation>>[1];

/** A call whose expansions may follow. */
export interface ExpectedExpansions {
  readonly data: CallData;
  readonly place: CallPlace | undefined;
  /** MMSIs of its sender and of the vessel in distress, ten digits. */
  readonly stations: readonly string[];
  readonly heardSec: number;
  /** Ten-thousandths of the minutes of both coordinates. */
  fractions?: readonly [latitude: number, longitude: number];
  expansions: NonNullable<CallData["expansions"]>;
}

export class Memory {
  /** Measurements of XDR of which nothing is made, by name, of all talkers of the connection. */
  readonly unusedTransducers: Tally;
  /** Of the last sentence with a date: days since 1970, and the seconds of its day. */
  #date: { readonly days: number; readonly seconds: number } | undefined;
  /** The last call by radio, while its expansions may follow. */
  call: ExpectedExpansions | undefined;
  /** Time of the last sentence, seconds since the connection was opened. */
  seconds = 0;
  #heard = 0;
  readonly #best = new Map<Quantity, Best>();
  readonly #satellites = new Map<string, { readonly count: number; readonly seconds: number }>();
  readonly #waypoints = new Map<string, Position>();
  /** The route that is being received: the names of its sentences so far, which come in their order. */
  #route: { readonly id: string; readonly total: number; readonly parts: (readonly string[])[] } | undefined;

  constructor(unusedTransducers: Tally) {
    this.unusedTransducers = unusedTransducers;
  }

  /** Takes the date and the time of day of a sentence, of which either may be absent. */
  dated(days: number | undefined, seconds = 0): void {
    if (days !== undefined) this.#date = { days, seconds };
  }

  /** The day of a time of day: the next one, if it is half a day before the time of the last date. */
  dayOf(seconds: number | undefined): number | undefined {
    if (this.#date === undefined) return undefined;
    const { days, seconds: before } = this.#date;
    return seconds !== undefined && before - seconds > HALF_A_DAY_SEC ? days + 1 : days;
  }

  /** A sentence of the talker has come, at a time in seconds since the connection was opened. */
  count(seconds: number): void {
    this.#heard++;
    this.seconds = seconds;
  }

  /**
   * Whether this sentence is the one from which the quantity is taken: no sentence of a lower rank has it. A copy in a
   * sentence that says less, or less exactly, would compete with the original.
   */
  prefers(quantity: Quantity, rank: number): boolean {
    const best = this.#best.get(quantity);
    if (best !== undefined && best.rank < rank && this.#heard - best.heard <= FORGOTTEN_AFTER) return false;
    this.#best.set(quantity, { rank, heard: this.#heard });
    return true;
  }

  /** Takes the number of satellites of a system, by its letters; gives that of all systems heard lately. */
  satellites(letters: string, count: number): number {
    this.#satellites.set(letters, { count, seconds: this.seconds });
    let all = 0;
    for (const [each, { count: some, seconds }] of this.#satellites)
      if (this.seconds - seconds > SATELLITES_FOR_SEC) this.#satellites.delete(each);
      else all += some;
    return all;
  }

  place(name: string, waypoint: Position): void {
    if (this.#waypoints.size >= MAX_WAYPOINTS && !this.#waypoints.has(name)) this.#waypoints.clear();
    this.#waypoints.set(name, waypoint);
  }

  waypoint(name: string): Position | undefined {
    return this.#waypoints.get(name);
  }

  /**
   * Takes a sentence of a route; gives the names of all waypoints with the last one. A sentence that does not follow the
   * one before ends the route: the rest may be of another one, with the same name and the same number of sentences.
   */
  route(id: string, total: number, part: number, names: readonly string[]): readonly string[] | undefined {
    if (total > MAX_PARTS || part < 1 || part > total) return undefined;
    if (part === 1) this.#route = { id, total, parts: [] };
    const isSame = this.#route?.id === id && this.#route.total === total;
    const heard = isSame ? this.#route!.parts.length : 0;
    // A multiplexer may repeat a sentence.
    if (isSame && part === heard) return undefined;
    if (part !== heard + 1) {
      this.#route = undefined;
      return undefined;
    }
    const { parts } = this.#route!;
    parts.push(names);
    return parts.length === total ? parts.flat() : undefined;
  }
}

/** Whether a boat is under way or at rest, by place and speed. Each change has the moment at which it began. */
import type { Position } from "../nav/great-circle.ts";
import { geodesicMetres } from "./geodesic.ts";
import type { Conditions, Mooring } from "./observation.ts";

export const UNDERWAY_KNOTS = 1;
const UNDERWAY_AFTER_MS = 60_000;
/** Time below the speed that does not end a run: a wave, a tack. */
const LULL_MS = 15_000;
/** Metres from the place of rest that a swinging boat does not reach, with an anchor that is watched. */
const LEAVES_METRES = { berth: 75, anchor: 300, unknown: 75 };
/** Metres that a boat has drifted without speed and is under way. */
const DRIFTS_METRES = 500;
const REST_METRES = 75;
const REST_AFTER_MS = 600_000;

/** Values of the boat, and their time. */
export interface Dated {
  readonly time: number;
  readonly conditions: Conditions;
}

export interface Moment extends Dated {
  readonly position: Position;
  readonly mooring: Mooring | undefined;
}

export class Motion {
  isUnderway: boolean;
  /** The moment at which the present state began. */
  since: Dated;
  /** While at rest its place, while under way the place that has not been left yet; its first moment without speed. */
  #place: { readonly position: Position; readonly from: Dated; slowSince?: Dated } | undefined;
  #run: { readonly from: Dated; last: number } | undefined;

  constructor(isUnderway = false, since: Dated = { time: 0, conditions: {} }, position?: Position) {
    this.isUnderway = isUnderway;
    this.since = since;
    this.#place = position && { position, from: since };
  }

  /** Whether there is a run that may become a voyage. */
  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Whether the present time may turn out to belong to the other state. */
  get isUndecided(): boolean {
    return (this.isUnderway ? this.#place?.slowSince : this.#run) !== undefined;
  }

  /** Takes a moment; true: the state has changed. */
  hear(moment: Moment): boolean {
    this.#place ??= { position: moment.position, from: moment };
    return this.isUnderway ? this.#comesToRest(moment) : this.#getsUnderway(moment);
  }

  #getsUnderway(moment: Moment): boolean {
    const { time, position, mooring } = moment;
    const { sog = 0 } = moment.conditions;
    if (sog >= UNDERWAY_KNOTS) {
      this.#run ??= { from: moment, last: time };
      this.#run.last = time;
    } else if (this.#run !== undefined && time - this.#run.last > LULL_MS) this.#run = undefined;
    const metres = geodesicMetres(this.#place!.position, position);
    const hasRun = this.#run !== undefined && time - this.#run.from.time >= UNDERWAY_AFTER_MS;
    const hasLeft = hasRun && metres > LEAVES_METRES[mooring ?? "unknown"];
    if (!hasLeft && metres < DRIFTS_METRES) return false;
    this.isUnderway = true;
    this.since = this.#run?.from ?? moment;
    this.#run = undefined;
    this.#place = { position, from: moment };
    return true;
  }

  #comesToRest(moment: Moment): boolean {
    const { time, position, mooring } = moment;
    const { position: place, from } = this.#place!;
    if (geodesicMetres(place, position) > REST_METRES) this.#place = { position, from: moment };
    const here = this.#place!;
    if ((moment.conditions.sog ?? 0) < UNDERWAY_KNOTS) here.slowSince ??= moment;
    if (position === here.position) return false;
    if (time - from.time >= REST_AFTER_MS || mooring !== undefined) {
      this.isUnderway = false;
      this.since = here.slowSince ?? (mooring === undefined ? from : moment);
      return true;
    }
    return false;
  }
}

/** Whether a boat is under way or at rest, by place and speed. Each change has the time at which it began. */
import type { Position } from "../nav/great-circle.ts";
import { geodesicMetres } from "./geodesic.ts";
import type { Mooring } from "./observation.ts";

const UNDERWAY_KNOTS = 1;
const UNDERWAY_AFTER_MS = 60_000;
/** Time below the speed that does not end a run: a wave, a tack. */
const LULL_MS = 15_000;
/** Metres from the place of rest that a swinging boat does not reach, with an anchor that is watched. */
const LEAVES_METRES = { berth: 75, anchor: 300, unknown: 75 };
/** Metres that a boat has drifted without speed and is under way. */
const DRIFTS_METRES = 500;
const REST_METRES = 75;
const REST_AFTER_MS = 600_000;

export interface Moment {
  readonly time: number;
  readonly position: Position;
  readonly sog: number | undefined;
  readonly mooring: Mooring | undefined;
}

export class Motion {
  isUnderway: boolean;
  /** When the present state began. */
  since: number;
  /** While at rest its place, while under way the place that has not been left yet; its first moment without speed. */
  #place: { readonly position: Position; readonly time: number; slowSince?: number } | undefined;
  #run: { readonly from: number; last: number } | undefined;

  constructor(isUnderway = false, since = 0, position?: Position) {
    this.isUnderway = isUnderway;
    this.since = since;
    this.#place = position && { position, time: since };
  }

  /** The beginning of a run that may become a voyage. */
  get runFrom(): number | undefined {
    return this.#run?.from;
  }

  /** Whether the present time may turn out to belong to the other state. */
  get isUndecided(): boolean {
    return (this.isUnderway ? this.#place?.slowSince : this.#run) !== undefined;
  }

  /** Takes a moment; true: the state has changed. */
  hear(moment: Moment): boolean {
    this.#place ??= { position: moment.position, time: moment.time };
    return this.isUnderway ? this.#comesToRest(moment) : this.#getsUnderway(moment);
  }

  #getsUnderway({ time, position, sog = 0, mooring }: Moment): boolean {
    if (sog >= UNDERWAY_KNOTS) {
      this.#run ??= { from: time, last: time };
      this.#run.last = time;
    } else if (this.#run !== undefined && time - this.#run.last > LULL_MS) this.#run = undefined;
    const metres = geodesicMetres(this.#place!.position, position);
    const hasRun = this.#run !== undefined && time - this.#run.from >= UNDERWAY_AFTER_MS;
    const hasLeft = hasRun && metres > LEAVES_METRES[mooring ?? "unknown"];
    if (!hasLeft && metres < DRIFTS_METRES) return false;
    this.isUnderway = true;
    this.since = this.#run?.from ?? time;
    this.#run = undefined;
    this.#place = { position, time };
    return true;
  }

  #comesToRest({ time, position, sog = 0, mooring }: Moment): boolean {
    const { position: place, time: since } = this.#place!;
    if (geodesicMetres(place, position) > REST_METRES) this.#place = { position, time };
    const here = this.#place!;
    if (sog < UNDERWAY_KNOTS) here.slowSince ??= time;
    if (position === here.position) return false;
    if (time - since >= REST_AFTER_MS || mooring !== undefined) {
      this.isUnderway = false;
      this.since = here.slowSince ?? (mooring === undefined ? since : time);
      return true;
    }
    return false;
  }
}

/**
 * Selection of one source among several that send the same quantity.
 *
 * A source is a candidate while its last value has not expired; a message without a value changes nothing. Candidates
 * are ordered by rank in the settings' priority, quality, time at which the device was first heard, PGN and variant. The
 * chosen source stays until it is no longer a candidate, or until a better one has sent values for five seconds without
 * interruption, at no lower quality than it has now, and still sends them: a source that comes and goes, or changes its
 * quality, must not make the report switch back and forth.
 */
import type { Device } from "./devices.ts";

/** Time for which a better source must have sent values before it takes over. */
const HYSTERESIS_MS = 5000;

/**
 * Limit of the sources of one quantity: as many as a bus has addresses; beyond it the longest silent one is replaced.
 */
const MAX_SOURCES = 252;

/** A source does not take over if a still better one replaces it within this time. */
const INTERMEDIATE_MS = 1000;

/** A source has stopped after two of its periods without a value, or after this time if that is longer. */
const STOPPED_MS = 1000;

/**
 * A source of this quality or worse is not a candidate while another one is better: a receiver without a fix or without
 * a course, or an impossible value.
 */
export const SECOND_RATE = 100;

/** Origin of a value: device, message and time. */
export interface Origin {
  readonly device: Device;
  readonly pgn: number;
  /** Distinguishes the sources of a device that share a PGN: the instance, or the reference of an angle. */
  readonly variant: number;
  /** Monotonic milliseconds. */
  readonly arrived: number;
  /** Wall clock, milliseconds since 1970. */
  readonly received: number;
}

export interface Source<Value> extends Origin {
  readonly value: Value;
}

/** Rank of a device in the priority of the settings; lower is preferred. */
export type RankOf = (device: Device) => number;

export interface SelectionOptions<Value> {
  /** Milliseconds after which a value expires. */
  readonly maxAgeMs: number;
  /** Lower is better; 0 for all when absent. */
  readonly quality?: (value: Value, origin: Origin, now: number) => number;
}

interface KnownSource<Value> extends Source<Value> {
  value: Value;
  arrived: number;
  received: number;
  quality: number;
  /** Time between its last two values; 0 after the first. */
  period: number;
  /** Monotonic time since which it has been a candidate of at least this quality. */
  since: number;
}

const isBetter = <Value>(one: KnownSource<Value>, other: KnownSource<Value>, rankOf: RankOf): boolean =>
  (rankOf(one.device) - rankOf(other.device) ||
    one.quality - other.quality ||
    one.device.order - other.device.order ||
    one.pgn - other.pgn ||
    one.variant - other.variant) < 0;

/** Whether a source has sent values for `sentMs`, and has not been without one for `stoppedMs` and two of its periods. */
const sends = (
  { since, arrived, period }: KnownSource<unknown>,
  now: number,
  sentMs: number,
  stoppedMs: number,
): boolean => arrived - since >= sentMs && now - arrived <= Math.max(stoppedMs, 2 * period);

/**
 * The sources of one quantity.
 *
 * @example
 * const depth = new Selection<number>({ maxAgeMs: 5000 });
 * depth.hear(origin, 4.2);
 * depth.choose(now, () => 0)?.value; // 4.2, for five seconds
 */
export class Selection<Value> {
  readonly #maxAgeMs: number;
  readonly #quality: SelectionOptions<Value>["quality"];
  readonly #sources: KnownSource<Value>[] = [];
  #current: KnownSource<Value> | undefined;

  constructor({ maxAgeMs, quality }: SelectionOptions<Value>) {
    this.#maxAgeMs = maxAgeMs;
    this.#quality = quality;
  }

  /**
   * Stores a value; undefined: the message had none, and the last one ages on. Variant and PGN may differ from those of
   * the message.
   */
  hear(
    origin: Origin,
    value: Value | undefined,
    variant = origin.variant,
    pgn = origin.pgn,
  ): Source<Value> | undefined {
    const { device, arrived, received } = origin;
    const known = this.#find(device, pgn, variant);
    if (value === undefined) return known;
    if (known === undefined) {
      const source = { device, pgn, variant, arrived, received, value, quality: 0, period: 0, since: arrived };
      source.quality = this.#qualityOf(source, arrived);
      this.#add(source);
      this.#current ??= source;
      return source;
    }
    const wasFresh = this.#isFresh(known, arrived);
    const before = known.quality;
    known.value = value;
    known.period = arrived - known.arrived;
    known.arrived = arrived;
    known.received = received;
    known.quality = this.#qualityOf(known, arrived);
    if (!wasFresh || known.quality < before) known.since = arrived;
    return known;
  }

  /** A source with its last value, however old. */
  last(device: Device, pgn: number, variant: number): Source<Value> | undefined {
    return this.#find(device, pgn, variant);
  }

  /** Sources whose value has not expired. */
  fresh(now: number): readonly Source<Value>[] {
    return this.#sources.filter((source) => this.#isFresh(source, now));
  }

  /** Sources with a plausible value that are not in use. */
  others(now: number): readonly Source<Value>[] {
    return this.#sources.filter(
      (source) => source !== this.#current && this.#isFresh(source, now) && this.#qualityOf(source, now) < SECOND_RATE,
    );
  }

  choose(now: number, rankOf: RankOf): Source<Value> | undefined {
    if (this.#sources.length < 2) return this.#chooseOnly(now);
    let bound = Number.POSITIVE_INFINITY;
    for (const source of this.#sources) {
      if (!this.#isFresh(source, now)) continue;
      const quality = this.#qualityOf(source, now);
      if (quality < source.quality) source.since = source.arrived;
      source.quality = quality;
      if (source.quality < SECOND_RATE) bound = SECOND_RATE;
    }
    if (this.#current !== undefined && !this.#isCandidate(this.#current, now, bound)) this.#current = undefined;
    if (this.#current === undefined) {
      this.#current = this.#best(now, bound, rankOf, 0) ?? this.#best(now, bound, rankOf, 0, Number.POSITIVE_INFINITY);
      return this.#current;
    }
    const next = this.#best(now, bound, rankOf, HYSTERESIS_MS);
    if (next === this.#current) return next;
    if (next === this.#best(now, bound, rankOf, HYSTERESIS_MS - INTERMEDIATE_MS)) this.#current = next;
    return this.#current;
  }

  /** Does the same as `choose` for at most one source, which most quantities have. */
  #chooseOnly(now: number): Source<Value> | undefined {
    const [source] = this.#sources;
    this.#current = source !== undefined && this.#isFresh(source, now) ? source : undefined;
    if (this.#current !== undefined) this.#current.quality = this.#qualityOf(this.#current, now);
    return this.#current;
  }

  /** The best of the current source and the candidates that have sent values for `sentMs`, and go on. */
  #best(
    now: number,
    bound: number,
    rankOf: RankOf,
    sentMs: number,
    stoppedMs = STOPPED_MS,
  ): KnownSource<Value> | undefined {
    let best = this.#current;
    for (const source of this.#sources) {
      if (!this.#isCandidate(source, now, bound) || !sends(source, now, sentMs, stoppedMs)) continue;
      if (best === undefined || isBetter(source, best, rankOf)) best = source;
    }
    return best;
  }

  #find(device: Device, pgn: number, variant: number): KnownSource<Value> | undefined {
    for (const source of this.#sources)
      if (source.device === device && source.pgn === pgn && source.variant === variant) return source;
    return undefined;
  }

  #add(source: KnownSource<Value>): void {
    if (this.#sources.length < MAX_SOURCES) {
      this.#sources.push(source);
      return;
    }
    let longestSilent = this.#sources[0] === this.#current ? 1 : 0;
    this.#sources.forEach((one, index) => {
      if (one !== this.#current && one.arrived < this.#sources[longestSilent]!.arrived) longestSilent = index;
    });
    this.#sources[longestSilent] = source;
  }

  /** Whether the value has not expired, and its quality is below `bound`. */
  #isCandidate(source: KnownSource<Value>, now: number, bound: number): boolean {
    return source.quality < bound && this.#isFresh(source, now);
  }

  #isFresh(source: KnownSource<Value>, now: number): boolean {
    return now - source.arrived <= this.#maxAgeMs;
  }

  #qualityOf(source: KnownSource<Value>, now: number): number {
    return this.#quality === undefined ? 0 : this.#quality(source.value, source, now);
  }
}

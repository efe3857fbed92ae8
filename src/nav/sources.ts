/**
 * One quantity, several sources: who is heard, who is fit to be used, and who is used.
 *
 * A source is a candidate while its last value is there and fresh. Among candidates the order is: place in the settings'
 * priority, quality, device heard first, lower PGN and variant. (No two devices are heard first together, so a lower
 * NAME never has to decide.) Once chosen, a source stays until it stops being a candidate, or until a better one has
 * been a candidate for five seconds without interruption, at no lesser quality than it has now: neither a source that
 * comes and goes nor one whose quality does makes the report jump to and fro.
 */
import type { Device } from "./devices.ts";

/** A candidate for so many milliseconds may take over from a worse one. */
const HYSTERESIS = 5000;

/** As many sources of one quantity as a bus has addresses; beyond that the longest silent makes room. */
const MOST_SOURCES = 252;

/** From this quality on a source is no candidate while another one is below: a receiver without a fix. */
export const SECOND_RATE = 100;

/** Where a value came from and when. */
export interface Origin {
  readonly device: Device;
  readonly pgn: number;
  /** What tells apart the sources of a device that share a PGN: the instance, or the reference of an angle. */
  readonly variant: number;
  /** Monotonic milliseconds. */
  readonly arrived: number;
  /** Wall clock, milliseconds since 1970. */
  readonly received: number;
}

export interface Source<Value> extends Origin {
  /** Undefined when the last message had none. */
  readonly value: Value | undefined;
}

/** The source in use, which has a value. */
export interface Chosen<Value> extends Origin {
  readonly value: Value;
}

export interface Selection<Value> {
  /**
   * Takes a message in and keeps nothing of `origin`, whose variant and PGN may be others here; a source that never had a value
   * is not kept.
   */
  hear(origin: Origin, value: Value | undefined, variant?: number, pgn?: number): Source<Value> | undefined;
  /** The last value of a source, however old. */
  last(device: Device, pgn: number, variant: number): Value | undefined;
  /** The source to use now; `place` is that of a device in the priority, lower is preferred. */
  choose(now: number, place: (device: Device) => number): Chosen<Value> | undefined;
}

export interface SelectionOptions<Value> {
  /** Milliseconds after which a value is stale. */
  readonly limit: number;
  /** Lower is better; 0 for all when absent. */
  readonly quality?: (value: Value, origin: Origin, now: number) => number;
}

interface KnownSource<Value> extends Source<Value> {
  value: Value | undefined;
  arrived: number;
  received: number;
  quality: number;
  /** A candidate of at least this quality since then. */
  since: number;
}

/** By the operator's order, then by nature, then by who was there first. */
const isBetter = <Value>(
  one: KnownSource<Value>,
  other: KnownSource<Value>,
  place: (device: Device) => number,
): boolean =>
  (place(one.device) - place(other.device) ||
    one.quality - other.quality ||
    one.device.order - other.device.order ||
    one.pgn - other.pgn ||
    one.variant - other.variant) < 0;

export function createSelection<Value>({ limit, quality }: SelectionOptions<Value>): Selection<Value> {
  const sources: KnownSource<Value>[] = [];
  let current: KnownSource<Value> | undefined;

  const find = (device: Device, pgn: number, variant: number): KnownSource<Value> | undefined => {
    for (const source of sources) {
      if (source.device === device && source.pgn === pgn && source.variant === variant) return source;
    }
    return undefined;
  };
  const add = (source: KnownSource<Value>): void => {
    if (sources.length < MOST_SOURCES) {
      sources.push(source);
      return;
    }
    let longestSilent = sources[0] === current ? 1 : 0;
    sources.forEach((one, index) => {
      if (one !== current && one.arrived < sources[longestSilent]!.arrived) longestSilent = index;
    });
    sources[longestSilent] = source;
  };
  const isFresh = (source: KnownSource<Value>, now: number): boolean =>
    source.value !== undefined && now - source.arrived <= limit;
  const judge = (source: KnownSource<Value>, now: number): number =>
    quality === undefined || source.value === undefined ? 0 : quality(source.value, source, now);
  const isCandidate = (source: KnownSource<Value>, now: number, bound: number): boolean =>
    isFresh(source, now) && source.quality < bound;

  return {
    last: (device, pgn, variant) => find(device, pgn, variant)?.value,

    hear(origin, value, variant = origin.variant, pgn = origin.pgn) {
      const { device, arrived, received } = origin;
      const known = find(device, pgn, variant);
      if (known === undefined) {
        if (value === undefined) return undefined;
        const source = { device, pgn, variant, arrived, received, value, quality: 0, since: arrived };
        source.quality = judge(source, arrived);
        add(source);
        current ??= source;
        return source;
      }
      const wasFresh = isFresh(known, arrived);
      const before = known.quality;
      known.value = value;
      known.arrived = arrived;
      known.received = received;
      known.quality = judge(known, arrived);
      if (!wasFresh || known.quality < before) known.since = arrived;
      return known;
    },

    choose(now, place) {
      if (sources.length === 0) return undefined;
      let bound = Number.POSITIVE_INFINITY;
      for (const source of sources) {
        if (!isFresh(source, now)) continue;
        source.quality = judge(source, now);
        if (source.quality < SECOND_RATE) bound = SECOND_RATE;
      }
      if (current !== undefined && !isCandidate(current, now, bound)) current = undefined;
      const settledBefore = current === undefined ? Number.POSITIVE_INFINITY : now - HYSTERESIS;
      let best = current;
      for (const source of sources) {
        if (source.since > settledBefore || !isCandidate(source, now, bound)) continue;
        if (best === undefined || isBetter(source, best, place)) best = source;
      }
      current = best;
      return current as Chosen<Value> | undefined;
    },
  };
}

/**
 * The depths of the sounders from the reference of the settings, how fast that in use falls, and what it was when it was
 * lost. Times are monotonic milliseconds.
 */
import type { NavigationData } from "../nav/navigation-report.ts";
import { type Sentence, sentence } from "../text/sentence.ts";
import { entryOf } from "../util/grouped.ts";
import { Recent, type Sample } from "./recent.ts";
import type { Surroundings } from "./surroundings.ts";

/** References from which a limit of depth is measured; installed: the one of the offset that the sounder sends. */
export const depthReferences = ["installed", "transducer", "surface", "keel"] as const;
export type DepthReference = (typeof depthReferences)[number];

interface DepthSettings {
  readonly reference: DepthReference;
  readonly limit: number;
}

/** The depths of one sounder. */
export interface Sounded {
  /** The sounder, if it is not that in use. */
  readonly name?: string | undefined;
  /** Number of the sounder. */
  readonly by?: number | undefined;
  /** Metres from the reference; undefined without a depth. */
  readonly value: number | undefined;
  /** The reference in words; the transducer if its offset to the reference of the settings is not known. */
  readonly reference: Sentence;
  /**
   * Whether the depth was below the limit in more than a quarter of the last ten seconds: in waves each trough lasts a
   * second or two, and the keel strikes in one of them.
   */
  readonly isOftenLow: boolean;
  /** The lowest depth of the last ten seconds. */
  readonly lowest: number | undefined;
  /** Whether the settings name other sounders: it does not ring, unless it is in use because none of those has a depth. */
  readonly isOverruled: boolean;
}

export interface DepthState extends Sounded {
  /** Metres per second, above zero towards the ground; undefined while the depth does not fall steadily. */
  readonly falling: number | undefined;
  /** The last depth that was known. */
  readonly last: number | undefined;
  /** The sounders that are not in use. */
  readonly others: readonly Sounded[];
}

/** A swell passes within this time, a slope of the ground does not. */
const WINDOW_MS = 20_000;
const MIN_SAMPLES = 10;
const WAVES_MS = 10_000;
const OFTEN = 0.25;
/** Part of the median below which a depth is no trough but a wrong reading, such as that of a fish. */
const SMALLEST_TROUGH = 0.25;
/** By how much the samples may differ from a straight fall, as a part of it. */
const MAX_DEVIATION = 0.25;

/** Those of the last twenty seconds, metres. */
type Depths = readonly Sample<number>[];

type KnownReference = Exclude<DepthReference, "installed">;

/** The reference that an offset leads to. */
const installedAt = (offset: number): KnownReference => (offset === 0 ? "transducer" : offset > 0 ? "surface" : "keel");

const below: Readonly<Record<KnownReference, Sentence>> = {
  transducer: sentence`below the transducer`,
  surface: sentence`below the surface`,
  keel: sentence`below the keel`,
};

/** A depth from a reference if its offset leads there, else from the transducer. */
function measured(depth: number | undefined, offset: number, wanted: KnownReference) {
  const used = wanted === installedAt(offset) ? wanted : "transducer";
  const value = depth === undefined ? undefined : depth + (used === "transducer" ? 0 : offset);
  return { value, reference: below[used] };
}

export class DepthWatch {
  /** By the numbers of the sounders. */
  readonly #depths = new Map<number | undefined, Recent<number>>();
  #last: number | undefined;

  /** All sounders speak of the reference that the sounder in use has. */
  observe(
    { depth_water }: NavigationData,
    { sounderInUse, otherSounders }: Pick<Surroundings, "sounderInUse" | "otherSounders">,
    { reference, limit }: DepthSettings,
    now: number,
  ): DepthState {
    const { depth, offset = 0 } = depth_water ?? {};
    const wanted = reference === "installed" ? installedAt(offset) : reference;
    const inUse = measured(depth, offset, wanted);
    this.#last = inUse.value ?? this.#last;
    for (const [by, depths] of this.#depths) if (depths.add(undefined, now).length === 0) this.#depths.delete(by);
    const sampled = (by: number | undefined, value: number | undefined): Depths =>
      entryOf(this.#depths, by, () => new Recent(WINDOW_MS)).add(value, now);
    const ofInUse = sampled(sounderInUse?.id, inUse.value);
    return {
      falling: fallOf(ofInUse),
      last: this.#last,
      others: otherSounders.map(({ id, isNamed, name, depth, offset = 0 }) => {
        const other = measured(depth, offset, wanted);
        return { name, by: id, isOverruled: !isNamed, ...other, ...wavesOf(sampled(id, other.value), limit, now) };
      }),
      isOverruled: sounderInUse?.isNamed === false && otherSounders.some(({ isNamed }) => isNamed),
      by: sounderInUse?.id,
      ...inUse,
      ...wavesOf(ofInUse, limit, now),
    };
  }
}

/** The depths of the last ten seconds. */
function wavesOf(samples: Depths, limit: number, now: number): Pick<DepthState, "isOftenLow" | "lowest"> {
  let least = Number.POSITIVE_INFINITY;
  for (const { at, value: depth } of samples) if (now - at < WAVES_MS && depth < least) least = depth;
  // Nearly always: nothing is low.
  if (least >= limit) return { isOftenLow: false, lowest: least === Number.POSITIVE_INFINITY ? undefined : least };
  const depths = samples.flatMap(({ at, value: depth }) => (now - at < WAVES_MS ? [depth] : [])).sort((a, b) => a - b);
  const median = depths[depths.length >> 1] ?? 0;
  const troughs = depths.filter((depth) => depth < limit && depth >= median * SMALLEST_TROUGH);
  const isOftenLow = troughs.length > Math.max(depths.length, MIN_SAMPLES) * OFTEN;
  return { isOftenLow, lowest: isOftenLow ? troughs[0] : depths[0] };
}

/** The rate of a steady fall, by the straight line with the least squares. */
function fallOf(samples: Depths): number | undefined {
  const { length } = samples;
  if (length < MIN_SAMPLES) return undefined;
  let [times, depths] = [0, 0];
  for (const { at, value: depth } of samples) {
    times += at / 1000;
    depths += depth;
  }
  const [middle, average] = [times / length, depths / length];
  let [covariance, variance] = [0, 0];
  for (const { at, value: depth } of samples) {
    const time = at / 1000 - middle;
    covariance += time * (depth - average);
    variance += time ** 2;
  }
  const slope = covariance / length / (variance / length);
  const fall = -slope * (samples.at(-1)!.at / 1000 - samples[0]!.at / 1000);
  if (fall <= 0) return undefined;
  for (const { at, value: depth } of samples)
    if (Math.abs(depth - average - slope * (at / 1000 - middle)) > fall * MAX_DEVIATION) return undefined;
  return -slope;
}

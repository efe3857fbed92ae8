/**
 * The depth from the reference of the settings, how fast it falls, and what it was when it was lost. Times are
 * monotonic milliseconds.
 */
import type { NavigationData } from "../nav/navigation-report.ts";

/** References from which a limit of depth is measured. */
export const depthReferences = ["transducer", "surface", "keel"] as const;
export type DepthReference = (typeof depthReferences)[number];

interface DepthSettings {
  readonly reference: DepthReference;
  readonly limit: number;
}

export interface DepthState {
  /** Metres from the reference; undefined without a depth. */
  readonly value: number | undefined;
  /** The reference in words; the transducer if its offset to the reference of the settings is not known. */
  readonly reference: string;
  /**
   * Whether the depth was below the limit in more than two fifths of the last ten seconds: in waves each trough lasts a
   * second or two, and the keel strikes in one of them.
   */
  readonly isOftenLow: boolean;
  /** The lowest depth of the last ten seconds. */
  readonly lowest: number | undefined;
  /** Metres per second, above zero towards the ground; undefined while the depth does not fall steadily. */
  readonly falling: number | undefined;
  /** The last depth that was known. */
  readonly last: number | undefined;
}

/** A swell passes within this time, a slope of the ground does not. */
const WINDOW_MS = 20_000;
const MIN_SAMPLES = 10;
const WAVES_MS = 10_000;
const OFTEN = 0.4;
/** By how much the samples may differ from a straight fall, as a part of it. */
const MAX_DEVIATION = 0.25;

interface Sample {
  readonly at: number;
  readonly depth: number;
}

export class DepthWatch {
  #samples: Sample[] = [];
  #last: number | undefined;

  observe({ depth_water }: NavigationData, { reference, limit }: DepthSettings, now: number): DepthState {
    const { depth, offset = 0 } = depth_water ?? {};
    const isKnown = reference === "surface" ? offset > 0 : offset < 0;
    const used = isKnown ? reference : "transducer";
    const value = depth === undefined ? undefined : depth + (used === "transducer" ? 0 : offset);
    this.#samples = this.#samples.filter(({ at }) => now - at < WINDOW_MS && at < now);
    if (value !== undefined) this.#samples.push({ at: now, depth: value });
    this.#last = value ?? this.#last;
    const waves = this.#samples.filter(({ at }) => now - at < WAVES_MS).map((sample) => sample.depth);
    return {
      value,
      reference: `below the ${used}`,
      isOftenLow: isOftenBelow(limit, waves),
      lowest: waves.length === 0 ? undefined : waves.reduce((least, depth) => Math.min(least, depth)),
      falling: fallOf(this.#samples),
      last: this.#last,
    };
  }
}

const isOftenBelow = (limit: number, depths: readonly number[]): boolean =>
  depths.length >= MIN_SAMPLES / 2 && depths.filter((depth) => depth < limit).length > depths.length * OFTEN;

/** The rate of a steady fall, by the straight line with the least squares. */
function fallOf(samples: readonly Sample[]): number | undefined {
  if (samples.length < MIN_SAMPLES) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;
  const times = samples.map(({ at }) => at / 1000);
  const depths = samples.map(({ depth }) => depth);
  const [middle, average] = [mean(times), mean(depths)];
  const slope =
    mean(times.map((time, index) => (time - middle) * (depths[index]! - average))) /
    mean(times.map((time) => (time - middle) ** 2));
  const fall = -slope * (times.at(-1)! - times[0]!);
  if (fall <= 0) return undefined;
  const deviation = Math.max(
    // biome-ignore lint/plugin: depths of twenty seconds
    ...times.map((time, index) => Math.abs(depths[index]! - average - slope * (time - middle))),
  );
  return deviation > fall * MAX_DEVIATION ? undefined : -slope;
}

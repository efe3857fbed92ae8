/**
 * The depth from the reference of the settings, how fast it falls, and what it was when it was lost. Times are
 * monotonic milliseconds.
 */
import type { NavigationData } from "../nav/navigation-report.ts";

/** References from which a limit of depth is measured; installed: the one of the offset that the sounder sends. */
export const depthReferences = ["installed", "transducer", "surface", "keel"] as const;
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
    const installed = offset === 0 ? "transducer" : offset > 0 ? "surface" : "keel";
    const used = reference === "installed" || reference === installed ? installed : "transducer";
    const value = depth === undefined ? undefined : depth + (used === "transducer" ? 0 : offset);
    this.#samples = this.#samples.filter(({ at }) => now - at < WINDOW_MS && at < now);
    if (value !== undefined) this.#samples.push({ at: now, depth: value });
    this.#last = value ?? this.#last;
    return {
      value,
      reference: `below the ${used}`,
      ...wavesOf(this.#samples, limit, now),
      falling: fallOf(this.#samples),
      last: this.#last,
    };
  }
}

/** The depths of the last ten seconds. */
function wavesOf(samples: readonly Sample[], limit: number, now: number): Pick<DepthState, "isOftenLow" | "lowest"> {
  let [count, low] = [0, 0];
  let lowest: number | undefined;
  for (const { at, depth } of samples) {
    if (now - at >= WAVES_MS) continue;
    count++;
    if (depth < limit) low++;
    if (lowest === undefined || depth < lowest) lowest = depth;
  }
  return { isOftenLow: count >= MIN_SAMPLES / 2 && low > count * OFTEN, lowest };
}

/** The rate of a steady fall, by the straight line with the least squares. */
function fallOf(samples: readonly Sample[]): number | undefined {
  const { length } = samples;
  if (length < MIN_SAMPLES) return undefined;
  let [times, depths] = [0, 0];
  for (const { at, depth } of samples) {
    times += at / 1000;
    depths += depth;
  }
  const [middle, average] = [times / length, depths / length];
  let [covariance, variance] = [0, 0];
  for (const { at, depth } of samples) {
    const time = at / 1000 - middle;
    covariance += time * (depth - average);
    variance += time ** 2;
  }
  const slope = covariance / length / (variance / length);
  const fall = -slope * (samples.at(-1)!.at / 1000 - samples[0]!.at / 1000);
  if (fall <= 0) return undefined;
  for (const { at, depth } of samples)
    if (Math.abs(depth - average - slope * (at / 1000 - middle)) > fall * MAX_DEVIATION) return undefined;
  return -slope;
}

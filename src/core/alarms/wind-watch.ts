/**
 * Wind that gusts: above a limit for a share of the time, or far above it for a moment. Gusts are those of the wind as
 * it is measured; the damped one of the report has lost them.
 */
import { Recent } from "./recent.ts";

export interface WindState {
  /** Knots, damped, but of a gust as measured; undefined without a wind. */
  readonly speed: number | undefined;
  /** Whether it was above the limit in more than two fifths of the last half minute. */
  readonly isOftenStrong: boolean;
  /** Whether it has been half again as strong as the limit for three seconds. */
  readonly isGust: boolean;
}

const WINDOW_MS = 30_000;
const MIN_SAMPLES = 15;
const OFTEN = 0.4;
const GUST = 1.5;
const GUST_MS = 3000;

export class WindWatch {
  readonly #speeds = new Recent<number>(WINDOW_MS);
  #gustSince: number | undefined;

  /** Takes the damped speed, and by how much the last value is above it. */
  observe(damped: number | undefined, gust: number, { limit }: { readonly limit: number }, now: number): WindState {
    const speed = damped === undefined ? undefined : damped + gust;
    const samples = this.#speeds.add(speed, now);
    const strong = samples.filter(({ value }) => value > limit);
    this.#gustSince = speed !== undefined && speed >= limit * GUST ? (this.#gustSince ?? now) : undefined;
    const isGust = this.#gustSince !== undefined && now - this.#gustSince >= GUST_MS;
    return {
      speed: isGust ? speed : damped,
      isOftenStrong: samples.length >= MIN_SAMPLES && strong.length > samples.length * OFTEN,
      isGust,
    };
  }
}

/** The fall of the pressure in three hours. Times are monotonic milliseconds. */
import { canBe, type Range } from "../nav/plausible.ts";
import { Recent } from "./recent.ts";

const THREE_HOURS_MS = 10_800_000;
const SAMPLE_MS = 60_000;
const PASCALS_PER_HECTOPASCAL = 100;
/** Weather does not change the pressure by so much from one second to the next; another barometer does. */
const STEP_PASCALS = 150;
/** By how much weather changes it in an hour, while the barometer was off. */
const PASCALS_PER_HOUR = 500;
const HOUR_MS = 3_600_000;
/** Time for which another barometer has to be heard, so that one wrong value does not begin anew. */
const OTHER_AFTER_MS = 60_000;
const pascals: Range = [87_000, 108_500];

export class Barometer {
  readonly #samples = new Recent<number>(THREE_HOURS_MS);
  #highest: number | undefined;
  #sampledAt = Number.NEGATIVE_INFINITY;
  #last: { readonly pressure: number; readonly at: number } | undefined;
  #otherSince: number | undefined;

  /** Hectopascals below the highest pressure of the last three hours; undefined without a pressure. */
  observe(pressure: number | null | undefined, now: number): number | undefined {
    if (pressure == null || !canBe(pressure, pascals)) return undefined;
    if (this.#last !== undefined && this.#isOfAnother(pressure, (this.#otherSince ?? now) - this.#last.at)) {
      this.#otherSince ??= now;
      if (now - this.#otherSince < OTHER_AFTER_MS) return this.#fall(this.#last.pressure);
      this.#samples.clear();
      this.#sampledAt = Number.NEGATIVE_INFINITY;
    }
    this.#otherSince = undefined;
    this.#last = { pressure, at: now };
    if (now - this.#sampledAt >= SAMPLE_MS) {
      this.#sampledAt = now;
      this.#highest = this.#samples.add(pressure, now).reduce((most, { value }) => Math.max(most, value), pressure);
    }
    return this.#fall(pressure);
  }

  #isOfAnother(pressure: number, silentMs: number): boolean {
    const most = STEP_PASCALS + (PASCALS_PER_HOUR * silentMs) / HOUR_MS;
    return Math.abs(pressure - this.#last!.pressure) > most;
  }

  #fall(pressure: number): number {
    return Math.max(0, (this.#highest ?? pressure) - pressure) / PASCALS_PER_HECTOPASCAL;
  }
}

/** The values of the last seconds. Times are monotonic milliseconds. */
export interface Sample<Value> {
  readonly at: number;
  readonly value: Value;
}

export class Recent<Value> {
  readonly #windowMs: number;
  #samples: Sample<Value>[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a value, unless it is not known, and returns those that are left, the oldest first. */
  add(value: Value | undefined, now: number): readonly Sample<Value>[] {
    this.#samples = this.#samples.filter(({ at }) => now - at < this.#windowMs && at < now);
    if (value !== undefined) this.#samples.push({ at: now, value });
    return this.#samples;
  }

  clear(): void {
    this.#samples = [];
  }
}

/** The values of the last seconds. Times are monotonic milliseconds. */
export interface Sample<Value> {
  readonly at: number;
  readonly value: Value;
}

export class Recent<Value> {
  readonly #windowMs: number;
  readonly #samples: Sample<Value>[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a value, unless it is not known, and returns those that are left, the oldest first, until the next one. */
  add(value: Value | undefined, now: number): readonly Sample<Value>[] {
    const samples = this.#samples;
    while (samples.length > 0 && now - samples[0]!.at >= this.#windowMs) samples.shift();
    // A command evaluates the alarms twice at one time.
    while (samples.length > 0 && samples.at(-1)!.at >= now) samples.pop();
    if (value !== undefined) samples.push({ at: now, value });
    return samples;
  }

  clear(): void {
    this.#samples.length = 0;
  }
}

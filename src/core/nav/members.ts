/** The quantities that a device says in its messages, each with its own age: what a message lacks, it does not unsay. */

/** Greatest difference in time of two members that mean something only together, such as angle and speed of a wind. */
const TOGETHER_MS = 1500;

export class Members<Values extends object> {
  readonly #maxAgeMs: number;
  readonly #values: Partial<Values> = {};
  /** Monotonic times at which the members came. */
  readonly #arrived: { [Name in keyof Values]?: number } = {};

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Takes the members that a message has. */
  hear(message: Values, arrived: number): void {
    for (const name in message) {
      if (message[name] === undefined) continue;
      this.#values[name] = message[name];
      this.#arrived[name] = arrived;
    }
  }

  /** A member that has not expired. */
  get<Name extends keyof Values>(name: Name, now: number): Values[Name] | undefined {
    const arrived = this.#arrived[name];
    return arrived !== undefined && now - arrived <= this.#maxAgeMs ? this.#values[name] : undefined;
  }

  /** A member that means something only beside another one: undefined if that came much later. */
  beside<Name extends keyof Values>(name: Name, other: keyof Values, now: number): Values[Name] | undefined {
    const later = (this.#arrived[other] ?? 0) - (this.#arrived[name] ?? 0);
    return later > TOGETHER_MS ? undefined : this.get(name, now);
  }
}

/** Whether a message has no member. */
export function isEmpty(message: object): boolean {
  for (const name in message) if (message[name as keyof typeof message] !== undefined) return false;
  return true;
}

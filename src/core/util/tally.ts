/** Counts by name, of names that come from outside: a limited number of them, and the rest together. */

const MAX_NAMES = 32;
const MAX_LENGTH = 32;
/** The names beyond the limit. */
const OTHERS = "others";

export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const short = name.slice(0, MAX_LENGTH);
    const counted = this.#counts.has(short) || this.#counts.size < MAX_NAMES ? short : OTHERS;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
  }

  /** Undefined if nothing was counted. */
  get counts(): Readonly<Record<string, number>> | undefined {
    return this.#counts.size === 0 ? undefined : Object.fromEntries(this.#counts);
  }
}

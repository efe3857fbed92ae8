/**
 * A limit of the JSON that is read and written without a pause. A token is a value or the name of a member; to read
 * one, to change its object and to print it takes a fraction of a microsecond. Long strings, such as media, cost little
 * more than their bytes.
 */

/** The work would exceed its limit. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

export class Work {
  #left: number;

  constructor(tokens = Number.POSITIVE_INFINITY) {
    this.#left = tokens;
  }

  /** Throws TooMuchWork if that is more than the rest. */
  take(tokens: number): void {
    this.#left -= tokens;
    if (this.#left < 0) throw new TooMuchWork("too much work");
  }
}

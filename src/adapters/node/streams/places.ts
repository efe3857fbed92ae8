/**
 * Places of a server for its clients. The clients of one address have at most a quarter of them, so that no host locks
 * out the others.
 */

const SHARE = 1 / 4;

/** Programs of this machine, and proxies, which speak for many. */
const loopback = /^(?:(?:::ffff:)?127\.|::1$)/;

export const isLoopback = (address: string): boolean => loopback.test(address);

export class Places {
  readonly #most: number;
  readonly #share: number;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
    this.#share = Math.ceil(most * SHARE);
  }

  /**
   * The reason why `address` gets no place now: all are taken, or all that one address may have. Loopback may have all.
   */
  lacking(address: string): "all" | "share" | undefined {
    if (!isLoopback(address) && (this.#taken.get(address) ?? 0) >= this.#share) return "share";
    return this.#count >= this.#most ? "all" : undefined;
  }

  /** Takes a place; the returned function gives it back, and may be called again. */
  take(address: string): () => void {
    this.#add(address, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(address, -1);
      isTaken = false;
    };
  }

  #add(address: string, change: 1 | -1): void {
    const count = (this.#taken.get(address) ?? 0) + change;
    this.#count += change;
    if (count === 0) this.#taken.delete(address);
    else this.#taken.set(address, count);
  }
}

/**
 * How much work the clients of a host may cause. Work is counted, not timed: values that are looked at, a tenth of a microsecond each,
 * and what costs as much as so many of them. Times are milliseconds, monotonic.
 */

/** A client that subscribes to all of a thousand ships causes 65,000, and 30,000 a second. */
const WORK_A_MILLISECOND = 200;
/** Work that may be caused beyond that at a time. */
const MAX_SAVED = 1_000_000;
/** A connection or a request that is let in. */
const CLIENT_WORK = 1000;
/** Clients and requests of an address at a time: as many as it has connections. */
const MAX_CLIENTS = 100;
/** After this time work counts half as recent. */
const FADE_MS = 1000;

export class Allowance {
  #left = MAX_SAVED;
  #recent = 0;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** False if it was more than there was left. */
  spend(work: number, now: number): boolean {
    this.#left = this.leftAt(now) - work;
    this.#recent = this.recentAt(now) + work;
    this.#at = now;
    return this.#left >= 0;
  }

  /** Below zero it is overdrawn. */
  leftAt(now: number): number {
    return Math.min(MAX_SAVED, this.#left + (now - this.#at) * WORK_A_MILLISECOND);
  }

  /** Work of the last seconds, which fades: who has caused least of it goes first. */
  recentAt(now: number): number {
    return this.#recent * 0.5 ** ((now - this.#at) / FADE_MS);
  }

  isFullAt(now: number): boolean {
    return this.leftAt(now) === MAX_SAVED;
  }
}

interface Shared {
  readonly allowance: Allowance;
  clients: number;
}

/** One allowance for all clients and requests of an address, kept until it is full again: more of them, or new ones, get no more. */
export class Allowances {
  readonly #shared = new Map<string, Shared>();

  /**
   * The allowance for a client or request; undefined while that of its address is overdrawn. Programs of this machine, which have no address,
   * share with nobody, so that none of them locks out the others.
   */
  lend(address: string | undefined, now: number): Allowance | undefined {
    this.#clear(now);
    const shared = (address !== undefined && this.#shared.get(address)) || {
      allowance: new Allowance(now),
      clients: 0,
    };
    if (shared.clients >= MAX_CLIENTS || shared.allowance.leftAt(now) < 0) return undefined;
    shared.allowance.spend(CLIENT_WORK, now);
    shared.clients += 1;
    if (address !== undefined) this.#shared.set(address, shared);
    return shared.allowance;
  }

  /** A client has gone, or a request is answered. */
  takeBack(address: string | undefined): void {
    const shared = address === undefined ? undefined : this.#shared.get(address);
    if (shared !== undefined) shared.clients -= 1;
  }

  /** Forgets those that are as good as new and of no client. */
  #clear(now: number): void {
    for (const [address, { allowance, clients }] of this.#shared)
      if (clients === 0 && allowance.isFullAt(now)) this.#shared.delete(address);
  }
}

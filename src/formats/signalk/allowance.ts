/**
 * The budget of work for the clients of a host. Work is counted, not timed: a unit is a comparison of a value, a tenth
 * of a microsecond; other work counts as the units that take as long. Times are milliseconds, monotonic.
 */

import { hostOf } from "../../core/util/places.ts";

/** A client that subscribes to all of a thousand ships causes 65,000, and 30,000 a second. */
const WORK_A_MILLISECOND = 200;
/** Maximum budget that can be saved for a burst. */
const MAX_SAVED = 1_000_000;
/** Work of an accepted connection or request. */
const CLIENT_WORK = 1000;
/** Maximum clients and requests of a host at a time, the maximum of its connections. */
const MAX_CLIENTS = 100;
/** Half-life of recent work. */
const FADE_MS = 1000;

export class Allowance {
  #left = MAX_SAVED;
  #recent = 0;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** Spends work; false if it exceeded the budget. */
  spend(work: number, now: number): boolean {
    this.#left = this.leftAt(now) - work;
    this.#recent = this.recentAt(now) + work;
    this.#at = now;
    return this.#left >= 0;
  }

  /** The rest of the budget; below zero it is overdrawn. */
  leftAt(now: number): number {
    return Math.min(MAX_SAVED, this.#left + (now - this.#at) * WORK_A_MILLISECOND);
  }

  /** Work of the last seconds, weighted by its age: the client with the least goes first. */
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

/**
 * One allowance for all clients and requests of a host, kept until it is full again, so that more or new clients do not
 * get more.
 */
export class Allowances {
  readonly #shared = new Map<string, Shared>();

  /**
   * The allowance for a client or request; undefined while that of its host is overdrawn. Programs of this machine,
   * which have no address, get an allowance each, so that none of them locks out the others.
   */
  lend(address: string | undefined, now: number): Allowance | undefined {
    this.#clear(now);
    const host = address === undefined ? undefined : hostOf(address);
    const shared = (host !== undefined && this.#shared.get(host)) || {
      allowance: new Allowance(now),
      clients: 0,
    };
    if (shared.clients >= MAX_CLIENTS || shared.allowance.leftAt(now) < 0) return undefined;
    shared.allowance.spend(CLIENT_WORK, now);
    shared.clients += 1;
    if (host !== undefined) this.#shared.set(host, shared);
    return shared.allowance;
  }

  /** Called when a client has gone, or a request is answered. */
  takeBack(address: string | undefined): void {
    const shared = address === undefined ? undefined : this.#shared.get(hostOf(address));
    if (shared !== undefined) shared.clients -= 1;
  }

  /** Forgets allowances that are full again and have no client. */
  #clear(now: number): void {
    for (const [host, { allowance, clients }] of this.#shared)
      if (clients === 0 && allowance.isFullAt(now)) this.#shared.delete(host);
  }
}

/**
 * How long after another network a network repeats the messages of a device. The same payload on both tells it: one of
 * each PGN at a time is looked for on the other networks. One that the device itself sends again tells nothing.
 */
import type { Packet } from "../../core/ports/packet-batch.ts";

/** A shorter delay is that of a bridge. */
const LATE_MS = 2000;
/** How many measurements in a row, with which largest difference, make a delay count. */
const [IN_A_ROW, DIFFERENCE_MS] = [3, 1000];
/** The longest delay. A payload that recurs after less than twice as long could be the next one in place of its own. */
const SOUGHT_MS = 30_000;
const WATCHED_MS = 2 * SOUGHT_MS;
/** Payloads in a row that no other network repeats, after which another one is taken for the first in time. */
const MAX_NOT_FOUND = 3;
/** Maximum PGNs that are compared. */
const MAX_PGNS = 64;

/** A payload that is looked for. */
interface Sought {
  readonly hash: number;
  /** Monotonic time, milliseconds. */
  readonly at: number;
  /** The time that it took, by the addresses on the networks where it was found. */
  readonly found: Map<number, number>;
  /** An address on another network that has sent the PGN since. */
  other?: number;
}

interface Delay {
  readonly ms: number;
  readonly inARow: number;
  /** 0: none. */
  readonly believedMs: number;
}

export class NetworkDelays {
  readonly #onLate: (address: number, ms: number) => void;
  /** Address of the device on the network that is taken for the first in time. */
  #first: number;
  #notFound = 0;
  /** By PGN. */
  readonly #sought = new Map<number, Sought>();
  /** By address. */
  readonly #delays = new Map<number, Delay>();

  /** `first` is taken for it at the beginning; `onLate` hears when it becomes known that a network is late. */
  constructor(first: number, onLate: (address: number, ms: number) => void) {
    this.#first = first;
    this.#onLate = onLate;
  }

  /** The delay of an address in milliseconds; 0 if it is none that matters, or is not known. */
  of(address: number): number {
    return this.#delays.get(address)?.believedMs ?? 0;
  }

  hear(packet: Packet): void {
    const { source, pgn, arrived } = packet;
    const sought = this.#sought.get(pgn);
    if (sought !== undefined && arrived - sought.at > WATCHED_MS) {
      this.#sought.delete(pgn);
      this.#conclude(sought);
    } else if (source !== this.#first) {
      if (sought === undefined) return;
      const ms = arrived - sought.at;
      sought.other = source;
      if (ms <= SOUGHT_MS && !sought.found.has(source) && hashOf(packet) === sought.hash) sought.found.set(source, ms);
    } else if (sought !== undefined) {
      if (hashOf(packet) === sought.hash) this.#sought.delete(pgn);
    } else if (this.#sought.size < MAX_PGNS)
      this.#sought.set(pgn, { hash: hashOf(packet), at: arrived, found: new Map() });
  }

  #conclude({ found, other }: Sought): void {
    for (const [address, ms] of found) this.#learn(address, ms);
    if (found.size > 0) this.#notFound = 0;
    // Perhaps another network is ahead.
    else if (other !== undefined && ++this.#notFound >= MAX_NOT_FOUND) {
      this.#first = other;
      this.#notFound = 0;
      this.#sought.clear();
      this.#delays.clear();
    }
  }

  #learn(address: number, ms: number): void {
    const before = this.#delays.get(address);
    const inARow = before !== undefined && Math.abs(ms - before.ms) <= DIFFERENCE_MS ? before.inARow + 1 : 1;
    const believed = before?.believedMs ?? 0;
    const believedMs = inARow < IN_A_ROW ? believed : ms < LATE_MS ? 0 : ms;
    this.#delays.set(address, { ms, inARow, believedMs });
    if (believed === 0 && believedMs > 0) this.#onLate(address, ms);
  }
}

/** FNV-1a of a payload. */
function hashOf({ bytes, at, end }: Packet): number {
  let hash = 0x811c9dc5;
  for (let index = at; index < end; index++) hash = Math.imul(hash ^ bytes[index]!, 0x01000193);
  return hash;
}

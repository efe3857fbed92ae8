/**
 * A device on the bus as the findings know it: its claims, requests and answers, and the packets that arrive
 * incomplete.
 */
import { decoderOf } from "../n2k/decode.ts";
import type { Message } from "../n2k/definition.ts";
import { kindOfDevice, namePartsOf } from "../n2k/device-name.ts";
import { heartbeat, pgnList } from "../n2k/pgns/system.ts";
import { type Product, readProduct } from "../n2k/product.ts";
import { Occurrences } from "./occurrences.ts";
import { growthOf, type Span } from "./span.ts";

/** State of the heartbeat of a device. */
export interface Heartbeat {
  arrived: number;
  count: number;
  intervalMs: number;
  message: Message<typeof heartbeat>;
  /** The last intervals at which it came, milliseconds, while it stated the same one. */
  readonly cameAfterMs: readonly number[];
}

/** Counts at a monotonic time. */
interface Reading {
  readonly at: number;
  readonly incomplete: number;
  readonly finished: number;
}

/** Requests of one PGN that a device has not answered. */
interface Asked {
  /** Monotonic time of the request that waits for an answer, and of the first without one; undefined: none. */
  waitsSince: number | undefined;
  unansweredSince: number | undefined;
  unanswered: number;
  hasAnswered: boolean;
  /** Incomplete packets of the device at the request that waits. */
  incomplete: number;
}

/** Maximum requested PGNs that are remembered. */
const MAX_ASKED = 16;
/** Length and step of the history of incomplete packets. */
const HISTORY_MS = 60_000;
const HISTORY_STEP_MS = 10_000;
const STARTS_MS = 600_000;
const REQUESTS_MS = 60_000;
const ANSWER_MS = 5000;
/** Time after a claim of another address in which messages from the old one are still on their way. */
const LEAVES_MS = 3000;
/** Silence, longer than between two heartbeats, of what was without power: a device, or the whole bus. */
export const AWAY_MS = 90_000;
const AWAY_INTERVALS = 3;
const DEFAULT_HEARTBEAT_MS = 60_000;
const LONGEST_HEARTBEAT_MS = 3_600_000;

/** An interval differs from the stated one by more than this part. */
const OTHER_INTERVAL = 0.3;
/** A shorter interval is that of a recording whose times are not those of the bus. */
const SHORTEST_HEARTBEAT_MS = 500;
/** Intervals of heartbeats that are remembered. */
const HEARTBEATS = 3;
/** The most PGNs in one message 126464; a device with more sends several messages. */
const LONGEST_LIST = 74;
const readList = decoderOf(pgnList);
const readHeartbeat = decoderOf(heartbeat);

export class Device {
  readonly address: number;
  /** Monotonic milliseconds. */
  readonly first: number;
  last: number;
  /** The last time at which it was away: what it says seldom may come later. */
  awayAt = Number.NEGATIVE_INFINITY;
  /** Packets so far, bits on the wire, and packets of several frames. */
  packets = 0;
  /** Claims, requests, product information and heartbeats among these packets. */
  managed = 0;
  bits = 0;
  long = 0;
  /** See `Packet`. */
  incomplete: number;
  readonly firstIncomplete: number;
  #name: bigint | undefined;
  #manufacturerAndFunction: string | undefined;
  /** Manufacturer code of its NAME; undefined while the NAME is not known. */
  manufacturer: number | undefined;
  product: Product | undefined;
  /** The PGNs that it says it sends; undefined while it has not said so. */
  sends: ReadonlySet<number> | undefined;
  heartbeat: Heartbeat | undefined;
  /** Monotonic time at which its NAME claimed another address. */
  leftAt: number | undefined;
  /** The device that had its address before, in a contest: it may defend it. */
  rival: Device | undefined;
  /** Its starts of the last ten minutes, at which it claimed its address without a request. */
  readonly starts = new Occurrences(STARTS_MS);
  /** Requests by PGN. */
  readonly asked = new Map<number, Asked>();
  /** The requests that it has sent in the last minute. */
  readonly requests = new Occurrences(REQUESTS_MS);
  readonly #history: Reading[];

  constructor(address: number, now: number, incomplete: number) {
    this.address = address;
    this.first = now;
    this.last = now;
    this.incomplete = incomplete;
    this.firstIncomplete = incomplete;
    this.#history = [{ at: now, incomplete, finished: 0 }];
  }

  get name(): bigint | undefined {
    return this.#name;
  }

  /** Takes its NAME, once: another NAME at its address is another device. */
  setName(name: bigint): void {
    this.#name = name;
    this.manufacturer = namePartsOf(name).manufacturerCode;
    this.#manufacturerAndFunction = kindOfDevice(name);
  }

  /** It has defended its address: frames that lacked meanwhile are not its own. */
  resume(now: number, incomplete: number): void {
    this.leftAt = undefined;
    this.incomplete = incomplete;
    this.#history.splice(0, this.#history.length, { at: now, incomplete, finished: this.long });
  }

  /** Its NAME has claimed another address, and this one is silent since: it is the device there. */
  get hasMoved(): boolean {
    return this.leftAt !== undefined && this.last - this.leftAt <= LEAVES_MS;
  }

  noteRequest(pgn: number, now: number): void {
    let asked = this.asked.get(pgn);
    if (asked === undefined) {
      if (this.asked.size >= MAX_ASKED) return;
      asked = { waitsSince: undefined, unansweredSince: undefined, unanswered: 0, hasAnswered: false, incomplete: 0 };
      this.asked.set(pgn, asked);
    }
    if (asked.waitsSince === undefined) asked.incomplete = this.incomplete;
    asked.waitsSince ??= now;
    asked.unansweredSince ??= now;
  }

  noteAnswer(pgn: number): void {
    const asked = this.asked.get(pgn);
    if (asked === undefined) return;
    asked.waitsSince = undefined;
    asked.unansweredSince = undefined;
    asked.unanswered = 0;
    asked.hasAnswered = true;
  }

  hearProduct(bytes: Uint8Array, at: number, end: number): void {
    this.product = readProduct(bytes, at, end, this.address) ?? this.product;
  }

  hearHeartbeat(bytes: Uint8Array, at: number, end: number, arrived: number): void {
    const message = readHeartbeat(bytes, at, end, this.address);
    const stated = (message.intervalS ?? 0) * 1000;
    const intervalMs = stated > 0 && stated <= LONGEST_HEARTBEAT_MS ? stated : DEFAULT_HEARTBEAT_MS;
    const before = this.heartbeat;
    const isSame = before !== undefined && before.message.intervalS === message.intervalS;
    const cameAfterMs = isSame ? [...before.cameAfterMs, arrived - before.arrived].slice(-HEARTBEATS) : [];
    this.heartbeat = { arrived, count: (before?.count ?? 0) + 1, intervalMs, message, cameAfterMs };
  }

  hearList(bytes: Uint8Array, at: number, end: number): void {
    const { function: which, pgns = [] } = readList(bytes, at, end, this.address);
    if (which !== "Transmit PGN list" || pgns.length >= LONGEST_LIST) return;
    this.sends = new Set(pgns.flatMap(({ id }) => id ?? []));
  }

  /** The interval at which its last heartbeats came, milliseconds, if none of them came at the one that it states. */
  get unstatedHeartbeatMs(): number | undefined {
    const { intervalMs = 0, cameAfterMs = [], message } = this.heartbeat ?? {};
    const isOther = (each: number): boolean =>
      each >= SHORTEST_HEARTBEAT_MS && Math.abs(each - intervalMs) > OTHER_INTERVAL * intervalMs;
    if (!message?.intervalS || cameAfterMs.length < HEARTBEATS || !cameAfterMs.every(isOther)) return undefined;
    return cameAfterMs.reduce((sum, each) => sum + each, 0) / HEARTBEATS;
  }

  /** Updates the histories; to be called about once a second. */
  advance(now: number): void {
    for (const asked of this.asked.values()) {
      if (asked.waitsSince === undefined || now - asked.waitsSince < ANSWER_MS) continue;
      asked.waitsSince = undefined;
      // A missing answer counts only if the device is still heard, and no packet of it, which it may have been, was lost.
      if (this.last > now - ANSWER_MS && this.incomplete === asked.incomplete) asked.unanswered++;
    }
    if (now - this.last > Math.max(AWAY_MS, AWAY_INTERVALS * this.usualMs)) this.awayAt = now;
    if (now - this.#history.at(-1)!.at < HISTORY_STEP_MS) return;
    this.#history.push({ at: now, incomplete: this.incomplete, finished: this.long });
    while (now - this.#history[0]!.at > HISTORY_MS) this.#history.shift();
  }

  /** Mean interval of its messages, milliseconds; 0 before the second. */
  get usualMs(): number {
    return this.packets < 2 ? 0 : (this.last - this.first) / (this.packets - 1);
  }

  /** Packets of several frames in about the last minute: the incomplete ones, and all. */
  get longPackets(): { readonly incomplete: number; readonly all: number } {
    const from = this.#history[0]!;
    const incomplete = (this.incomplete - from.incomplete) >>> 0;
    return { incomplete, all: incomplete + this.long - from.finished };
  }

  /** Between which times the incomplete ones of these came. */
  get lossSpan(): Span {
    const readings = [...this.#history, { at: this.last, incomplete: this.incomplete }];
    return growthOf(readings, (after, before) => after.incomplete !== before.incomplete, this.last);
  }

  /**
   * Whether it stands for a sender that is on no bus of NMEA 2000, such as a talker of NMEA 0183: its product information
   * has neither a version of NMEA 2000 nor a level of certification.
   */
  get isStandIn(): boolean {
    const { product } = this;
    return product !== undefined && product.nmeaVersion === undefined && product.certLevel === undefined;
  }

  /** Its model, or else manufacturer and function by its NAME; undefined while both are unknown. */
  get label(): string | undefined {
    return this.product?.modelId?.trim() || this.#manufacturerAndFunction;
  }
}

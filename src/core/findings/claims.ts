/**
 * Address claims: NAMEs and their addresses, contests for an address, NAMEs without an address, and unrequested claims
 * of devices that have started. Times are monotonic milliseconds.
 */
import { GLOBAL_ADDRESS, NULL_ADDRESS } from "../can/can-id.ts";
import { MAX_NAMES } from "../n2k/device-name.ts";
import { isoAddressClaim } from "../n2k/pgns/system.ts";
import type { Device } from "./device.ts";
import { Occurrences } from "./occurrences.ts";

const MINUTE_MS = 60_000;
/** A claim within this time after a request for claims, or after another claim of the address, answers it. */
const ANSWER_MS = 2000;
/** A device that was heard for longer than this was not switched on together with the bus. */
const HEARD_MS = 5000;
/**
 * Messages of data after which a silence means something: a program that polls a bus claims and requests, and sends no
 * data.
 */
const LEAST_DATA = 20;
/** Shortest silence of a device that starts, in milliseconds and in intervals of its messages. */
const BOOT_MS = 500;
const SILENT_INTERVALS = 10;
/** Time for which contests and NAMEs without an address are remembered. */
const MEMORY_MS = 600_000;
/** Limit of memory on a hostile bus. */
const MAX_TURNS = 32;

/** The claims of one address by different NAMEs, one after the other. */
export interface Contest {
  readonly address: number;
  /** NAMEs and times; each NAME differs from the one before. */
  readonly turns: { readonly name: bigint; readonly at: number }[];
  /** Claims of the last minute, beyond the turns that are remembered too. */
  readonly claims: Occurrences;
  /** The first holder was sending when the second one claimed its address: one did not replace the other. */
  readonly isBesideHolder: boolean;
  /** Requests for claims in a row that the NAME of the last turn alone has answered, and the time of its last answer. */
  answers: number;
  answeredAt: number;
}

/**
 * Whether a device that claims its address without a request has started: it was silent before, while it booted. Some
 * devices repeat their claims from time to time, between other messages or without any.
 */
function hasStarted(device: Device, now: number): boolean {
  const { packets, managed, first, last } = device;
  if (packets - managed < LEAST_DATA || now - first < HEARD_MS) return false;
  return now - last > Math.max(BOOT_MS, SILENT_INTERVALS * device.usualMs);
}

export class Claims {
  /** Contests by address; only for addresses that more than one NAME has claimed. */
  readonly contests = new Map<number, Contest>();
  /** NAMEs that could not claim an address, with the time at which they said so. */
  readonly homeless = new Map<bigint, number>();
  /** Addresses by NAME, see `addressOf`. */
  readonly #homes = new Map<bigint, number>();
  #askedAll = Number.NEGATIVE_INFINITY;
  readonly #asked = new Map<number, number>();
  readonly #claimed = new Map<number, number>();

  get kept(): number {
    return this.contests.size + this.homeless.size + this.#homes.size + this.#asked.size + this.#claimed.size;
  }

  /** The address that a NAME claimed last. */
  addressOf(name: bigint): number | undefined {
    return this.#homes.get(name);
  }

  noteRequest(destination: number, pgn: number, now: number): void {
    if (pgn !== isoAddressClaim.pgn) return;
    if (destination === GLOBAL_ADDRESS) this.#askedAll = now;
    else this.#asked.set(destination, now);
  }

  /** Takes a claim. The device at its address is still that of the claim before. */
  hear(name: bigint, address: number, now: number, devices: ReadonlyMap<number, Device>): void {
    if (address >= NULL_ADDRESS) {
      if (this.homeless.size < MAX_NAMES) this.homeless.set(name, now);
      return;
    }
    this.homeless.delete(name);
    const device = devices.get(address);
    if (device === undefined) return;
    this.#noteMove(name, address, now, devices);
    const isOwn = device.name === undefined || device.name === name;
    const hasStayed = isOwn && !device.hasMoved;
    if (hasStayed && this.#isUnasked(address, now) && hasStarted(device, now)) device.starts.note(now);
    this.#claimed.set(address, now);
    if (device.name !== undefined && device.name !== name) this.#contend(device, device.name, name, now);
    else this.#noteTurn(name, address, now);
    device.leftAt = undefined;
  }

  /** Forgets contests and NAMEs that are old. */
  advance(now: number, devices: ReadonlyMap<number, Device>): void {
    for (const [name, at] of this.homeless) if (now - at > MEMORY_MS) this.homeless.delete(name);
    for (const [address, { turns }] of this.contests)
      if (now - turns.at(-1)!.at > MEMORY_MS) this.contests.delete(address);
    for (const [name, address] of this.#homes) if (!devices.has(address)) this.#homes.delete(name);
  }

  #isAsked(address: number, now: number): boolean {
    return now - Math.max(this.#askedAll, this.#asked.get(address) ?? Number.NEGATIVE_INFINITY) <= ANSWER_MS;
  }

  #isUnasked(address: number, now: number): boolean {
    const contended = this.contests.get(address)?.turns.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    const repeated = this.#claimed.get(address) ?? Number.NEGATIVE_INFINITY;
    return !this.#isAsked(address, now) && now - contended > ANSWER_MS && now - repeated > ANSWER_MS;
  }

  #noteMove(name: bigint, address: number, now: number, devices: ReadonlyMap<number, Device>): void {
    const before = this.#homes.get(name);
    if (before !== undefined && before !== address) {
      const old = devices.get(before);
      if (old?.name === name) old.leftAt = now;
    }
    if (before === undefined && this.#homes.size >= MAX_NAMES) return;
    this.#homes.set(name, address);
  }

  #contend(device: Device, holder: bigint, name: bigint, now: number): void {
    const { address } = device;
    let contest = this.contests.get(address);
    // The holder has moved, or was switched off before: there is no contest.
    if (this.#homes.get(holder) !== address || (contest === undefined && hasStarted(device, now))) return;
    if (contest === undefined) {
      const isBesideHolder = now - device.last < SILENT_INTERVALS * device.usualMs;
      contest = { address, turns: [], claims: new Occurrences(MINUTE_MS), isBesideHolder, answers: 0, answeredAt: now };
      this.contests.set(address, contest);
      this.#push(contest, holder, now);
    }
    this.#push(contest, name, now);
  }

  #noteTurn(name: bigint, address: number, now: number): void {
    const contest = this.contests.get(address);
    if (contest === undefined) return;
    if (contest.turns.at(-1)!.name !== name) this.#push(contest, name, now);
    else if (this.#isAsked(address, now) && now - contest.answeredAt > ANSWER_MS) {
      contest.answers++;
      contest.answeredAt = now;
    }
  }

  #push(contest: Contest, name: bigint, at: number): void {
    const { turns, claims, address } = contest;
    contest.answers = this.#isAsked(address, at) ? 1 : 0;
    contest.answeredAt = at;
    claims.note(at);
    turns.push({ name, at });
    if (turns.length > MAX_TURNS) turns.shift();
  }
}

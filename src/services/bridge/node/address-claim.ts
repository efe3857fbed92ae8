/**
 * Address claim (ISO 11783-5): takes an address on the bus, defends it against higher NAMEs and leaves it to lower
 * ones. A state machine without clock or socket, for `bus-node.ts`.
 *
 *     offline ──bus up──► claiming ──250 ms──► online         a lower NAME claims it: the next free address
 *        ▲                   ▲  ▲                │            a higher NAME claims it: the claim is sent again
 *        └──bus down (any)   │  └──address lost──┘
 *                    an address is free
 *                            └── no address ◄── lost, and no other is free
 */
import { GLOBAL_ADDRESS, NULL_ADDRESS } from "../../../core/can/can-id.ts";
import { type CanFrame, singleFrame } from "../../../core/can/frames.ts";
import { deviceNameBytes } from "../../../core/n2k/device-name.ts";
import { isoAddressClaim } from "../../../core/n2k/pgns/system.ts";
import type { Log } from "../../../core/ports/log.ts";

export interface AddressClaimOptions {
  readonly name: bigint;
  /** False when the bus did not take the frame. */
  readonly send: (frame: CanFrame) => boolean;
  /** Whether another device was heard at this address. */
  readonly isTaken: (address: number) => boolean;
  readonly log: Log;
  /** The node sends from the address of a gateway, which claims it. */
  readonly isClaimedByOther?: boolean;
}

const PREFERRED_ADDRESS = 100;
/** Addresses that can be claimed are below this one; 252 and 253 are reserved. */
export const CLAIMABLE_ADDRESSES = 252;

const PRIORITY = 6;
/** A claim is valid when it was not contested for this long (ISO 11783-5). */
const CONTENTION_MS = 250;
/** Shortest time between answers to claims of the same address by others. */
const CLAIM_SPACING_MS = 20;
/** "Cannot claim" is sent after a delay shorter than this, so that devices do not send it all at once (ISO 11783-5). */
const CANNOT_CLAIM_DELAY_MS = 154;
/** Interval at which a node without an address looks for a free one. */
const RETRY_MS = 10_000;

export class AddressClaim {
  readonly #options: AddressClaimOptions;
  #phase: "offline" | "claiming" | "online" | "no address" = "offline";
  #address = PREFERRED_ADDRESS;
  /** Monotonic times, milliseconds: infinity for never. */
  #claimAt = Number.POSITIVE_INFINITY;
  #claimed = Number.NEGATIVE_INFINITY;
  #phaseEnds = Number.POSITIVE_INFINITY;
  #hasWarnedOfTwin = false;

  constructor(options: AddressClaimOptions) {
    this.#options = options;
  }

  /** The source address of frames: held, being claimed, or 254 without one. */
  get source(): number {
    return this.#address;
  }

  get isOnline(): boolean {
    return this.#phase === "online";
  }

  get isOffline(): boolean {
    return this.#phase === "offline";
  }

  /** Monotonic time at which `advance` has something to do, milliseconds. */
  get due(): number {
    return Math.min(this.#claimAt, this.#phaseEnds);
  }

  /** Claims the address that the node had before. */
  busUp(now: number): void {
    if (this.#options.isClaimedByOther) {
      this.#phase = "online";
      this.#address = NULL_ADDRESS;
      this.#options.log.info("on the bus behind a device that has an address");
      return;
    }
    this.#claim(this.#address < CLAIMABLE_ADDRESSES ? this.#address : PREFERRED_ADDRESS, now);
  }

  busDown(): void {
    this.#enter("offline");
  }

  /** A device has claimed the address `source`. */
  hearClaim(name: bigint, source: number, now: number): void {
    if (this.#options.isClaimedByOther || source !== this.#address || this.#phase === "no address") return;
    const { log, name: own } = this.#options;
    if (name === own) {
      // The sender is a gateway that repeats our frames, or another hub with the same machine id: answers would never
      // end.
      if (!this.#hasWarnedOfTwin)
        log.warn("another device has the NAME of this one", { code: "NAME_TAKEN", address: source, name });
      this.#hasWarnedOfTwin = true;
    } else if (name > own) this.#claimSoon(now);
    else this.#lose(now);
  }

  /** A device has requested address claims. */
  answerRequest(now: number): void {
    if (this.#options.isClaimedByOther) return;
    if (this.#phase === "no address") this.#cannotClaimSoon(now);
    else this.#claimSoon(now);
  }

  advance(now: number): void {
    if (now >= this.#phaseEnds) this.#endPhase(now);
    if (now >= this.#claimAt) this.#sendClaim(now);
  }

  #enter(phase: "offline" | "claiming" | "no address"): void {
    this.#phase = phase;
    this.#claimAt = Number.POSITIVE_INFINITY;
    this.#phaseEnds = Number.POSITIVE_INFINITY;
  }

  #claim(address: number, now: number): void {
    this.#enter("claiming");
    this.#address = address;
    this.#claimSoon(now);
  }

  #claimSoon(now: number): void {
    this.#claimAt = Math.min(this.#claimAt, Math.max(now, this.#claimed + CLAIM_SPACING_MS));
  }

  #cannotClaimSoon(now: number): void {
    // The delay differs between devices as a random one would, and is the same in every run.
    const delay = Number(this.#options.name % BigInt(CANNOT_CLAIM_DELAY_MS));
    this.#claimAt = Math.min(this.#claimAt, now + Math.max(delay, CLAIM_SPACING_MS));
  }

  /** Gives the address up to a lower NAME. */
  #lose(now: number): void {
    const { log } = this.#options;
    const lost = this.#address;
    const next = this.#freeAddress();
    if (next !== undefined) {
      log.info("the address belongs to a lower NAME, taking another", { lost, next });
      this.#claim(next, now);
      return;
    }
    log.warn("no address on the bus is free, waiting for one", { code: "NO_ADDRESS", lost });
    this.#enter("no address");
    this.#address = NULL_ADDRESS;
    this.#cannotClaimSoon(now);
    this.#phaseEnds = now + RETRY_MS;
  }

  #freeAddress(): number | undefined {
    const from = this.#address < CLAIMABLE_ADDRESSES ? this.#address : PREFERRED_ADDRESS - 1;
    for (let step = 1; step <= CLAIMABLE_ADDRESSES; step++) {
      const address = (from + step) % CLAIMABLE_ADDRESSES;
      if (address !== this.#address && !this.#options.isTaken(address)) return address;
    }
    return undefined;
  }

  #endPhase(now: number): void {
    if (this.#phase === "claiming") {
      this.#phase = "online";
      this.#phaseEnds = Number.POSITIVE_INFINITY;
      this.#options.log.info("on the bus", { address: this.#address, name: this.#options.name });
      return;
    }
    const free = this.#freeAddress();
    if (free !== undefined) this.#claim(free, now);
    else this.#phaseEnds = now + RETRY_MS;
  }

  #sendClaim(now: number): void {
    const header = { priority: PRIORITY, pgn: isoAddressClaim.pgn, source: this.#address, destination: GLOBAL_ADDRESS };
    if (!this.#options.send(singleFrame(header, deviceNameBytes(this.#options.name)))) {
      this.#claimAt = now + CLAIM_SPACING_MS;
      return;
    }
    this.#claimAt = Number.POSITIVE_INFINITY;
    this.#claimed = now;
    // The contention time begins with the first claim that was sent.
    if (this.#phase === "claiming" && this.#phaseEnds === Number.POSITIVE_INFINITY)
      this.#phaseEnds = now + CONTENTION_MS;
  }
}

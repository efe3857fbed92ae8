/**
 * hub as a node of the bus: it takes an address, says who it is when it is asked, and asks the others who they are.
 *
 * A state machine without clock or socket: packets and time come in, frames go out through a `FrameSender`. It does not
 * hear its own frames, so it is not in its own list of devices. It sends
 *
 *     60928    its claim, and that it cannot claim one
 *     59904    requests: 60928 from all; 126996, 126464, 126998 from each
 *     126993   its heartbeat, every minute and on request
 *     126996, 126464   its product and its PGNs, on request
 *
 * and nothing else: a request for something that it does not have stays without an answer, and an address that somebody
 * commands (65240) is not taken, since nobody is to steer it from the bus.
 *
 *     silent ──bus up──► claiming ──250 ms──► online          lower NAME claims it: on to the next free address
 *       ▲                   ▲  ▲                │             higher NAME claims it: our claim once more
 *       └──bus down (any)   │  └──lost, another─┘
 *                      an address is free
 *                           └── homeless ◄── lost, no other is free
 */
import { EVERYBODY } from "../n2k/can-id.ts";
import { deviceName, deviceNameBytes, readDeviceName } from "../n2k/device-name.ts";
import { encoderOf } from "../n2k/encode.ts";
import { type CanFrame, fastPacketFrames, singleFrame } from "../n2k/frames.ts";
import {
  configurationInformation,
  heartbeat,
  isoAddressClaim,
  isoRequest,
  pgnList,
  productInformation,
} from "../n2k/pgns/system.ts";
import type { FrameSender } from "../ports/frame-sender.ts";
import type { Log } from "../ports/log.ts";
import type { Packet } from "./packet-batch.ts";
import type { Report } from "./report.ts";

export interface NodeOptions {
  /** 21 bits that no other hub on the bus has, and this one always. */
  readonly uniqueNumber: number;
  readonly softwareVersion: string;
  readonly sender: FrameSender;
  /** Bounds its lines by itself. */
  readonly log: Log;
  /** Who is on the bus, by address; has heard a packet before the node does. */
  readonly peers: ReadonlyMap<number, unknown>;
}

export const PREFERRED_ADDRESS = 100;
/** Addresses from here on are nobody's to claim: 252 and 253 are reserved. */
const ADDRESSES = 252;
const NULL_ADDRESS = 254;

/** A claim is valid when nobody has contradicted it for so long (ISO 11783-5). */
const CONTENTION = 250;
/** However many want our address, they hear of it at most this often. */
const CLAIM_SPACING = 20;
/** One that cannot claim waits for up to so long, so that not all speak at once (ISO 11783-5). */
const LONGEST_SILENCE = 154;
/** How often a node without an address looks for one. */
const LOOK_FOR_ADDRESS = 10_000;

const HEARTBEAT = 60_000;
const SEQUENCES = 253;

const ROUND = 3_600_000;
/** After all were asked for their claims, before each is asked for more. */
const AFTER_CLAIMS = 1000;
const QUESTION_SPACING = 100;
const ANSWER_WITHIN = 5000;
const TRIES = 3;

/** Frames of longer messages go out a few at a time, so that neither our queue nor the bus is full of us. */
const BURST = 4;
const BURST_SPACING = 10;
/** Frames that could not be sent for so long are given up; half a message would be of no use any more. */
const GIVE_UP = 500;

const questions = [productInformation.pgn, pgnList.pgn, configurationInformation.pgn];
const priorities = { claim: 6, request: 6, heartbeat: 7, description: 6 } as const;

const transmitted = [isoRequest, isoAddressClaim, pgnList, heartbeat, productInformation].map(({ pgn }) => pgn);
const received = [isoRequest, isoAddressClaim, pgnList, productInformation, configurationInformation].map(
  ({ pgn }) => pgn,
);

const encodeHeartbeat = encoderOf(heartbeat);
const encodeList = encoderOf(pgnList);
const encodeProduct = encoderOf(productInformation);
const encodeRequest = encoderOf(isoRequest);

/** The NAME of a hub: a PC gateway of the marine industry that can take any address. */
export const nodeName = (uniqueNumber: number): bigint =>
  deviceName({
    identityNumber: uniqueNumber,
    // Nobody's: codes are allotted by the standard's body, and open libraries use this one.
    manufacturerCode: 2046,
    ecuInstance: 0,
    functionInstance: 0,
    functionCode: 130,
    classCode: 25,
    vehicleSystemInstance: 0,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });

/** What is not yet known of a device, with how often and until when it was asked for. */
interface Interview {
  name: bigint | undefined;
  readonly open: Map<number, { tries: number; next: number }>;
}

type Say = "product" | "lists" | "heartbeat" | "claims";

export class BusNode implements Report {
  readonly name: bigint;
  readonly #options: NodeOptions;
  #phase: "silent" | "claiming" | "online" | "homeless" = "silent";
  #address = PREFERRED_ADDRESS;
  /** Monotonic times, milliseconds: infinity for never. */
  #claimAt = Number.POSITIVE_INFINITY;
  #claimed = Number.NEGATIVE_INFINITY;
  #phaseEnds = Number.POSITIVE_INFINITY;
  #heartbeatAt = 0;
  #roundAt = 0;
  #questionAt = 0;
  #sendAt = 0;
  #stuckSince: number | undefined;
  #sequence = 0;
  readonly #counters = new Map<number, number>();
  readonly #interviews = new Map<number, Interview>();
  /** What is to be said, each once however often it was asked for, and the frames of what is being said. */
  readonly #toSay = new Set<Say>();
  #frames: CanFrame[] = [];
  #sent = 0;
  #refused = 0;
  #heardTwin = false;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.name = nodeName(options.uniqueNumber);
  }

  /** The address that it holds; undefined while it claims one or has none. */
  get address(): number | undefined {
    return this.#phase === "online" ? this.#address : undefined;
  }

  /** Frames sent, and attempts that found no room or no bus. */
  get counters(): { readonly sent: number; readonly refused: number } {
    return { sent: this.#sent, refused: this.#refused };
  }

  get due(): number {
    if (this.#phase === "silent") return Number.POSITIVE_INFINITY;
    const next = Math.min(this.#claimAt, this.#phaseEnds);
    if (this.#phase !== "online") return next;
    const talk = this.#frames.length > 0 || this.#toSay.size > 0 ? this.#sendAt : Number.POSITIVE_INFINITY;
    return Math.min(next, this.#heartbeatAt, this.#roundAt, this.#questionAt, talk);
  }

  /** The bus is there, or there again: claims the address it had, and asks everybody anew. */
  busUp(now: number): void {
    if (this.#phase !== "silent") return;
    this.#roundAt = now;
    this.#claim(this.#address < ADDRESSES ? this.#address : PREFERRED_ADDRESS, now);
  }

  /** The bus is gone. */
  busDown(): void {
    this.#phase = "silent";
    this.#fallSilent();
  }

  hear({ pgn, source, destination, bytes, at, end, arrived }: Packet): void {
    if (this.#phase === "silent") return;
    if (pgn === isoAddressClaim.pgn) {
      const name = readDeviceName(bytes, at, end);
      if (name !== undefined) this.#hearClaim(name, source, arrived);
    } else if (pgn === isoRequest.pgn) {
      if (end - at < 3 || (destination !== EVERYBODY && destination !== this.#address)) return;
      this.#answer(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16), arrived);
    } else this.#interviews.get(source)?.open.delete(pgn);
  }

  advance(now: number, _wall: number): void {
    if (now < this.due) return;
    if (now >= this.#phaseEnds) this.#endPhase(now);
    if (now >= this.#claimAt) this.#sendClaim(now);
    if (this.#phase !== "online") return;
    if (now >= this.#roundAt) {
      this.#roundAt = now + ROUND;
      this.#interviews.clear();
      this.#toSay.add("claims");
      this.#questionAt = now + AFTER_CLAIMS;
    }
    if (now >= this.#heartbeatAt) {
      this.#heartbeatAt = now + HEARTBEAT;
      this.#toSay.add("heartbeat");
    }
    if (now >= this.#sendAt) this.#talk(now);
    if (now >= this.#questionAt) this.#ask(now);
  }

  #hearClaim(name: bigint, source: number, now: number): void {
    if (source < ADDRESSES) {
      const interview = this.#interviews.get(source);
      // Another device than before: what the one before has answered is not what this one is.
      if (interview?.name === undefined || interview.name === name) this.#interview(source, now).name = name;
      else this.#interviews.delete(source);
    }
    if (source !== this.#address || this.#phase === "homeless") return;
    const { log } = this.#options;
    if (name === this.name) {
      // A gateway that repeats us, or another hub with our machine id. To answer would be to go on for ever.
      if (!this.#heardTwin) log.warn("another device has the NAME of this one", { address: source, name });
      this.#heardTwin = true;
    } else if (name > this.name) this.#claimSoon(now);
    else this.#lose(now);
  }

  #claimSoon(now: number): void {
    this.#claimAt = Math.min(this.#claimAt, Math.max(now, this.#claimed + CLAIM_SPACING));
  }

  /** A lower NAME has the address: on to the next one that nobody was heard at. */
  #lose(now: number): void {
    const { log } = this.#options;
    const lost = this.#address;
    const next = this.#freeAddress();
    if (next !== undefined) {
      log.info("the address belongs to a lower NAME, taking another", { lost, next });
      this.#claim(next, now);
      return;
    }
    log.warn("no address on the bus is free, waiting for one", { lost });
    this.#phase = "homeless";
    this.#fallSilent();
    this.#address = NULL_ADDRESS;
    this.#cannotClaimSoon(now);
    this.#phaseEnds = now + LOOK_FOR_ADDRESS;
  }

  #freeAddress(): number | undefined {
    const from = this.#address < ADDRESSES ? this.#address : PREFERRED_ADDRESS - 1;
    for (let step = 1; step <= ADDRESSES; step++) {
      const address = (from + step) % ADDRESSES;
      if (address !== this.#address && !this.#options.peers.has(address)) return address;
    }
    return undefined;
  }

  #claim(address: number, now: number): void {
    this.#fallSilent();
    this.#phase = "claiming";
    this.#address = address;
    this.#claimSoon(now);
  }

  /** Nothing that was under way goes on: it would carry an address that is no longer ours. */
  #fallSilent(): void {
    this.#toSay.clear();
    this.#frames = [];
    this.#stuckSince = undefined;
    this.#claimAt = Number.POSITIVE_INFINITY;
    this.#phaseEnds = Number.POSITIVE_INFINITY;
  }

  #endPhase(now: number): void {
    if (this.#phase === "claiming") {
      this.#phase = "online";
      this.#phaseEnds = Number.POSITIVE_INFINITY;
      this.#heartbeatAt = now;
      this.#questionAt = now + AFTER_CLAIMS;
      this.#options.log.info("on the bus", { address: this.#address, name: this.name });
      return;
    }
    const free = this.#freeAddress();
    if (free !== undefined) this.#claim(free, now);
    else this.#phaseEnds = now + LOOK_FOR_ADDRESS;
  }

  #cannotClaimSoon(now: number): void {
    // As good as random, and the same in every run: devices differ in their NAMEs.
    const wait = Number(this.name % BigInt(LONGEST_SILENCE));
    this.#claimAt = Math.min(this.#claimAt, now + Math.max(wait, CLAIM_SPACING));
  }

  #sendClaim(now: number): void {
    const header = {
      priority: priorities.claim,
      pgn: isoAddressClaim.pgn,
      source: this.#address,
      destination: EVERYBODY,
    };
    if (!this.#send(singleFrame(header, deviceNameBytes(this.name)))) {
      this.#claimAt = now + CLAIM_SPACING;
      return;
    }
    this.#claimAt = Number.POSITIVE_INFINITY;
    this.#claimed = now;
    // Counted from the claim that went out, however long the bus did not take it.
    if (this.#phase === "claiming" && this.#phaseEnds === Number.POSITIVE_INFINITY) this.#phaseEnds = now + CONTENTION;
  }

  #answer(pgn: number, now: number): void {
    if (pgn === isoAddressClaim.pgn) {
      if (this.#phase === "homeless") this.#cannotClaimSoon(now);
      else this.#claimSoon(now);
    } else if (this.#phase !== "online") return;
    else if (pgn === productInformation.pgn) this.#toSay.add("product");
    else if (pgn === pgnList.pgn) this.#toSay.add("lists");
    else if (pgn === heartbeat.pgn) this.#toSay.add("heartbeat");
  }

  #talk(now: number): void {
    this.#sendAt = now + BURST_SPACING;
    for (let left = BURST; left > 0; left--) {
      if (this.#frames.length === 0) this.#frames = this.#next(now);
      const [frame] = this.#frames;
      if (frame === undefined) return;
      if (this.#send(frame)) {
        this.#frames.shift();
        this.#stuckSince = undefined;
        continue;
      }
      this.#stuckSince ??= now;
      if (now - this.#stuckSince >= GIVE_UP) {
        this.#frames = [];
        this.#toSay.clear();
        this.#stuckSince = undefined;
      }
      return;
    }
  }

  /** The frames of what is to be said next. */
  #next(now: number): CanFrame[] {
    const [what] = this.#toSay;
    if (what === undefined) return [];
    this.#toSay.delete(what);
    const header = { source: this.#address, destination: EVERYBODY };
    switch (what) {
      case "claims":
        // Who asks all is one of them.
        this.#claimSoon(now);
        return [this.#request(EVERYBODY, isoAddressClaim.pgn)];
      case "heartbeat": {
        const payload = encodeHeartbeat({
          pgn: heartbeat.pgn,
          intervalS: HEARTBEAT / 1000,
          sequenceCounter: this.#sequence,
          controller1State: "Error Active",
          equipmentStatus: "Operational",
        });
        this.#sequence = (this.#sequence + 1) % SEQUENCES;
        return [singleFrame({ ...header, priority: priorities.heartbeat, pgn: heartbeat.pgn }, payload)];
      }
      case "product": {
        const { uniqueNumber, softwareVersion } = this.#options;
        const payload = encodeProduct({
          pgn: productInformation.pgn,
          nmeaVersion: 2100,
          productCode: 1,
          modelId: "hub-cand",
          softwareVersion,
          productName: "CAN to MQTT bridge",
          serialNumber: String(uniqueNumber),
          loadEquiv: 1,
        });
        return this.#fastPacket(productInformation.pgn, payload);
      }
      case "lists": {
        const list = (name: "Transmit PGN list" | "Receive PGN list", pgns: readonly number[]): CanFrame[] =>
          this.#fastPacket(
            pgnList.pgn,
            encodeList({ pgn: pgnList.pgn, function: name, pgns: pgns.map((id) => ({ id })) }),
          );
        return [...list("Transmit PGN list", transmitted), ...list("Receive PGN list", received)];
      }
    }
  }

  #fastPacket(pgn: number, payload: Uint8Array): CanFrame[] {
    const counter = this.#counters.get(pgn) ?? 0;
    this.#counters.set(pgn, (counter + 1) & 7);
    const header = { priority: priorities.description, pgn, source: this.#address, destination: EVERYBODY };
    return [...fastPacketFrames(header, payload, counter)];
  }

  #request(destination: number, requestedPgn: number): CanFrame {
    const payload = encodeRequest({ pgn: isoRequest.pgn, requestedPgn }).subarray(0, 3);
    return singleFrame(
      { priority: priorities.request, pgn: isoRequest.pgn, source: this.#address, destination },
      payload,
    );
  }

  /** Asks one question of one device: the first that is open. */
  #ask(now: number): void {
    const { peers } = this.#options;
    this.#questionAt = now + QUESTION_SPACING;
    for (const address of this.#interviews.keys()) if (!peers.has(address)) this.#interviews.delete(address);
    for (const address of peers.keys()) {
      if (address === this.#address) continue;
      const { open } = this.#interview(address, now);
      for (const [pgn, question] of open) {
        if (now < question.next) continue;
        if (question.tries === TRIES) {
          open.delete(pgn);
          continue;
        }
        // A bus without room is asked again by the next turn.
        if (!this.#send(this.#request(address, pgn))) return;
        question.tries++;
        question.next = now + ANSWER_WITHIN;
        return;
      }
    }
  }

  #interview(address: number, now: number): Interview {
    let interview = this.#interviews.get(address);
    if (interview === undefined) {
      interview = { name: undefined, open: new Map(questions.map((pgn) => [pgn, { tries: 0, next: now }])) };
      this.#interviews.set(address, interview);
    }
    return interview;
  }

  #send({ id, data }: CanFrame): boolean {
    const isSent = this.#options.sender.send(id, data);
    if (isSent) this.#sent++;
    else this.#refused++;
    return isSent;
  }
}

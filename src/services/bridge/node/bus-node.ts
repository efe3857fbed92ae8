/**
 * hub as a node of the bus: it claims an address, answers requests for its description, and requests those of others.
 *
 * A state machine without clock or socket: packets and time come in, frames go out through a `FrameSender`. It does not
 * hear its own frames, so it is not in its own list of devices. It sends
 *
 *     60928    its claim, and that it cannot claim an address
 *     59904    requests: 60928 from all; 126996, 126464, 126998 from each device
 *     126993   its heartbeat, every minute and on request
 *     126996, 126464   its product and its PGNs, on request
 *
 * Behind a gateway that is a device itself (`FrameSender.isDevice`) it sends the requests alone. It sends nothing else:
 * other requests stay unanswered, and a commanded address (65240) is not taken, because no device of the bus may
 * control this one.
 */
import { GLOBAL_ADDRESS } from "../../../core/can/can-id.ts";
import { type CanFrame, fastPacketFrames, singleFrame } from "../../../core/can/frames.ts";
import { networkOf } from "../../../core/can/networks.ts";
import { deviceName, readDeviceName } from "../../../core/n2k/device-name.ts";
import { encoderOf } from "../../../core/n2k/encode.ts";
import { NO_MANUFACTURER } from "../../../core/n2k/no-manufacturer.ts";
import {
  configurationInformation,
  heartbeat,
  isoAddressClaim,
  isoRequest,
  pgnList,
  productInformation,
} from "../../../core/n2k/pgns/system.ts";
import type { FrameSender } from "../../../core/ports/frame-sender.ts";
import type { Packet } from "../../../core/ports/packet-batch.ts";
import type { Boat } from "../boat.ts";
import type { BridgeCounters } from "../counters.ts";
import type { Change, Part } from "../part.ts";
import { AddressClaim, CLAIMABLE_ADDRESSES } from "./address-claim.ts";
import { Interviews } from "./interviews.ts";

export interface NodeOptions {
  /** 21 bits that differ from those of every other hub on the bus and stay the same after a restart. */
  readonly uniqueNumber: number;
  readonly softwareVersion: string;
  readonly sender: FrameSender;
}

type NodeBoat = Pick<Boat, "log" | "devices" | "requested">;

const HEARTBEAT_MS = 60_000;
const HEARTBEAT_SEQUENCES = 253;
/** Interval at which all devices are asked again. */
const INTERVIEW_PERIOD_MS = 3_600_000;
/** Time between the request for all claims and the first request to a device. */
const CLAIMS_WAIT_MS = 1000;
const REQUEST_SPACING_MS = 100;

/** Frames of longer messages are sent a few at a time, to leave room in the send queue and on the bus. */
const BURST_FRAMES = 4;
const BURST_SPACING_MS = 10;
/** Messages that cannot be sent for this long are dropped, because half a message is of no use. */
const SEND_TIMEOUT_MS = 500;

const priorities = { request: 6, heartbeat: 7, description: 6 } as const;

const transmittedPgns = [isoRequest, isoAddressClaim, pgnList, heartbeat, productInformation].map(({ pgn }) => pgn);
const receivedPgns = [isoRequest, isoAddressClaim, pgnList, productInformation, configurationInformation].map(
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
    manufacturerCode: NO_MANUFACTURER,
    ecuInstance: 0,
    functionInstance: 0,
    functionCode: 130,
    classCode: 25,
    vehicleSystemInstance: 0,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });

type Message = "product" | "lists" | "heartbeat" | "request for claims";

export class BusNode implements Part {
  readonly name: bigint;
  readonly #boat: NodeBoat;
  readonly #options: NodeOptions;
  readonly #claim: AddressClaim;
  readonly #interviews = new Interviews();
  /** Monotonic times, milliseconds. */
  #heartbeatAt = 0;
  #interviewsAt = 0;
  #requestAt = 0;
  #sendAt = 0;
  #blockedSince: number | undefined;
  #heartbeatSequence = 0;
  readonly #fastPacketCounters = new Map<number, number>();
  /** Messages to send, each once however often it was requested, and the remaining frames of the current one. */
  readonly #messages = new Set<Message>();
  #frames: CanFrame[] = [];
  #sent = 0;
  #refused = 0;

  constructor(boat: NodeBoat, options: NodeOptions) {
    this.#boat = boat;
    this.#options = options;
    this.name = nodeName(options.uniqueNumber);
    this.#claim = new AddressClaim({
      name: this.name,
      send: (frame) => this.#send(frame),
      isTaken: (address) => boat.devices.addresses.has(address),
      isClaimedByOther: options.sender.isDevice ?? false,
      log: boat.log,
    });
  }

  /** The address that it holds; undefined while it claims one or has none. */
  get address(): number | undefined {
    return this.#claim.isOnline ? this.#claim.source : undefined;
  }

  get sent(): number {
    return this.#sent;
  }

  counters(): Partial<BridgeCounters> {
    return { notSent: this.#refused };
  }

  notice(change: Change, now: number): void {
    if (change.of !== "bus" || !change.hasChanged) return;
    if (change.isUp) this.busUp(now);
    else this.busDown();
  }

  get due(): number {
    const { due } = this.#claim;
    if (!this.#claim.isOnline) return due;
    const send = this.#frames.length > 0 || this.#messages.size > 0 ? this.#sendAt : Number.POSITIVE_INFINITY;
    return Math.min(due, this.#heartbeatAt, this.#interviewsAt, this.#requestAt, send);
  }

  /** The interface is up: claims the address that the node had before, and asks all devices again. */
  busUp(now: number): void {
    if (!this.#claim.isOffline) return;
    this.#interviewsAt = now;
    this.#claim.busUp(now);
    if (!this.#options.sender.isDevice) return;
    this.#heartbeatAt = Number.POSITIVE_INFINITY;
    this.#requestAt = now + CLAIMS_WAIT_MS;
  }

  /** The interface is down or gone. */
  busDown(): void {
    this.#claim.busDown();
    this.#dropMessages();
  }

  hear({ pgn, source, destination, bytes, at, end, arrived }: Packet): void {
    if (this.#claim.isOffline) return;
    if (pgn === isoAddressClaim.pgn) {
      const name = readDeviceName(bytes, at, end);
      if (name !== undefined) this.#hearClaim(name, source, arrived);
    } else if (pgn === isoRequest.pgn) {
      if (end - at < 3 || (destination !== GLOBAL_ADDRESS && destination !== this.#claim.source)) return;
      this.#hearRequest(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16), arrived);
    } else this.#interviews.hear(pgn, source);
  }

  advance(now: number, _wall: number): void {
    if (now < this.due) return;
    const wasOnline = this.#claim.isOnline;
    this.#claim.advance(now);
    if (!this.#claim.isOnline) return;
    if (!wasOnline) {
      this.#heartbeatAt = now;
      this.#requestAt = now + CLAIMS_WAIT_MS;
    }
    if (now >= this.#interviewsAt) {
      this.#interviewsAt = now + INTERVIEW_PERIOD_MS;
      this.#interviews.clear();
      this.#messages.add("request for claims");
      this.#requestAt = now + CLAIMS_WAIT_MS;
    }
    if (now >= this.#heartbeatAt) {
      this.#heartbeatAt = now + HEARTBEAT_MS;
      this.#messages.add("heartbeat");
    }
    if (now >= this.#sendAt) this.#sendBurst(now);
    if (now >= this.#requestAt) this.#requestNext(now);
  }

  #hearClaim(name: bigint, source: number, now: number): void {
    if (source < CLAIMABLE_ADDRESSES) this.#interviews.hearClaim(name, source, now);
    this.#claim.hearClaim(name, source, now);
    if (!this.#claim.isOnline) this.#dropMessages();
  }

  #hearRequest(pgn: number, now: number): void {
    if (this.#options.sender.isDevice) return;
    if (pgn === isoAddressClaim.pgn) this.#claim.answerRequest(now);
    else if (!this.#claim.isOnline) return;
    else if (pgn === productInformation.pgn) this.#messages.add("product");
    else if (pgn === pgnList.pgn) this.#messages.add("lists");
    else if (pgn === heartbeat.pgn) this.#messages.add("heartbeat");
  }

  /** Drops the waiting messages, whose frames would carry an address that is lost. */
  #dropMessages(): void {
    this.#messages.clear();
    this.#frames = [];
    this.#blockedSince = undefined;
  }

  #sendBurst(now: number): void {
    this.#sendAt = now + BURST_SPACING_MS;
    for (let left = BURST_FRAMES; left > 0; left--) {
      if (this.#frames.length === 0) this.#frames = this.#framesOfNextMessage(now);
      const [frame] = this.#frames;
      if (frame === undefined) return;
      if (this.#send(frame)) {
        this.#frames.shift();
        this.#blockedSince = undefined;
        continue;
      }
      this.#blockedSince ??= now;
      if (now - this.#blockedSince >= SEND_TIMEOUT_MS) this.#dropMessages();
      return;
    }
  }

  #framesOfNextMessage(now: number): CanFrame[] {
    const [message] = this.#messages;
    if (message === undefined) return [];
    this.#messages.delete(message);
    switch (message) {
      case "request for claims":
        // The request is to all devices, of which this node is one.
        this.#claim.answerRequest(now);
        this.#boat.requested(GLOBAL_ADDRESS, isoAddressClaim.pgn, now);
        return [this.#request(GLOBAL_ADDRESS, isoAddressClaim.pgn)];
      case "heartbeat":
        return [this.#heartbeat()];
      case "product":
        return this.#product();
      case "lists":
        return [...this.#list("Transmit PGN list", transmittedPgns), ...this.#list("Receive PGN list", receivedPgns)];
    }
  }

  #heartbeat(): CanFrame {
    const payload = encodeHeartbeat({
      pgn: heartbeat.pgn,
      intervalS: HEARTBEAT_MS / 1000,
      sequenceCounter: this.#heartbeatSequence,
      controller1State: "Error Active",
      equipmentStatus: "Operational",
    });
    this.#heartbeatSequence = (this.#heartbeatSequence + 1) % HEARTBEAT_SEQUENCES;
    return singleFrame(this.#header(priorities.heartbeat, heartbeat.pgn), payload);
  }

  #product(): CanFrame[] {
    const { uniqueNumber, softwareVersion } = this.#options;
    const payload = encodeProduct({
      pgn: productInformation.pgn,
      nmeaVersion: 2100,
      productCode: 1,
      modelId: "hub-cand",
      softwareVersion,
      modelVersion: "CAN to MQTT bridge",
      serialNumber: String(uniqueNumber),
      loadEquiv: 1,
    });
    return this.#fastPacket(productInformation.pgn, payload);
  }

  #list(name: "Transmit PGN list" | "Receive PGN list", pgns: readonly number[]): CanFrame[] {
    const payload = encodeList({ pgn: pgnList.pgn, function: name, pgns: pgns.map((id) => ({ id })) });
    return this.#fastPacket(pgnList.pgn, payload);
  }

  #fastPacket(pgn: number, payload: Uint8Array): CanFrame[] {
    const counter = this.#fastPacketCounters.get(pgn) ?? 0;
    this.#fastPacketCounters.set(pgn, (counter + 1) & 7);
    return [...fastPacketFrames(this.#header(priorities.description, pgn), payload, counter)];
  }

  #request(destination: number, requestedPgn: number): CanFrame {
    const payload = encodeRequest({ pgn: isoRequest.pgn, requestedPgn }).subarray(0, 3);
    return singleFrame({ ...this.#header(priorities.request, isoRequest.pgn), destination }, payload);
  }

  #header(priority: number, pgn: number) {
    return { priority, pgn, source: this.#claim.source, destination: GLOBAL_ADDRESS };
  }

  #requestNext(now: number): void {
    this.#requestAt = now + REQUEST_SPACING_MS;
    const others = [...this.#boat.devices.addresses.keys()].filter(
      (address) => networkOf(address) === 0 && address !== this.#claim.source,
    );
    this.#interviews.request(others, now, (address, pgn) => {
      const isSent = this.#send(this.#request(address, pgn));
      if (isSent) this.#boat.requested(address, pgn, now);
      return isSent;
    });
  }

  #send({ id, data }: CanFrame): boolean {
    const isSent = this.#options.sender.send(id, data);
    if (isSent) this.#sent++;
    else this.#refused++;
    return isSent;
  }
}

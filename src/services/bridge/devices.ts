/**
 * The devices on the bus: addresses that were heard, the NAMEs that hold them, and their product information and PGN
 * lists.
 *
 * A device is an address heard within the last three minutes. Its details belong to its NAME and move with it from
 * address to address; until the NAME is known they belong to the address, and go to the NAME that defends it.
 *
 * A NAME that is heard on several networks, because a bridge joins them, is one device with the lowest of its addresses
 * (`twin.ts`).
 */

import { isDeviceAddress, networkOf } from "../../core/can/networks.ts";
import { decoderOf } from "../../core/n2k/decode.ts";
import { describeName, MAX_NAMES, readDeviceName, readDeviceNames } from "../../core/n2k/device-name.ts";
import { isoAddressClaim, pgnList, productInformation } from "../../core/n2k/pgns/system.ts";
import { type Product, readProduct } from "../../core/n2k/product.ts";
import { titleOf } from "../../core/n2k/public-names.ts";
import { isStandInName } from "../../core/n2k/stand-in.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import { metadataAt } from "../../core/report/envelope.ts";
import { writerOf } from "../../core/report/write.ts";
import { textOf } from "../../core/text/ascii-buffer.ts";
import {
  type DeviceInformation,
  type DeviceList,
  devicesMessage,
  informationMessage,
} from "../../core/topics/device-reports.ts";
import { topics } from "../../core/topics/topics.ts";
import type { Boat, KnownDevices } from "./boat.ts";
import type { Change, Part } from "./part.ts";
import { Twin } from "./twin.ts";

/** Three heartbeats of a minute; an address that is silent for longer is removed. */
const MAX_SILENCE_MS = 180_000;
/** Time in which a device defends its address: 250 ms by ISO 11783-5, and more for the slow ones. */
const DEFENCE_MS = 1000;
/** Time from one dispute to the next one that counts: values of two devices that both insist would never be heard. */
const DISPUTE_EVERY_MS = 10_000;
/** Delay of a publication after a change, so that the start of a bus is one message and not fifty. */
const CHANGE_DELAY_MS = 250;
const { repeatMs } = topics.devices;
/** Interval of the search for silent devices. */
const SWEEP_MS = 1000;
/** Transport of packets that a device on a bus can make longer than a frame: what such a claim says is not believed. */
const ISO_TP = 2;
/** Maximum NAMEs kept as logged duplicates; with more of them the log may repeat itself. */
const MAX_DUPLICATES = 64;

/** NAMEs, product information and PGN lists of a device. */
interface Details {
  /** All NAMEs of its claim, its own first. */
  names?: readonly bigint[];
  product?: Product;
  transmits?: readonly number[];
  receives?: readonly number[];
}

interface Peer {
  /** Monotonic time at which it was last heard, milliseconds. */
  heard: number;
  name: bigint | undefined;
  details: Details;
  /** Details that were heard before the address had a NAME, and the monotonic time at which it had its first one. */
  readonly unnamed: Details;
  namedAt: number;
  /**
   * A higher NAME that has claimed the address since, and has it if the holder does not defend it. Values that are heard
   * until then are of neither, what it says of itself is its own.
   */
  rival: { readonly name: bigint; readonly claimed: number; readonly details: Details } | undefined;
  /** Monotonic time at which a dispute that counts has begun. */
  disputedAt: number;
  /** Set if its NAME is heard on other networks too. */
  twin: Twin | undefined;
}

function createPeer(heard: number): Peer {
  const details: Details = {};
  const [namedAt, disputedAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return { heard, name: undefined, details, unnamed: details, namedAt, rival: undefined, disputedAt, twin: undefined };
}

const isDisputed = ({ rival, disputedAt }: Peer): boolean => rival !== undefined && rival.claimed === disputedAt;

type DevicesBoat = Pick<Boat, "topics" | "publisher" | "log" | "names" | "networks">;

const readList = decoderOf(pgnList);

export class Devices implements Part, KnownDevices {
  readonly knows = { devices: this };
  /** The first of `#publishAt`, `#repeatAt` and `#sweepAt`. */
  due = Number.NEGATIVE_INFINITY;
  readonly #boat: DevicesBoat;
  readonly #devicesText = textOf(writerOf(devicesMessage));
  readonly #informationText = textOf(writerOf(informationMessage));
  readonly #peers = new Map<number, Peer>();
  /** Details by NAME; the NAME whose details have been unchanged for the longest comes first. */
  readonly #names = new Map<bigint, Details>();
  /** NAMEs by the address that they have left. */
  readonly #left = new Map<number, bigint>();
  /** NAMEs heard from two addresses, each logged once. */
  readonly #duplicates = new Set<bigint>();
  /** Addresses whose `infos` are retained by the broker. */
  readonly #informed = new Set<number>();
  readonly #changedInfos = new Set<number>();
  #changed = false;
  /** Monotonic times of the next publication of a change, repetition and search for silent devices. */
  #publishAt = Number.POSITIVE_INFINITY;
  #repeatAt = Number.NEGATIVE_INFINITY;
  #sweepAt = Number.NEGATIVE_INFINITY;
  /** Changes of the names at the last publication of all devices. */
  #namesChanges = 0;

  constructor(boat: DevicesBoat) {
    this.#boat = boat;
  }

  nameOf(address: number): bigint | undefined {
    const peer = this.#peers.get(address);
    return peer === undefined || isDisputed(peer) ? undefined : peer.name;
  }

  isDisputed(address: number): boolean {
    const peer = this.#peers.get(address);
    return peer !== undefined && isDisputed(peer);
  }

  namesOf(name: bigint): readonly bigint[] {
    return this.#names.get(name)?.names ?? [name];
  }

  modelOf(name: bigint): string | undefined {
    return this.#names.get(name)?.product?.modelId;
  }

  productOf(name: bigint): Product | undefined {
    return this.#names.get(name)?.product;
  }

  get addresses(): KnownDevices["addresses"] {
    return this.#peers;
  }

  /** Entries held in memory, so that a test can check their bound. */
  get kept(): number {
    const all = [this.#peers, this.#names, this.#left, this.#duplicates, this.#informed, this.#changedInfos];
    const twins = new Set([...this.#peers.values()].flatMap(({ twin }) => twin ?? []));
    return [...all, ...[...twins].map(({ senders }) => senders)].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Reads address claims, product information and PGN lists. True if it is a message of a device that was not heard on
   * another network before; its source is the address of the device then.
   */
  admits(packet: Packet): boolean {
    if (!isDeviceAddress(packet.source)) {
      if (packet.pgn === isoAddressClaim.pgn) this.#removeName(packet);
      return false;
    }
    let peer = this.#peers.get(packet.source);
    if (peer === undefined) {
      peer = createPeer(packet.arrived);
      this.#peers.set(packet.source, peer);
      this.#change(packet.source, packet.arrived);
      this.#checkLeftAddress(packet);
    }
    peer.heard = packet.arrived;
    if (packet.pgn === isoAddressClaim.pgn) this.#claim(peer, packet);
    else if (packet.pgn === productInformation.pgn) this.#learnProduct(peer, packet);
    else if (packet.pgn === pgnList.pgn) this.#learnList(peer, packet);
    return peer.twin === undefined || peer.twin.admits(packet);
  }

  /** The devices of networks that are gone leave. */
  notice(change: Change, now: number): void {
    if (change.of === "network") for (const network of change.gone) this.#forgetNetwork(network, now);
  }

  #forgetNetwork(network: number, now: number): void {
    for (const address of [...this.#peers.keys()]) if (networkOf(address) === network) this.#leave(address, now);
    for (const address of this.#left.keys()) if (networkOf(address) === network) this.#left.delete(address);
  }

  /** Publishes what is due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void {
    if (now >= this.#sweepAt) {
      this.#sweepAt = now + SWEEP_MS;
      for (const [address, peer] of this.#peers)
        if (now - peer.heard > MAX_SILENCE_MS) this.#leave(address, now);
        else if (peer.rival !== undefined && now - peer.rival.claimed > DEFENCE_MS)
          this.#giveAddress(peer, address, peer.rival.name, now);
    }
    // Names have changed: all devices are published again.
    const { changes } = this.#boat.names;
    if (now >= this.#repeatAt || changes !== this.#namesChanges) {
      this.#namesChanges = changes;
      this.#repeatAt = now + repeatMs;
      this.#changed = true;
      this.#publishAt = now;
      for (const address of this.#peers.keys()) this.#changedInfos.add(address);
    }
    if (now >= this.#publishAt) {
      this.#publishAt = Number.POSITIVE_INFINITY;
      this.#publish(wall);
    }
    this.due = Math.min(this.#publishAt, this.#repeatAt, this.#sweepAt);
  }

  #publish(wall: number): void {
    const { topics, publisher } = this.#boat;
    const metadata = metadataAt(wall);
    if (this.#changed) publisher.retain(topics.devices(), this.#devicesText({ data: this.#devices(), metadata }));
    this.#changed = false;
    for (const address of [...this.#changedInfos].sort((a, b) => a - b)) {
      const data = this.#information(address);
      if (data !== undefined) {
        this.#informed.add(address);
        publisher.retain(topics.infos({ addr: address }), this.#informationText({ data, metadata }));
      } else if (this.#informed.delete(address)) publisher.retain(topics.infos({ addr: address }), null);
    }
    this.#changedInfos.clear();
  }

  #change(address: number, now: number): void {
    this.#changed = true;
    this.#changedInfos.add(address);
    this.#publishAt = Math.min(this.#publishAt, now + CHANGE_DELAY_MS);
    this.due = Math.min(this.due, this.#publishAt);
  }

  #leave(address: number, now: number): void {
    const peer = this.#peers.get(address);
    this.#peers.delete(address);
    this.#change(address, now);
    if (peer?.twin !== undefined) this.#pair(peer.name!, now);
  }

  /** Makes the addresses of a NAME one device: each is on another network. */
  #pair(name: bigint, now: number): void {
    const held = [...this.#peers].filter(([, peer]) => peer.name === name);
    const first = held.reduce((least, [address]) => Math.min(least, address), Number.POSITIVE_INFINITY);
    const twin = held.length > 1 ? new Twin(first, (address, ms) => this.#logLate(address, ms)) : undefined;
    for (const [address, peer] of held) {
      peer.twin = twin;
      this.#change(address, now);
    }
  }

  #logLate(address: number, ms: number): void {
    const network = this.#boat.networks[networkOf(address) - 1]?.name ?? "the first";
    this.#boat.log.warn("a network repeats the messages of another one late", {
      code: "NETWORK_LATE",
      network,
      behindSec: Math.round(ms / 1000),
    });
  }

  /**
   * A message from an address that its NAME has left: two devices have the NAME, unless the message claims the address.
   */
  #checkLeftAddress({ source, pgn }: Packet): void {
    const name = this.#left.get(source);
    this.#left.delete(source);
    if (name === undefined || pgn === isoAddressClaim.pgn) return;
    if (this.#duplicates.has(name)) return;
    if (this.#duplicates.size >= MAX_DUPLICATES) this.#duplicates.clear();
    this.#duplicates.add(name);
    this.#boat.log.warn("a NAME is heard from two addresses, the latest claim has it", {
      code: "NAME_TWICE",
      name,
      other: source,
    });
  }

  /** A NAME that claims the null address has lost its own. */
  #removeName({ bytes, at, end, source, arrived }: Packet): void {
    const name = readDeviceName(bytes, at, end);
    if (name === undefined) return;
    for (const [address, peer] of this.#peers)
      if (peer.name === name && networkOf(address) === networkOf(source)) {
        this.#leave(address, arrived);
        this.#admitRival(address, peer, arrived);
      }
  }

  /** The holder of an address has left it to the NAME whose claim it did not defend. */
  #admitRival(address: number, { rival }: Peer, now: number): void {
    if (rival === undefined) return;
    const peer = createPeer(now);
    this.#peers.set(address, peer);
    this.#giveAddress(peer, address, rival.name, now, rival);
  }

  #claim(peer: Peer, { bytes, at, end, source, arrived, transport }: Packet): void {
    const names = readDeviceNames(bytes, at, end);
    const [name] = names;
    if (name === undefined) return;
    // The lower of two NAMEs keeps the address if it is still there: it claims it again then. A made one does not.
    const isHeld = peer.name === name || (peer.name !== undefined && peer.name < name && !isStandInName(peer.name));
    if (isHeld) this.#dispute(peer, source, name, arrived);
    else this.#giveAddress(peer, source, name, arrived);
    const { details } = peer;
    if (names.length === 1 || peer.name !== name || details.names !== undefined || transport === ISO_TP) return;
    details.names = names;
    this.#change(source, arrived);
  }

  /** A NAME claims the address of a lower one, or that one claims it again. Of two rivals the lower one remains. */
  #dispute(peer: Peer, source: number, name: bigint, arrived: number): void {
    const { rival } = peer;
    const isDefended = peer.name === name;
    if (isDefended ? rival === undefined : rival !== undefined && rival.name <= name) return;
    peer.rival = isDefended ? undefined : { name, claimed: rival?.claimed ?? arrived, details: {} };
    if (peer.rival?.claimed === arrived && arrived - peer.disputedAt > DISPUTE_EVERY_MS) peer.disputedAt = arrived;
    this.#change(source, arrived);
  }

  /** An address is that of a NAME from now on, and the NAME leaves its others on the network. */
  #giveAddress(peer: Peer, source: number, name: bigint, arrived: number, rival = peer.rival): void {
    let isPaired = false;
    const vacated: [number, Peer][] = [];
    for (const [address, other] of this.#peers) {
      if (other.name !== name) continue;
      if (networkOf(address) !== networkOf(source)) {
        isPaired = true;
        continue;
      }
      this.#leave(address, arrived);
      if (other.rival === undefined) this.#left.set(address, name);
      else vacated.push([address, other]);
    }
    const before = peer.twin && peer.name;
    // A newcomer claims the address of a device without a NAME, which defends it: what was heard there is its own.
    const isFirst = arrived - peer.namedAt <= DEFENCE_MS;
    if (isFirst && peer.name !== undefined && peer.details === peer.unnamed) this.#names.delete(peer.name);
    const known = this.#names.get(name) ?? (isFirst ? peer.unnamed : {});
    if (rival?.name === name) Object.assign(known, rival.details);
    this.#keepDetails(name, known);
    peer.namedAt = Math.min(peer.namedAt, arrived);
    peer.name = name;
    peer.details = known;
    peer.rival = undefined;
    peer.twin = undefined;
    this.#change(source, arrived);
    if (before !== undefined) this.#pair(before, arrived);
    if (isPaired) this.#pair(name, arrived);
    for (const [address, holder] of vacated) this.#admitRival(address, holder, arrived);
  }

  #keepDetails(name: bigint, details: Details): void {
    this.#names.delete(name);
    this.#names.set(name, details);
    if (this.#names.size <= MAX_NAMES) return;
    const held = new Set([...this.#peers.values()].map((peer) => peer.name));
    for (const old of this.#names.keys()) {
      if (old === name || held.has(old)) continue;
      this.#names.delete(old);
      return;
    }
  }

  #learnProduct(peer: Peer, { bytes, at, end, source, arrived }: Packet): void {
    const product = readProduct(bytes, at, end, source);
    const { details } = peer.rival ?? peer;
    if (product === undefined || JSON.stringify(product) === JSON.stringify(details.product)) return;
    details.product = product;
    this.#change(source, arrived);
  }

  #learnList(peer: Peer, { bytes, at, end, source, arrived }: Packet): void {
    const list = readList(bytes, at, end, source);
    const key =
      list.function === "Transmit PGN list"
        ? "transmits"
        : list.function === "Receive PGN list"
          ? "receives"
          : undefined;
    if (key === undefined) return;
    const pgns = (list.pgns ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
    const { details } = peer.rival ?? peer;
    if (String(pgns) === String(details[key])) return;
    details[key] = pgns;
    this.#change(source, arrived);
  }

  #devices(): DeviceList {
    const peers = [...this.#peers]
      .filter(([addr, { twin }]) => (twin?.address ?? addr) === addr)
      .map(([addr]) => ({ addr, name: this.nameOf(addr) ?? 0n }))
      .sort((a, b) => a.addr - b.addr);
    return { count: peers.length, peers };
  }

  #information(addr: number): DeviceInformation | undefined {
    const peer = this.#peers.get(addr);
    if (peer?.name === undefined || isDisputed(peer) || (peer.twin !== undefined && peer.twin.address !== addr))
      return undefined;
    const { name, details } = peer;
    const { product, transmits, receives } = details;
    const titled = (pgns: readonly number[] | undefined) => pgns?.map((id) => ({ id, name: titleOf(id) }));
    return {
      addr,
      name,
      ...describeName(name),
      productInfo: product && { ...product, productName: product.modelId },
      txPgns: titled(transmits),
      rxPgns: titled(receives),
      otherNames: details.names?.slice(1).map(String),
      friendlyName: this.#boat.names.ofDevice(name),
      // The schema has no readonly lists.
      names: this.#boat.names.ofThings(name) as DeviceInformation["names"],
    };
  }
}

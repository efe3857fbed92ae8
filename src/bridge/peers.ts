/**
 * Who is on the bus: addresses that were heard, the NAMEs that hold them, and what those have said about themselves.
 *
 * A device is an address heard within the last three minutes. What is known of a product belongs to its NAME and moves
 * with it from address to address; until a NAME is known it belongs to the address.
 */

import { NULL_ADDRESS } from "../n2k/can-id.ts";
import { decoderOf } from "../n2k/decode.ts";
import { describeName, readDeviceName } from "../n2k/device-name.ts";
import type { Message } from "../n2k/field.ts";
import { isoAddressClaim, pgnList, productInformation } from "../n2k/pgns/system.ts";
import { titleOf } from "../n2k/public-names.ts";
import type { Log } from "../ports/log.ts";
import type { Publisher } from "../ports/publisher.ts";
import { metadataAt } from "../report/envelope.ts";
import { writerOf } from "../report/write.ts";
import { textOf } from "../text/ascii-buffer.ts";
import { type DeviceInformation, type DeviceList, devicesMessage, informationMessage } from "./device-reports.ts";
import type { Packet } from "./packet-batch.ts";
import type { Report } from "./report.ts";
import type { Topics } from "./topics.ts";

/** Three heartbeats of a minute: an address silent for longer is no device, milliseconds. */
const SILENCE = 180_000;
/** A change is published this long after it, so that a start of the bus is one message and not fifty. */
const AFTER_CHANGE = 250;
/** Without a change, often enough that retained messages do not expire. */
const REPEAT = 30_000;
/** How often silent devices are looked for. */
const SWEEP = 1000;
/** NAMEs whose product is remembered; a bus has 252 addresses, the rest is a storm. */
const MOST_NAMES = 512;
/** NAMEs remembered as told to be heard from two addresses; behind so many is a storm, and they may be told again. */
const MOST_DOUBLED = 64;

const PRODUCT_INFORMATION_BYTES = 134;

type Product = Omit<Message<typeof productInformation>, "pgn">;

/** What a device has said about itself. */
interface Knowledge {
  product?: Product;
  transmits?: readonly number[];
  receives?: readonly number[];
}

interface Peer {
  /** Monotonic time it was last heard, milliseconds. */
  heard: number;
  name: bigint | undefined;
  /** Monotonic time of the claim that gave it its NAME. */
  claimed: number;
  knowledge: Knowledge;
}

export interface PeersOptions {
  readonly topics: Topics;
  /** The name that the crew gave to a device. */
  readonly friendlyNameOf?: (name: bigint) => string | undefined;
  readonly publisher: Publisher;
  readonly log: Log;
}

const readProduct = decoderOf(productInformation);
const readList = decoderOf(pgnList);

export class Peers implements Report {
  /** The first of `#tell`, `#repeat` and `#sweep`. */
  due = Number.NEGATIVE_INFINITY;
  readonly #options: PeersOptions;
  readonly #devicesText = textOf(writerOf(devicesMessage));
  readonly #informationText = textOf(writerOf(informationMessage));
  readonly #peers = new Map<number, Peer>();
  /** NAME to what is known of it, the longest unchanged first. */
  readonly #names = new Map<bigint, Knowledge>();
  /** Addresses that a NAME has left, and the NAME. */
  readonly #left = new Map<number, bigint>();
  /** NAMEs that are heard from two addresses, told once each. */
  readonly #doubled = new Set<bigint>();
  /** Addresses with `infos` at the broker. */
  readonly #informed = new Set<number>();
  readonly #changedInfos = new Set<number>();
  #changed = false;
  /** Monotonic times of what comes next: a change to be told, the repetition, a look for the silent. */
  #tell = Number.POSITIVE_INFINITY;
  #repeat = Number.NEGATIVE_INFINITY;
  #sweep = Number.NEGATIVE_INFINITY;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  nameOf(address: number): bigint | undefined {
    return this.#peers.get(address)?.name;
  }

  /** The model of a device, from its product information. */
  modelOf(name: bigint): string | undefined {
    return this.#names.get(name)?.product?.modelId;
  }

  /** What a device has said about its product. */
  productOf(name: bigint): Product | undefined {
    return this.#names.get(name)?.product;
  }

  /** Addresses heard within the last three minutes, with NAMEs where they are known. */
  get addresses(): ReadonlyMap<number, { readonly name: bigint | undefined }> {
    return this.#peers;
  }

  /** How many things are kept in memory, so that a test can hold their bound. */
  get kept(): number {
    const all = [this.#peers, this.#names, this.#left, this.#doubled, this.#informed, this.#changedInfos];
    return all.reduce((sum, { size }) => sum + size, 0);
  }

  /** Hears any packet; those that say who somebody is are understood. */
  hear(packet: Packet): void {
    if (packet.source >= NULL_ADDRESS) {
      if (packet.pgn === isoAddressClaim.pgn) this.#lose(packet);
      return;
    }
    let peer = this.#peers.get(packet.source);
    if (peer === undefined) {
      peer = { heard: packet.arrived, name: undefined, claimed: Number.NEGATIVE_INFINITY, knowledge: {} };
      this.#peers.set(packet.source, peer);
      this.#change(packet.source, packet.arrived);
      this.#expectNobody(packet);
    }
    peer.heard = packet.arrived;
    if (packet.pgn === isoAddressClaim.pgn) this.#claim(peer, packet);
    else if (packet.pgn === productInformation.pgn) this.#learnProduct(peer, packet);
    else if (packet.pgn === pgnList.pgn) this.#learnList(peer, packet);
  }

  /** Friendly names have changed: all devices are published anew. */
  renamed(): void {
    this.#repeat = Number.NEGATIVE_INFINITY;
    this.due = Number.NEGATIVE_INFINITY;
  }

  /** Publishes what is due at `now` (monotonic) with the stamp `wall`, milliseconds both. */
  advance(now: number, wall: number): void {
    if (now >= this.#sweep) {
      this.#sweep = now + SWEEP;
      for (const [address, peer] of this.#peers) if (now - peer.heard > SILENCE) this.#leave(address, now);
    }
    if (now >= this.#repeat) {
      this.#repeat = now + REPEAT;
      this.#changed = true;
      this.#tell = now;
      for (const address of this.#peers.keys()) this.#changedInfos.add(address);
    }
    if (now >= this.#tell) {
      this.#tell = Number.POSITIVE_INFINITY;
      this.#publish(wall);
    }
    this.due = Math.min(this.#tell, this.#repeat, this.#sweep);
  }

  #publish(wall: number): void {
    const { topics, publisher } = this.#options;
    const metadata = metadataAt(wall);
    if (this.#changed) publisher.retain(topics.devices, this.#devicesText({ data: this.#devices(), metadata }));
    this.#changed = false;
    for (const address of [...this.#changedInfos].sort((a, b) => a - b)) {
      const data = this.#information(address);
      if (data !== undefined) {
        this.#informed.add(address);
        publisher.retain(topics.infos(address), this.#informationText({ data, metadata }));
      } else if (this.#informed.delete(address)) publisher.retain(topics.infos(address), null);
    }
    this.#changedInfos.clear();
  }

  #change(address: number, now: number): void {
    this.#changed = true;
    this.#changedInfos.add(address);
    this.#tell = Math.min(this.#tell, now + AFTER_CHANGE);
    this.due = Math.min(this.due, this.#tell);
  }

  #leave(address: number, now: number): void {
    this.#peers.delete(address);
    this.#change(address, now);
  }

  /** An address that its NAME has left speaks again: somebody has the NAME twice, unless another claims the address. */
  #expectNobody({ source, pgn }: Packet): void {
    const name = this.#left.get(source);
    this.#left.delete(source);
    if (name === undefined || pgn === isoAddressClaim.pgn) return;
    if (this.#doubled.has(name)) return;
    if (this.#doubled.size >= MOST_DOUBLED) this.#doubled.clear();
    this.#doubled.add(name);
    this.#options.log.warn("a NAME is heard from two addresses, the latest claim has it", {
      code: "NAME_TWICE",
      name,
      other: source,
    });
  }

  /** A NAME that claims the null address has lost its own. */
  #lose({ bytes, at, end, arrived }: Packet): void {
    const name = readDeviceName(bytes, at, end);
    if (name === undefined) return;
    for (const [address, peer] of this.#peers) if (peer.name === name) this.#leave(address, arrived);
  }

  #claim(peer: Peer, { bytes, at, end, source, arrived }: Packet): void {
    const name = readDeviceName(bytes, at, end);
    if (name === undefined) return;
    if (peer.name === name) {
      peer.claimed = arrived;
      return;
    }
    // Of two NAMEs the lower keeps the address. One that has not spoken for itself for so long is believed to be gone; if it
    // is not, it defends itself and has its address back.
    if (peer.name !== undefined && peer.name < name && arrived - peer.claimed <= SILENCE) return;
    for (const [address, other] of this.#peers) {
      if (other.name !== name) continue;
      this.#leave(address, arrived);
      this.#left.set(address, name);
    }
    const known = this.#names.get(name) ?? (peer.name === undefined ? peer.knowledge : {});
    this.#remember(name, known);
    peer.name = name;
    peer.claimed = arrived;
    peer.knowledge = known;
    this.#change(source, arrived);
  }

  #remember(name: bigint, knowledge: Knowledge): void {
    this.#names.delete(name);
    this.#names.set(name, knowledge);
    if (this.#names.size <= MOST_NAMES) return;
    const held = new Set([...this.#peers.values()].map((peer) => peer.name));
    for (const old of this.#names.keys()) {
      if (old === name || held.has(old)) continue;
      this.#names.delete(old);
      return;
    }
  }

  #learnProduct(peer: Peer, { bytes, at, end, source, arrived }: Packet): void {
    if (end - at < PRODUCT_INFORMATION_BYTES) return;
    const { pgn: _, ...product } = readProduct(bytes, at, end, source);
    if (JSON.stringify(product) === JSON.stringify(peer.knowledge.product)) return;
    peer.knowledge.product = product;
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
    if (String(pgns) === String(peer.knowledge[key])) return;
    peer.knowledge[key] = pgns;
    this.#change(source, arrived);
  }

  #devices(): DeviceList {
    const peers = [...this.#peers].map(([addr, { name = 0n }]) => ({ addr, name })).sort((a, b) => a.addr - b.addr);
    return { count: peers.length, peers };
  }

  #information(addr: number): DeviceInformation | undefined {
    const peer = this.#peers.get(addr);
    if (peer?.name === undefined) return undefined;
    const { name, knowledge } = peer;
    const { product, transmits, receives } = knowledge;
    const titled = (pgns: readonly number[] | undefined) => pgns?.map((id) => ({ id, name: titleOf(id) }));
    return {
      addr,
      name,
      ...describeName(name),
      productInfo: product && { ...product, productName: product.modelId },
      txPgns: titled(transmits),
      rxPgns: titled(receives),
      friendlyName: this.#options.friendlyNameOf?.(name),
    };
  }
}

/**
 * Counts packets of one network by device and by stream, and keeps the information that devices send about themselves.
 * It is in the path of every packet: a packet costs an index by its PGN, one by its sender, and a few additions;
 * `advance` does everything else once a second.
 */
import { GLOBAL_ADDRESS, NULL_ADDRESS } from "../can/can-id.ts";
import { addressOnNetwork } from "../can/networks.ts";
import { bitsOnWire, framesOf } from "../can/wire-load.ts";
import { readDeviceName } from "../n2k/device-name.ts";
import { heartbeat, isoAddressClaim, isoRequest, pgnList, productInformation } from "../n2k/pgns/system.ts";
import type { Packet } from "../ports/packet-batch.ts";
import { Claims } from "./claims.ts";
import { AWAY_MS, Device } from "./device.ts";
import type { Span } from "./span.ts";
import { type Kind, kindOf, Stream } from "./stream.ts";

/** PGNs have 18 bits. */
const PGNS = 0x40000;
/**
 * Maximum streams, because a bus may use every PGN, address and key; packets of other streams count for their devices
 * alone.
 */
const MAX_STREAMS = 4096;
const MAX_PGNS = 1024;
const FORGET_STREAM_MS = 600_000;
/** Silence beside others after which a device is forgotten: a day later the findings still say that it is gone. */
const FORGET_DEVICE_MS = 86_400_000;

/** Bits of a single frame by its length. */
const singleBits = Float64Array.from({ length: 9 }, (_, length) => bitsOnWire(1, length));
const FRAME_BYTES = 8;

const bitsOf = (transport: number, length: number): number => {
  if (transport === 0 && length <= FRAME_BYTES) return singleBits[length]!;
  const frames = framesOf(transport, length);
  return bitsOnWire(frames, frames * FRAME_BYTES);
};

/** A PGN with the first stream of each sender. */
interface Row {
  readonly kind: Kind;
  readonly heads: (Stream | undefined)[];
}

const managed: ReadonlySet<number> = new Set([
  isoAddressClaim.pgn,
  isoRequest.pgn,
  productInformation.pgn,
  heartbeat.pgn,
  pgnList.pgn,
]);

export class Traffic {
  /** Devices by address, with those that have gone or moved recently. */
  readonly devices = new Map<number, Device>();
  readonly claims = new Claims();
  readonly #sensors: ReadonlySet<number>;
  /** Place in `#rows` by PGN; 0: none yet. */
  readonly #places = new Uint16Array(PGNS);
  readonly #rows: Row[] = [{ kind: kindOf(0, new Set()), heads: [] }];
  #all: Stream[] = [];
  /** Monotonic time of the last packet; undefined before the first. */
  last: number | undefined;
  /** The last time in which nothing was heard for long, to the observation before the packet that ended it. */
  #lastPause: Span = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  /** Longest silence of the whole bus in the current second, and in each second before. */
  #pause = 0;
  readonly #pauses: { readonly at: number; readonly pause: number }[] = [];
  /** Bits of all packets so far. */
  bits = 0;

  /** `sensors`: PGNs whose values are compared. */
  constructor(sensors: ReadonlySet<number>) {
    this.#sensors = sensors;
  }

  hear(packet: Packet): void {
    const { pgn, arrived } = packet;
    const source = addressOnNetwork(packet.source);
    const row = this.#rows[this.#places[pgn]!]!;
    let stream = row.heads[source];
    if (stream === undefined || row.kind.key !== undefined) {
      stream = this.#find(packet);
      if (stream === undefined) return;
    }
    const gap = arrived - stream.last;
    stream.count++;
    stream.intervals++;
    stream.bits += this.#count(packet, stream.device);
    stream.last = arrived;
    stream.squares += gap * gap;
    if (gap > stream.longest) stream.longest = gap;
    if (arrived >= stream.sampleAt) stream.take(packet.bytes, packet.at, packet.end, arrived, packet.received);
  }

  /** Entries held in memory: streams and devices. */
  get kept(): number {
    return this.#all.length + this.devices.size + this.claims.kept;
  }

  /** Devices at the address that they have claimed last; what has moved is the device there. */
  settled(): readonly Device[] {
    return [...this.devices.values()].filter(({ hasMoved }) => !hasMoved);
  }

  /** The streams of these devices. */
  streams(): readonly Stream[] {
    return this.#all.filter(({ device }) => !device.hasMoved);
  }

  /** The streams of these devices with a PGN. */
  *streamsOf(pgn: number): Generator<Stream> {
    const place = this.#places[pgn]!;
    if (place === 0) return;
    for (const head of this.#rows[place]!.heads)
      for (let stream = head; stream !== undefined; stream = stream.next) if (!stream.device.hasMoved) yield stream;
  }

  /** Counts a request that hub itself has sent, because it does not receive its own frames. */
  noteRequest(destination: number, pgn: number, now: number): void {
    this.claims.noteRequest(destination, pgn, now);
    if (destination !== GLOBAL_ADDRESS) this.devices.get(destination)?.noteRequest(pgn, now);
  }

  /** Closes windows, and forgets streams and devices that have been silent for long. */
  advance(now: number): void {
    this.#pauses.push({ at: now, pause: this.#pause });
    if (this.#pauses.length > 150) this.#pauses.shift();
    this.#pause = 0;
    if (this.last !== undefined && now - this.last > AWAY_MS) this.#lastPause = { from: this.last, to: now };
    for (const device of this.devices.values()) {
      device.advance(now);
      if (this.silenceOf(device) > FORGET_DEVICE_MS) this.devices.delete(device.address);
    }
    let isForgotten = false;
    for (const stream of this.#all) {
      stream.closeWindow(now, this.#longestPause);
      isForgotten ||= now - stream.last > FORGET_STREAM_MS;
    }
    if (isForgotten) this.#keepStreams(({ last }) => now - last <= FORGET_STREAM_MS);
    this.claims.advance(now, this.devices);
  }

  #keepStreams(isKept: (stream: Stream) => boolean): void {
    this.#all = this.#all.filter(isKept);
    for (const { heads } of this.#rows) heads.fill(undefined);
    for (const [place, stream] of this.#all.entries()) {
      stream.place = place;
      const { heads } = this.#rows[this.#places[stream.kind.pgn]!]!;
      const { address } = stream.device;
      stream.next = heads[address];
      heads[address] = stream;
    }
  }

  /** Milliseconds for which a device has been silent while others were heard, without the last pause of the whole bus. */
  readonly silenceOf = ({ last }: Device): number => {
    const { from, to } = this.#lastPause;
    return Math.max(0, this.last! - Math.max(last, to)) + Math.max(0, from - last);
  };

  readonly #longestPause = (from: number): number => {
    let longest = 0;
    for (const { at, pause } of this.#pauses) if (at >= from && pause > longest) longest = pause;
    return longest;
  };

  /** The stream of a packet whose PGN and sender have several streams, or none yet. */
  #find(packet: Packet): Stream | undefined {
    const { pgn, arrived } = packet;
    const source = addressOnNetwork(packet.source);
    this.last ??= arrived;
    if (source >= NULL_ADDRESS) {
      if (pgn === isoAddressClaim.pgn) this.#hearClaim(packet, undefined);
      else if (pgn === isoRequest.pgn) this.#hearRequest(packet, undefined);
      return undefined;
    }
    const device = this.#deviceAt(packet);
    if (managed.has(pgn)) {
      this.#hearManaged(packet, device);
      // A claim may have given the address to another device: it is a packet of that one.
      const sender = this.#deviceAt(packet);
      sender.managed++;
      return this.#countAlone(packet, sender);
    }
    let place = this.#places[pgn]!;
    if (place === 0) {
      if (this.#rows.length >= MAX_PGNS) return this.#countAlone(packet, device);
      place = this.#rows.length;
      this.#rows.push({ kind: kindOf(pgn, this.#sensors), heads: [] });
      this.#places[pgn] = place;
    }
    const { kind, heads } = this.#rows[place]!;
    const key = kind.key === undefined ? 0 : keyOf(kind.key, packet);
    let stream = heads[source];
    while (stream !== undefined && stream.key !== key) stream = stream.next;
    if (stream !== undefined) return stream;
    if (this.#all.length >= MAX_STREAMS) return this.#countAlone(packet, device);
    stream = new Stream(kind, device, key, arrived);
    // The message that begins it ends no interval.
    stream.intervals = -1;
    stream.next = heads[source];
    heads[source] = stream;
    stream.place = this.#all.push(stream) - 1;
    return stream;
  }

  #deviceAt({ source: address, arrived, incomplete }: Packet): Device {
    const source = addressOnNetwork(address);
    const known = this.devices.get(source);
    if (known !== undefined) return known;
    const device = new Device(source, arrived, incomplete);
    this.devices.set(source, device);
    return device;
  }

  /** Counts a packet for its device and the bus; returns its bits. */
  #count({ transport, at, end, arrived, incomplete }: Packet, device: Device): number {
    const bits = bitsOf(transport, end - at);
    device.last = arrived;
    device.packets++;
    device.bits += bits;
    device.incomplete = incomplete;
    if (framesOf(transport, end - at) > 1) device.long++;
    this.bits += bits;
    this.#pause = Math.max(this.#pause, arrived - this.last!);
    this.last = arrived;
    return bits;
  }

  /** Counts a packet without a stream. */
  #countAlone(packet: Packet, device: Device): undefined {
    this.#count(packet, device);
    return undefined;
  }

  #hearManaged(packet: Packet, device: Device): void {
    const { pgn, bytes, at, end, arrived } = packet;
    if (pgn === isoAddressClaim.pgn) this.#hearClaim(packet, device);
    else if (pgn === isoRequest.pgn) this.#hearRequest(packet, device);
    else if (pgn === heartbeat.pgn) device.hearHeartbeat(bytes, at, end, arrived);
    else if (pgn === pgnList.pgn) device.hearList(bytes, at, end);
    else {
      device.noteAnswer(pgn);
      device.hearProduct(bytes, at, end);
    }
  }

  #hearClaim({ source: address, bytes, at, end, arrived }: Packet, device: Device | undefined): void {
    const source = addressOnNetwork(address);
    const name = readDeviceName(bytes, at, end);
    if (name === undefined) return;
    device?.noteAnswer(isoAddressClaim.pgn);
    const hadMoved = device?.hasMoved;
    this.claims.hear(name, source, arrived, this.devices);
    if (device === undefined) return;
    if (device.name === undefined) device.setName(name);
    if (device.name === name) {
      if (hadMoved) this.#forgetStreams(source);
      return;
    }
    const isContended = this.claims.contests.has(source);
    const isDefended = isContended && device.rival?.name === name;
    const next = isDefended ? device.rival! : new Device(source, arrived, device.incomplete);
    if (isDefended) next.resume(arrived, device.incomplete);
    else next.setName(name);
    next.rival = isContended ? device : undefined;
    device.rival = undefined;
    this.#replaceDevice(next);
  }

  /** Another device has the address of one: what is known of the first is not of the second. */
  #replaceDevice(device: Device): void {
    this.devices.set(device.address, device);
    this.#forgetStreams(device.address);
  }

  #forgetStreams(address: number): void {
    // Claims may come a thousand times a second: only the streams of the device are looked at.
    for (const { heads } of this.#rows) {
      let stream = heads[address];
      if (stream === undefined) continue;
      heads[address] = undefined;
      for (; stream !== undefined; stream = stream.next) this.#remove(stream);
    }
  }

  /** The last stream takes its place in the list. */
  #remove({ place }: Stream): void {
    const last = this.#all.pop()!;
    if (last.place === place) return;
    last.place = place;
    this.#all[place] = last;
  }

  #hearRequest({ source: address, destination, bytes, at, end, arrived }: Packet, device: Device | undefined): void {
    if (end - at < 3) return;
    const pgn = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    this.noteRequest(destination, pgn, arrived);
    if (device !== undefined && addressOnNetwork(address) !== destination) device.requests.note(arrived);
  }
}

/** The bits of a key as one number; those beyond the end of a short payload are ones, as in `stream-key.ts`. */
function keyOf(bits: NonNullable<Kind["key"]>, { bytes, at, end }: Packet): number {
  let key = 0;
  for (const [byte, mask] of bits)
    key = (Math.imul(key, 257) + (at + byte < end ? bytes[at + byte]! & mask : mask)) | 0;
  return key;
}

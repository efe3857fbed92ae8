/**
 * The networks of the boat and their devices: they claim addresses and defend them by ISO 11783-5, answer requests, say
 * what their instruments measure, and other messages with fields at random.
 */
import fc from "fast-check";
import { fromCanId, GLOBAL_ADDRESS } from "../../src/core/can/can-id.ts";
import { NETWORK_ADDRESSES } from "../../src/core/can/networks.ts";
import type { Span } from "../../src/core/findings/span.ts";
import { deviceNameBytes, readDeviceName } from "../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { definitions } from "../../src/core/n2k/pgns/index.ts";
import { isoAddressClaim, isoRequest, productInformation } from "../../src/core/n2k/pgns/system.ts";
import type { PacketBatch } from "../../src/core/ports/packet-source.ts";
import { messages } from "../core/n2k/messages.ts";
import { furtherNetworks, rolesOf } from "./protocols.ts";
import { payloadOf, roleOf, type Truth } from "./roles.ts";
import type { DeviceScript, Noise } from "./script.ts";
import type { ProgramClock, VirtualClock } from "./virtual-clock.ts";

/** Time in which a device answers. */
const ANSWER_MS = 20;
/** Messages at random of a stream, which come again and again. */
const VARIANTS = 5;

/** Time after which hub-cand has no value of a silent device. */
const EXPIRES_MS = 15_000;

/** From this address on the first network has no device, but other ships and floods. */
export const NO_DEVICE = 198;
export const isOfNoDevice = (place: number): boolean => place >= NO_DEVICE && place < NETWORK_ADDRESSES;

const RECORD_HEAD_BYTES = 32;
const encodeProduct = encoderOf(productInformation);

export class BusDevice {
  readonly script: DeviceScript;
  readonly name: bigint;
  address: number;
  isOn = false;
  isInDanger = false;
  /** Monotonic time since which it has been as it is, milliseconds. */
  since = 0;
  /** Time at which it came to its address: it was switched on first, or has claimed another one. */
  placedAt: number | undefined;
  /** From when to when it has had an address before, the last time. */
  readonly stays = new Map<number, Span>();
  /** Time at which its danger began or ended. */
  dangerSince = 0;
  /** Time at which hub-cand could last hear its claim. */
  claimedAt = Number.NEGATIVE_INFINITY;
  /**
   * Milliseconds for which it was at its address before it was switched off; 0: since then it has been given another one,
   * or another device has had its address.
   */
  wasThereMs = 0;
  /** hub-cand knows its NAME, as of the last look at `devices`. */
  isNamed = false;
  /** Time of its last move while hub-cand did not know its NAME: it is another device then. */
  movedUnnamedAt = Number.NEGATIVE_INFINITY;
  /** Time at which it came back after so long a time that its values had expired. */
  backAt = Number.NEGATIVE_INFINITY;
  stopTalking = (): void => {};

  constructor(script: DeviceScript) {
    this.script = script;
    this.name = BigInt(script.name);
    this.address = script.address;
  }

  /** Its address among those of all networks. */
  get place(): number {
    return this.script.network * NETWORK_ADDRESSES + this.address;
  }

  get usesOtherProtocol(): boolean {
    return this.script.network in rolesOf;
  }

  /** The model in its product information, which no other device has. */
  get model(): string {
    return `Model ${this.script.id}`;
  }
}

const byPgn = new Map(definitions.map((definition) => [definition.pgn, definition]));

function payloadsAtRandom({ pgn, seed }: Noise): readonly Uint8Array[] {
  const definition = byPgn.get(pgn)!;
  const encode = encoderOf(definition) as (message: object) => Uint8Array;
  return fc.sample(messages(definition), { seed, numRuns: VARIANTS }).map((message) => encode(message));
}

export interface BusOptions {
  readonly clock: VirtualClock;
  readonly devices: readonly DeviceScript[];
  truth(): Truth;
  /** Takes each packet, of a network that is up. */
  deliver(batch: PacketBatch, network: number): void;
  /** An instrument of another protocol speaks, or claims its address. */
  speak(device: BusDevice): void;
  claim(device: BusDevice): void;
}

export class Bus {
  readonly devices: readonly BusDevice[];
  /** Of each network. */
  readonly isUp: boolean[] = [true, ...furtherNetworks.map(() => true)];
  readonly #options: BusOptions;
  readonly #timers: ProgramClock;

  constructor(options: BusOptions) {
    this.#options = options;
    this.#timers = options.clock.program();
    this.devices = options.devices.map((script) => new BusDevice(script));
  }

  start(): void {
    for (const device of this.devices) if (device.script.isOn) this.switchOn(device);
  }

  switchOn(device: BusDevice): void {
    const { script } = device;
    device.isOn = true;
    const { now } = this.#options.clock;
    if (now - device.since > EXPIRES_MS) device.backAt = now;
    device.since = now;
    device.placedAt ??= now;
    this.#claim(device);
    const { role, instance, noise } = script;
    const stops: (() => void)[] = [];
    const every = (milliseconds: number, talk: () => void): void => {
      // Devices do not speak in step.
      const offset = (script.id * 37) % milliseconds;
      stops.push(
        this.#timers.after(offset, () => {
          stops.push(this.#timers.every(milliseconds, talk));
        }),
      );
    };
    if (role !== undefined) {
      const { everyMs, says } = roleOf(role);
      every(everyMs, () => {
        if (device.usesOtherProtocol) this.#options.speak(device);
        else
          for (const saying of says(instance, this.#options.truth(), device.isInDanger))
            this.#send(device, saying.pgn, payloadOf(saying));
      });
    }
    for (const each of noise) {
      const payloads = payloadsAtRandom(each);
      let next = 0;
      every(each.everyMs, () => this.#send(device, each.pgn, payloads[next++ % payloads.length]!));
    }
    device.stopTalking = () => {
      for (const stop of stops) stop();
    };
  }

  switchOff(device: BusDevice): void {
    device.stopTalking();
    device.isOn = false;
    device.wasThereMs = this.#options.clock.now - device.since;
    device.since = this.#options.clock.now;
  }

  /** The device claims another address. */
  move(device: BusDevice, address: number): void {
    if (device.usesOtherProtocol) return;
    this.#place(device, address);
    this.#claimAnew(device);
  }

  swap(one: BusDevice, other: BusDevice): void {
    if (one.script.network !== other.script.network || one.usesOtherProtocol) return;
    const { address } = one;
    this.#place(one, other.address);
    this.#place(other, address);
    for (const device of [one, other]) this.#claimAnew(device);
  }

  #place(device: BusDevice, address: number): void {
    if (device.address === address) return;
    const { now } = this.#options.clock;
    device.stays.set(device.place, { from: device.placedAt ?? now, to: now });
    device.placedAt = now;
    device.address = address;
  }

  /** A device that is off claims its address when it is switched on; it has been silent since it was switched off. */
  #claimAnew(device: BusDevice): void {
    device.wasThereMs = 0;
    if (!device.isOn) return;
    device.since = this.#options.clock.now;
    if (!device.isNamed) device.movedUnnamedAt = device.since;
    this.#claim(device);
  }

  /** Hears a frame that hub-cand sends: a request, or its claim of an address. */
  hear(id: number, data: Uint8Array): boolean {
    if (!this.isUp[0]) return false;
    const { pgn, source, destination } = fromCanId(id);
    const on = this.devices.filter(({ isOn, script }) => isOn && script.network === 0);
    if (pgn === isoRequest.pgn) {
      const requested = data[0]! | (data[1]! << 8) | (data[2]! << 16);
      for (const device of on)
        if (destination === GLOBAL_ADDRESS || destination === device.address)
          this.#timers.after(ANSWER_MS + device.script.id, () => this.#answer(device, requested));
    }
    const name = pgn === isoAddressClaim.pgn ? readDeviceName(data, 0, data.length) : undefined;
    // The answer comes later: hub-cand is still sending.
    if (name !== undefined)
      this.#timers.after(ANSWER_MS, () => {
        for (const device of on) if (device.isOn && device.address === source) this.#contest(device, name);
      });
    return true;
  }

  /** Messages of a network from any address, which no device has said. */
  say(source: number, pgn: number, payload: Uint8Array): void {
    this.#deliver(source, pgn, payload, 0);
  }

  #answer(device: BusDevice, requested: number): void {
    if (!device.isOn) return;
    if (requested === isoAddressClaim.pgn) this.#send(device, requested, deviceNameBytes(device.name));
    if (requested !== productInformation.pgn) return;
    const product = { nmeaVersion: 2100, productCode: device.script.id, modelId: device.model, certLevel: 1 };
    this.#send(device, requested, encodeProduct({ pgn: requested, ...product } as Parameters<typeof encodeProduct>[0]));
  }

  #claim(device: BusDevice): void {
    if (device.usesOtherProtocol) {
      this.#options.claim(device);
      return;
    }
    this.#send(device, isoAddressClaim.pgn, deviceNameBytes(device.name));
    for (const other of this.devices) {
      if (other === device || other.place !== device.place) continue;
      if (other.isOn) this.#contest(other, device.name, device);
      else other.wasThereMs = 0;
    }
  }

  /** The address of a device is claimed by another NAME: the lower one has it. */
  #contest(device: BusDevice, name: bigint, rival?: BusDevice): void {
    if (device.name < name) {
      this.#send(device, isoAddressClaim.pgn, deviceNameBytes(device.name));
      if (rival !== undefined) this.move(rival, this.#freeAddress(rival));
    } else this.move(device, this.#freeAddress(device));
  }

  #freeAddress({ script }: BusDevice): number {
    const taken = new Set(
      this.devices.filter((each) => each.script.network === script.network).map((each) => each.address),
    );
    let address = 130;
    while (taken.has(address)) address++;
    return address;
  }

  #send(device: BusDevice, pgn: number, payload: Uint8Array): void {
    const { address, script } = device;
    if (pgn === isoAddressClaim.pgn && this.isUp[script.network]) device.claimedAt = this.#options.clock.now;
    this.#deliver(address, pgn, payload, script.network);
  }

  #deliver(source: number, pgn: number, payload: Uint8Array, network: number): void {
    const { clock, deliver } = this.#options;
    if (!this.isUp[network]) return;
    const buffer = new ArrayBuffer(RECORD_HEAD_BYTES + ((payload.length + 7) & ~7));
    const [view, bytes] = [new DataView(buffer), new Uint8Array(buffer)];
    view.setFloat64(0, clock.wall * 1000, true);
    view.setFloat64(8, clock.now * 1000, true);
    view.setUint32(16, pgn, true);
    view.setUint16(20, payload.length, true);
    bytes.set([source, GLOBAL_ADDRESS, 3, payload.length > 8 ? 1 : 0], 22);
    bytes.set(payload, RECORD_HEAD_BYTES);
    deliver({ bytes, length: bytes.length }, network);
  }
}

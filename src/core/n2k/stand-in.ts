/**
 * Devices in the place of senders that are not on a bus: a talker of NMEA 0183, a sensor that publishes by MQTT. NAME
 * and address are made from texts, so that they are the same after a restart, unless two senders would have the same
 * address.
 */
import { deviceName, deviceNameBytes, namePartsOf } from "./device-name.ts";
import { NO_MANUFACTURER } from "./no-manufacturer.ts";
import { isoAddressClaim, productInformation } from "./pgns/system.ts";
import { type Said, say } from "./said.ts";

/** Addresses that devices can have. */
const ADDRESSES = 252;
/** Interval at which a device tells its NAME again, which is below the silence after which a device is gone. */
const INTRODUCED_EVERY_SEC = 60;

/** A number of 32 bits for a text (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  // The last characters of the text reach the low bits only.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The NAME of a device in the place of a sender that a text identifies. */
export const standInName = (identity: string, codes: { readonly classCode: number; readonly functionCode: number }) =>
  deviceName({
    ...codes,
    identityNumber: hashOf(identity) & 0x1fffff,
    manufacturerCode: NO_MANUFACTURER,
    ecuInstance: 0,
    functionInstance: 0,
    vehicleSystemInstance: 0,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });

/** Whether a NAME is one that hub has made: its device may say its own later. */
export const isStandInName = (name: bigint): boolean => namePartsOf(name).manufacturerCode === NO_MANUFACTURER;

export class StandIn {
  readonly address: number;
  readonly #introduction: readonly Said[];
  #introducedAt = Number.NEGATIVE_INFINITY;

  constructor(address: number, introduction: readonly Said[]) {
    this.address = address;
    this.#introduction = introduction;
  }

  /** NAME and product information, if they are due at a time in seconds. */
  introduction(nowSec: number): readonly Said[] {
    if (nowSec - this.#introducedAt < INTRODUCED_EVERY_SEC) return [];
    this.#introducedAt = nowSec;
    return this.#introduction;
  }
}

export interface StandInOptions {
  /** Texts of which the address and the NAME are made. */
  readonly address: string;
  readonly name: string;
  /** Texts of the NAMEs that the sender had or may have at another time. */
  readonly otherNames?: readonly string[];
  readonly classCode: number;
  readonly functionCode: number;
  readonly product: Parameters<typeof say<typeof productInformation>>[1];
}

/** The devices of a network; there are fewer than addresses. */
export class StandIns {
  readonly #addresses = new Set<number>();

  create({ address: text, name, otherNames = [], classCode, functionCode, product }: StandInOptions): StandIn {
    let address = hashOf(text) % ADDRESSES;
    while (this.#addresses.has(address)) address = (address + 1) % ADDRESSES;
    this.#addresses.add(address);
    const names = [name, ...otherNames].map((identity) => standInName(identity, { classCode, functionCode }));
    const payload = Uint8Array.from(names.flatMap((each) => [...deviceNameBytes(each)]));
    const claim = { pgn: isoAddressClaim.pgn, payload };
    return new StandIn(address, [claim, ...say(productInformation, product)]);
  }
}

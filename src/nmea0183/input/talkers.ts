/**
 * The talkers of a connection as devices. The NAME of a talker is made from the URL of the connection, the source in the
 * tag block and the letters of the talker, so that it is the same after a restart; so is its address, unless two
 * talkers would have the same one.
 */
import { deviceName, deviceNameBytes } from "../../n2k/device-name.ts";
import { isoAddressClaim, productInformation } from "../../n2k/pgns/system.ts";
import { Memory } from "./memory.ts";
import { type Said, say } from "./said.ts";

/** Maximum talkers of a connection; boats have a handful. */
export const MAX_TALKERS = 40;
/** Addresses that devices can have. */
const ADDRESSES = 252;
/** Code of no manufacturer, as hub's own node has it. */
const NO_MANUFACTURER = 2046;
/** Interval at which a talker tells its NAME again, which is below the silence after which a device is gone. */
const INTRODUCED_EVERY_SEC = 60;

/** Class and function of a device by its talker; others are gateways of NMEA 0183. */
const functions: Readonly<Record<string, readonly [classCode: number, functionCode: number]>> = {
  ...Object.fromEntries(["GP", "GN", "GL", "GA", "GB", "GQ", "BD"].map((talker) => [talker, [60, 145]])),
  ...Object.fromEntries(["AI", "AB", "BS", "SA"].map((talker) => [talker, [70, 140]])),
  CD: [70, 150],
  ...Object.fromEntries(["HC", "HE", "HN"].map((talker) => [talker, [60, 140]])),
  SD: [60, 130],
  VW: [60, 155],
  TI: [60, 160],
  WI: [85, 130],
};
const NMEA_0183_GATEWAY = [25, 135] as const;

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  // The last characters of the text reach the low bits only.
  return (hash ^ (hash >>> 15)) >>> 0;
}

export class Talker {
  readonly address: number;
  readonly memory = new Memory();
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

export class Talkers {
  readonly #url: string;
  readonly #talkers = new Map<string, Talker>();
  readonly #addresses = new Set<number>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Undefined if there are too many. */
  of(letters: string, source: string): Talker | undefined {
    const key = `${source} ${letters}`;
    let talker = this.#talkers.get(key);
    if (talker === undefined && this.#talkers.size < MAX_TALKERS) {
      talker = this.#create(letters, source);
      this.#talkers.set(key, talker);
    }
    return talker;
  }

  #create(letters: string, source: string): Talker {
    const hash = hashOf(`${this.#url} ${source} ${letters}`);
    let address = hashOf(`${source} ${letters}`) % ADDRESSES;
    while (this.#addresses.has(address)) address = (address + 1) % ADDRESSES;
    this.#addresses.add(address);
    const [classCode, functionCode] = functions[letters] ?? NMEA_0183_GATEWAY;
    const name = deviceName({
      identityNumber: hash & 0x1fffff,
      manufacturerCode: NO_MANUFACTURER,
      ecuInstance: 0,
      functionInstance: 0,
      functionCode,
      classCode,
      vehicleSystemInstance: 0,
      industryGroupCode: 4,
      arbitraryAddressCapable: true,
    });
    const product = say(productInformation, {
      modelId: `NMEA 0183 ${letters}`,
      modelVersion: source,
      serialNumber: this.#url.slice(0, 32),
    });
    return new Talker(address, [{ pgn: isoAddressClaim.pgn, payload: deviceNameBytes(name) }, ...product]);
  }
}

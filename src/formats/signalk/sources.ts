/**
 * The devices of the bus as sources of Signal K: `can0.c0788c00e7e04312` has the NAME of a device in hexadecimal
 * digits.
 */
import type { NamedThing } from "../../core/n2k/thing.ts";
import type { DeviceInformation } from "../../core/topics/device-reports.ts";

/** A NAME in decimal digits, as the navigation report has it. */
export type NameDigits = string;

/** A report in which NAMEs are texts, because a double does not hold 64 bits. */
type WithNameAsText<Data> = Omit<Data, "name"> & { readonly name: NameDigits };

export interface Peers {
  readonly peers: readonly { readonly addr: number; readonly name: NameDigits }[];
}

export type Information = WithNameAsText<DeviceInformation>;

/** A device as the tree shows it. */
interface Device {
  readonly n2k: Readonly<Record<string, string | number>>;
}

const HEX_DIGITS = 16;

/** The NAME in hexadecimal digits; undefined for 0, an unknown NAME. Throws TypeError for text that is not a NAME. */
function hexOf(digits: NameDigits): string | undefined {
  if (!/^\d{1,20}$/.test(digits)) throw new TypeError("not a NAME");
  const name = BigInt(digits);
  return name === 0n ? undefined : name.toString(16).padStart(HEX_DIGITS, "0");
}

/** The address of what hub-link says itself, on no bus: the null address of ISO 11783-5, which no device has. */
export const HUB_ADDRESS = 254;

/** Maximum NAMEs, above the devices of a bus. */
const MAX_NAMED = 256;

const MAX_LENGTH = 250;

/** Whether a member of the information about a device is known. */
const isTold = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= MAX_LENGTH);

export class Sources {
  /** Devices and texts that were left out, because they were too many or too long. */
  leftOut = 0;
  readonly #label: string;
  readonly #names = new Map<number, string>();
  readonly #devices = new Map<string, Device>();
  /** Names of the things of each device. */
  readonly #things = new Map<string, readonly NamedThing[]>();
  /** `$source` by the NAMEs in reports; each report has several. */
  readonly #named = new Map<NameDigits, string>();

  readonly #onNamed: (renamed: ReadonlyMap<string, string>) => void;

  /**
   * `label` is the first part of the names of the sources. `onNamed` is called when the NAMEs of devices become known
   * that have sent before: what they were called, and what they are called.
   */
  constructor(label: string, onNamed: (renamed: ReadonlyMap<string, string>) => void = () => {}) {
    this.#label = label.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    this.#onNamed = onNamed;
  }

  /** Takes the list of devices, with the NAME at each address. */
  hearDevices({ peers }: Peers): void {
    const before = new Map(this.#names);
    this.#names.clear();
    this.leftOut += Math.max(0, peers.length - MAX_NAMED);
    for (const { addr, name } of peers.slice(0, MAX_NAMED)) {
      const hex = hexOf(name);
      if (hex !== undefined) this.#names.set(addr, hex);
    }
    const present = new Set(this.#names.values());
    for (const kept of [this.#devices, this.#things])
      for (const name of kept.keys()) if (!present.has(name)) kept.delete(name);
    this.#tellNamed([...this.#names.keys()].filter((address) => !before.has(address)));
  }

  #tellNamed(addresses: readonly number[]): void {
    if (addresses.length === 0) return;
    this.#onNamed(new Map(addresses.map((address) => [`${this.#label}.${address}`, this.at(address)])));
  }

  /** Takes the information that a device has sent about itself. */
  hearInformation({ name, addr, productInfo = {}, names = [], ...device }: Information): void {
    const canName = hexOf(name);
    if (canName === undefined) return;
    if (this.#devices.size >= MAX_NAMED && !this.#devices.has(canName)) {
      this.leftOut += 1;
      return;
    }
    const isNew = !this.#names.has(addr);
    this.#names.set(addr, canName);
    if (isNew) this.#tellNamed([addr]);
    const n2k = this.#known({
      src: String(addr),
      manufacturerId: device.manufacturerCode,
      manufacturerName: device.manufacturer,
      uniqueId: device.identityNumber,
      deviceFunction: device.functionCode,
      deviceClass: device.classCode,
      productID: productInfo.productCode,
      productName: productInfo.modelId,
      softwareVersion: productInfo.softwareVersion,
      serialNumber: productInfo.serialNumber,
    });
    this.#devices.set(canName, { n2k });
    this.#things.set(canName, names);
  }

  /** The names that the crew gave to the things of the device at an address. */
  namesAt(address: number): readonly NamedThing[] | undefined {
    const name = this.#names.get(address);
    return name === undefined ? undefined : this.#things.get(name);
  }

  /** The known members of the information about a device. */
  #known(members: Readonly<Record<string, unknown>>): Device["n2k"] {
    const told = Object.entries(members).filter(([, value]) => value !== undefined);
    const some = told.filter((entry): entry is [string, string | number] => isTold(entry[1]));
    this.leftOut += told.length - some.length;
    return Object.fromEntries(some);
  }

  /** `$source` of the device at an address: by its NAME, or by the address while the NAME is unknown. */
  at(address: number): string {
    if (address === HUB_ADDRESS) return "hub.course";
    return `${this.#label}.${this.#names.get(address) ?? address}`;
  }

  /** The manufacturer code of the device at an address, 11 bits of its NAME; undefined while the NAME is unknown. */
  manufacturerAt(address: number): number | undefined {
    const name = this.#names.get(address);
    return name === undefined ? undefined : Number((BigInt(`0x${name}`) >> 21n) & 0x7ffn);
  }

  /** `$source` of a device by its NAME; the bus alone while the NAME is unknown. */
  named(digits: NameDigits): string {
    let source = this.#named.get(digits);
    if (source === undefined) {
      const hex = hexOf(digits);
      source = hex === undefined ? this.#label : `${this.#label}.${hex}`;
      if (this.#named.size >= MAX_NAMED) this.#named.clear();
      this.#named.set(digits, source);
    }
    return source;
  }

  /** `$source` of a series of the history, by the tags of its device; without them hub has chosen the source. */
  ofTags(name: string | undefined, address: string | undefined): string {
    if (name !== undefined && /^\d{1,20}$/.test(name)) return this.named(name);
    return address === undefined ? "hub" : `${this.#label}.${address}`;
  }

  /** `sources` of the tree. */
  tree(): Readonly<Record<string, unknown>> {
    return {
      [this.#label]: { label: this.#label, type: "NMEA2000", ...Object.fromEntries(this.#devices) },
      hub: { label: "hub", type: "hub", ais: {}, alarms: {}, course: {}, findings: {} },
    };
  }
}

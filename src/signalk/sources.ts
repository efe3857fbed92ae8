/** The devices of the bus as sources of Signal K: `can0.c0788c00e7e04312`, a device by its NAME in hexadecimal digits. */
import type { DeviceInformation } from "../bridge/device-reports.ts";

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

/** The NAME in hexadecimal digits; undefined while it is unknown, which is 0. */
function hexOf(digits: NameDigits): string | undefined {
  const name = BigInt(digits);
  return name === 0n ? undefined : name.toString(16).padStart(HEX_DIGITS, "0");
}

/** More than a bus can have. */
const MAX_NAMED = 256;

/** Members without those that a device does not tell. */
const known = (members: Readonly<Record<string, string | number | undefined>>): Device["n2k"] =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );

export class Sources {
  readonly #label: string;
  readonly #names = new Map<number, string>();
  readonly #devices = new Map<string, Device>();
  /** `$source` of the NAMEs that reports have; each report has several. */
  readonly #named = new Map<NameDigits, string>();

  /** `label` is the first part of the names of the sources. */
  constructor(label: string) {
    this.#label = label.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  }

  /** The list of devices: which NAME is at which address. */
  hearDevices({ peers }: Peers): void {
    this.#names.clear();
    for (const { addr, name } of peers) {
      const hex = hexOf(name);
      if (hex !== undefined) this.#names.set(addr, hex);
    }
    const present = new Set(this.#names.values());
    for (const name of this.#devices.keys()) if (!present.has(name)) this.#devices.delete(name);
  }

  /** The information that a device has sent about itself. */
  hearInformation({ name, addr, productInfo = {}, ...device }: Information): void {
    const canName = hexOf(name);
    if (canName === undefined) return;
    this.#names.set(addr, canName);
    const n2k = known({
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
  }

  /** `$source` of the device at an address: by its NAME, by the address while that is unknown. */
  at(address: number): string {
    return `${this.#label}.${this.#names.get(address) ?? address}`;
  }

  /** `$source` of a device by its NAME; the bus alone while it is unknown. */
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

  /** `sources` of the tree. */
  tree(): Readonly<Record<string, unknown>> {
    return {
      [this.#label]: { label: this.#label, type: "NMEA2000", ...Object.fromEntries(this.#devices) },
      hub: { label: "hub", type: "hub", ais: {}, alarms: {} },
    };
  }
}

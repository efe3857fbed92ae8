/**
 * The senders on the bus: a device is identified by its NAME, or by its address while the NAME is unknown. A device
 * whose NAME becomes known, also in place of one that was made for it, or that moves to another address, stays the same
 * device and keeps its sources.
 */
import { MAX_NAMES } from "../n2k/device-name.ts";
import { isStandInName } from "../n2k/stand-in.ts";

export interface Device {
  readonly name: bigint | undefined;
  /** The NAME in decimal digits, "0" while unknown. */
  readonly digits: string;
  /** Position in the order in which devices were first heard. */
  readonly order: number;
  /** The address from which it was last heard. */
  readonly address: number;
  /** Two NAMEs claim its address: it is one of them, and stands for neither until it is known which. */
  readonly isDisputed?: boolean;
  /** It stood for both until the dispute was decided: the one that has the address speaks for itself again. */
  readonly isOver?: boolean;
}

interface KnownDevice extends Device {
  name: bigint | undefined;
  isDisputed: boolean;
  isOver: boolean;
  digits: string;
  address: number;
  heardAt: number;
}

export class Devices {
  readonly #byAddress: (KnownDevice | undefined)[] = [];
  readonly #byName = new Map<bigint, KnownDevice>();
  #order = 0;

  /** The device at an address, with this NAME if it is known; a disputed address has none. */
  at(address: number, name: bigint | undefined, arrived: number, isDisputed = false): Device {
    const device = this.#find(address, name, arrived);
    const before = this.#byAddress[address];
    if (before !== undefined && before !== device) before.isOver = before.isDisputed;
    this.#byAddress[address] = device;
    device.isDisputed = isDisputed;
    device.address = address;
    device.heardAt = arrived;
    return device;
  }

  #find(address: number, name: bigint | undefined, arrived: number): KnownDevice {
    const here = this.#byAddress[address];
    if (here !== undefined && here.name === name) return here;
    const known = name === undefined ? undefined : this.#byName.get(name);
    if (known !== undefined) return known;
    const isNamedNow =
      here !== undefined && name !== undefined && (here.name === undefined || isStandInName(here.name));
    const device = isNamedNow
      ? here
      : { name, digits: "0", order: this.#order++, address, heardAt: arrived, isDisputed: false, isOver: false };
    if (name !== undefined) {
      if (device.name !== undefined) this.#byName.delete(device.name);
      device.name = name;
      device.digits = String(name);
      this.#add(name, device);
    }
    return device;
  }

  #add(name: bigint, device: KnownDevice): void {
    // The longest silent device is forgotten.
    if (this.#byName.size >= MAX_NAMES) {
      let longestSilent = device;
      for (const one of this.#byName.values()) if (one.heardAt <= longestSilent.heardAt) longestSilent = one;
      this.#byName.delete(longestSilent.name!);
    }
    this.#byName.set(name, device);
  }
}

/**
 * Who sends: a device is its NAME, or its address as long as the NAME is unknown. A device whose NAME becomes known
 * stays the same device, and so keeps its sources; one that moves to another address does too.
 */

export interface Device {
  readonly name: bigint | undefined;
  /** The NAME in decimal digits, "0" while unknown. */
  readonly digits: string;
  /** Place in the order in which devices were first heard. */
  readonly order: number;
}

export interface Devices {
  /** The device at an address that has this NAME, if any is known. */
  at(address: number, name: bigint | undefined, arrived: number): Device;
}

interface KnownDevice extends Device {
  name: bigint | undefined;
  digits: string;
  heard: number;
}

/** Twice as many as a bus has addresses: who is silent longest is forgotten first. */
const MOST_NAMES = 512;

export function createDevices(): Devices {
  const byAddress: (KnownDevice | undefined)[] = [];
  const byName = new Map<bigint, KnownDevice>();
  let order = 0;

  const remember = (name: bigint, device: KnownDevice): void => {
    if (byName.size >= MOST_NAMES) {
      let oldest = device;
      for (const one of byName.values()) if (one.heard <= oldest.heard) oldest = one;
      byName.delete(oldest.name!);
    }
    byName.set(name, device);
  };
  const find = (address: number, name: bigint | undefined, arrived: number): KnownDevice => {
    const here = byAddress[address];
    if (here !== undefined && here.name === name) return here;
    const known = name === undefined ? undefined : byName.get(name);
    if (known !== undefined) return known;
    const isNamedNow = here !== undefined && here.name === undefined;
    const device = isNamedNow ? here : { name, digits: "0", order: order++, heard: arrived };
    if (name !== undefined) {
      device.name = name;
      device.digits = String(name);
      remember(name, device);
    }
    return device;
  };
  return {
    at(address, name, arrived) {
      const device = find(address, name, arrived);
      byAddress[address] = device;
      device.heard = arrived;
      return device;
    },
  };
}

/** The readings that parts of the bridge have for one another, and the ports with which they publish. */
import type { DiskSpace } from "../../core/alarms/surroundings.ts";
import type { FindingsMonitor } from "../../core/findings/monitor.ts";
import type { FindingsData } from "../../core/findings/report.ts";
import type { Product } from "../../core/n2k/product.ts";
import type { NamedThing, Thing } from "../../core/n2k/thing.ts";
import type { AisReporter } from "../../core/nav/ais-reporter.ts";
import type { Navigator } from "../../core/nav/navigator.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import type { FurtherNetworkStatus, InterfaceStatus } from "../../core/report/interface-status.ts";
import type { Health } from "../../core/topics/health.ts";
import type { TopicsBelow } from "../../core/topics/topics.ts";
import type { BridgeCounters } from "./counters.ts";
import type { FurtherNetwork } from "./taken-networks.ts";

/** The devices on all networks. */
export interface KnownDevices {
  /** Addresses heard within the last three minutes, with their NAMEs if known, and the monotonic time of the last message. */
  readonly addresses: ReadonlyMap<number, { readonly name: bigint | undefined; readonly heard: number }>;
  /** The NAME whose values come from an address; undefined: not known, or disputed. */
  nameOf(address: number): bigint | undefined;
  /** Whether a higher NAME has claimed the address of a device that has not defended it yet. */
  isDisputed(address: number): boolean;
  /** The NAMEs by which settings may name a device, its own first; the same list until they change. */
  namesOf(name: bigint): readonly bigint[];
  /** The model of a device, from its product information. */
  modelOf(name: bigint): string | undefined;
  productOf(name: bigint): Product | undefined;
}

/** The names that the crew gave. */
export interface KnownNames {
  /** The number of changes so far. */
  readonly changes: number;
  ofDevice(name: bigint): string | undefined;
  /** The names of the things of a device; a new list after each change. */
  ofThings(name: bigint): readonly NamedThing[] | undefined;
  /** The name of a thing at a device; at any device that has one, if the NAME of the device is not known. */
  ofThing(thing: Thing, device: bigint | undefined): string | undefined;
}

/** The navigation report, and what it was chosen from. */
export type KnownNavigation = Readonly<
  Pick<Navigator, "latest" | "receivers" | "otherSounders" | "gust" | "sounderInUse" | "sounderHeardAt" | "timeOnBus">
>;

export type KnownShips = Readonly<Pick<AisReporter, "approaches" | "ownMmsis" | "sources" | "text" | "reports">>;

export interface KnownFindings {
  /** The findings that were published last. */
  readonly latest: FindingsData | undefined;
  /** See `FindingsMonitor`. */
  readonly newDevices: FindingsMonitor["newDevices"] | undefined;
}

export interface KnownInterface {
  /** The status as it was last read; undefined before the first time. */
  readonly status: InterfaceStatus | undefined;
  /** The status of each further network as it was last read. */
  readonly networks: readonly FurtherNetworkStatus[];
}

export interface KnownHealth {
  /** The health at a monotonic time in milliseconds; undefined without vitals. */
  at(now: number): Health | undefined;
}

/** Readings of parts for other parts; those of a part that is off are empty. */
export interface Knowledge {
  readonly devices: KnownDevices;
  readonly names: KnownNames;
  readonly navigation: KnownNavigation;
  readonly ships: KnownShips;
  readonly findings: KnownFindings;
  readonly interface: KnownInterface;
  readonly health: KnownHealth;
}

export interface Boat extends Knowledge {
  readonly topics: TopicsBelow;
  readonly publisher: Publisher;
  /** A log that limits the rate of its lines. */
  readonly log: Log;
  /** When a device was last heard, monotonic milliseconds; undefined: never. */
  readonly heardAt: number | undefined;
  /** See `Health`. */
  readonly clockAheadSec: number | undefined;
  /** The disk with the least space among those that hub writes to. */
  disk(): DiskSpace | undefined;
  /** Networks in addition to the first, by their numbers less one. */
  readonly networks: readonly (FurtherNetwork | undefined)[];
  /** Names of the parts that have failed within the last minutes. */
  failing(): readonly string[];
  counters(): BridgeCounters;
  /** Parts of the settings that cannot be used, at a monotonic time in milliseconds. */
  ignoredSettings(now: number): Health["ignoredSettings"];
  /** Tells all parts that hub's node has sent a request. */
  requested(destination: number, pgn: number, now: number): void;
}

/** The readings of a boat of which no part tells anything. */
export const nothingKnown: Knowledge = {
  devices: {
    addresses: new Map(),
    nameOf: () => undefined,
    isDisputed: () => false,
    namesOf: (name) => [name],
    modelOf: () => undefined,
    productOf: () => undefined,
  },
  names: { changes: 0, ofDevice: () => undefined, ofThings: () => undefined, ofThing: () => undefined },
  navigation: {
    latest: undefined,
    receivers: () => [],
    gust: () => 0,
    otherSounders: () => [],
    sounderInUse: undefined,
    sounderHeardAt: undefined,
    timeOnBus: () => undefined,
  },
  ships: { approaches: [], ownMmsis: [], sources: new Set(), text: "", reports: 0 },
  findings: { latest: undefined, newDevices: undefined },
  interface: { status: undefined, networks: [] },
  health: { at: () => undefined },
};

/** The boat as the kernel writes it. */
export type WritableBoat = { -readonly [Name in keyof Boat]: Boat[Name] };

/** A boat of which nothing has been heard yet. */
export const createBoat = (given: Omit<Boat, "heardAt" | "clockAheadSec" | "networks">): WritableBoat => ({
  heardAt: undefined,
  clockAheadSec: undefined,
  networks: [],
  ...given,
});

/** The crew's name for the device at an address, or else its model. */
export function labelOfDevice({ devices, names }: Knowledge, name: bigint | undefined): string | undefined {
  return name === undefined ? undefined : (names.ofDevice(name) ?? devices.modelOf(name));
}

/** Whether settings mean a device by a text: a NAME in decimal digits, or its label. */
export function isCalled(boat: Knowledge, name: bigint | undefined, text: string): boolean {
  if (name === undefined) return false;
  return boat.devices.namesOf(name).some((each) => String(each) === text) || labelOfDevice(boat, name) === text;
}

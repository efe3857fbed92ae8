/** The bus at one moment, as the kinds of findings read it: traffic, controller, counters, and what has been watched for long. */
import type { Definition, Message } from "../n2k/definition.ts";
import type { BusErrorKind } from "../ports/packet-source.ts";
import type { InterfaceStatus } from "../report/interface-status.ts";
import type { Differences } from "./baseline.ts";
import type { Claims } from "./claims.ts";
import type { Device } from "./device.ts";
import type { Rivalry } from "./rivalry.ts";
import type { Stream } from "./stream.ts";

/** A stream with its last sample decoded, which is not old. */
export interface Sampled<Kind extends Definition> {
  readonly stream: Stream;
  readonly device: Device;
  readonly message: Message<Kind>;
  readonly arrived: number;
  readonly received: number;
}

/** By how much counters have grown in about the last minute. */
export interface Growth {
  readonly seconds: number;
  readonly busErrors: Readonly<Record<BusErrorKind, number>>;
  /** Frames that this computer had no room for. */
  readonly lost: number;
  /** Frames of identifiers of 11 bits. */
  readonly foreign: number;
  /** Errors that the driver of the controller has counted, and restarts after BUS-OFF. */
  readonly controllerErrors: number;
  readonly restarts: number;
}

/** The load of the last ten seconds; undefined while too little was heard. */
export interface Load {
  readonly percent: number;
  /** Devices by their share, percent of the bus, the greatest first. */
  readonly shares: readonly { readonly device: Device; readonly percent: number }[];
}

export interface Bus {
  /** Monotonic, milliseconds. */
  readonly now: number;
  /** Monotonic time of the last packet; undefined before the first. */
  readonly heardAt: number | undefined;
  /** Since when this watch listens. */
  readonly startedAt: number;
  /** All that were heard in the last day. */
  readonly devices: readonly Device[];
  readonly claims: Claims;
  readonly streams: () => Iterable<Stream>;
  readonly streamsOf: (pgn: number) => Iterable<Stream>;
  /** Streams of a definition whose last sample is not old, decoded. */
  readonly sampled: <Kind extends Definition>(definition: Kind) => readonly Sampled<Kind>[];
  /** Pairs of senders of one subject. */
  readonly rivalries: readonly Rivalry[];
  readonly load: Load | undefined;
  readonly growth: Growth | undefined;
  /** Of a live bus. */
  readonly interface: InterfaceStatus | undefined;
  /** As `Health`. */
  readonly clockAheadSec: number | undefined;
  /** Since when the angle of a wind stream has not changed, while its speed has. */
  readonly stillSince: (stream: Stream) => number | undefined;
  /** Numbers at the end of their range, by stream: their names, and since when. */
  readonly atLimit: ReadonlyMap<Stream, ReadonlyMap<string, number>>;
  /** Public messages among the latest of a PGN of assumed layout, by stream. */
  readonly publicLayouts: readonly { readonly device: Device; readonly pgn: number; readonly title: string }[];
  readonly differences: Differences;
  /** How a device is called: by the crew, else its model, else its manufacturer and function, and its address. */
  readonly nameOf: (device: Device) => string;
}

/** A device is heard while it is silent for less than this. */
const HEARD_MS = 10_000;

export const isHeard = ({ last }: Device, now: number): boolean => now - last < HEARD_MS;

/** Two names. */
export const both = ({ nameOf }: Bus, one: Device, other: Device): string => `${nameOf(one)} and ${nameOf(other)}`;

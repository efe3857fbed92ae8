/**
 * The bus at one moment, as the kinds of findings read it: traffic, controller, counters, and results of longer
 * watches.
 */
import type { Definition, Message } from "../n2k/definition.ts";
import type { BusErrorKind } from "../ports/packet-source.ts";
import type { InterfaceStatus } from "../report/interface-status.ts";
import type { Differences } from "./baseline.ts";
import type { Claims } from "./claims.ts";
import type { Device } from "./device.ts";
import type { Rivalry } from "./rivalry.ts";
import type { Span } from "./span.ts";
import type { Stream } from "./stream.ts";

/** A stream with its last sample, decoded, which has not expired. */
export interface Sampled<Kind extends Definition> {
  readonly stream: Stream;
  readonly device: Device;
  readonly message: Message<Kind>;
  readonly arrived: number;
  readonly received: number;
}

/**
 * `lost`: frames for which this computer had no room; `foreign`: frames with identifiers of 11 bits; `controllerErrors` and
 * `restarts` (after BUS-OFF) as the driver of the controller counts them.
 */
export type GrowingCounter = BusErrorKind | "lost" | "foreign" | "controllerErrors" | "restarts";

/** Growth of counters in about the last minute. */
export interface Growth {
  readonly seconds: number;
  readonly of: (counter: GrowingCounter) => number;
  /** Monotonic times between which a counter has grown. */
  readonly span: (counter: GrowingCounter) => Span;
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
  /** Monotonic time since which this watch listens. */
  readonly startedAt: number;
  /** All devices that were heard in the last day, each at its present address. */
  readonly devices: readonly Device[];
  readonly claims: Claims;
  /** Devices that are gone, those in one group that have gone together (`gone.ts`). */
  readonly gone: readonly (readonly Device[])[];
  readonly streams: () => Iterable<Stream>;
  readonly streamsOf: (pgn: number) => Iterable<Stream>;
  /** Streams of a definition whose last sample has not expired, decoded. */
  readonly sampled: <Kind extends Definition>(definition: Kind) => readonly Sampled<Kind>[];
  /** Pairs of senders of one subject. */
  readonly rivalries: readonly Rivalry<Stream>[];
  readonly load: Load | undefined;
  readonly growth: Growth | undefined;
  /** Status of the interface of a live bus. */
  readonly interface: InterfaceStatus | undefined;
  /** See `Health`. */
  readonly clockAheadSec: number | undefined;
  /** Time since which the angle of a wind stream has not changed, while its speed has. */
  readonly stillSince: (stream: Stream) => number | undefined;
  /** Numbers at the end of their range, by stream: their names, and the times since which they are there. */
  readonly atLimit: ReadonlyMap<Stream, ReadonlyMap<string, number>>;
  /** Public messages among the latest of a PGN of assumed layout, by stream. */
  readonly publicLayouts: readonly { readonly device: Device; readonly pgn: number; readonly title: string }[];
  readonly differences: Differences;
  /** The name of a device: the crew's, or else its model, or else its manufacturer and function; and its address. */
  readonly nameOf: (device: Device) => string;
}

/** A device counts as heard while its silence is shorter than this. */
const HEARD_MS = 10_000;

export const isHeard = ({ last }: Device, now: number): boolean => now - last < HEARD_MS;

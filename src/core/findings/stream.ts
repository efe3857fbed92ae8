/** A stream: the messages of one PGN, sender and key, with its counters and recent payloads. */
import type { Definition } from "../n2k/definition.ts";
import { bitsOf } from "../n2k/field.ts";
import { type Bits, bitsWhere, keyNames, placedFields } from "../n2k/layout.ts";
import { definitions } from "../n2k/pgns/index.ts";
import { nominalPeriodOf } from "../n2k/public-names.ts";
import { memoize } from "../util/memoize.ts";
import type { Device } from "./device.ts";
import type { Rivalry } from "./rivalry.ts";

/** Length of a window over which a period is measured; it ends later while there are too few messages. */
const WINDOW_MS = 20_000;
const LEAST_MESSAGES = 4;
const LONGEST_WINDOW_MS = 120_000;
const MAX_WINDOWS = 8;
/** Maximum payloads that are remembered to compare two senders. */
const MAX_DIGESTS = 16;

/** The intervals of a window, milliseconds. */
export interface Intervals {
  /** Monotonic times of its first and its last message. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly mean: number;
  /** Standard deviation. */
  readonly jitter: number;
  readonly longest: number;
}

/** A PGN as the counters need it: its definition, and the bits that distinguish its streams. */
export interface Kind {
  readonly pgn: number;
  readonly definition: Definition | undefined;
  readonly nominalMs: number | undefined;
  /** Bits of the key; undefined: the PGN has one stream of each sender. */
  readonly key: readonly Bits[] | undefined;
  /** Interval of its samples, milliseconds; infinite: none is kept. */
  readonly sampleMs: number;
}

const byPgn = new Map(definitions.map((definition) => [definition.pgn, definition]));

/** Interval of samples of PGNs whose values are compared; the others are sampled less often. */
const SENSOR_SAMPLE_MS = 2000;
const SAMPLE_MS = 10_000;

/** Whether a message has the state of its sender or the boat; values of other messages are not compared. */
const isState = ({ about, event, origin }: Definition): boolean =>
  about === undefined && event === undefined && origin !== "assumed";

const hasFixedKey = ({ fields }: Definition): boolean =>
  placedFields(fields).every(({ field, bit }) => !field.key || (bit !== undefined && bitsOf(field) !== undefined));

function sampleMsOf(definition: Definition | undefined, sensors: ReadonlySet<number>): number {
  if (definition === undefined || (!isState(definition) && definition.origin !== "assumed"))
    return Number.POSITIVE_INFINITY;
  // Each frame is sampled: the public message of the PGN may be a fast packet, whose frames arrive one by one.
  if (definition.origin === "assumed") return 0;
  return sensors.has(definition.pgn) ? SENSOR_SAMPLE_MS : SAMPLE_MS;
}

export function kindOf(pgn: number, sensors: ReadonlySet<number>): Kind {
  const definition = byPgn.get(pgn);
  const isCompared = definition !== undefined && isState(definition);
  const isKeyed = isCompared && hasFixedKey(definition) && keyNames(definition).length > 0;
  return {
    pgn,
    definition,
    nominalMs: nominalPeriodOf(pgn),
    key: isKeyed ? bitsWhere(definition.fields, (field) => field.key === true) : undefined,
    sampleMs: sampleMsOf(definition, sensors),
  };
}

/** Bits with the time or the order of a message in place of values: masked out when two senders are compared. */
const countingBits = memoize((definition: Definition): Uint8Array => {
  const masks: number[] = [];
  for (const [byte, mask] of bitsWhere(definition.fields, (field) => field.counter === true)) masks[byte] = mask;
  return Uint8Array.from({ length: masks.length }, (_, byte) => masks[byte] ?? 0);
});

/** The last sample: a copy of the payload. */
export interface Sample {
  bytes: Uint8Array;
  length: number;
  /** Monotonic time, and wall clock, milliseconds. */
  arrived: number;
  received: number;
}

export class Stream {
  readonly kind: Kind;
  readonly device: Device;
  /** Bits of the key as one number. */
  readonly key: number;
  /** The next stream of the PGN and sender, which has another key. */
  next: Stream | undefined;
  /** Its place in the list of all. */
  place = 0;
  /** Messages so far. */
  count = 0;
  bits = 0;
  readonly first: number;
  /** Monotonic time of the last message, and the time from which on the next message is a sample. */
  last: number;
  sampleAt: number;
  sample: Sample | undefined;
  /** Counters of the open window. */
  from: number;
  intervals = 0;
  squares = 0;
  longest = 0;
  /** Closed windows, the latest last; and the very first window. */
  readonly windows: Intervals[] = [];
  firstWindow: Intervals | undefined;
  /** Comparisons with other senders of the same subject, and recent payloads without counters, which are compared. */
  rivalries: readonly Rivalry<Stream>[] = [];
  readonly digests: string[] = [];

  constructor(kind: Kind, device: Device, key: number, now: number) {
    this.kind = kind;
    this.device = device;
    this.key = key;
    this.first = now;
    this.last = now;
    this.from = now;
    this.sampleAt = kind.sampleMs === Number.POSITIVE_INFINITY ? kind.sampleMs : now;
  }

  /** Keeps a copy of a payload. */
  take(bytes: Uint8Array, at: number, end: number, arrived: number, received: number): void {
    // If there are other senders, each message is a sample.
    this.sampleAt = arrived + (this.rivalries.length === 0 ? this.kind.sampleMs : 0);
    const length = end - at;
    let sample = this.sample;
    if (sample === undefined || sample.bytes.length < length) {
      sample = { bytes: new Uint8Array(length), length, arrived, received };
      this.sample = sample;
    }
    for (let index = 0; index < length; index++) sample.bytes[index] = bytes[at + index]!;
    sample.length = length;
    sample.arrived = arrived;
    sample.received = received;
    this.#compare();
  }

  #compare(): void {
    const { definition } = this.kind;
    if (this.rivalries.length === 0 || this.sample === undefined || definition === undefined) return;
    const counting = countingBits(definition);
    const { bytes, length } = this.sample;
    let digest = "";
    for (let index = 0; index < length; index++) digest += String.fromCharCode(bytes[index]! & ~(counting[index] ?? 0));
    for (const rivalry of this.rivalries) rivalry.note(this, digest);
    this.digests.push(digest);
    if (this.digests.length > MAX_DIGESTS) this.digests.shift();
  }

  /**
   * Closes the window if it is long enough; `pauseSince`: the longest time since then in which the whole bus was
   * silent.
   */
  closeWindow(now: number, pauseSince: (from: number) => number): void {
    const length = now - this.from;
    if (length < WINDOW_MS || (this.intervals < LEAST_MESSAGES && length < LONGEST_WINDOW_MS)) return;
    if (this.intervals > 0) {
      const mean = (this.last - this.from) / this.intervals;
      const variance = this.squares / this.intervals - mean * mean;
      // A pause of the whole bus says nothing about one sender.
      const longest = this.longest <= pauseSince(this.from) + 2 * mean ? mean : this.longest;
      const window = {
        from: this.from,
        to: this.last,
        count: this.intervals,
        mean,
        jitter: Math.sqrt(Math.max(0, variance)),
        longest,
      };
      if (this.firstWindow === undefined && this.intervals >= LEAST_MESSAGES) this.firstWindow = window;
      this.windows.push(window);
      if (this.windows.length > MAX_WINDOWS) this.windows.shift();
    }
    this.from = this.last;
    this.intervals = 0;
    this.squares = 0;
    this.longest = 0;
  }

  /** Interval that is usual for the stream: the measured one, else the nominal one. */
  get usualMs(): number | undefined {
    return this.windows.at(-1)?.mean ?? this.kind.nominalMs;
  }
}

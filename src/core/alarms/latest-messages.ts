/**
 * The last messages of each engine, battery and pilot that alarms watch, by the device that sends them: two devices may
 * have one instance, and one of them may leave out what the other one measures. Times are monotonic milliseconds.
 */
import type { Definition, Message } from "../n2k/definition.ts";
import type { Device } from "../nav/devices.ts";
import { addTo, entryOf, groupedBy } from "../util/grouped.ts";
import type { Heard } from "./heard.ts";

/** Age at which a measurement expires. The slowest of these messages is sent every 1.5 seconds. */
const MAX_AGE_MS = 10_000;
/** Age at which a fault expires that a device has reported itself: a device that loses its power does not take it back. */
const MAX_REPORT_AGE_MS = 60_000;

/** Maximum messages of an input in memory, because a bus may use all numbers. */
const MAX_KEPT = 256;
/** Instances, and addresses in their place, are below this number. */
const INSTANCES = 65_536;

/** Identifies an instance of a device. */
export const placeOf = (instance: number, { order }: Device): number => order * INSTANCES + instance;

/** Whose messages are kept: two may be of one definition. */
export interface KeptInput<Kind extends Definition = Definition> {
  readonly definition: Kind;
}

/** The last message of a device about an instance. */
export interface Latest<Content> {
  readonly pgn: number;
  readonly message: Content;
  readonly device: Device;
}

type Fields = Readonly<Record<string, unknown>>;

/** Changed in place: an object for each message would be garbage of the path of a frame. */
interface Kept extends Latest<Fields> {
  message: Fields;
  readonly instance: number;
  arrived: number;
  /** Times of the fields that are of earlier messages, because later ones have left them out. */
  carried: ReadonlyMap<string, number> | undefined;
}

export type ByInstance<Content> = ReadonlyMap<number, readonly Latest<Content>[]>;

const none: ByInstance<never> = new Map();

export class LatestMessages {
  /** Messages by input, then by instance and device. */
  readonly #kept = new Map<KeptInput, Map<number, Kept>>();
  #now = 0;

  /** Takes a message, which must not be changed later. */
  hear(input: KeptInput, message: object, instance: number, { arrived, device }: Heard): void {
    const whole = message as Fields;
    const all = this.#of(input);
    const key = placeOf(instance, device);
    const kept = all.get(key);
    if (kept !== undefined) complete(kept, whole, arrived);
    else {
      if (all.size >= MAX_KEPT) makeRoom(all);
      all.set(key, { pgn: input.definition.pgn, message: whole, instance, device, arrived, carried: undefined });
    }
  }

  #of(input: KeptInput): Map<number, Kept> {
    return entryOf(this.#kept, input, () => new Map());
  }

  /** Forgets messages that have expired at `now`, the time of `of` and `reported`. */
  removeStale(now: number): void {
    this.#now = now;
    for (const kept of this.#kept.values())
      for (const [key, { arrived }] of kept) if (now - arrived > MAX_REPORT_AGE_MS) kept.delete(key);
  }

  /** The messages of an input by instance, for what they measure. */
  of<Kind extends Definition>(input: KeptInput<Kind>): ByInstance<Message<Kind>> {
    return this.#within(input, MAX_AGE_MS) as ByInstance<Message<Kind>>;
  }

  /** The messages of an input by instance, for the faults that their devices report. */
  reported<Kind extends Definition>(input: KeptInput<Kind>): ByInstance<Message<Kind>> {
    return this.#within(input, MAX_REPORT_AGE_MS) as ByInstance<Message<Kind>>;
  }

  /** Whether a device still sends an input. */
  isReporting(input: KeptInput, device: Device | undefined): boolean {
    return [...this.#of(input).values()].some((kept) => kept.device === device);
  }

  #within(input: KeptInput, age: number): ByInstance<unknown> {
    const all = this.#kept.get(input);
    if (all === undefined) return none;
    const byInstance = new Map<number, Latest<unknown>[]>();
    for (const kept of all.values())
      if (this.#now - kept.arrived <= age && !kept.device.isOver) addTo(byInstance, kept.instance, kept);
    return byInstance;
  }
}

/** Each device has its share: the one with the most instances loses the one that it has not sent for longest. */
function makeRoom(all: Map<number, Kept>): void {
  const byDevice = groupedBy(all, ([, { device }]) => device);
  const most = [...byDevice.values()].reduce((a, b) => (b.length > a.length ? b : a));
  const [oldest] = most.reduce((a, b) => (b[1].arrived < a[1].arrived ? b : a));
  all.delete(oldest);
}

/** Takes a message, with the fields that it leaves out and an earlier one of the last ten seconds has. */
function complete(kept: Kept, message: Fields, arrived: number): void {
  const { message: before, carried: carriedBefore } = kept;
  let carried: Map<string, number> | undefined;
  let whole: Record<string, unknown> | undefined;
  for (const name in before) {
    if (message[name] !== undefined || before[name] === undefined) continue;
    const at = carriedBefore?.get(name) ?? kept.arrived;
    if (arrived - at > MAX_AGE_MS) continue;
    carried ??= new Map();
    carried.set(name, at);
    whole ??= { ...message };
    whole[name] = before[name];
  }
  kept.message = whole ?? message;
  kept.arrived = arrived;
  kept.carried = carried;
}

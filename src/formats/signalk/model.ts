/**
 * The values of the boat and of the ships around it in Signal K: a tree of contexts and paths, and the changes of its
 * leaves. Times are milliseconds, monotonic; timestamps are given as texts.
 */
import type { Meta, Value } from "./row.ts";

/** A value in the tree. It is changed in place; an expired one has the value null and is no longer in the tree. */
export interface Leaf {
  readonly context: string;
  readonly path: string;
  /** A new object after each change. */
  meta: Meta;
  /** Whether it is a property of its vessel, which has neither time nor source. */
  readonly isPlain: boolean;
  /** Whether the tree has its value alone, as the schema requires. */
  readonly isBare: boolean;
  /** Whether it is of version 2, in the stream alone. */
  readonly isStreamed: boolean;
  value: Value | null;
  /** Its text in deltas, made on first use. */
  text: string | undefined;
  source: string;
  timestamp: string;
  pgn: number | undefined;
  /** The stream that gives the value: a device and an instance. */
  stream: string;
  /** See `Row`. */
  isPreferred: boolean;
  /** Values of other devices at the same path, such as a second one with the same instance, by `$source`. */
  others: Map<string, Leaf> | undefined;
  /** Whether it is the value of such a device, in `others`. */
  readonly isOther: boolean;
  heardAt: number;
  sentAt: number;
  expiresAt: number;
}

/** The source of values, and the time at which they expire. */
export interface Origin {
  /** `$source` of Signal K. */
  readonly source: string;
  /** RFC 3339 with milliseconds. */
  readonly timestamp: string;
  readonly pgn?: number | undefined;
  readonly stream: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** Properties of a value apart from its number. */
export interface Telling {
  readonly meta: Meta;
  /** The value hardly ever changes, so that it is repeated rarely. */
  readonly isFixed?: boolean | undefined;
  readonly isPlain?: boolean | undefined;
  readonly isBare?: boolean | undefined;
  readonly isStreamed?: boolean | undefined;
  /** See `Row`. */
  readonly isPreferred?: boolean | undefined;
}

/** Time after which an unchanged value is sent again. */
const REPEAT_MS = 1000;
/** The same for names and dimensions: OpenCPN does not ask for current values, and gets the names of ships by this. */
const REPEAT_FIXED_MS = 60_000;

/** Silence after which the source of a path is replaced; most messages are sent at least every 2.5 seconds. */
export const SOURCE_SILENT_MS = 10_000;

/** Maximum values of a context; a boat has some hundreds. */
const MAX_VALUES = 2000;
/** Maximum other devices of a path. */
const MAX_OTHERS = 8;
/** Maximum characters of a path, and of the text of a value. */
const MAX_LENGTH = 250;
/** The same of an object: a notification has a message, a position, an identifier, its status and its time. */
const MAX_OBJECT_LENGTH = 1000;

/** Called with each leaf whose value is to be sent; the leaf changes again later. */
export type ModelListener = (leaf: Leaf) => void;

export class Model {
  /** Leaves by context and path. */
  readonly contexts = new Map<string, Map<string, Leaf>>();
  /** Values, ships and alarms that were left out, because they were too long, too many, or not finite numbers. */
  leftOut = 0;
  readonly #listener: ModelListener;

  constructor(listener: ModelListener) {
    this.#listener = listener;
  }

  /** Sets a value; undefined if its source no longer knows it. */
  tell(context: string, path: string, value: Value | undefined, telling: Telling, origin: Origin): void {
    const leaves = this.contexts.get(context);
    const leaf = leaves?.get(path);
    if (value !== undefined && !isServed(value)) this.leftOut += 1;
    else if (leaf !== undefined) this.#change(leaf, value, telling, origin);
    else if (value === undefined) return;
    else if (path.length > MAX_LENGTH || leaves?.size === MAX_VALUES) this.leftOut += 1;
    else this.#place(leafOf(context, path, value, telling, origin));
  }

  /** The first items of a list of a message, which may have any length. */
  atMost<Item>(count: number, list: readonly Item[]): readonly Item[] {
    this.leftOut += Math.max(0, list.length - count);
    return list.length > count ? list.slice(0, count) : list;
  }

  /** Removes the values that have expired at `now`; `timestamp` is the time of their expiry. */
  expire(now: number, timestamp: string): void {
    for (const leaves of this.contexts.values())
      for (const leaf of leaves.values()) {
        for (const other of leaf.others?.values() ?? [])
          if (other.expiresAt <= now) this.#buryOther(leaf, other, timestamp);
        if (leaf.expiresAt <= now) this.#yield(leaf, timestamp);
      }
  }

  /** Removes all values of a context except those that never expire; a context without values leaves the tree. */
  forget(context: string, timestamp: string): void {
    for (const leaf of this.contexts.get(context)?.values() ?? [])
      if (Number.isFinite(leaf.expiresAt)) this.#bury(leaf, timestamp);
  }

  /** The sources of values of a context have other names from now on, and stay the same devices. */
  rename(context: string, renamed: ReadonlyMap<string, string>): void {
    for (const leaf of this.contexts.get(context)?.values() ?? []) {
      this.#rename(leaf, renamed);
      if (leaf.others === undefined) continue;
      for (const other of leaf.others.values()) this.#rename(other, renamed);
      leaf.others = new Map([...leaf.others.values()].map((other) => [other.source, other]));
    }
  }

  /** Removes the values of a context at paths that begin in one of these ways. */
  forgetPaths(context: string, beginnings: readonly string[], timestamp: string): void {
    for (const leaf of this.contexts.get(context)?.values() ?? [])
      if (beginnings.some((beginning) => leaf.path.startsWith(beginning))) this.#bury(leaf, timestamp);
  }

  #change(leaf: Leaf, value: Value | undefined, telling: Telling, origin: Origin): void {
    const { now, stream, source, timestamp } = origin;
    const { isPreferred = false } = telling;
    const isBetter = isPreferred && !leaf.isPreferred;
    const isOther = source !== leaf.source;
    const isOutOfTurn = leaf.stream !== stream && now < leaf.heardAt + SOURCE_SILENT_MS && !isBetter;
    if (isOutOfTurn || (isOther && value === undefined)) {
      if (isOther) this.#hearOther(leaf, value, telling, origin);
      return;
    }
    const before = isOther ? { ...leaf } : undefined;
    leaf.others?.delete(source);
    leaf.stream = stream;
    leaf.isPreferred = isPreferred;
    if (!isNews(leaf, value, telling, origin)) return;
    if (before !== undefined) this.#end(before, timestamp);
    leaf.source = source;
    leaf.pgn = origin.pgn;
    leaf.sentAt = now;
    if (value === undefined) return this.#yield(leaf, timestamp);
    this.#set(leaf, value, timestamp);
  }

  /** Sets the value of another device than that of the leaf; undefined: it has none. */
  #hearOther(leaf: Leaf, value: Value | undefined, telling: Telling, origin: Origin): void {
    const { source, stream, pgn, now, timestamp } = origin;
    const known = leaf.others?.get(source);
    if (known === undefined) {
      if (value === undefined) return;
      leaf.others ??= new Map();
      if (leaf.others.size === MAX_OTHERS) {
        this.leftOut += 1;
        return;
      }
      const { meta, isPreferred = false } = telling;
      const times = { heardAt: now, sentAt: now, expiresAt: origin.expiresAt };
      const other = { ...leaf, source, stream, pgn, meta, isPreferred, ...times, others: undefined, isOther: true };
      leaf.others.set(source, other);
      this.#set(other, value, timestamp);
    } else if (isNews(known, value, telling, origin)) {
      known.sentAt = now;
      if (value === undefined) this.#buryOther(leaf, known, timestamp);
      else this.#set(known, value, timestamp);
    }
  }

  #set(leaf: Leaf, value: Value | null, timestamp: string): void {
    leaf.value = value;
    leaf.text = undefined;
    leaf.timestamp = timestamp;
    this.#listener(leaf);
  }

  #place(leaf: Leaf): void {
    const { context, path } = leaf;
    const leaves = this.contexts.get(context) ?? new Map<string, Leaf>();
    leaves.set(path, leaf);
    this.contexts.set(context, leaves);
    this.#listener(leaf);
  }

  /** Ends the value of the leaf's device; that of another device takes its place. */
  #yield(leaf: Leaf, timestamp: string): void {
    const [next, ...rest] = leaf.others?.values() ?? [];
    leaf.others = undefined;
    this.#bury(leaf, timestamp);
    if (next === undefined) return;
    const others = new Map(rest.map((other) => [other.source, other]));
    this.#place({ ...next, others, isOther: false });
  }

  /** Ends the values of all devices. */
  #bury(leaf: Leaf, timestamp: string): void {
    const { context, path } = leaf;
    for (const other of leaf.others?.values() ?? []) this.#buryOther(leaf, other, timestamp);
    const leaves = this.contexts.get(context);
    leaves?.delete(path);
    if (leaves?.size === 0) this.contexts.delete(context);
    this.#set(leaf, null, timestamp);
  }

  /** Its stream begins with the name of its source. */
  #rename(leaf: Leaf, renamed: ReadonlyMap<string, string>): void {
    const source = renamed.get(leaf.source);
    if (source === undefined || source === leaf.source) return;
    this.#end(leaf, leaf.timestamp);
    if (leaf.stream.startsWith(`${leaf.source} `)) leaf.stream = source + leaf.stream.slice(leaf.source.length);
    leaf.source = source;
    leaf.text = undefined;
  }

  /** A client that keeps the values of all sources is told that this one gives none any more. */
  #end(leaf: Leaf, timestamp: string): void {
    if (!leaf.isPlain) this.#set({ ...leaf, others: undefined, isOther: true }, null, timestamp);
  }

  #buryOther(leaf: Leaf, other: Leaf, timestamp: string): void {
    leaf.others!.delete(other.source);
    this.#set(other, null, timestamp);
  }
}

/** A value that is told for the first time. */
export function leafOf(context: string, path: string, value: Value | null, telling: Telling, origin: Origin): Leaf {
  const { meta, isPlain = false, isBare = isPlain, isStreamed = false, isPreferred = false } = telling;
  const { source, timestamp, pgn, stream, now, expiresAt } = origin;
  const place = { context, path, meta, isPlain, isBare, isStreamed, value, text: undefined };
  const times = { heardAt: now, sentAt: now, expiresAt };
  return { ...place, source, timestamp, pgn, stream, isPreferred, others: undefined, isOther: false, ...times };
}

/** Notes that the source of a leaf was heard; returns whether its value is to be sent. */
function isNews(leaf: Leaf, value: Value | undefined, { meta, isFixed }: Telling, origin: Origin): boolean {
  const { now, timestamp, expiresAt } = origin;
  leaf.heardAt = now;
  leaf.expiresAt = expiresAt;
  const isRenamed = leaf.meta.displayName !== meta.displayName;
  if (isRenamed) leaf.meta = meta;
  if (value === undefined || isRenamed || !isSame(leaf.value, value)) return true;
  return leaf.timestamp !== timestamp && now >= leaf.sentAt + (isFixed ? REPEAT_FIXED_MS : REPEAT_MS);
}

/** Whether a value is short enough, and its numbers finite: 1e308 of one unit may be Infinity of another. */
function isServed(value: Value): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return value.length <= MAX_LENGTH;
  if (!isObject(value)) return true;
  for (const name in value) if (value[name] !== undefined && !isServed(value[name])) return false;
  return JSON.stringify(value).length <= MAX_OBJECT_LENGTH;
}

const isObject = (value: unknown): value is Readonly<Record<string, Value | undefined>> =>
  typeof value === "object" && value !== null;

/** Undefined members count as absent. */
function isSame(one: Value | null | undefined, other: Value | undefined): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  for (const name in one) if (!isSame(one[name], other[name])) return false;
  for (const name in other) if (other[name] !== undefined && one[name] === undefined) return false;
  return true;
}

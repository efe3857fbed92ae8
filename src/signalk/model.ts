/**
 * The values of the boat and of the ships around it, as Signal K has them: a tree of contexts and paths, and the deltas by which it
 * changes. Times are milliseconds, monotonic; timestamps are texts that are given.
 */
import type { Meta, Value } from "./row.ts";

/** A value in the tree. It is changed in place; one that has died has the value null and is in the tree no more. */
export interface Leaf {
  readonly context: string;
  readonly path: string;
  readonly meta: Meta;
  /** A property of its vessel that has neither time nor source. */
  readonly isPlain: boolean;
  value: Value | null;
  source: string;
  timestamp: string;
  pgn: number | undefined;
  /** Who tells the value: a device, and which of its instances. */
  stream: string;
  heardAt: number;
  sentAt: number;
  expiresAt: number;
}

/** Values of one source and time. */
export interface Update {
  readonly source: string;
  readonly timestamp: string;
  readonly leaves: readonly Leaf[];
}

/** The changes in a context. */
export interface Delta {
  readonly context: string;
  readonly updates: readonly Update[];
}

/** Where values come from, and until when they count. */
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

/** A value that is told; undefined if its source does not know it any more. */
export interface Told {
  readonly path: string;
  readonly meta: Meta;
  readonly value: Value | undefined;
  /** Only a change of it is news. */
  readonly isFixed?: boolean | undefined;
  readonly isPlain?: boolean | undefined;
}

/** A value that does not change is news again after so long. */
const REPEAT_MS = 1000;

/** The source of a path keeps it until it has been silent for so long; most messages come every 2.5 seconds at least. */
const SOURCE_SILENT_MS = 10_000;

export class Model {
  /** By context and path. */
  readonly contexts = new Map<string, Map<string, Leaf>>();
  readonly #listener: (delta: Delta) => void;
  /** Counts leaves that were added. */
  #additions = 0;

  /** `listener` is told of each delta; its leaves change later. */
  constructor(listener: (delta: Delta) => void) {
    this.#listener = listener;
  }

  /** Another number once the tree has new leaves. */
  get additions(): number {
    return this.#additions;
  }

  /** Takes values of one message in; the update has those that are news. Undefined if none is. */
  tell(context: string, origin: Origin, values: readonly Told[]): Update | undefined {
    let leaves: Leaf[] | undefined;
    for (const told of values) {
      const leaf = this.#take(context, origin, told);
      if (leaf === undefined) continue;
      leaves ??= [];
      leaves.push(leaf);
    }
    return leaves && { source: origin.source, timestamp: origin.timestamp, leaves };
  }

  /** Hands the updates of a message to the listener. */
  publish(context: string, updates: readonly (Update | undefined)[]): void {
    const news = updates.filter((update) => update !== undefined);
    if (news.length > 0) this.#listener({ context, updates: news });
  }

  /** Lets values die whose time is over at `now`; `timestamp` is that of their death. */
  expire(now: number, timestamp: string): void {
    for (const [context, leaves] of this.contexts) {
      const dead = [...leaves.values()].filter(({ expiresAt }) => expiresAt <= now);
      this.#bury(context, dead, timestamp);
    }
  }

  /** Lets all values of a context die but those that count for ever; a context without values is in the tree no more. */
  forget(context: string, timestamp: string): void {
    const leaves = [...(this.contexts.get(context)?.values() ?? [])];
    this.#bury(
      context,
      leaves.filter(({ expiresAt }) => Number.isFinite(expiresAt)),
      timestamp,
    );
  }

  #take(context: string, origin: Origin, { path, meta, value, isFixed, isPlain = false }: Told): Leaf | undefined {
    const { now, stream } = origin;
    const leaf = this.contexts.get(context)?.get(path);
    if (leaf === undefined)
      return value === undefined ? undefined : this.#add(context, origin, { path, meta, value, isPlain });
    if (leaf.stream !== stream && now < leaf.heardAt + SOURCE_SILENT_MS) return undefined;
    const isChanged = value === undefined || !isSame(leaf.value, value);
    const isRepeated = !isFixed && leaf.timestamp !== origin.timestamp && now >= leaf.sentAt + REPEAT_MS;
    Object.assign(leaf, { stream, heardAt: now, expiresAt: origin.expiresAt });
    if (!isChanged && !isRepeated) return undefined;
    Object.assign(leaf, {
      value: value ?? null,
      source: origin.source,
      timestamp: origin.timestamp,
      pgn: origin.pgn,
      sentAt: now,
    });
    if (value === undefined) this.#drop(leaf);
    return leaf;
  }

  #add(context: string, { now, ...origin }: Origin, told: Pick<Leaf, "path" | "meta" | "value" | "isPlain">): Leaf {
    const { source, timestamp, pgn, stream, expiresAt } = origin;
    const leaf: Leaf = { context, ...told, source, timestamp, pgn, stream, heardAt: now, sentAt: now, expiresAt };
    const leaves = this.contexts.get(context) ?? new Map<string, Leaf>();
    leaves.set(told.path, leaf);
    this.contexts.set(context, leaves);
    this.#additions += 1;
    return leaf;
  }

  #drop({ context, path }: Leaf): void {
    const leaves = this.contexts.get(context);
    leaves?.delete(path);
    if (leaves?.size === 0) this.contexts.delete(context);
  }

  #bury(context: string, dead: readonly Leaf[], timestamp: string): void {
    const bySource = new Map<string, Leaf[]>();
    for (const leaf of dead) {
      Object.assign(leaf, { value: null, timestamp });
      this.#drop(leaf);
      const others = bySource.get(leaf.source);
      if (others === undefined) bySource.set(leaf.source, [leaf]);
      else others.push(leaf);
    }
    this.publish(
      context,
      [...bySource].map(([source, leaves]) => ({ source, timestamp, leaves })),
    );
  }
}

const isSame = (one: Value | null, other: Value): boolean =>
  one === other ||
  (typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other));

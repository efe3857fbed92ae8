/**
 * Slow lanes: `{prefix}/every/<seconds>/…` repeats the navigation report, the AIS report and every stream of a PGN at
 * most once in that many seconds, and only what has changed. The latest message is kept as bytes and read when its lane
 * is free, so that a packet costs a copy. A value that comes too early is published at the end of the interval, and so
 * is the last one before silence.
 *
 * Messages are retained; the settings may let the broker keep them beyond their `expireAfterSec`. An unchanged value is
 * repeated after half of that time while its sender is heard, so that a subscriber notices a silent sender.
 */
import type { AnyMessage, Reader } from "../../../core/n2k/catalogue.ts";
import { identityOf } from "../../../core/n2k/stream-key.ts";
import { type NavigationReport, navigationData } from "../../../core/nav/navigation-report.ts";
import { createMetadataWriter, DATA, metadataAt } from "../../../core/report/envelope.ts";
import { entries } from "../../../core/settings/entries.ts";
import { type LaneSettings, laneSettings, sortedLanes } from "../../../core/settings/lanes.ts";
import { type AsciiBuffer, textOf } from "../../../core/text/ascii-buffer.ts";
import {
  instanceLevel,
  keysOf,
  laneExpirySeconds,
  lanePgnTopic,
  writeLaneNavigation,
} from "../../../core/topics/lane-messages.ts";
import type { TopicsBelow, TopicValues } from "../../../core/topics/topics.ts";
import { memoize } from "../../../core/util/memoize.ts";
import type { Boat, KnownShips } from "../boat.ts";
import type { BridgeCounters } from "../counters.ts";
import type { HeardPacket } from "../heard-packet.ts";
import { type Part, uses } from "../part.ts";
import { type Comparison, comparisonOf, comparisonOfReport, hasChanged } from "./lane-changes.ts";

/**
 * Maximum streams and reports. A boat has a few hundred; on a hostile bus further streams are counted and not repeated.
 */
const MAX_FEEDS = 4096;
/** A value that was found unchanged is compared again after this long at most. */
const RECHECK_MS = 1000;
/** Times at which slots are free are multiples of this, so that many are handled together. */
const STEP_MS = 10;
/** Interval of the search for silent streams. */
const SWEEP_MS = 60_000;

interface Lane {
  readonly seconds: number;
  readonly expirySeconds: number;
  readonly writeMetadata: (out: AsciiBuffer, wall: number) => void;
}

/** The latest message of a stream or report. */
interface Feed {
  /** Its topic in the lane with this interval, in seconds. */
  topicIn(topics: TopicsBelow, seconds: number): string;
  /** Key of its dead bands: a PGN, or `navigation`. */
  readonly deadBandsOf: string;
  /** The message as a value to compare; the same object until the next message comes. */
  readonly value: unknown;
  /** How two of its values are compared. */
  readonly comparison: Comparison;
  write(out: AsciiBuffer, lane: Lane): void;
}

/** A feed in a lane. */
interface Slot {
  readonly feed: Feed;
  readonly lane: Lane;
  readonly topic: string;
  /** Monotonic time from which it may be published, milliseconds. */
  free: number;
  isWaiting: boolean;
  /** The value last published, and its time; undefined: none yet. */
  value: unknown;
  published: number;
}

/** A feed with its slots, and the monotonic time of its latest message. */
interface Entry<Of extends Feed = Feed> {
  readonly feed: Of;
  readonly slots: readonly Slot[];
  heard: number;
}

type LanesBoat = Pick<Boat, "topics" | "publisher" | "log" | "navigation" | "ships">;

const identityIn = memoize(identityOf);

export class Lanes implements Part {
  readonly settings = [uses(entries.lanes, (settings) => this.#configure(settings))];
  readonly #boat: LanesBoat;
  /** Those of the command line, and whether Home Assistant has a lane. */
  readonly #added: readonly number[];
  readonly #hasHomeAssistant: boolean;
  #lanes: readonly Lane[] = [];
  #settings: Pick<LaneSettings, "deadBands" | "messageExpirySec"> = laneSettings.byDefault;
  /** Streams by PGN, source and key. */
  readonly #streams = new Map<string, Entry<PacketFeed>>();
  readonly #paths = new Map<string, Entry<PacketFeed>>();
  #navigation: Entry<NavigationFeed> | undefined;
  #ais: Entry<AisFeed> | undefined;
  readonly #waiting = new Set<Slot>();
  readonly #text = textOf((out, { feed, lane }: Slot) => feed.write(out, lane));
  #leftOut = 0;
  #sweepAt = Number.NEGATIVE_INFINITY;
  /** Monotonic time at which the first waiting value may be published, milliseconds. */
  due = Number.POSITIVE_INFINITY;
  isOn = false;
  /** The reports that were taken last. */
  #navigationTaken: NavigationReport | undefined;
  #aisTaken = 0;

  constructor(boat: LanesBoat, added: readonly number[] = [], hasHomeAssistant = false) {
    this.#boat = boat;
    this.#added = added;
    this.#hasHomeAssistant = hasHomeAssistant;
  }

  /** Changed lanes begin empty; the messages of a removed lane expire at the broker. */
  #configure(settings: LaneSettings): void {
    this.#settings = settings;
    const { lanes: set, homeAssistant } = settings;
    const lanes = sortedLanes([...this.#added, ...set, ...(this.#hasHomeAssistant ? [homeAssistant] : [])]);
    if (lanes.join() === this.#lanes.map(({ seconds }) => seconds).join()) return;
    this.#lanes = lanes.map((seconds) => {
      const expirySeconds = laneExpirySeconds(seconds);
      return { seconds, expirySeconds, writeMetadata: createMetadataWriter(expirySeconds) };
    });
    this.isOn = lanes.length > 0;
    this.#streams.clear();
    this.#paths.clear();
    this.#waiting.clear();
    this.#navigation = undefined;
    this.#ais = undefined;
    this.due = Number.POSITIVE_INFINITY;
  }

  /** Topics that were published recently, and messages for which there was no room. */
  counters(): Partial<BridgeCounters> {
    return this.isOn ? { laneTopics: this.#paths.size * this.#lanes.length, laneLeftOut: this.#leftOut } : {};
  }

  /** Entries held in memory. */
  get kept(): number {
    return this.#streams.size + this.#paths.size;
  }

  published(packet: HeardPacket): void {
    const { pgn, source, arrived } = packet;
    const name = `${pgn} ${source} ${identityIn(packet.reader!.definition)(packet)}`;
    const entry = this.#streams.get(name) ?? this.#addStream(name, packet);
    if (entry === undefined) return;
    entry.feed.take(packet);
    this.#wake(entry, arrived);
  }

  /** Takes the reports that were published since the last call. */
  #takeReports(now: number, wall: number): void {
    const { navigation, ships } = this.#boat;
    if (navigation.latest !== this.#navigationTaken && navigation.latest !== undefined)
      this.#takeNavigation(navigation.latest, now, wall);
    if (ships.reports !== this.#aisTaken) this.#takeAis(now, wall);
    this.#navigationTaken = navigation.latest;
    this.#aisTaken = ships.reports;
  }

  #takeNavigation(report: NavigationReport, now: number, wall: number): void {
    this.#navigation ??= this.#entry(new NavigationFeed(this.#lanes));
    this.#navigation.feed.take(report, wall);
    this.#wake(this.#navigation, now);
  }

  #takeAis(now: number, wall: number): void {
    this.#ais ??= this.#entry(new AisFeed(this.#boat.ships));
    this.#ais.feed.wall = wall;
    this.#wake(this.#ais, now);
  }

  advance(now: number, wall: number): void {
    if (!this.isOn) return;
    this.#takeReports(now, wall);
    if (now >= this.due) {
      this.due = Number.POSITIVE_INFINITY;
      for (const slot of this.#waiting) {
        if (slot.free <= now) this.#settle(slot, now);
        else this.due = Math.min(this.due, slot.free);
      }
    }
    if (now >= this.#sweepAt) this.#sweep(now);
  }

  /** Publishes all waiting values, at the end of a source. */
  finish(now: number): void {
    for (const slot of this.#waiting) this.#settle(slot, now);
  }

  #addStream(name: string, packet: HeardPacket): Entry<PacketFeed> | undefined {
    const { pgn, source } = packet;
    const key = instanceLevel(keysOf(packet.reader!.definition), packet.message);
    const path = `${source} ${pgn} ${key}`;
    let entry = this.#paths.get(path);
    if (this.#streams.size >= MAX_FEEDS) {
      this.#leftOut++;
      this.#boat.log.warn("too many streams for the slow lanes, others are left out", {
        code: "LANES_FULL",
        streams: MAX_FEEDS,
      });
      return undefined;
    }
    entry ??= this.#entry(new PacketFeed(source, pgn, key));
    this.#paths.set(path, entry);
    this.#streams.set(name, entry);
    return entry;
  }

  #entry<Of extends Feed>(feed: Of): Entry<Of> {
    const slots = this.#lanes.map(
      (lane): Slot => ({
        feed,
        lane,
        topic: feed.topicIn(this.#boat.topics, lane.seconds),
        free: Number.NEGATIVE_INFINITY,
        isWaiting: false,
        value: undefined,
        published: Number.NEGATIVE_INFINITY,
      }),
    );
    return { feed, slots, heard: Number.NEGATIVE_INFINITY };
  }

  #wake(entry: Entry, now: number): void {
    entry.heard = now;
    for (const slot of entry.slots) {
      if (slot.isWaiting) continue;
      slot.isWaiting = true;
      this.#waiting.add(slot);
      this.due = Math.min(this.due, Math.max(slot.free, now));
    }
  }

  /** Publishes the latest value of a slot that is free, if it has changed or its message is half expired. */
  #settle(slot: Slot, now: number): void {
    this.#waiting.delete(slot);
    slot.isWaiting = false;
    const { feed, lane, topic } = slot;
    const { value } = feed;
    const isFresh = now < slot.published + (lane.expirySeconds * 1000) / 2;
    const { deadBands, messageExpirySec } = this.#settings;
    const bands = deadBands.get(feed.deadBandsOf) ?? new Map();
    if (isFresh && !hasChanged(slot.value, value, feed.comparison, bands)) {
      slot.free = now + Math.min(lane.seconds * 1000, RECHECK_MS);
      return;
    }
    slot.value = value;
    slot.published = now;
    slot.free = Math.ceil((now + lane.seconds * 1000) / STEP_MS) * STEP_MS;
    this.#boat.publisher.retain(topic, this.#text(slot), Math.max(lane.expirySeconds, messageExpirySec));
  }

  /** Forgets the streams whose messages have all expired. */
  #sweep(now: number): void {
    this.#sweepAt = now + SWEEP_MS;
    const longest = 1000 * this.#lanes.reduce((most, { expirySeconds }) => Math.max(most, expirySeconds), 0);
    const isGone = ({ slots, heard }: Entry): boolean =>
      now > heard + longest && slots.every(({ isWaiting }) => !isWaiting);
    for (const [name, entry] of this.#streams) if (isGone(entry)) this.#streams.delete(name);
    for (const [path, entry] of this.#paths) if (isGone(entry)) this.#paths.delete(path);
  }
}

class PacketFeed implements Feed {
  readonly deadBandsOf: string;
  readonly #stream: Pick<TopicValues, "addr" | "pgn" | "instance">;
  #reader: Reader | undefined;
  /** A copy, whose bytes grow. */
  readonly #payload = { bytes: new Uint8Array(8), at: 0, end: 0, source: 0, arrived: 0 };
  #received = 0;
  /** The message, after it has been decoded. */
  #value: AnyMessage | undefined;

  constructor(addr: number, pgn: number, instance: string) {
    this.#stream = { addr, pgn, instance };
    this.deadBandsOf = String(pgn);
  }

  topicIn(topics: TopicsBelow, seconds: number): string {
    return lanePgnTopic(topics, { seconds, ...this.#stream });
  }

  take({ reader, bytes, at, end, source, arrived, received }: HeardPacket): void {
    const copy = this.#payload;
    copy.end = end - at;
    if (copy.end > copy.bytes.length) copy.bytes = new Uint8Array(copy.end);
    for (let index = 0; index < copy.end; index++) copy.bytes[index] = bytes[at + index]!;
    copy.source = source;
    copy.arrived = arrived;
    this.#reader = reader;
    this.#received = received;
    this.#value = undefined;
  }

  get comparison(): Comparison {
    return comparisonOf(this.#reader!.definition);
  }

  get value(): AnyMessage {
    this.#value ??= this.#reader!.message(this.#payload);
    return this.#value;
  }

  write(out: AsciiBuffer, { writeMetadata }: Lane): void {
    out.write(DATA);
    this.#reader!.write(out, this.#payload);
    writeMetadata(out, this.#received);
  }
}

const navigationComparison = comparisonOfReport(navigationData);

const winds = ["wind_apparent", "wind_true"] as const;

class NavigationFeed implements Feed {
  readonly deadBandsOf = "navigation";
  readonly comparison = navigationComparison;
  #report: NavigationReport | undefined;
  #wall = 0;
  /** The greatest speed of each wind since the last message of each lane, knots. */
  readonly #greatest: ReadonlyMap<Lane, Map<(typeof winds)[number], number>>;

  constructor(lanes: readonly Lane[]) {
    this.#greatest = new Map(lanes.map((lane) => [lane, new Map()]));
  }

  take(report: NavigationReport, wall: number): void {
    this.#report = report;
    this.#wall = wall;
    for (const name of winds) {
      const speed = report.data[name]?.speed;
      if (typeof speed !== "number") continue;
      for (const greatest of this.#greatest.values()) greatest.set(name, Math.max(speed, greatest.get(name) ?? 0));
    }
  }

  topicIn(topics: TopicsBelow, seconds: number): string {
    return topics.everyNavigation({ seconds });
  }

  get value(): unknown {
    return this.#report!.data;
  }

  write(out: AsciiBuffer, lane: Lane): void {
    const { data, metadata } = this.#report!;
    const { configLoaded } = metadata;
    const { wind_apparent, wind_true } = data;
    const greatest = this.#greatest.get(lane)!;
    const most = (name: (typeof winds)[number]): { speedMax?: number } => {
      const speedMax = greatest.get(name);
      return speedMax === undefined ? {} : { speedMax };
    };
    writeLaneNavigation(out, {
      data: {
        ...data,
        ...(wind_apparent && { wind_apparent: { ...wind_apparent, ...most("wind_apparent") } }),
        ...(wind_true && { wind_true: { ...wind_true, ...most("wind_true") } }),
      },
      metadata: { ...metadataAt(this.#wall, lane.expirySeconds), configLoaded },
    });
    greatest.clear();
  }
}

class AisFeed implements Feed {
  readonly deadBandsOf = "ais";
  /** Its values are texts. */
  readonly comparison: Comparison = { ignored: new Set(), directions: new Set() };
  wall = 0;
  readonly #ships: KnownShips;

  constructor(ships: KnownShips) {
    this.#ships = ships;
  }

  topicIn(topics: TopicsBelow, seconds: number): string {
    return topics.everyAis({ seconds });
  }

  get value(): string {
    return this.#ships.text;
  }

  write(out: AsciiBuffer, { writeMetadata }: Lane): void {
    out.write(DATA);
    out.ascii(this.value);
    writeMetadata(out, this.wall);
  }
}

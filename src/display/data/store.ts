/** The latest messages of the boat. Components read them when `frame-tick.ts` ticks. */
import type { Definition, Message } from "../../n2k/definition.ts";
import { readJson } from "../../topics/messages.ts";
import type { PgnData } from "../../topics/pgn-data.ts";
import { interfaceOf, isInfo, type Place, type TopicName, topicReader, topics } from "../../topics/topics.ts";
import { invalidate } from "../frame-tick.ts";
import { LatestNavigation, type SourceReading } from "../quantities.ts";
import { OwnTrack } from "../trend/own-track.ts";
import { BoundedMap } from "./bounded-map.ts";
import { isExpired, PeriodEstimate, type Stamp, stampOf } from "./freshness.ts";
import { keyOf } from "./message-keys.ts";
import { type DataOf, type Identity, type ReadTopic, readIdentity, readMessage } from "./messages.ts";
import { RawTopics } from "./raw-topics.ts";

/** A message and its age. */
export interface StoredMessage<Data> {
  readonly data: Data;
  readonly stamp: Stamp;
}

/** The latest message of a topic, if any. */
type Latest<Name extends ReadTopic> = StoredMessage<DataOf<Name>> | undefined;

export type DeviceInformation = DataOf<"infos">;
export type PgnName = NonNullable<DeviceInformation["txPgns"]>[number];

export const latest = new LatestNavigation();
export const rawTopics = new RawTopics();
export const ownTrack = new OwnTrack();
/** A message of one PGN, device and key. */
export interface DeviceMessage<Data = PgnData> extends StoredMessage<Data> {
  readonly address: number;
  readonly period: PeriodEstimate;
}

/** Bounds of what any client of the broker can have kept here: addresses of a bus, streams of all its devices, programs, interfaces. */
const MAX_ADDRESSES = 252;
const MAX_STREAMS = 5000;
const MAX_PUBLISHERS = 1000;
const MAX_PREFIXES = 100;

export const store = {
  alarms: undefined as Latest<"alarms">,
  ais: undefined as Latest<"ais">,
  interface: undefined as Latest<"interface">,
  devices: undefined as Latest<"devices">,
  /** By address. */
  infos: new BoundedMap<number, StoredMessage<DeviceInformation>>(MAX_ADDRESSES),
  /** The latest message by PGN, address and key. */
  messages: new BoundedMap<string, DeviceMessage>(MAX_STREAMS),
  /** Identities of publishers, by topic. */
  identities: new BoundedMap<string, Identity>(MAX_PUBLISHERS),
  health: undefined as Latest<"health">,
  layouts: undefined as Latest<"layouts">,
  /** Prefixes that have an `interface` topic. */
  prefixes: new BoundedMap<string, true>(MAX_PREFIXES),
};

/** A plain variable, not a signal, because it changes with every message; components read it at each tick. */
let lastReportAt = Number.NEGATIVE_INFINITY;
let lastReportLife = 0;

/** Monotonic milliseconds of the last navigation report. Retained messages of others tell nothing about the bridge. */
export const lastHeard = (): number => lastReportAt;

/** Seconds for which the last navigation report holds: two on board, three minutes of the lane that a fleet reads. */
export const reportLife = (): number => lastReportLife;

/** Boat's clock minus this device's monotonic clock, from the latest message that was not retained. */
let clockOffset: number | undefined;

/** Boat's clock, milliseconds since 1970; this device's clock until the first message. */
export const boatClock = (now: number): number => (clockOffset === undefined ? Date.now() : now + clockOffset);

/** The AIS report comes every ten seconds at least. */
const AIS_LIFE_SECONDS = 30;

/** A message as it came. */
interface Received {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly retained: boolean;
  /** Monotonic milliseconds. */
  readonly now: number;
}

/** The reader of the topics of the displayed boat. */
let reader = { prefix: "", read: topicReader("") };

export const placeOf = (prefix: string, topic: string): Place | undefined => {
  if (reader.prefix !== prefix) reader = { prefix, read: topicReader(prefix) };
  return reader.read(topic);
};

/**
 * Stores one message of the boat of a prefix. Returns true for a navigation report. `rawPgns` is given on the page that shows
 * every topic: the PGNs that are read all the same. To parse the thousands of others a second would cost too much.
 */
export function hear(prefix: string, arrived: Omit<Received, "now">, rawPgns?: readonly number[]): boolean {
  const message = { ...arrived, now: performance.now() };
  const { topic, payload, retained, now } = message;
  const place = placeOf(prefix, topic);
  if (rawPgns !== undefined) {
    rawTopics.hear(topic, payload, now);
    if (!isNeededByAllPages(place, rawPgns) && !isInfo(topic)) return false;
  }
  storeIfGood(place, message);
  undated.delete(topic);
  if (clockOffset === undefined && retained && undated.size < MAX_UNDATED) undated.set(topic, { place, message });
  else if (clockOffset !== undefined && undated.size > 0) storeDated();
  invalidate();
  return place?.topic === "navigation";
}

function storeIfGood(place: Place | undefined, message: Received): void {
  const { topic } = message;
  try {
    if (isInfo(topic)) storeIdentity(message);
    else if (place !== undefined) storeMessage(place, message);
    else storePrefix(topic);
  } catch {
    // Any client may publish to these topics. Malformed messages are ignored and the last good one expires.
  }
}

/**
 * Retained messages that came before the first live one, by topic. Their age was computed by the clock of this device, which may be
 * wrong, and is computed again when the boat's is known.
 */
const undated = new Map<string, { readonly place: Place | undefined; readonly message: Received }>();
const MAX_UNDATED = 1000;

function storeDated(): void {
  const early = [...undated.values()];
  undated.clear();
  for (const { place, message } of early) storeIfGood(place, message);
}

const isNeededByAllPages = (place: Place | undefined, rawPgns: readonly number[]): boolean =>
  place?.topic === "pgn"
    ? rawPgns.includes(place.pgn)
    : ["navigation", "alarms", "infos"].some((name) => place?.topic === name);

/** Notes a prefix by its topic `interface`. */
function storePrefix(topic: string): void {
  const level = topics.interface.name({ prefix: "" });
  if (topic.endsWith(level)) store.prefixes.set(topic.slice(0, -level.length), true);
}

function read<Name extends ReadTopic & TopicName>(
  topic: Name,
  { payload, retained, now }: Received,
): StoredMessage<DataOf<Name>> {
  const { data, metadata } = readMessage(topic, readJson(topic, payload));
  if (!retained) clockOffset = Date.parse(metadata.rxDate) - now;
  return { data, stamp: stampOf(metadata, now, retained, boatClock(now)) };
}

function storePgn(address: number, message: Received): void {
  const { data, stamp } = read("pgn", message);
  const key = `${data.pgn}/${address}/${keyOf(data)}`;
  const period = store.messages.get(key)?.period ?? new PeriodEstimate();
  period.hear(message.now);
  const expireAfter = period.lifeSeconds(stamp.expireAfter);
  store.messages.set(key, { data, stamp: { ...stamp, expireAfter }, address, period });
}

/** An empty payload removes the retained message: the device has left the bus. */
function storeInformation(address: number, message: Received): void {
  if (message.payload.length === 0) store.infos.delete(address);
  else store.infos.set(address, read("infos", message));
}

function storeIdentity({ topic, payload }: Received): void {
  if (payload.length === 0) store.identities.delete(topic);
  else {
    const identity = readIdentity(readJson("info", payload));
    if (identity !== undefined) store.identities.set(topic, identity);
  }
}

/** Throws for a malformed message. */
function storeMessage(place: Place, message: Received): void {
  switch (place.topic) {
    case "pgn":
      storePgn(place.addr, message);
      break;
    case "infos":
      storeInformation(place.addr, message);
      break;
    case "navigation":
      storeNavigation(message);
      break;
    case "ais": {
      const { data, stamp } = read("ais", message);
      store.ais = { data, stamp: { ...stamp, expireAfter: Math.min(stamp.expireAfter, AIS_LIFE_SECONDS) } };
      break;
    }
    case "alarms":
      store.alarms = read("alarms", message);
      break;
    case "devices":
      store.devices = read("devices", message);
      break;
    case "health":
      store.health = read("health", message);
      break;
    case "layouts":
      store.layouts = read("layouts", message);
      break;
    case "interface":
      storePrefix(message.topic);
      store.interface = read("interface", message);
  }
}

function storeNavigation(message: Received): void {
  const { data, stamp } = read("navigation", message);
  // A retained one, which a fleet has of each boat, may be of any age.
  const now = message.now - 1000 * stamp.ageOnArrival;
  latest.hear(data, now, stamp.expireAfter);
  lastReportAt = now;
  lastReportLife = stamp.expireAfter;
  const place = latest.read("place", now);
  if (place.kind === "live") ownTrack.hear(place.value, now);
}

/** Drops messages that no filter asks for: shown again, they would look expired although they were not received. */
export function keepFor(filters: readonly string[], prefix: string): void {
  if (!filters.includes(topics.ais.name({ prefix }))) store.ais = undefined;
  for (const [key, { data }] of store.messages)
    if (!filters.includes(topics.pgn.filter({ prefix, pgn: data.pgn }))) store.messages.delete(key);
}

/** Drops all values when another prefix is chosen. */
export function clearStore(): void {
  latest.clear();
  rawTopics.clear();
  ownTrack.clear();
  store.alarms = undefined;
  store.ais = store.interface = store.devices = store.health = store.layouts = undefined;
  store.infos.clear();
  store.messages.clear();
  undated.clear();
  invalidate();
}

/** Messages of a definition by key and address, expired ones too. */
export const messagesOf = <Of extends Definition>(definition: Of): readonly DeviceMessage<Message<Of>>[] =>
  messagesOfPgn(definition.pgn) as readonly DeviceMessage<unknown>[] as readonly DeviceMessage<Message<Of>>[];

/** The same of a PGN that has no definition here. */
export const messagesOfPgn = (pgn: number): readonly DeviceMessage[] =>
  [...store.messages.values()]
    .filter(({ data }) => data.pgn === pgn)
    .sort((a, b) => keyOf(a.data).localeCompare(keyOf(b.data), "en", { numeric: true }) || a.address - b.address);

/** Name of a device: as configured, else its model, else its function and manufacturer. */
export const nameOfDevice = ({ friendlyName, productInfo, functionName, manufacturer }: DeviceInformation): string =>
  friendlyName || productInfo?.modelId || `${functionName}, ${manufacturer}`;

/** Name of the device at an address; its address until it has been identified. */
export function nameAt(address: number): string {
  const information = store.infos.get(address)?.data;
  return information === undefined ? `device ${address}` : nameOfDevice(information);
}

/** Name of the source of a quantity; never the digits of its NAME. */
export function nameOfSource({ name, friendlyName }: SourceReading): string {
  if (friendlyName !== undefined) return friendlyName;
  const known = name === "0" ? undefined : [...store.infos.values()].find(({ data }) => data.name === name);
  return known === undefined ? "unnamed device" : nameOfDevice(known.data);
}

export const isDead = ({ stamp }: StoredMessage<unknown>, now: number): boolean => isExpired(stamp, now);

/** Identity of the displayed boat's bridge: the one named like the last level of the prefix, else the only hub-cand. */
export function bridgeOf(prefix: string): Identity | undefined {
  const named = store.identities.get(topics.info.name({ interface: interfaceOf(prefix) }));
  if (named !== undefined) return named;
  const bridges = [...store.identities.values()].filter(({ name }) => name === "hub-cand");
  return bridges.length === 1 ? bridges[0] : undefined;
}

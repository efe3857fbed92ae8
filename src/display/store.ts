/** The latest messages of the boat. Components read them when `frame-tick.ts` ticks. */
import type { AlarmsData } from "../alarms/report.ts";
import type { DeviceList, DeviceInformation as Information } from "../bridge/device-reports.ts";
import type { Health } from "../bridge/health.ts";
import type { Layouts } from "../bridge/layout-report.ts";
import type { AisReport } from "../nav/ais-report.ts";
import type { NavigationReport } from "../nav/navigation-report.ts";
import type { Identity } from "../report/identity.ts";
import type { InterfaceStatus } from "../report/interface-status.ts";
import { quoteNames } from "../text/quote-names.ts";
import { invalidate } from "./frame-tick.ts";
import { isExpired, type Metadata, PeriodEstimate, type Stamp, stampOf } from "./freshness.ts";
import { OwnTrack } from "./own-track.ts";
import { LatestNavigation, type SourceReading } from "./quantities.ts";
import { RawTopics } from "./raw-topics.ts";
import { instrumentPgns, keyOf, systemPgns } from "./system-messages.ts";
import { deviceTopic, type Page } from "./topic-filters.ts";

/** A message and its age. */
export interface StoredMessage<Data> {
  readonly data: Data;
  readonly stamp: Stamp;
}

/** `data` of a message of any PGN; components narrow the type by `pgn`. */
export interface PgnData {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

/** A report with its NAMEs as text, because a double does not hold 64 bits. */
type NamesAsText<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly NamesAsText<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: NamesAsText<Value[Key]> }
      : Value;

export type DeviceInformation = NamesAsText<Information>;
export type PgnName = NonNullable<DeviceInformation["txPgns"]>[number];

export const latest = new LatestNavigation();
export const rawTopics = new RawTopics();
export const ownTrack = new OwnTrack();
/** A message of one PGN, device and key. */
export interface DeviceMessage<Data = PgnData> extends StoredMessage<Data> {
  readonly address: number;
  readonly period: PeriodEstimate;
}

export const store = {
  alarms: undefined as StoredMessage<AlarmsData> | undefined,
  ais: undefined as StoredMessage<AisReport["data"]> | undefined,
  interface: undefined as StoredMessage<InterfaceStatus> | undefined,
  devices: undefined as StoredMessage<NamesAsText<DeviceList>> | undefined,
  /** By address. */
  infos: new Map<number, StoredMessage<DeviceInformation>>(),
  /** The latest message by PGN, address and key. */
  messages: new Map<string, DeviceMessage>(),
  /** Identities of publishers, by topic. */
  identities: new Map<string, Identity>(),
  health: undefined as StoredMessage<Health> | undefined,
  layouts: undefined as StoredMessage<Layouts> | undefined,
  /** Prefixes that have an `interface` topic. */
  prefixes: new Set<string>(),
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

const decoder = new TextDecoder();

interface Envelope<Data> {
  readonly data: Data;
  readonly metadata: Metadata;
}

/** The AIS report comes every ten seconds at least. */
const AIS_LIFE_SECONDS = 30;

/** A message as it came; `prefix` is the topic prefix of the displayed boat. */
interface Received {
  readonly prefix: string;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly retained: boolean;
  /** Monotonic milliseconds. */
  readonly now: number;
}

/** Stores one message. Returns true for a navigation report. */
export function hear(
  prefix: string,
  topic: string,
  payload: Uint8Array,
  retained: boolean,
  listensToAll: boolean,
): boolean {
  const now = performance.now();
  if (listensToAll) {
    rawTopics.hear(topic, payload, now);
    // To parse the thousands of others a second would cost too much.
    if (!isNeededByAllPages(topic, prefix)) return false;
  }
  let isReport = false;
  try {
    isReport = storeMessage({ prefix, topic, payload, retained, now });
  } catch {
    // Any client may publish to these topics. Malformed messages are ignored and the last good one expires.
  }
  invalidate();
  return isReport;
}

function isNeededByAllPages(topic: string, prefix: string): boolean {
  const device = deviceTopic(topic, prefix);
  if (device !== undefined) return device.pgn === undefined || instrumentPgns.includes(device.pgn);
  return topic === `${prefix}/navigation` || topic === `${prefix}/alarms` || topic.startsWith("app/");
}

/** Returns true for a navigation report. Throws for a malformed message. */
function storeMessage(message: Received): boolean {
  const { prefix, topic } = message;
  const device = deviceTopic(topic, prefix);
  const isIdentity = topic.startsWith("app/");
  if (device === undefined && !isIdentity && topic.endsWith("/interface"))
    store.prefixes.add(topic.slice(0, -"/interface".length));
  if (device === undefined) {
    if (topic.startsWith(`${prefix}/`)) storeReport(topic.slice(prefix.length + 1), message);
    else if (isIdentity) storeIdentity(message);
  } else if (device.pgn === undefined) storeInformation(device.address, message);
  else storePgn(device.address, message);
  return topic === `${prefix}/navigation`;
}

function read<Data>({ payload, retained, now }: Received, text = decoder.decode(payload)): StoredMessage<Data> {
  const { data, metadata } = JSON.parse(text) as Envelope<Data>;
  if (!retained) clockOffset = Date.parse(metadata.rxDate) - now;
  return { data, stamp: stampOf(metadata, now, retained, boatClock(now)) };
}

/** As `read`, for a message with NAMEs. */
const readNames = <Data>(message: Received): StoredMessage<Data> =>
  read(message, quoteNames(decoder.decode(message.payload)));

function storePgn(address: number, message: Received): void {
  const { data, stamp } = read<PgnData>(message);
  const key = `${data.pgn}/${address}/${keyOf(data)}`;
  const period = store.messages.get(key)?.period ?? new PeriodEstimate();
  period.hear(message.now);
  const expireAfter = period.lifeSeconds(stamp.expireAfter);
  store.messages.set(key, { data, stamp: { ...stamp, expireAfter }, address, period });
}

/** An empty payload removes the retained message: the device has left the bus. */
function storeInformation(address: number, message: Received): void {
  if (message.payload.length === 0) store.infos.delete(address);
  else store.infos.set(address, readNames<DeviceInformation>(message));
}

function storeIdentity({ topic, payload }: Received): void {
  if (payload.length === 0) store.identities.delete(topic);
  else store.identities.set(topic, JSON.parse(decoder.decode(payload)) as Identity);
}

/** `name` is the topic below the prefix. */
function storeReport(name: string, message: Received): void {
  switch (name) {
    case "navigation":
      storeNavigation(message);
      break;
    case "ais": {
      const { data, stamp } = read<AisReport["data"]>(message);
      store.ais = { data, stamp: { ...stamp, expireAfter: Math.min(stamp.expireAfter, AIS_LIFE_SECONDS) } };
      break;
    }
    case "alarms":
      store.alarms = read<AlarmsData>(message);
      break;
    case "devices":
      store.devices = readNames<NamesAsText<DeviceList>>(message);
      break;
    case "health":
      store.health = read<Health>(message);
      break;
    case "layouts":
      store.layouts = read<Layouts>(message);
      break;
    case "interface":
      store.interface = read<InterfaceStatus>(message);
  }
}

function storeNavigation(message: Received): void {
  const { data, stamp } = read<NavigationReport["data"]>(message);
  // A retained one, which a fleet has of each boat, may be of any age.
  const now = message.now - 1000 * stamp.ageOnArrival;
  latest.hear(data, now, stamp.expireAfter);
  lastReportAt = now;
  lastReportLife = stamp.expireAfter;
  const place = latest.read("place", now);
  if (place.kind === "live") ownTrack.hear(place.value, now);
}

/** Drops messages that the page does not subscribe to: shown again, they would look expired although they were not received. */
export function keepFor(page: Page): void {
  if (page !== "ships") store.ais = undefined;
  if (page === "systems" || page === "trend") return;
  for (const [key, { data }] of store.messages) if (systemPgns.includes(data.pgn)) store.messages.delete(key);
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
  invalidate();
}

/** Messages of one PGN by key and address, expired ones too. */
export const messagesOf = <Data extends { readonly pgn: number } = PgnData>(
  pgn: Data["pgn"],
): readonly DeviceMessage<Data>[] =>
  [...store.messages.values()]
    .filter(({ data }) => data.pgn === pgn)
    .sort(
      (a, b) => keyOf(a.data).localeCompare(keyOf(b.data), "en", { numeric: true }) || a.address - b.address,
    ) as unknown as readonly DeviceMessage<Data>[];

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
  const named = store.identities.get(`app/can-${prefix.split("/").at(-1)}/info`);
  if (named !== undefined) return named;
  const bridges = [...store.identities.values()].filter(({ name }) => name === "hub-cand");
  return bridges.length === 1 ? bridges[0] : undefined;
}

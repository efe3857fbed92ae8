/** The latest messages of the boat. Components read them when `frame-tick.ts` ticks. */
import type { DeviceList, DeviceInformation as Information } from "../bridge/device-reports.ts";
import type { Health } from "../bridge/health.ts";
import type { AisReport } from "../nav/ais-report.ts";
import type { NavigationReport } from "../nav/navigation-report.ts";
import type { Identity } from "../report/identity.ts";
import type { InterfaceStatus } from "../report/interface-status.ts";
import { unwrapAngle } from "./angles.ts";
import { invalidate } from "./frame-tick.ts";
import { isExpired, type Metadata, type Stamp, stampOf } from "./freshness.ts";
import { History } from "./history.ts";
import { LatestNavigation } from "./quantities.ts";
import { RawTopics } from "./raw-topics.ts";
import { keyOf } from "./system-messages.ts";
import { deviceTopic } from "./topic-filters.ts";

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

const HISTORY_SECONDS = 600;
const HISTORY_STEP = 2;

export const latest = new LatestNavigation();
export const rawTopics = new RawTopics();
export const histories = {
  depth: new History(HISTORY_SECONDS, HISTORY_STEP),
  trueSpeed: new History(HISTORY_SECONDS, HISTORY_STEP),
  apparentSpeed: new History(HISTORY_SECONDS, HISTORY_STEP),
  /** Unwrapped, so that the line does not jump at north. */
  trueDirection: new History(HISTORY_SECONDS, HISTORY_STEP),
} as const;

export const store = {
  ais: undefined as StoredMessage<AisReport["data"]> | undefined,
  interface: undefined as StoredMessage<InterfaceStatus> | undefined,
  devices: undefined as StoredMessage<NamesAsText<DeviceList>> | undefined,
  /** By address. */
  infos: new Map<number, StoredMessage<DeviceInformation>>(),
  /** The latest message by PGN, address and key. */
  messages: new Map<string, StoredMessage<PgnData> & { readonly address: number }>(),
  /** Identities of publishers, by topic. */
  identities: new Map<string, Identity>(),
  health: undefined as StoredMessage<Health> | undefined,
  /** Prefixes that have an `interface` topic. */
  prefixes: new Set<string>(),
};

/** A plain variable, not a signal, because it changes with every message; components read it at each tick. */
let lastMessageAt = Number.NEGATIVE_INFINITY;

/** Monotonic milliseconds of the last message of any kind. */
export const lastHeard = (): number => lastMessageAt;

/** Boat's clock minus this device's monotonic clock, from the latest message that was not retained. */
let clockOffset: number | undefined;

/** Boat's clock, milliseconds since 1970; this device's clock until the first message. */
export const boatClock = (now: number): number => (clockOffset === undefined ? Date.now() : now + clockOffset);

const decoder = new TextDecoder();

/** Puts NAMEs in quotes, before JSON.parse rounds them. */
const quoteNames = (text: string): string => text.replace(/"name":(\d+)/g, '"name":"$1"');

interface Envelope<Data> {
  readonly data: Data;
  readonly metadata: Metadata;
}

/** Stores one message. `prefix` is the topic prefix of the displayed boat. */
export function hear(
  prefix: string,
  topic: string,
  payload: Uint8Array,
  retained: boolean,
  listensToAll: boolean,
): void {
  const now = performance.now();
  lastMessageAt = now;
  if (listensToAll) {
    rawTopics.hear(topic, payload, now);
    // The page of raw topics needs only these two; parsing thousands of messages a second would cost too much.
    if (topic !== `${prefix}/navigation` && !topic.startsWith("app/")) return;
  }
  const envelope = <Data>(text = decoder.decode(payload)): StoredMessage<Data> => {
    const { data, metadata } = JSON.parse(text) as Envelope<Data>;
    if (!retained) clockOffset = Date.parse(metadata.rxDate) - now;
    return { data, stamp: stampOf(metadata, now, retained, boatClock(now)) };
  };
  const device = deviceTopic(topic, prefix);
  try {
    if (topic === `${prefix}/navigation`) {
      const { data, stamp } = envelope<NavigationReport["data"]>();
      latest.hear(data, now, stamp.expireAfter);
      addToHistories(data, now / 1000);
    } else if (device?.pgn !== undefined) {
      const { data, stamp } = envelope<PgnData>();
      store.messages.set(`${data.pgn}/${device.address}/${keyOf(data)}`, { data, stamp, address: device.address });
    } else if (device !== undefined) {
      // An empty payload removes the retained message: the device has left the bus.
      if (payload.length === 0) store.infos.delete(device.address);
      else store.infos.set(device.address, envelope<DeviceInformation>(quoteNames(decoder.decode(payload))));
    } else if (topic === `${prefix}/ais`) store.ais = envelope<AisReport["data"]>();
    else if (topic === `${prefix}/devices`)
      store.devices = envelope<NamesAsText<DeviceList>>(quoteNames(decoder.decode(payload)));
    else if (topic === `${prefix}/health`) store.health = envelope<Health>();
    else if (topic.startsWith("app/")) {
      if (payload.length === 0) store.identities.delete(topic);
      else store.identities.set(topic, JSON.parse(decoder.decode(payload)) as Identity);
    } else if (topic.endsWith("/interface")) {
      store.prefixes.add(topic.slice(0, -"/interface".length));
      if (topic === `${prefix}/interface`) store.interface = envelope<InterfaceStatus>();
    }
  } catch {
    // Any client may publish to these topics. Malformed messages are ignored and the last good one expires.
  }
  invalidate();
}

function addToHistories(
  { depth_water: water, wind_apparent: apparent, wind_true: wind }: NavigationReport["data"],
  seconds: number,
): void {
  if (water?.depth !== undefined) histories.depth.add(water.depth, seconds);
  if (apparent?.speed != null) histories.apparentSpeed.add(apparent.speed, seconds);
  if (wind?.speed != null) histories.trueSpeed.add(wind.speed, seconds);
  if (wind?.direction != null) {
    const { last } = histories.trueDirection;
    histories.trueDirection.add(Number.isNaN(last) ? wind.direction : unwrapAngle(last, wind.direction), seconds);
  }
}

/** Drops all values when another prefix is chosen. */
export function clearStore(): void {
  latest.clear();
  rawTopics.clear();
  for (const history of Object.values(histories)) history.clear();
  store.ais = store.interface = store.devices = store.health = undefined;
  store.infos.clear();
  store.messages.clear();
  invalidate();
}

/** Messages of one PGN by address and key, expired ones too. */
export const messagesOf = <Data extends { readonly pgn: number }>(
  pgn: Data["pgn"],
): readonly (StoredMessage<Data> & { readonly address: number })[] =>
  [...store.messages.values()]
    .filter(({ data }) => data.pgn === pgn)
    .sort(
      (a, b) => a.address - b.address || keyOf(a.data).localeCompare(keyOf(b.data)),
    ) as unknown as readonly (StoredMessage<Data> & {
    readonly address: number;
  })[];

export const isDead = ({ stamp }: StoredMessage<unknown>, now: number): boolean => isExpired(stamp, now);

/** Identity of the displayed boat's bridge: the one named like the last level of the prefix, else the only hub-cand. */
export function bridgeOf(prefix: string): Identity | undefined {
  const named = store.identities.get(`app/can-${prefix.split("/").at(-1)}/info`);
  if (named !== undefined) return named;
  const bridges = [...store.identities.values()].filter(({ name }) => name === "hub-cand");
  return bridges.length === 1 ? bridges[0] : undefined;
}

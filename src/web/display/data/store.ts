/** The latest messages of the boat. Components read them when `frame-tick.ts` ticks. */
import { networkOf } from "../../../core/can/networks.ts";
import { EXPIRE_AFTER_SECONDS } from "../../../core/report/timing.ts";
import { readJson } from "../../../core/topics/messages.ts";
import type { PgnData } from "../../../core/topics/pgn-data.ts";
import {
  type AccessReport,
  type CourseReport,
  type DataOf,
  type Identity,
  type ReadTopic,
  readAccess,
  readCourse,
  readIdentity,
  readMessage,
} from "../../../core/topics/read-message.ts";
import { appTopics, isInfo, type Place, type TopicName, topicReader, topics } from "../../../core/topics/topics.ts";
import { LatestNavigation } from "../instruments/quantities.ts";
import { systemPgns } from "../systems/system-pgns.ts";
import { OwnTrack } from "../trend/own-track.ts";
import { BoatClock } from "./boat-clock.ts";
import { BoundedMap } from "./bounded-map.ts";
import { invalidate } from "./frame-tick.ts";
import { ageOf, DEAD_SHOWN_SECONDS, isExpired, PeriodEstimate, type Stamp } from "./freshness.ts";
import { keyOf } from "./message-keys.ts";
import { Pace } from "./pace.ts";
import { RawTopics } from "./raw-topics.ts";

/** A message and its age. */
export interface StoredMessage<Data> {
  readonly data: Data;
  readonly stamp: Stamp;
}

/**
 * A message with the time at which it was made, by the boat's clock; `isDated`: it was heard as it was published, and its
 * age by that clock.
 */
type Read<Name extends ReadTopic> = StoredMessage<DataOf<Name>> & {
  readonly made: number;
  readonly isDated: boolean;
};

/** The latest message of a topic, if any. */
type Latest<Name extends ReadTopic> = Read<Name> | undefined;

export type DeviceInformation = DataOf<"infos">;
export type PgnName = NonNullable<DeviceInformation["txPgns"]>[number];

export const latest = new LatestNavigation();
export const rawTopics = new RawTopics();
export const ownTrack = new OwnTrack();
/** A message of one PGN, device and key. */
export interface DeviceMessage<Data = PgnData> extends StoredMessage<Data> {
  /** When it was heard on the bus by the boat's clock, milliseconds since 1970: a lane may repeat an older one. */
  readonly made: number;
  readonly address: number;
  readonly period: PeriodEstimate;
  /** It is too old to be shown, and keeps the place of its panel while the page fills. */
  readonly isPlace?: boolean;
  /**
   * When the page subscribed to it again, monotonic milliseconds: it is of an earlier visit, and its device may have been
   * heard meanwhile.
   */
  readonly askedAgainAt?: number;
}

/**
 * Limits of memory, because any client of the broker may publish: addresses of all networks, streams of all its devices,
 * programs, interfaces.
 */
const MAX_ADDRESSES = 8 * 252;
const MAX_STREAMS = 5000;
const MAX_PUBLISHERS = 1000;
const MAX_PREFIXES = 100;

/** An empty store for the messages of one boat. */
const ofBoat = () => ({
  alarms: undefined as Latest<"alarms">,
  alarmHistory: undefined as Latest<"alarmHistory">,
  knownDevices: undefined as Latest<"knownDevices">,
  ais: undefined as Latest<"ais">,
  interface: undefined as Latest<"interface">,
  devices: undefined as Latest<"devices">,
  /** Information of devices by address. */
  infos: new BoundedMap<number, Read<"infos">>(MAX_ADDRESSES),
  /** The latest message by PGN, address and key. */
  messages: new BoundedMap<string, DeviceMessage>(MAX_STREAMS),
  /** Apps of Signal K that ask for access or have it. */
  access: undefined as AccessReport | undefined,
  /** The destination that hub-link holds; undefined without a hub-link that can hold one, null after it has gone. */
  course: undefined as CourseReport | null | undefined,
  health: undefined as Latest<"health">,
  layouts: undefined as Latest<"layouts">,
  findings: undefined as Latest<"findings">,
  traffic: undefined as Latest<"traffic">,
  /** Shares of each device in the last reports of the traffic, the latest last, by address. */
  shares: new BoundedMap<number, readonly number[]>(MAX_ADDRESSES),
});

export const store = {
  ...ofBoat(),
  /** Identities of publishers, by topic. */
  identities: new BoundedMap<string, Identity>(MAX_PUBLISHERS),
  /** Prefixes that have an `interface` topic. */
  prefixes: new BoundedMap<string, true>(MAX_PREFIXES),
};

/** Plain variables, not signals, because they change with every message; components read them at each tick. */
let lastReportAt = Number.NEGATIVE_INFINITY;
let lastReportMade = Number.NEGATIVE_INFINITY;
let lastReportLife = 0;

/**
 * Monotonic milliseconds of the last navigation report. Other messages, which are retained, do not prove that the
 * bridge runs.
 */
export const lastHeard = (): number => lastReportAt;

/** The same for the time at which it was made. */
export const lastMade = (): number => lastReportMade;

/** Seconds until the last navigation report expires: two on board, three minutes in the lane that a fleet reads. */
export const reportLife = (): number => lastReportLife;

/** The clock of the boat, from the navigation reports, which have the stamps of one clock. */
let clock = new BoatClock();
export const pace = new Pace();

/** The broker has answered the question of that time, monotonic milliseconds, after all waiting messages. */
export const noteBrokerAnswer = (askedAt: number): void => clock.noteAnswer(askedAt);

/** There is a new connection, over which the broker sends anew what it retains. */
export function noteConnection(): void {
  clock.begin(performance.now());
  undated.clear();
}

/** Boat's clock, milliseconds since 1970; this device's clock until the first report. */
export const boatClock = (now: number): number => (clock.offset === undefined ? Date.now() : now + clock.offset);

/** Milliseconds since a moment of the boat's clock, also if that clock was set after the page had seen the moment. */
export const elapsedSince = (moment: number, now: number): number => boatClock(now) - clock.asSetNow(moment);

/** The longest pause while the page subscribes to samples of the reports, seconds. */
const SAMPLING_PAUSE_SECONDS = 2;

/** The AIS report is published at least every ten seconds. */
const AIS_LIFE_SECONDS = 30;

/** A message as it was received. */
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
 * Stores one message of the boat of a prefix, and returns its topic. `rawPgns` is given on the page that shows every
 * topic: the PGNs that are read there too. To parse thousands of other messages a second would cost too much.
 */
export function hear(prefix: string, arrived: Omit<Received, "now">, rawPgns?: readonly number[]): Place | undefined {
  const message = { ...arrived, now: performance.now() };
  const { topic, payload, retained, now } = message;
  const place = placeOf(prefix, topic);
  if (rawPgns !== undefined) {
    rawTopics.hear(topic, payload, now);
    if (!isNeededByAllPages(place, rawPgns) && !isInfo(topic)) return place;
  }
  const { offset, isConfirmed } = clock;
  storeIfGood(place, message);
  undated.delete(topic);
  if (retained && !clock.isConfirmed && undated.size < MAX_UNDATED) undated.set(topic, { place, message });
  if (clock.isConfirmed !== isConfirmed || (offset === undefined && clock.offset !== undefined)) storeDated();
  invalidate();
  return place;
}

function storeIfGood(place: Place | undefined, message: Received): void {
  const { topic } = message;
  try {
    if (isInfo(topic)) storeIdentity(message);
    else if (topic === appTopics.linkAccess)
      store.access = readAccess(JSON.parse(new TextDecoder().decode(message.payload)));
    else if (topic === appTopics.linkCourse)
      store.course =
        message.payload.length === 0 ? null : readCourse(JSON.parse(new TextDecoder().decode(message.payload)));
    else if (place !== undefined) storeMessage(place, message);
    else storePrefix(topic);
  } catch {
    // Any client may publish to these topics. Malformed messages are ignored and the last good one expires.
  }
}

/**
 * Retained messages of this connection, by topic, as long as the boat's clock is not confirmed. Their age was computed
 * by the clock of this device, or by that of the boat before it was set, and is computed again.
 */
const undated = new Map<string, { readonly place: Place | undefined; readonly message: Received }>();
const MAX_UNDATED = 1000;

function storeDated(): void {
  for (const { place, message } of undated.values()) storeIfGood(place, message);
  if (clock.isConfirmed) undated.clear();
}

const isNeededByAllPages = (place: Place | undefined, rawPgns: readonly number[]): boolean =>
  place?.topic === "pgn"
    ? rawPgns.includes(place.pgn)
    : ["navigation", "alarms", "infos", "interface"].some((name) => place?.topic === name);

function storePrefix(topic: string): void {
  const level = topics.interface.name({ prefix: "" });
  if (topic.endsWith(level)) store.prefixes.set(topic.slice(0, -level.length), true);
}

function read<Name extends ReadTopic & TopicName>(topic: Name, { payload, retained, now }: Received): Read<Name> {
  const { data, metadata } = readMessage(topic, readJson(topic, payload));
  const made = Date.parse(metadata.rxDate);
  if (topic === "navigation" && !retained) pace.hear(clock.hear(made, now, Date.now()), now);
  // A retained message may have any age.
  const delay = retained ? Math.max(0, boatClock(now) - made) : clock.delayOf(made, now);
  const stamp = { arrived: now, ageOnArrival: delay / 1000, expireAfter: metadata.expireAfterSec };
  return { data, made, isDated: !retained && clock.isConfirmed, stamp };
}

/** A state that the broker repeats is as old as when it was heard, also if the boat's clock has been set since. */
function readState<Name extends ReadTopic & TopicName>(
  topic: Name,
  message: Received,
  known: Latest<Name>,
): Read<Name> {
  const state = read(topic, message);
  return message.retained && known?.isDated === true && known.made === state.made ? known : state;
}

function storePgn(address: number, message: Received, isInLane: boolean): void {
  const { data, stamp, made } = read("pgn", message);
  const key = `${data.pgn}/${address}/${keyOf(data)}`;
  const known = store.messages.get(key);
  if (isInLane && message.retained && known !== undefined && known.made > made) return;
  const period = known?.period ?? new PeriodEstimate();
  // A lane does not repeat unchanged values at the sender's period.
  if (!isInLane) period.hear(message.now);
  const expireAfter = isInLane ? stamp.expireAfter : period.lifeSeconds(stamp.expireAfter);
  store.messages.set(key, { data, stamp: { ...stamp, expireAfter }, made, address, period });
}

/** An empty payload removes the retained message: the device has left the bus. */
function storeInformation(address: number, message: Received): void {
  if (message.payload.length === 0) store.infos.delete(address);
  else storeLatest(address, read("infos", message));
  forgetMoved();
}

/** A NAME is at one address of a network: the report that was made last has it. */
function storeLatest(address: number, information: Read<"infos">): void {
  for (const [other, { data, made }] of [...store.infos]) {
    if (other === address || data.name !== information.data.name || networkOf(other) !== networkOf(address)) continue;
    if (made > information.made) return;
    store.infos.delete(other);
  }
  store.infos.set(address, information);
}

/** The NAME that was known last at each address. */
const senders = new BoundedMap<number, string>(MAX_ADDRESSES);

/** Forgets what devices have sent from addresses that they have left for others; what they send comes from there. */
function forgetMoved(): void {
  const names = new Map([...store.infos].map(([address, { data }]) => [address, data.name]));
  const present = new Set(names.values());
  for (const [address, name] of [...senders]) {
    const successor = names.get(address);
    if (successor === name || (successor === undefined && !present.has(name))) continue;
    senders.delete(address);
    for (const [key, message] of [...store.messages]) if (message.address === address) store.messages.delete(key);
  }
  for (const [address, name] of names) senders.set(address, name);
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
    case "everyPgn":
    case "everyPgnInstance":
      storePgn(place.addr, message, place.topic !== "pgn");
      break;
    case "infos":
      storeInformation(place.addr, message);
      break;
    case "navigation":
      storeNavigation(message);
      break;
    case "ais":
    case "everyAis": {
      const { stamp, ...report } = read("ais", message);
      if (message.retained && store.ais !== undefined && store.ais.made > report.made) break;
      store.ais = { ...report, stamp: { ...stamp, expireAfter: Math.min(stamp.expireAfter, AIS_LIFE_SECONDS) } };
      break;
    }
    case "traffic":
      storeTraffic(message);
      break;
    case "interface":
      storePrefix(message.topic);
      storeState("interface", message);
      break;
    case "alarms":
    case "alarmHistory":
    case "devices":
    case "knownDevices":
    case "health":
    case "layouts":
    case "findings":
      storeState(place.topic, message);
  }
}

type StateTopic =
  | "interface"
  | "alarms"
  | "alarmHistory"
  | "devices"
  | "knownDevices"
  | "health"
  | "layouts"
  | "findings";

function storeState<Name extends StateTopic>(topic: Name, message: Received): void {
  const known = store[topic] as Latest<Name>;
  Object.assign(store, { [topic]: readState(topic, message, known) });
}

/** Ten minutes of reports. */
const MAX_SHARES = 60;

function storeTraffic(message: Received): void {
  const traffic = read("traffic", message);
  // The broker repeats the retained report at each subscription.
  const isRepeated = message.retained && store.traffic !== undefined;
  store.traffic = traffic;
  if (isRepeated) return;
  for (const { addr, loadPercent } of traffic.data.devices)
    store.shares.set(addr, [...trafficShares(addr), loadPercent].slice(-MAX_SHARES));
}

/** The recent shares of a device, percent, the latest last. */
export const trafficShares = (address: number): readonly number[] => store.shares.get(address) ?? [];

function storeNavigation(message: Received): void {
  const { data, stamp } = read("navigation", message);
  const made = message.now - 1000 * stamp.ageOnArrival;
  // A retained message, which a fleet has from each boat, counts from the time at which it was made.
  const arrived = message.retained ? made : message.now;
  const { expireAfter } = stamp;
  const pause = pace.isSlow ? SAMPLING_PAUSE_SECONDS : 0;
  latest.hear(data, { made, arrived, expireAfter, pause });
  lastReportAt = arrived;
  lastReportMade = made;
  lastReportLife = expireAfter + pause;
  const place = latest.read("place", message.now);
  if (place.kind === "live") ownTrack.hear(place.value, made);
}

/** Time in which a page that is opened fills: the connection, and the period of a tank or a thermometer, 2.5 s. */
const FILLING_MS = 4000;
let filledAt = Number.NEGATIVE_INFINITY;
let askedBefore: readonly string[] = [];

/** Whether messages to which the page has just subscribed are awaited. */
export const isFilling = (now: number): boolean => now < filledAt;

/** PGNs of panels. An old message keeps the place of its panel while the page fills, so that nothing moves. */
const places = new Set(systemPgns);

/**
 * Notes the messages to which the page subscribes. It has not heard what was sent since an earlier visit: messages of
 * that count, with the age that they have, until their senders have had the time to send again.
 */
export function noteSubscriptions(filters: readonly string[], prefix: string): void {
  const now = performance.now();
  const added = new Set(filters.filter((filter) => !askedBefore.includes(filter)));
  askedBefore = filters;
  if (added.size === 0) return;
  filledAt = now + FILLING_MS;
  for (const [key, message] of [...store.messages]) {
    const { stamp, data, period, address } = message;
    if (!added.has(topics.pgn.filter({ prefix, pgn: data.pgn }))) continue;
    const age = ageOf(stamp, now);
    if (age > DEAD_SHOWN_SECONDS && !places.has(data.pgn)) {
      store.messages.delete(key);
      continue;
    }
    const isPlace = message.isPlace ?? age > DEAD_SHOWN_SECONDS;
    const isGone = isPlace || (isExpired(stamp, now) && !isListed(address));
    const expireAfter = isGone ? Math.min(age, stamp.expireAfter) : age + period.lifeSeconds(EXPIRE_AFTER_SECONDS);
    store.messages.set(key, { ...message, isPlace, askedAgainAt: now, stamp: { ...stamp, expireAfter } });
  }
}

/** Whether hub-cand lists a device at an address, or has sent no list yet. */
const isListed = (address: number): boolean => store.devices?.data.peers.some(({ addr }) => addr === address) ?? true;

/** Forgets what programs retain while they are connected: a page without a broker is not told that they have gone. */
export function forgetPrograms(): void {
  store.access = undefined;
  if (store.course !== undefined) store.course = null;
}

/** Forgets the boat, as a page does that is loaded anew. */
export function clearStore(): void {
  latest.clear();
  rawTopics.clear();
  ownTrack.clear();
  Object.assign(store, ofBoat());
  senders.clear();
  undated.clear();
  lastReportAt = lastReportMade = Number.NEGATIVE_INFINITY;
  lastReportLife = 0;
  clock = new BoatClock();
  invalidate();
}

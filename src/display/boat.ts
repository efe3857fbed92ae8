/**
 * What the display has heard of the boat. Messages are kept as they come and nothing is drawn here; `beat.ts` says when.
 */
import type { Health } from "../bridge/health.ts";
import type { identityPayload } from "../bridge/identity.ts";
import type { Message } from "../n2k/field.ts";
import type { productInformation } from "../n2k/pgns/system.ts";
import type { AisReport } from "../nav/ais-report-schema.ts";
import type { NavigationReport } from "../nav/report.ts";
import type { InterfaceStatus } from "../ports/interface-monitor.ts";
import { stir } from "./beat.ts";
import { isExpired, type Metadata, type Stamp, stampOf } from "./freshness.ts";
import { History } from "./history.ts";
import { NavigationPicture } from "./quantities.ts";
import { RawTopics } from "./raw-topics.ts";
import { deviceTopic } from "./topic-filters.ts";
import { nearest } from "./turning.ts";

/** A message that is kept, and how old it is. */
export interface Heard<Data> {
  readonly data: Data;
  readonly stamp: Stamp;
}

/** `data` of a PGN message whose PGN is only known when it comes; narrowed by `pgn` where it is shown. */
export interface PgnData {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

export interface PgnName {
  readonly id: number;
  readonly name: string;
}

/** What a device has said about itself: topic `infos`. */
export interface DeviceInformation {
  readonly addr: number;
  /** The NAME, whose 64 bits a number cannot hold. */
  readonly name: string;
  readonly manufacturer: string;
  readonly manufacturerCode: number;
  readonly identityNumber: number;
  readonly functionName: string;
  readonly functionCode: number;
  readonly classCode: number;
  readonly deviceInstance: number;
  readonly vehicleSystemInstance: number;
  readonly industryGroup: string;
  readonly productInfo?: Omit<Message<typeof productInformation>, "pgn">;
  readonly txPgns?: readonly PgnName[];
  readonly rxPgns?: readonly PgnName[];
}

export interface DevicesList {
  readonly count: number;
  readonly peers: readonly { readonly addr: number; readonly name: string }[];
}

/** What `identityPayload` writes. */
export interface Identity extends Omit<Parameters<typeof identityPayload>[0], "wall" | "health"> {
  readonly name: string;
  readonly health?: Health;
}

const HISTORY_SECONDS = 600;
const HISTORY_STEP = 2;

export const picture = new NavigationPicture();
export const raw = new RawTopics();
export const histories = {
  depth: new History(HISTORY_SECONDS, HISTORY_STEP),
  trueSpeed: new History(HISTORY_SECONDS, HISTORY_STEP),
  apparentSpeed: new History(HISTORY_SECONDS, HISTORY_STEP),
  /** Turn by turn, so that it does not jump at north. */
  trueDirection: new History(HISTORY_SECONDS, HISTORY_STEP),
} as const;

export const boat = {
  ais: undefined as Heard<AisReport["data"]> | undefined,
  interface: undefined as Heard<InterfaceStatus> | undefined,
  devices: undefined as Heard<DevicesList> | undefined,
  /** By address. */
  infos: new Map<number, Heard<DeviceInformation>>(),
  /** The latest message by PGN, address and instance. */
  messages: new Map<string, Heard<PgnData> & { readonly address: number }>(),
  /** Who publishes, by topic. */
  identities: new Map<string, Identity>(),
  health: undefined as Heard<Readonly<Record<string, unknown>>> | undefined,
  /** Prefixes that somebody publishes an interface under. */
  prefixes: new Set<string>(),
};

/** A plain variable and no signal: it changes with every message, and the beat asks for it. */
let heardAt = Number.NEGATIVE_INFINITY;

/** Monotonic milliseconds of the last message of any kind. */
export const lastHeard = (): number => heardAt;

/** The boat's clock less the monotonic one of this device, as the latest living message has it. */
let clockOffset: number | undefined;

/** Milliseconds since 1970 by the boat's clock, by this device's own until something was heard. */
export const boatClock = (now: number): number => (clockOffset === undefined ? Date.now() : now + clockOffset);

const decoder = new TextDecoder();

/** NAMEs have 64 bits: as text they keep all of their digits. */
const withNames = (text: string): string => text.replace(/"name":(\d+)/g, '"name":"$1"');

interface Envelope<Data> {
  readonly data: Data;
  readonly metadata: Metadata;
}

/** Which of several of a kind a message speaks of: every field whose name ends in `instance`, and what a tank holds. */
const instanceOf = (data: PgnData): string =>
  Object.entries(data)
    .filter(([name]) => /instance$/i.test(name) || name === "fluidType" || name === "source")
    .map(([, value]) => value)
    .join("/");

/** Takes in one message. `prefix` is that of the boat that is looked at. */
export function hear(
  prefix: string,
  topic: string,
  payload: Uint8Array,
  retained: boolean,
  listensToAll: boolean,
): void {
  const now = performance.now();
  heardAt = now;
  if (listensToAll) {
    raw.hear(topic, payload, now);
    // Thousands a second, of which that page draws none by itself.
    if (topic !== `${prefix}/navigation` && !topic.startsWith("app/")) return;
  }
  const envelope = <Data>(text = decoder.decode(payload)): Heard<Data> => {
    const { data, metadata } = JSON.parse(text) as Envelope<Data>;
    if (!retained) clockOffset = Date.parse(metadata.rxDate) - now;
    return { data, stamp: stampOf(metadata, now, retained, boatClock(now)) };
  };
  const device = deviceTopic(topic, prefix);
  try {
    if (topic === `${prefix}/navigation`) {
      const { data, stamp } = envelope<NavigationReport["data"]>();
      picture.hear(data, now, stamp.expireAfter);
      remember(data, now / 1000);
    } else if (device?.pgn !== undefined) {
      const { data, stamp } = envelope<PgnData>();
      boat.messages.set(`${data.pgn}/${device.address}/${instanceOf(data)}`, { data, stamp, address: device.address });
    } else if (device !== undefined) {
      // An empty message takes back what was kept: the device is gone.
      if (payload.length === 0) boat.infos.delete(device.address);
      else boat.infos.set(device.address, envelope<DeviceInformation>(withNames(decoder.decode(payload))));
    } else if (topic === `${prefix}/ais`) boat.ais = envelope<AisReport["data"]>();
    else if (topic === `${prefix}/devices`) boat.devices = envelope<DevicesList>(withNames(decoder.decode(payload)));
    else if (topic === `${prefix}/health`) boat.health = envelope<Readonly<Record<string, unknown>>>();
    else if (topic.startsWith("app/")) {
      if (payload.length === 0) boat.identities.delete(topic);
      else boat.identities.set(topic, JSON.parse(decoder.decode(payload)) as Identity);
    } else if (topic.endsWith("/interface")) {
      boat.prefixes.add(topic.slice(0, -"/interface".length));
      if (topic === `${prefix}/interface`) boat.interface = envelope<InterfaceStatus>();
    }
  } catch {
    // Anybody may write to a broker. What is no message of ours is not shown, and the last one grows old.
  }
  stir();
}

function remember(
  { depth_water: water, wind_apparent: apparent, wind_true: wind }: NavigationReport["data"],
  seconds: number,
): void {
  if (water?.depth !== undefined) histories.depth.add(water.depth, seconds);
  if (apparent?.speed != null) histories.apparentSpeed.add(apparent.speed, seconds);
  if (wind?.speed != null) histories.trueSpeed.add(wind.speed, seconds);
  if (wind?.direction != null) {
    const { last } = histories.trueDirection;
    histories.trueDirection.add(Number.isNaN(last) ? wind.direction : nearest(last, wind.direction), seconds);
  }
}

/** Another boat, or another page: what would otherwise grow old unseen goes. */
export function forget(): void {
  picture.clear();
  raw.clear();
  for (const history of Object.values(histories)) history.clear();
  boat.ais = boat.interface = boat.devices = boat.health = undefined;
  boat.infos.clear();
  boat.messages.clear();
  stir();
}

/** Messages of one PGN by address and instance, dead ones too. */
export const messagesOf = <Data extends { readonly pgn: number }>(
  pgn: Data["pgn"],
): readonly (Heard<Data> & { readonly address: number })[] =>
  [...boat.messages.values()]
    .filter(({ data }) => data.pgn === pgn)
    .sort(
      (a, b) => a.address - b.address || instanceOf(a.data).localeCompare(instanceOf(b.data)),
    ) as unknown as readonly (Heard<Data> & {
    readonly address: number;
  })[];

export const isDead = ({ stamp }: Heard<unknown>, now: number): boolean => isExpired(stamp, now);

/** The bridge of the boat that is looked at: of the same name as the last level of the prefix, else the only one. */
export function bridgeOf(prefix: string): Identity | undefined {
  const named = boat.identities.get(`app/can-${prefix.split("/").at(-1)}/info`);
  if (named !== undefined) return named;
  const bridges = [...boat.identities.values()].filter(({ name }) => name === "hub-cand");
  return bridges.length === 1 ? bridges[0] : undefined;
}

/** The boats of a fleet, from the topics that their bridges send (packaging/fleet/boat.mosquitto.conf). Pure. */
import { type Severity, severities } from "../../../core/alarms/constants.ts";
import { type DataOf, type ReadTopic, readIdentity, readMessage } from "../../../core/topics/read-message.ts";
import { appTopics, interfaceOf, topics } from "../../../core/topics/topics.ts";
import type { PlainText } from "../languages/texts.ts";

const ROOT = "boats";

export type HullAlarm = DataOf<"alarms">["alarms"][number];

/** The state of a boat; members are absent until received. Times are milliseconds since 1970. */
export interface Hull {
  readonly name: string;
  /** Time of the last message by the clock here; for a retained one, the time at which it was made on board. */
  readonly seen: number;
  /** Time at which the position was measured, by the clock of the boat, and not later than its arrival. */
  readonly measured?: number;
  readonly position?: { readonly latitude: number; readonly longitude: number };
  /** Not older than the position. */
  readonly speedKnots?: number | undefined;
  readonly course?: number | undefined;
  readonly health?: DataOf<"health">;
  /** The alarms of the last report; absent if the bridge does not send them. */
  readonly alarms?: readonly HullAlarm[];
  /** Whether hub-cand runs. */
  readonly isOnline?: boolean;
  readonly fetched?: DataOf<"configFetch">;
  /** Messages for which the queue of the bridge had no room, since the start of Mosquitto. */
  readonly dropped?: number;
}

/** The news in a message; `made` is its time on board. */
type News = Partial<Omit<Hull, "name" | "seen">> & { readonly made?: number };

function read<Name extends ReadTopic>(
  topic: Name,
  text: string,
): { readonly data: DataOf<Name>; readonly made: number } {
  const { data, metadata } = readMessage(topic, JSON.parse(text));
  return { data, made: Date.parse(metadata.rxDate) };
}

function navigationNews(text: string): News {
  const { data, made } = read("navigation", text);
  const { latitude, longitude } = data.position ?? {};
  const { sog, cog } = data.speed_course ?? {};
  const hasPosition = latitude !== undefined && longitude !== undefined;
  return {
    made,
    // The list shows speed and course with the age of the position.
    ...(hasPosition && { position: { latitude, longitude }, measured: made, speedKnots: undefined, course: undefined }),
    ...(typeof sog === "number" && { speedKnots: sog }),
    ...(typeof cog === "number" && { course: cog }),
  };
}

function healthNews(text: string): News {
  const { data, made } = read("health", text);
  return { made, health: data };
}

function alarmNews(text: string): News {
  const { data, made } = read("alarms", text);
  return { made, alarms: data.alarms };
}

function identityNews(text: string): News {
  const identity = readIdentity(JSON.parse(text));
  return identity === undefined ? {} : { isOnline: identity.online };
}

function droppedNews(text: string): News {
  const dropped = Number(text);
  return Number.isSafeInteger(dropped) ? { dropped } : {};
}

type Reader = (text: string) => News;

/**
 * The topics of each boat of a bus, with the readers of their messages. The order is that of the subscriptions: of many
 * retained messages at once, Mosquitto drops the last ones.
 */
const readersOf = (prefix: string): ReadonlyMap<string, Reader> =>
  new Map<string, Reader>([
    [topics.alarms.name({ prefix }), alarmNews],
    [topics.navigation.name({ prefix }), navigationNews],
    [topics.health.name({ prefix }), healthNews],
    [topics.info.name({ interface: interfaceOf(prefix) }), identityNews],
    [appTopics.configFetch, (text) => ({ fetched: read("configFetch", text).data })],
    ["broker/publish/messages/dropped", droppedNews],
  ]);

/** The boats of a fleet by the messages of one bus each, such as `can/can0`. */
export class Hulls {
  readonly filters: readonly string[];
  readonly #readers: ReadonlyMap<string, Reader>;
  readonly #hulls = new Map<string, Hull>();
  #sorted: string[] = [];

  constructor(prefix: string) {
    this.#readers = readersOf(prefix);
    this.filters = [...this.#readers.keys()].map((name) => `${ROOT}/+/${name}`);
  }

  /**
   * Takes a message; `now` is milliseconds since 1970. An unreadable one is ignored, because any boat may have sent it.
   */
  hear(topic: string, text: string, isRetained: boolean, now: number): void {
    const [root, name, ...rest] = topic.split("/");
    const reader = this.#readers.get(rest.join("/"));
    if (root !== ROOT || !name || reader === undefined || text === "") return;
    let news: News;
    try {
      news = reader(text);
    } catch {
      return;
    }
    const { made, measured, ...others } = news;
    const known = this.#hulls.get(name);
    // If the clock on board is ahead, a message is still not younger than its arrival.
    const at = isRetained ? Math.min(made ?? 0, now) : now;
    this.#hulls.set(name, {
      ...known,
      ...others,
      ...(measured !== undefined && { measured: Math.min(measured, now) }),
      name,
      seen: Math.max(known?.seen ?? 0, at),
    });
  }

  /** All boats, by name. */
  all(): readonly Hull[] {
    if (this.#sorted.length !== this.#hulls.size) {
      const { compare } = new Intl.Collator("en", { numeric: true });
      this.#sorted = [...this.#hulls.keys()].sort(compare);
    }
    return this.#sorted.map((name) => this.#hulls.get(name)!);
  }
}

/** The messages of the lane of a minute expire after three; the health is published every 30 seconds. */
const LATE_AFTER_MS = 180_000;
const SILENT_AFTER_MS = 3_600_000;
/** Three runs of the hourly timer. */
const NOT_FETCHED_MS = 3 * 3_600_000;

/** Off: something on board still sends, but hub-cand says that it has ended. */
export const hullStates = ["online", "late", "off", "silent"] as const;
export type HullState = (typeof hullStates)[number];

export const stateNames = {
  online: "On line",
  late: "Late",
  off: "Off",
  silent: "Silent",
} as const satisfies Readonly<Record<HullState, PlainText>>;

/** The state by the age of the last message; `now` is milliseconds since 1970. */
export function stateOf({ seen, isOnline }: Hull, now: number): HullState {
  const age = now - seen;
  if (isOnline === false && age <= SILENT_AFTER_MS) return "off";
  if (age <= LATE_AFTER_MS) return "online";
  return age <= SILENT_AFTER_MS ? "late" : "silent";
}

export type HullFault =
  | { readonly kind: "offLine" }
  | { readonly kind: "refused"; readonly reason: string | undefined }
  | { readonly kind: "notAsked"; readonly seconds: number }
  | { readonly kind: "notUnderstood" | "framesLost" | "messagesLost"; readonly count: number };

/** The faults on board; empty if none is known. */
export function faultsOf(hull: Hull, now: number): readonly HullFault[] {
  const { health, isOnline, fetched, dropped } = hull;
  const faults: HullFault[] = [];
  const add = (kind: Extract<HullFault, { readonly count: number }>["kind"], count: number | undefined): void => {
    if (count !== undefined && count > 0) faults.push({ kind, count });
  };
  if (isOnline === false) faults.push({ kind: "offLine" });
  if (fetched?.result === "refused") faults.push({ kind: "refused", reason: fetched.reason });
  const unasked = fetched === undefined ? 0 : now - Date.parse(fetched.checkedAt);
  if (unasked > NOT_FETCHED_MS && now - hull.seen <= LATE_AFTER_MS)
    faults.push({ kind: "notAsked", seconds: unasked / 1000 });
  add("notUnderstood", health?.ignoredSettings?.length);
  add("framesLost", (health?.framesLost?.kernel ?? 0) + (health?.framesLost?.ring ?? 0));
  add("messagesLost", dropped);
  return faults;
}

/** The most dangerous severity of a boat's alarms; undefined without one. */
const severityOf = ({ alarms = [] }: Hull): Severity | undefined =>
  severities.find((severity) => alarms.some((alarm) => alarm.severity === severity));

export interface HullRow {
  readonly hull: Hull;
  readonly state: HullState;
  readonly severity: Severity | undefined;
  readonly faults: readonly HullFault[];
}

/** Whether a boat has a fault or is not heard, apart from its alarms. */
export const isFaulty = ({ state, faults }: HullRow): boolean =>
  faults.length > 0 || state === "off" || state === "silent";

/** 0 for the worst: alarms by severity, faults, boats that are not heard, the others. */
function rankOf(row: HullRow): number {
  const { severity, state, faults } = row;
  if (severity !== undefined) return severities.indexOf(severity);
  const order = [faults.length > 0, state === "off", state === "silent", state === "late", true];
  return severities.length + order.indexOf(true);
}

/** The rows of all boats, the worst first and otherwise in the given order. */
export function rowsOf(hulls: readonly Hull[], now: number): readonly HullRow[] {
  const rows = hulls.map((hull): HullRow => {
    const [state, severity] = [stateOf(hull, now), severityOf(hull)];
    return { hull, state, severity, faults: faultsOf(hull, now) };
  });
  const ranked = rows.map((row) => ({ row, rank: rankOf(row) }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ row }) => row);
}

/** Whether the words of a search are in the name of a boat, or in what the list says of it. */
export function isFound({ hull }: HullRow, words: string, said: readonly string[]): boolean {
  const wanted = words.trim().toLowerCase();
  return [hull.name, ...said].some((text) => text.toLowerCase().includes(wanted));
}

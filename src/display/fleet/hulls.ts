/** The boats of a fleet, from the topics that their bridges send (packaging/fleet/boat.mosquitto.conf). Pure. */
import { durationText } from "../../text/quantity.ts";
import { appTopics, interfaceOf, topics } from "../../topics/topics.ts";
import { type DataOf, type ReadTopic, readIdentity, readMessage } from "../data/messages.ts";
import { countText } from "../units.ts";

const ROOT = "boats";

/** The state of a boat; members are absent until received. Times are milliseconds since 1970. */
export interface Hull {
  readonly name: string;
  /** Time of the last message by the clock here; for a retained one, the time at which it was made on board. */
  readonly seen: number;
  /** Time at which the position was measured, by the clock of the boat, and not later than its arrival. */
  readonly measured?: number;
  readonly position?: { readonly latitude: number; readonly longitude: number };
  readonly speedKnots?: number;
  readonly course?: number;
  readonly health?: DataOf<"health">;
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
  return {
    made,
    ...(latitude !== undefined && longitude !== undefined && { position: { latitude, longitude }, measured: made }),
    ...(typeof sog === "number" && { speedKnots: sog }),
    ...(typeof cog === "number" && { course: cog }),
  };
}

function healthNews(text: string): News {
  const { data, made } = read("health", text);
  return { made, health: data };
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

/** The topics of each boat of a bus, with the readers of their messages. */
const readersOf = (prefix: string): ReadonlyMap<string, Reader> =>
  new Map<string, Reader>([
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

export const hullStates = ["online", "late", "silent"] as const;
export type HullState = (typeof hullStates)[number];

/** The state by the age of the last message; `now` is milliseconds since 1970. */
export function stateOf({ seen }: Hull, now: number): HullState {
  const age = now - seen;
  if (age <= LATE_AFTER_MS) return "online";
  return age <= SILENT_AFTER_MS ? "late" : "silent";
}

/** The faults on board, in words; empty if none is known. */
export function faultsOf(hull: Hull, now: number): readonly string[] {
  const { health, isOnline, fetched, dropped } = hull;
  const faults: string[] = [];
  const count = (many: number | undefined, what: string): void => {
    if (many !== undefined && many > 0) faults.push(`${what}: ${countText(many)}`);
  };
  if (isOnline === false) faults.push("hub-cand is off line");
  if (fetched?.result === "refused") faults.push(`configuration refused: ${fetched.reason ?? "no reason told"}`);
  const unasked = fetched === undefined ? 0 : now - Date.parse(fetched.checkedAt);
  if (unasked > NOT_FETCHED_MS && stateOf(hull, now) === "online")
    faults.push(`configuration not asked for since ${durationText(unasked / 1000)}`);
  count(health?.ignoredSettings?.length, "settings not understood");
  count((health?.framesLost?.kernel ?? 0) + (health?.framesLost?.ring ?? 0), "frames lost");
  count(dropped, "messages lost on the way");
  return faults;
}

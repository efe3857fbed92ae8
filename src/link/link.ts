/** From the topics of hub-cand to the outlets: which topics, and which message is which. */
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { quoteNames } from "../text/quote-names.ts";
import type { Heard, Outlet, ReportTopic } from "./outlet.ts";

/** The longest payload that is read, bytes: twice the longest report of hub-cand, that of a thousand AIS targets. */
export const MAX_PAYLOAD_BYTES = 1 << 20;

export interface LinkOptions {
  /** Of the topics of hub-cand, such as `can/can0`. */
  readonly prefix: string;
  readonly outlets: readonly Outlet[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Messages that were skipped, by reason, since the start. */
export interface SkippedMessages {
  readonly tooLong: number;
  readonly notJson: number;
}

type Place = { readonly topic: ReportTopic | "pgn"; readonly address?: number; readonly pgn?: number };

export class Link {
  /** Topic filters of all that the outlets read. */
  readonly filters: readonly string[];
  readonly #options: LinkOptions;
  /** Topic of the identity of hub-cand: the interface is the last level of its prefix, unless it was given another. */
  readonly #identityTopic: string;
  /** By topic; there are no more than the broker has of the filters, and one that is new for ever is not kept. */
  readonly #places = new Map<string, Place | undefined>();
  readonly #skipped = { tooLong: 0, notJson: 0 };

  constructor(options: LinkOptions) {
    this.#options = options;
    const { prefix, outlets } = options;
    this.#identityTopic = `app/can-${prefix.slice(prefix.lastIndexOf("/") + 1)}/info`;
    this.filters = [this.#identityTopic, ...new Set(outlets.flatMap((outlet) => filtersOf(prefix, outlet)))];
  }

  get skipped(): SkippedMessages {
    return this.#skipped;
  }

  /** Hands a message to the outlets; one that is too long or no JSON object is skipped and counted. */
  hear(topic: string, payload: Uint8Array, isRetained: boolean): void {
    // The removal of a retained message.
    if (payload.length === 0) return;
    const place = this.#placeOf(topic);
    if (place === undefined && topic !== this.#identityTopic) return;
    const message = this.#parse(payload, topic);
    if (message === undefined) return;
    const { outlets, clock } = this.#options;
    if (place === undefined) {
      if (message.online === false) for (const outlet of outlets) outlet.forget();
      return;
    }
    const { topic: kind, address, pgn } = place;
    const heard = { topic: kind, address, pgn, message, receivedMs: clock.monotonic(), isRetained } as Heard;
    for (const outlet of outlets) outlet.hear(heard);
  }

  #placeOf(topic: string): Place | undefined {
    if (this.#places.has(topic)) return this.#places.get(topic);
    const place = placeOf(this.#options.prefix, topic);
    if (this.#places.size < MAX_PLACES) this.#places.set(topic, place);
    return place;
  }

  #parse(payload: Uint8Array, topic: string): Readonly<Record<string, unknown>> | undefined {
    if (payload.length > MAX_PAYLOAD_BYTES) return this.#skip("tooLong", topic);
    try {
      const text = utf8.decode(payload);
      const value: unknown = JSON.parse(hasNames(topic) ? quoteNames(text) : text);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as Readonly<Record<string, unknown>>;
    } catch {
      // Counted below.
    }
    return this.#skip("notJson", topic);
  }

  #skip(reason: keyof SkippedMessages, topic: string): undefined {
    this.#skipped[reason] += 1;
    const { log } = this.#options;
    log.warn("messages are skipped that are no JSON object or too long", {
      code: "MESSAGES_SKIPPED",
      topic,
      ...this.#skipped,
    });
    return undefined;
  }
}

const utf8 = new TextDecoder();

/** Topics whose messages have NAMEs of devices as numbers; outlets get them as texts. */
const hasNames = (topic: string): boolean => topic.endsWith("/devices") || topic.endsWith("/infos");

/** 252 devices have a few dozen PGNs each. */
const MAX_PLACES = 20_000;

function filtersOf(prefix: string, { topics, pgns }: Outlet): string[] {
  const reports = topics.map((topic) => (topic === "infos" ? `${prefix}/device/+/infos` : `${prefix}/${topic}`));
  const numbers = pgns === "all" ? ["+"] : pgns;
  return [...reports, ...numbers.map((pgn) => `${prefix}/device/+/pgn/${pgn}`)];
}

const reportTopics: readonly ReportTopic[] = ["navigation", "ais", "devices", "alarms", "interface", "health"];

function placeOf(prefix: string, topic: string): Place | undefined {
  if (!topic.startsWith(`${prefix}/`)) return undefined;
  const name = topic.slice(prefix.length + 1);
  const report = reportTopics.find((each) => each === name);
  if (report !== undefined) return { topic: report };
  const [, address, pgn] = /^device\/(\d{1,3})\/(?:infos|pgn\/(\d{1,6}))$/.exec(name) ?? [];
  if (address === undefined) return undefined;
  if (pgn === undefined) return { topic: "infos", address: Number(address) };
  return { topic: "pgn", address: Number(address), pgn: Number(pgn) };
}

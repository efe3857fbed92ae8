/** Passes the messages of hub-cand's topics on to the outlets: chooses the topics and recognizes each message. */
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { readJson } from "../../core/topics/messages.ts";
import { readMessage, readPgnMessage } from "../../core/topics/read-message.ts";
import { interfaceOf, type Place, topicReader, topics } from "../../core/topics/topics.ts";
import { attempt } from "../../core/util/attempt.ts";
import { isRecord } from "../../core/util/is-record.ts";
import type { CourseMessages } from "./course-messages.ts";
import { type Heard, type HeardTopic, heardTopics, type Outlet } from "./outlet.ts";
import { Plotters } from "./plotters.ts";

export interface LinkOptions {
  /** Prefix of the topics of hub-cand, such as `can/can0`. */
  readonly prefix: string;
  readonly outlets: readonly Outlet[];
  /** The course that hub-link holds. */
  readonly course?: CourseMessages | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Messages that were skipped, by reason, since the start. */
export interface SkippedMessages {
  readonly tooLong: number;
  readonly notJson: number;
  /** JSON that is not a message of its topic. */
  readonly notOfTopic: number;
}

/** A topic that the outlets read, or the identity of hub-cand. */
type HeardPlace = Extract<Place, { readonly topic: HeardTopic | "info" }>;

export class Link {
  /** Topic filters of all that the outlets read. */
  readonly filters: readonly string[];
  readonly #options: LinkOptions;
  readonly #readTopic: (topic: string) => Place | undefined;
  /** Places by topic, for topics of hub-cand alone, because other clients may use topics of any length. */
  readonly #places = new Map<string, HeardPlace>();
  /** By the identity of hub-cand, which comes before its retained messages. */
  #isOffline = false;
  /** Faults of outlets so far. */
  #faults = 0;
  readonly #plotters = new Plotters();
  readonly #skipped = { tooLong: 0, notJson: 0, notOfTopic: 0 };

  constructor(options: LinkOptions) {
    this.#options = options;
    const { prefix, outlets, course } = options;
    course?.course.listen((before) => {
      const wasHeld = before.nextPoint !== null;
      if (wasHeld !== course.course.isHeld) this.#each((outlet) => outlet.courseChanged?.());
    });
    this.#readTopic = topicReader(prefix);
    const identity = topics.info.name({ interface: interfaceOf(prefix) });
    const ofCourse = course === undefined ? [] : [topics.alarmHistory.filter({ prefix })];
    this.filters = [identity, ...new Set([...outlets.flatMap((outlet) => filtersOf(prefix, outlet)), ...ofCourse])];
  }

  /** A report that is subscribed to, and that hub-cand publishes each second or half minute, whatever is on the bus. */
  get expected(): { readonly topic: string; readonly withinMs: number } {
    const { prefix, outlets } = this.#options;
    const report = outlets.some((outlet) => outlet.topics.includes("navigation")) ? topics.navigation : topics.alarms;
    return { topic: report.name({ prefix }), withinMs: EXPECTED_WITHIN_MS };
  }

  /** Topics held in memory, so that a test can check their bound. */
  get kept(): number {
    return this.#places.size;
  }

  get skipped(): SkippedMessages {
    return this.#skipped;
  }

  /**
   * Passes the parts of a message that fit its topic to the outlets. A message that is too long (undefined) or does not
   * fit is skipped and counted.
   */
  hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean): void {
    // An empty payload removes a retained message.
    if (payload?.length === 0) return;
    const place = this.#placeOf(topic);
    if (place === undefined) return;
    const value = this.#parse(place, payload, topic);
    if (value === undefined) return;
    const { course, clock } = this.#options;
    if (place.topic === "info") {
      this.#isOffline = value.online === false;
      if (!this.#isOffline) return;
      course?.forget();
      this.#plotters.forget();
      this.#each((outlet) => outlet.forget());
      return;
    }
    const message = this.#read(place, value, topic);
    if (message === undefined) return;
    const isLast = isRetained && this.#isOffline;
    const heard = { ...place, message, receivedMs: clock.monotonic(), isRetained, ...(isLast && { isLast }) } as Heard;
    const plotter = heard.topic === "pgn" ? this.#plotters.hear(heard) : "counts";
    if (plotter === undefined) return;
    if (plotter === "other" && course?.course.isHeld !== true) this.#each((outlet) => outlet.courseChanged?.());
    for (const passed of course?.pass(heard) ?? [heard]) this.#each((outlet) => outlet.hear(passed));
  }

  /** Does the same with each outlet; a fault of one costs its own work alone. */
  #each(work: (outlet: Outlet) => void): void {
    for (const outlet of this.#options.outlets) {
      try {
        work(outlet);
      } catch (error) {
        this.#faults += 1;
        const { name } = outlet.constructor;
        this.#options.log.error("an outlet has failed, the others go on", {
          code: "OUTLET_FAILED",
          name,
          faults: this.#faults,
          reason: String(error),
        });
      }
    }
  }

  #placeOf(topic: string): HeardPlace | undefined {
    const known = this.#places.get(topic);
    if (known !== undefined) return known;
    const found = this.#readTopic(topic);
    const place = found !== undefined && this.#isHeard(found) ? found : undefined;
    if (place !== undefined && this.#places.size < MAX_PLACES) this.#places.set(topic, place);
    return place;
  }

  #isHeard(place: Place): place is HeardPlace {
    if (place.topic === "info") return place.interface === interfaceOf(this.#options.prefix);
    return heardTopics.some((each) => each === place.topic);
  }

  #parse(place: Place, payload: Uint8Array | undefined, topic: string): Readonly<Record<string, unknown>> | undefined {
    if (payload === undefined) return this.#skip("tooLong", topic);
    const value = attempt(() => readJson(place.topic, payload));
    return isRecord(value) ? value : this.#skip("notJson", topic);
  }

  #read(place: Exclude<HeardPlace, { topic: "info" }>, value: unknown, topic: string): Heard["message"] | undefined {
    try {
      return place.topic === "pgn" ? readPgnMessage(place.pgn, value) : readMessage(place.topic, value);
    } catch {
      return this.#skip("notOfTopic", topic);
    }
  }

  #skip(reason: keyof SkippedMessages, topic: string): undefined {
    this.#skipped[reason] += 1;
    const { log } = this.#options;
    log.warn("messages are skipped that are not what their topic has, or too long", {
      code: "MESSAGES_SKIPPED",
      topic,
      ...this.#skipped,
    });
    return undefined;
  }
}

const EXPECTED_WITHIN_MS = 60_000;

/** 252 devices have a few dozen PGNs each. */
const MAX_PLACES = 20_000;

function filtersOf(prefix: string, { topics: names, pgns }: Outlet): string[] {
  const numbers = pgns === "all" ? [{}] : pgns.map((pgn) => ({ pgn }));
  return [
    ...names.map((name) => topics[name].filter({ prefix })),
    ...numbers.map((values) => topics.pgn.filter({ prefix, ...values })),
  ];
}

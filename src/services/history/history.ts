/**
 * From the messages of a slow lane to lines of a time series engine: a measurement for each PGN and one for the
 * navigation report, numbers and truth values as fields. Texts, lists, other ships, routes and commands are left out.
 * Alarms that have ended are lines of the measurement `alarm`, with their words as tags.
 */

import { namesWhere, publishedKeyNames } from "../../core/n2k/layout.ts";
import { definitions, reportOnly } from "../../core/n2k/pgns/index.ts";
import { laneExpirySeconds } from "../../core/topics/lane-messages.ts";
import { ALARM, ALARM_SECONDS, NAVIGATION, navigationField } from "../../core/topics/measurements.ts";
import { readJson } from "../../core/topics/messages.ts";
import { pgnMeasurement } from "../../core/topics/pgn-measurement.ts";
import { type Place, type TopicValues, topicReader, topics } from "../../core/topics/topics.ts";
import { attempt } from "../../core/util/attempt.ts";
import { isRecord } from "../../core/util/is-record.ts";
import { lineOf, type Point } from "./line.ts";

export interface HistoryOptions {
  /** Prefix of hub-cand's topics. */
  readonly prefix: string;
  /** Interval of the lane, seconds. */
  readonly lane: number;
  /** Takes a line, which ends with a line feed. */
  readonly onLine: (line: string) => void;
}

type Data = Readonly<Record<string, unknown>>;

/** A message of a lane, or the list of devices. */
interface Envelope {
  readonly data: Data;
  readonly metadata: Data;
}

const isEnvelope = (value: unknown): value is Envelope =>
  isRecord(value) && isRecord(value.data) && isRecord(value.metadata);

const known = [...definitions, ...reportOnly];

const keysByPgn = new Map(known.map((definition) => [definition.pgn, publishedKeyNames(definition)]));

/** Members that state nothing about the boat. */
const notMeasured = new Map(
  known.map((definition) => [definition.pgn, namesWhere(definition, (field) => field.key ?? field.counter)]),
);

/** Messages about ships, routes and commands are no state of the boat, and each ship would be a series. */
const aboutOthers = new Set(
  known.filter(({ about }) => about !== undefined && about !== "protocol").map(({ pgn }) => pgn),
);

/** The value as a finite number, true and false as 1 and 0. */
const numeric = (value: unknown): number | undefined =>
  Number.isFinite(value) ? (value as number) : typeof value === "boolean" ? Number(value) : undefined;

/** Limits of a plausible clock; a line counts nanoseconds in 64 bits, which end in 2262. */
const [EARLIEST, LATEST] = [Date.UTC(2000), Date.UTC(2200)];

const numbersOf = (
  data: Data,
  without: readonly string[],
  fieldOf = (name: string): string => name,
): readonly (readonly [name: string, value: number])[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const number = without.includes(name) ? undefined : numeric(value);
    return number === undefined ? [] : [[fieldOf(name), number] as const];
  });

/** Limits above the devices of all networks, the fields of any message of hub-cand, and the length of its names and keys. */
const [MAX_DEVICES, MAX_FIELDS, MAX_LENGTH] = [2048, 500, 250];

const nameDigits = /^\d{1,20}$/;

/** Topics whose retained message is of use. */
const keptTopics: ReadonlySet<string> = new Set(["devices", "alarmHistory"]);

export class History {
  readonly #options: HistoryOptions;
  readonly #readTopic: (topic: string) => Place | undefined;
  /** NAMEs in decimal digits by address. */
  #names = new Map<number, string>();
  /** Lines of the alarms in the last message of them, which repeats those of before. */
  #alarms: ReadonlySet<string> = new Set();
  /** Payloads that were not a message or had no time, and messages that were too long. */
  malformed = 0;
  tooLong = 0;
  /** Devices, fields and keys that were left out, because they were too long or too many. */
  leftOut = 0;
  /** Points with a time that no computer with a clock has, and the last such time. */
  undated = 0;
  undatedTime = "";
  /** Faults of hub-history itself, each of which costs the message; the topic and the reason of the last. */
  faults = 0;
  fault = { topic: "", reason: "" };

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#readTopic = topicReader(options.prefix);
  }

  get filters(): readonly string[] {
    const { prefix, lane: seconds } = this.#options;
    return [
      topics.devices.name({ prefix }),
      topics.alarmHistory.name({ prefix }),
      topics.everyNavigation.name({ prefix, seconds }),
      topics.everyPgn.filter({ prefix, seconds }),
      topics.everyPgnInstance.filter({ prefix, seconds }),
    ];
  }

  /** hub-cand publishes this report before it expires, whatever is on the bus. */
  get expected(): { readonly topic: string; readonly withinMs: number } {
    const { prefix, lane: seconds } = this.#options;
    return { topic: topics.everyNavigation.name({ prefix, seconds }), withinMs: 1000 * laneExpirySeconds(seconds) };
  }

  /** Takes a message; `payload` is undefined if it was too long. A retained message of a lane is already written. */
  hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean): void {
    const place = this.#readTopic(topic);
    // Other topics are those of the voyages.
    if (place === undefined || !("seconds" in place || keptTopics.has(place.topic))) return;
    if (payload === undefined) this.tooLong++;
    if (!payload?.length || (isRetained && !keptTopics.has(place.topic))) return;
    const message = this.#read(place, payload);
    if (message === undefined) return;
    try {
      if (place.topic === "devices") this.#hearDevices(message.data);
      else if (place.topic === "alarmHistory") this.#hearAlarms(message.data);
      else this.#hearMessage(place, message);
    } catch (error) {
      this.faults++;
      this.fault = { topic, reason: String(error) };
    }
  }

  #read(place: Place, payload: Uint8Array): Envelope | undefined {
    const message = attempt(() => readJson(place.topic, payload));
    if (isEnvelope(message)) return message;
    this.malformed++;
    return undefined;
  }

  #hearMessage(place: Place, { data, metadata }: Envelope): void {
    const time = Date.parse(String(metadata.rxDate));
    const point = this.#pointOf(place, data);
    const line = point === undefined ? undefined : lineOf({ ...point, time });
    if (line === undefined) return;
    if (Number.isNaN(time)) this.malformed++;
    else if (time >= EARLIEST && time < LATEST) this.#options.onLine(line);
    else this.#passOver(time);
  }

  #hearAlarms({ alarms }: Data): void {
    if (!Array.isArray(alarms)) {
      this.malformed++;
      return;
    }
    const ended = alarms.filter((alarm): alarm is Data => isRecord(alarm) && alarm.until !== undefined);
    const lines = new Set(ended.flatMap((alarm) => this.#lineOfAlarm(alarm) ?? []));
    for (const line of lines) if (!this.#alarms.has(line)) this.#options.onLine(line);
    this.#alarms = lines;
  }

  #lineOfAlarm({ until, ...alarm }: Data): string | undefined {
    const [since, time] = [Date.parse(String(alarm.since)), Date.parse(String(until))];
    if (!(since >= EARLIEST && time >= since && time < LATEST)) return undefined;
    const tags = Object.entries({ bus: this.#options.prefix, ...alarm })
      .map(([name, value]) => [name, String(value)] as const)
      .filter(([, text]) => text !== "");
    return lineOf({
      measurement: ALARM,
      tags: this.#most(tags),
      fields: { [ALARM_SECONDS]: (time - since) / 1000 },
      time,
    });
  }

  #passOver(time: number): void {
    this.undated++;
    this.undatedTime = new Date(time).toISOString();
  }

  #pointOf(place: Place, data: Data): Omit<Point, "time"> | undefined {
    if (!("seconds" in place) || place.seconds !== this.#options.lane) return undefined;
    switch (place.topic) {
      case "everyNavigation":
        return this.#navigation(data);
      case "everyPgn":
        return this.#message(place, undefined, data);
      case "everyPgnInstance":
        if (place.instance.length <= MAX_LENGTH) return this.#message(place, place.instance, data);
        this.leftOut++;
        return undefined;
      default:
        return undefined;
    }
  }

  #hearDevices({ peers }: Data): void {
    if (!Array.isArray(peers)) {
      this.malformed++;
      return;
    }
    const known = peers
      .slice(0, MAX_DEVICES)
      .map((peer: unknown) => (isRecord(peer) ? ([Number(peer.addr), String(peer.name)] as const) : ([0, ""] as const)))
      .filter(([, name]) => nameDigits.test(name));
    this.leftOut += peers.length - known.length;
    // A NAME of 0 means that it is not known yet.
    this.#names = new Map(known.filter(([, name]) => name !== "0"));
  }

  #navigation(data: Data): Omit<Point, "time"> {
    const groups = Object.entries(data).filter(([group]) => group !== "date" && group !== "wind");
    const fields = groups.flatMap(([group, values]) =>
      isRecord(values) ? numbersOf(values, [], (name) => navigationField(group, name)) : [],
    );
    return { measurement: NAVIGATION, tags: { bus: this.#options.prefix }, fields: this.#most(fields) };
  }

  /** The first entries up to the limits: any client of the broker may publish any number of any length. */
  #most<Value>(entries: readonly (readonly [name: string, value: Value])[]): Record<string, Value> {
    const most = entries
      .filter(([name, value]) => name.length <= MAX_LENGTH && String(value).length <= MAX_LENGTH)
      .slice(0, MAX_FIELDS);
    this.leftOut += entries.length - most.length;
    return Object.fromEntries(most);
  }

  #message(
    { addr, pgn }: Pick<TopicValues, "addr" | "pgn">,
    instance: string | undefined,
    data: Data,
  ): Omit<Point, "time"> | undefined {
    if (aboutOthers.has(pgn)) return undefined;
    const keys = keysByPgn.get(pgn);
    const device = this.#names.get(addr);
    const keyed = this.#most(
      (keys ?? []).flatMap((name) => (data[name] === undefined ? [] : [[name, String(data[name])] as const])),
    );
    return {
      measurement: pgnMeasurement(pgn),
      tags: {
        bus: this.#options.prefix,
        // This tag is not named `source`, which is a key field of temperatures.
        address: String(addr),
        ...(device && { device }),
        // The fields of a PGN beyond the document are not known here, so its key comes from the topic.
        ...(keys === undefined ? instance !== undefined && { instance } : keyed),
      },
      fields: this.#most(numbersOf(data, ["pgn", ...(notMeasured.get(pgn) ?? [])])),
    };
  }
}

/**
 * From the messages of a slow lane to lines of a time series engine: a measurement for each PGN and one for the navigation report,
 * numbers and truth values as fields. Texts, lists, other ships, routes and commands are left out.
 */
import type { DeviceList } from "../bridge/device-reports.ts";
import { keyNames, publishedFields } from "../n2k/layout.ts";
import { definitions, reportOnly } from "../n2k/pgns/index.ts";
import { titleOf } from "../n2k/public-names.ts";
import { quoteNames } from "../text/quote-names.ts";
import { lineOf, type Point } from "./line.ts";
import { measurementName, navigationField } from "./names.ts";

export interface HistoryOptions {
  /** Of the topics of hub-cand. */
  readonly prefix: string;
  /** Interval of the lane, seconds. */
  readonly lane: number;
  /** Takes a line, which ends with a line feed. */
  readonly onLine: (line: string) => void;
}

type Data = Readonly<Record<string, unknown>>;

interface Envelope {
  readonly data: Data;
  readonly metadata: { readonly rxDate: string };
}

const keysByPgn = new Map(
  [...definitions, ...reportOnly].map((definition) => {
    const published = new Set(publishedFields(definition).map(({ name }) => name));
    return [definition.pgn, keyNames(definition).filter((name) => published.has(name))];
  }),
);

/** Messages about ships, routes and commands are no state of the boat, and each ship would be a series. */
const aboutOthers = new Set(
  [...definitions, ...reportOnly].filter(({ about }) => about !== undefined).map(({ pgn }) => pgn),
);

const measurementOf = (pgn: number): string => {
  const name = measurementName(titleOf(pgn));
  return name === "unknown" || name === "" ? `pgn_${pgn}` : name;
};

/** Finite numbers, and truth values as 0 and 1. */
const numeric = (value: unknown): number | undefined =>
  Number.isFinite(value) ? (value as number) : typeof value === "boolean" ? Number(value) : undefined;

/** Of a computer that knows the time; a line has nanoseconds in 64 bits, which end in 2262. */
const [EARLIEST, LATEST] = [Date.UTC(2000), Date.UTC(2200)];

const numbersOf = (
  data: Data,
  without: readonly string[],
  fieldOf = (name: string): string => name,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const number = without.includes(name) ? undefined : numeric(value);
      return number === undefined ? [] : [[fieldOf(name), number] as const];
    }),
  );

/** Fields of a message that state nothing about the boat. */
const notMeasured = ["pgn", "sequenceId"];

export class History {
  readonly #options: HistoryOptions;
  readonly #pgnTopic: RegExp;
  /** NAMEs in decimal digits by address. */
  #names = new Map<string, string>();
  /** Messages that were none, and those with a time that no computer with a clock has. */
  malformed = 0;
  undated = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
    const below = `${options.prefix}/every/${options.lane}/`.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    this.#pgnTopic = new RegExp(`^${below}device/(\\d+)/pgn/(\\d+)(?:/([^/]+))?$`);
  }

  get filters(): readonly string[] {
    const { prefix, lane } = this.#options;
    return [`${prefix}/devices`, `${prefix}/every/${lane}/navigation`, `${prefix}/every/${lane}/device/#`];
  }

  /** Hears a message. A retained one of a lane was written when it was published. */
  hear(topic: string, payload: Uint8Array, isRetained: boolean): void {
    const isDevices = topic === `${this.#options.prefix}/devices`;
    if (payload.length === 0 || (isRetained && !isDevices)) return;
    try {
      const text = new TextDecoder().decode(payload);
      if (isDevices) this.#hearDevices(text);
      else this.#hearMessage(topic, JSON.parse(text) as Envelope);
    } catch {
      this.malformed++;
    }
  }

  #hearMessage(topic: string, { data, metadata }: Envelope): void {
    const time = Date.parse(metadata.rxDate);
    const point = this.#pointOf(topic, data);
    const line = point === undefined ? undefined : lineOf({ ...point, time });
    if (line === undefined) return;
    if (time >= EARLIEST && time < LATEST) this.#options.onLine(line);
    else this.undated++;
  }

  #pointOf(topic: string, data: Data): Omit<Point, "time"> | undefined {
    const { prefix, lane } = this.#options;
    if (topic === `${prefix}/every/${lane}/navigation`) return this.#navigation(data);
    const [, address, pgn, instance] = this.#pgnTopic.exec(topic) ?? [];
    return address === undefined ? undefined : this.#message(address, Number(pgn), instance, data);
  }

  #hearDevices(text: string): void {
    const { data } = JSON.parse(quoteNames(text)) as { readonly data: DeviceList };
    const known = data.peers.map(({ addr, name }) => [String(addr), String(name)] as const);
    // A NAME of 0 is not known yet.
    this.#names = new Map(known.filter(([, name]) => name !== "0"));
  }

  #navigation(data: Data): Omit<Point, "time"> {
    const groups = Object.entries(data).filter(([group]) => group !== "date" && group !== "wind");
    const fields = groups.map(([group, values]) =>
      numbersOf(values as Data, [], (name) => navigationField(group, name)),
    );
    return { measurement: "navigation", tags: { bus: this.#options.prefix }, fields: Object.assign({}, ...fields) };
  }

  #message(address: string, pgn: number, instance: string | undefined, data: Data): Omit<Point, "time"> | undefined {
    if (aboutOthers.has(pgn)) return undefined;
    const keys = keysByPgn.get(pgn);
    const device = this.#names.get(address);
    const keyed = Object.fromEntries(
      (keys ?? []).flatMap((name) => (data[name] === undefined ? [] : [[name, String(data[name])]])),
    );
    return {
      measurement: measurementOf(pgn),
      tags: {
        bus: this.#options.prefix,
        // Not `source`, which is a key field of temperatures.
        address,
        ...(device && { device }),
        // The fields of a PGN beyond the document are not known here: its key is that of the topic.
        ...(keys === undefined ? instance !== undefined && { instance } : keyed),
      },
      fields: numbersOf(data, [...notMeasured, ...(keys ?? [])]),
    };
  }
}

/**
 * The answers of the history API, made of the series of the engine.
 *
 * The points of a request have a distance of `step`, and each has the values of the step that ends with it. One query
 * of the engine gives those of all methods: its `rollup` would look further back where steps are shorter than data.
 */
import type { HistoryEngine, Labels, Series, Span } from "../../../core/ports/history-engine.ts";
import { isoTime } from "../../../core/text/date.ts";
import { tagText } from "../../../core/topics/measurements.ts";
import { entryOf } from "../../../core/util/grouped.ts";
import { toSi } from "../si.ts";
import type { Asked, Method, ValuesQuery } from "./query.ts";
import { type PastRow, type PastValue, pastRows } from "./rows.ts";

export interface HistoryOptions {
  readonly engine: HistoryEngine;
  /** Prefix of hub-cand's topics, by which hub-history marks its points. */
  readonly prefix: string;
  /** `$source` of a device by its NAME in decimal digits; undefined: what hub has chosen, or an unknown device. */
  sourceOf(name: string | undefined, address: string | undefined): string;
}

export interface ValuesAnswer {
  readonly context: string;
  readonly range: { readonly from: string; readonly to: string };
  readonly values: readonly { readonly path: string; readonly method: Method; readonly $source?: string }[];
  readonly data: readonly (readonly [time: string, ...values: (PastValue | null)[]])[];
}

/** The functions of the engine by the methods, whose names are the label `rollup`; `mid` is the middle of two. */
const functions: Readonly<Record<Method, readonly string[]>> = {
  average: ["avg_over_time"],
  min: ["min_over_time"],
  max: ["max_over_time"],
  mid: ["min_over_time", "max_over_time"],
  sma: ["avg_over_time"],
  ema: ["avg_over_time"],
  first: ["first_over_time"],
  last: ["last_over_time"],
};

function functionsOf({ method }: Asked, { isAngle, isPosition }: PastRow): readonly string[] {
  if (method === "first") return functions.first;
  // The average of 359 and 1 degree is not 180, and that of two positions may be on the other side of the earth.
  const isAveraged = method !== "min" && method !== "max";
  return isPosition || (isAngle && isAveraged) ? functions.last : functions[method];
}

const selectorOf = (prefix: string, names?: Iterable<string>): string => {
  const bus = `bus=${JSON.stringify(tagText(prefix))}`;
  return names === undefined ? `{${bus}}` : `{__name__=~"${[...names].join("|")}",${bus}}`;
};

/** The series of one device and one instance, by name. */
interface Stream {
  readonly labels: Labels;
  readonly series: Map<string, Series["samples"]>;
}

/** Joins the series of one message that a function of the engine has made; undefined: those of no function. */
function streamsOf(all: readonly Series[], rollup: string | undefined): readonly Stream[] {
  const streams = new Map<string, Stream>();
  for (const { labels: all_, samples } of all) {
    const { __name__: name = "", rollup: its, ...labels } = all_;
    if (its !== rollup) continue;
    const key = JSON.stringify(Object.entries(labels).sort());
    entryOf(streams, key, () => ({ labels, series: new Map() })).series.set(name, samples);
  }
  return [...streams.values()];
}

type Values = ReadonlyMap<number, PastValue>;

/** The values of a row in a stream; empty without them. */
function valuesIn(row: PastRow, { series }: Stream): Values {
  const members = [...row.series].flatMap(([member, name]) => {
    const samples = series.get(name);
    return samples === undefined ? [] : [[member, samples] as const];
  });
  const values = new Map<number, PastValue>();
  const times = new Set(members.flatMap(([, samples]) => [...samples.keys()]));
  for (const time of [...times].sort((one, other) => one - other)) {
    const data = Object.fromEntries(members.map(([member, samples]) => [member, samples.get(time)]));
    const value = row.valueOf(data);
    if (value !== undefined) values.set(time, value);
  }
  return values;
}

/** A result without the noise of floating point. */
const rounded = (value: number): number => toSi(value, {});

/** The streams of a source follow one another in any order. */
const inOrder = (values: Values) => [...values].sort(([one], [other]) => one - other);

/** The averages of each number and those before it: of the last ones, or weighted by their age. */
function averages(numbers: readonly number[], { method, parameter }: Asked): number[] {
  if (method === "ema") {
    let mean = numbers[0]!;
    return numbers.map((each) => {
      mean = parameter * each + (1 - parameter) * mean;
      return mean;
    });
  }
  return numbers.map((_, index) => {
    const last = numbers.slice(Math.max(0, index + 1 - parameter), index + 1);
    return last.reduce((sum, each) => sum + each, 0) / last.length;
  });
}

/** The averages of angles as vectors, so that 359 and 1 degree have that of 0. */
function angleAverages(angles: readonly number[], asked: Asked): number[] {
  const x = averages(angles.map(Math.cos), asked);
  const y = averages(angles.map(Math.sin), asked);
  // Directions go to a whole turn, and have no sides.
  const isDirection = !angles.some((angle) => angle < 0);
  return angles.map((_, index) => {
    const mean = rounded(Math.atan2(y[index]!, x[index]!));
    return isDirection && mean < 0 ? mean + 2 * Math.PI : mean;
  });
}

/** The values of `sma` and `ema`. */
function smoothed(values: Values, asked: Asked): Values {
  if (asked.method !== "sma" && asked.method !== "ema") return values;
  const samples = inOrder(values);
  const numbers = samples.flatMap(([, value]) => (typeof value === "number" ? [value] : []));
  // A position has no average.
  if (numbers.length < samples.length) return values;
  const isAngle = pastRows.some((row) => row.isAngle && row.mayBe(asked.path));
  const means = (isAngle ? angleAverages : averages)(numbers, asked);
  return new Map(samples.map(([time], index) => [time, rounded(means[index]!)]));
}

interface Column {
  readonly asked: Asked;
  readonly source: string | undefined;
  readonly values: Values;
}

/** The contexts that have a history: the boat, if there are values in that time. */
export async function contextsOf({ engine, prefix }: HistoryOptions, span: Span, self: string): Promise<string[]> {
  return (await engine.labels(selectorOf(prefix), span)).length > 0 ? [self] : [];
}

/** The paths that have a history in that time. */
export async function pathsOf({ engine, prefix }: HistoryOptions, span: Span): Promise<string[]> {
  const streams = streamsOf(
    (await engine.labels(selectorOf(prefix), span)).map((labels) => ({ labels, samples: new Map() })),
    undefined,
  );
  const paths = streams.flatMap(({ labels, series }) =>
    pastRows
      .filter((row) => [...row.series.values()].every((name) => series.has(name)))
      .flatMap((row) => row.pathOf(labels) ?? []),
  );
  return [...new Set(paths)].sort();
}

/** The values of a request; of a context without a history, none. Rejects with a HistoryFailure. */
export async function valuesOf(options: HistoryOptions, query: ValuesQuery, self: string): Promise<ValuesAnswer> {
  const isSelf = query.context === "vessels.self" || query.context === self;
  const found = isSelf ? await seriesOf(options, query) : [];
  const columns = query.asked.flatMap((asked) => columnsOf(options, query, asked, found));
  const times = new Set(columns.flatMap(({ values }) => [...values.keys()]));
  return {
    context: isSelf ? self : query.context,
    range: { from: isoTime(query.from), to: isoTime(query.to) },
    values: columns.map(({ asked: { path, method }, source }) => ({
      path,
      method,
      ...(source !== undefined && { $source: source }),
    })),
    data: [...times]
      .sort((one, other) => one - other)
      .map((time) => [isoTime(time), ...columns.map(({ values }) => values.get(time) ?? null)]),
  };
}

async function seriesOf({ engine, prefix }: HistoryOptions, query: ValuesQuery): Promise<readonly Series[]> {
  const wanted = query.asked.flatMap((asked) =>
    pastRows.filter(({ mayBe }) => mayBe(asked.path)).map((row) => ({ row, by: functionsOf(asked, row) })),
  );
  if (wanted.length === 0) return [];
  const names = new Set(wanted.flatMap(({ row }) => [...row.series.values()]));
  const by = [...new Set(wanted.flatMap((each) => each.by))].map((name) => JSON.stringify(name));
  const { from, to, step } = query;
  // The first point is at the end of the first step, the last one at the end of the time.
  const span = { from: to - (Math.floor((to - from) / step) - 1) * step, to, step };
  const selector = `${selectorOf(prefix, names)}[${step / 1000}s]`;
  return engine.range(`aggr_over_time((${by.join()}),${selector}) keep_metric_names`, span);
}

function columnsOf(
  options: HistoryOptions,
  { isBySource }: ValuesQuery,
  asked: Asked,
  found: readonly Series[],
): readonly Column[] {
  const sources = [...bySource(options, asked, found)]
    .filter(([source]) => asked.source === undefined || source === asked.source)
    .map(([source, values]) => ({ asked, source, values: smoothed(values, asked) }));
  if (asked.source === undefined && isBySource) return sources;
  // Of several devices with the instance, that with the most values.
  const [most] = sources.sort((one, other) => other.values.size - one.values.size);
  return [{ asked, source: asked.source, values: most?.values ?? new Map() }];
}

/** The values of a path by `$source`. */
function bySource({ sourceOf }: HistoryOptions, asked: Asked, found: readonly Series[]): ReadonlyMap<string, Values> {
  const values = new Map<string, Values>();
  for (const row of pastRows.filter(({ mayBe }) => mayBe(asked.path))) {
    const [first, second] = functionsOf(asked, row).map(
      (name) =>
        new Map(
          streamsOf(found, name)
            .filter(({ labels }) => row.pathOf(labels) === asked.path)
            .map((stream) => [JSON.stringify(stream.labels), stream] as const),
        ),
    );
    for (const [key, stream] of first ?? []) {
      const other = second?.get(key);
      const its = valuesIn(row, stream);
      const source = sourceOf(stream.labels.device, stream.labels.address);
      // A device may have had two addresses, and may send a quantity by two PGNs.
      values.set(
        source,
        new Map([...(other === undefined ? its : middle(its, valuesIn(row, other))), ...(values.get(source) ?? [])]),
      );
    }
  }
  return values;
}

/** The middle between the least and the greatest value of each time. */
const middle = (least: Values, greatest: Values): Values =>
  new Map(
    [...least].map(([time, low]) => {
      const high = greatest.get(time);
      return [time, typeof low === "number" && typeof high === "number" ? rounded((low + high) / 2) : low];
    }),
  );

/** The parameters of Signal K's history API (version 2), as signalk-server reads them. */
import type { Span } from "../../../core/ports/history-engine.ts";

/** Methods by which the values of a time become one; `middle_index` is not supported. */
const methods = ["average", "min", "max", "first", "last", "mid", "sma", "ema"] as const;
export type Method = (typeof methods)[number];

/** A path of a request: `navigation.speedOverGround:sma:5|can0.c07891001ca003e9`. */
export interface Asked {
  readonly path: string;
  readonly method: Method;
  /** Samples of `sma`, or the weight of the newest one of `ema`. */
  readonly parameter: number;
  /** `$source` that the values must have. */
  readonly source: string | undefined;
}

export interface ValuesQuery extends Span {
  readonly context: string;
  /** Milliseconds from one point to the next. */
  readonly step: number;
  readonly asked: readonly Asked[];
  /** Each source has values of its own. */
  readonly isBySource: boolean;
}

/** A parameter is wrong; the message says which. */
export class QueryError extends Error {}

/** Limits of a request. */
const MAX_PATHS = 20;
const MAX_POINTS = 1440;
/** Points of a request without a resolution. */
const USUAL_POINTS = 500;
/** Interval of the slow lane that hub-history writes by default. */
const LEAST_STEP_MS = 10_000;
const MAX_SMA = 1000;

/** Limits of times that the engine has: hub-history writes none before and after. */
const [EARLIEST, LATEST] = [Date.UTC(2000), Date.UTC(2200)];

type Parameters = URLSearchParams;

function timeOf(parameters: Parameters, name: "from" | "to"): number | undefined {
  const text = parameters.get(name);
  if (!text) return undefined;
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(time >= EARLIEST && time < LATEST))
    throw new QueryError(`${name} parameter must be a valid ISO 8601 timestamp`);
  return time;
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** Milliseconds of a number of seconds or an expression such as 5m; undefined without one. Throws QueryError. */
export function durationIn(parameters: Parameters, name: string): number | undefined {
  const text = parameters.get(name);
  if (!text) return undefined;
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)([smhdw])?$/.exec(text.trim());
  if (parts === null || Number(parts[1]) === 0)
    throw new QueryError(`${name} parameter must be a number of seconds or an expression such as 1s, 1m, 1h, 1d`);
  return Number(parts[1]) * SECONDS[(parts[2] ?? "s") as keyof typeof SECONDS] * 1000;
}

/** Seconds, or a duration of ISO 8601 without years and months, which have no fixed length. */
function durationOf(text: string | null): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const parts = /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/.exec(
    text,
  );
  if (parts === null || text === "P")
    throw new QueryError("duration parameter must be an ISO 8601 duration such as PT15M, or a number of seconds");
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((7 * weeks! + days!) * SECONDS.d + hours! * SECONDS.h + minutes! * SECONDS.m + seconds!) * 1000;
}

/** The time of a request. `now` is milliseconds since 1970. Throws QueryError. */
export function spanOf(parameters: Parameters, now: number): Span {
  const from = timeOf(parameters, "from");
  const to = timeOf(parameters, "to");
  const duration = durationOf(parameters.get("duration"));
  if (from === undefined && duration === undefined)
    throw new QueryError("either from or duration parameter is required");
  if (from !== undefined && to !== undefined && duration !== undefined)
    throw new QueryError("choose either from and to, from and duration, or to and duration");
  const end = to ?? (from !== undefined && duration !== undefined ? from + duration : now);
  const start = from ?? end - duration!;
  if (!(start >= EARLIEST)) throw new QueryError("the time must not begin before the year 2000");
  if (start >= end) throw new QueryError("from parameter must be before to parameter");
  return { from: start, to: end };
}

/** Milliseconds from one point to the next: the time in equal parts, at most `MAX_POINTS` and as short as asked. */
function stepOf(parameters: Parameters, { from, to }: Span): number {
  const asked = durationIn(parameters, "resolution") ?? Math.max(LEAST_STEP_MS, (to - from) / USUAL_POINTS);
  const seconds = Math.ceil(Math.max(asked, (to - from) / MAX_POINTS) / 1000);
  return Math.floor((to - from) / Math.ceil((to - from) / (1000 * seconds)));
}

const isMethod = (text: string): text is Method => methods.some((each) => each === text);

const parameterOf = (method: Method, text: string | undefined): number => {
  if (method === "ema") {
    const alpha = Number(text || 0.2);
    if (alpha > 0 && alpha <= 1) return alpha;
    throw new QueryError("the parameter of ema must be above 0 and at most 1");
  }
  const samples = Number(text || 5);
  if (method !== "sma" || (Number.isInteger(samples) && samples > 0 && samples <= MAX_SMA)) return samples;
  throw new QueryError(`the parameter of sma must be a whole number from 1 to ${MAX_SMA}`);
};

function askedOf(expression: string): Asked {
  const [wanted = "", source] = expression.split("|", 2);
  const [path = "", name, parameter] = wanted.split(":");
  if (path === "") throw new QueryError("paths parameter has an empty path");
  // KIP says `avg`, which the description does not have.
  const method = name === "avg" ? "average" : name || (path === "navigation.position" ? "first" : "average");
  if (!isMethod(method)) throw new QueryError(`${method} is none of the methods ${methods.join(", ")}`);
  return { path, method, parameter: parameterOf(method, parameter), source: source || undefined };
}

/** Throws QueryError. */
export function valuesQueryOf(parameters: Parameters, now: number): ValuesQuery {
  const span = spanOf(parameters, now);
  const paths = parameters.get("paths");
  if (!paths) throw new QueryError("paths parameter is required");
  const asked = paths.split(",");
  if (asked.length > MAX_PATHS) throw new QueryError(`paths parameter has more than ${MAX_PATHS} paths`);
  const policy = parameters.get("sourcePolicy") || undefined;
  if (policy !== undefined && policy !== "all") throw new QueryError("sourcePolicy parameter must be 'all'");
  return {
    ...span,
    context: parameters.get("context") || "vessels.self",
    step: stepOf(parameters, span),
    asked: asked.map(askedOf),
    isBySource: policy === "all",
  };
}

/**
 * The parameters of Signal K's track requests: those of the history API, or `timespan` that ended `timespanOffset` hours
 * ago, as Freeboard-SK sends them.
 */
import type { Span } from "../../../core/ports/history-engine.ts";
import { durationIn, QueryError, spanOf } from "./query.ts";

const HOUR_MS = 3_600_000;
const USUAL_MS = 24 * HOUR_MS;

export interface TrackQuery extends Span {
  /** Milliseconds between two points at least. */
  readonly resolution: number;
}

/** `now` is milliseconds since 1970. Throws QueryError. */
export function trackQueryOf(parameters: URLSearchParams, now: number): TrackQuery {
  const resolution = durationIn(parameters, "resolution") ?? 0;
  if (["from", "to", "duration"].some((name) => parameters.get(name) !== null))
    return { ...spanOf(parameters, now), resolution };
  const timespan = durationIn(parameters, "timespan") ?? USUAL_MS;
  const offset = Number(parameters.get("timespanOffset") ?? 0);
  if (!(offset >= 0 && timespan > 0)) throw new QueryError("timespanOffset parameter must be a number of hours");
  const to = now - offset * HOUR_MS;
  return { from: Math.max(0, to - timespan), to, resolution };
}

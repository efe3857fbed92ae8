/** Range queries of one value, as the proxy permits them (packaging/nginx/hub-history.conf). Pure. */
import { tagText } from "../../../core/topics/measurements.ts";
import { hasEnvelope, type RangeName, ranges, windowOf } from "./ranges.ts";

const URL_PATH = "/api/history/query_range";

/** A value in the history: `battery_status_voltageV` with the tags that distinguish the instances. */
export interface PastValue {
  readonly metric: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether it is an angle, which has no average. */
  readonly isAngle?: boolean;
  /** Address of the device whose series comes before those of others. */
  readonly address?: number | undefined;
}

/** Path and parameters of the query of a boat, by its prefix; times are those of the engine's clock. */
export function rangeUrl(
  prefix: string,
  { metric, tags = {}, isAngle = false }: PastValue,
  range: RangeName,
  step: string = ranges[range].step,
): string {
  const labels = Object.entries({ bus: prefix, ...tags }).map(([name, text]) => `${name}="${tagText(text)}"`);
  const rollup = isAngle || !hasEnvelope(step) ? "last_over_time" : "rollup";
  const query = `${rollup}(${metric}{${labels.join(",")}}[${windowOf(step)}])`;
  return `${URL_PATH}?query=${encodeURIComponent(query)}&start=-${ranges[range].span}&step=${step}`;
}

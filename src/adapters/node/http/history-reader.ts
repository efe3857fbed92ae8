/** Reads VictoriaMetrics over its HTTP API, with limits of time and size. */
import { type HistoryEngine, HistoryFailure, type Labels, type Series } from "../../../core/ports/history-engine.ts";
import { download } from "./download.ts";
import { FetchFailure } from "./fetch-failure.ts";

const TIMEOUT_MS = 10_000;
/** Twenty values in 1440 points have 2 MB. */
const MAX_BYTES = 4 << 20;

/** `url` is the address of the engine, such as `http://127.0.0.1:8428`. */
export const historyReader = (url: string): HistoryEngine => ({
  async range(query, { from, to, step }) {
    const { result } = recordOf(
      await ask(url, "query_range", {
        query,
        start: String(from / 1000),
        end: String(to / 1000),
        step: `${step / 1000}s`,
        // Otherwise the engine would move the times, and leave out the last half minute.
        nocache: "1",
        latency_offset: "1ms",
        timeout: "8s",
      }),
    );
    return listOf(result).map(readSeries);
  },

  async labels(selector, { from, to }) {
    const found = await ask(url, "series", { "match[]": selector, start: String(from / 1000), end: String(to / 1000) });
    return listOf(found).map(readLabels);
  },
});

/** The `data` of the response. */
async function ask(url: string, path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
  const target = new URL(`api/v1/${path}?${new URLSearchParams(parameters)}`, url.endsWith("/") ? url : `${url}/`);
  try {
    const file = await download({ url: target, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
    const { status, data } = recordOf(JSON.parse(new TextDecoder().decode(file?.bytes)));
    if (status !== "success") throw new TypeError("no response of VictoriaMetrics");
    return data;
  } catch (error) {
    const isLarge = error instanceof FetchFailure && error.kind === "refused";
    throw new HistoryFailure(isLarge ? "large" : "away", (error as Error).message, { cause: error });
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed();
  return value as Readonly<Record<string, unknown>>;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

const malformed = (): HistoryFailure => new HistoryFailure("away", "the response is none of VictoriaMetrics");

function readLabels(value: unknown): Labels {
  const labels = recordOf(value);
  if (Object.values(labels).some((text) => typeof text !== "string")) throw malformed();
  return labels as Labels;
}

function readSeries(value: unknown): Series {
  const { metric, values } = recordOf(value);
  const samples = listOf(values).map((sample) => {
    const [seconds, text] = listOf(sample);
    return [Math.round(Number(seconds) * 1000), Number(text)] as const;
  });
  return {
    labels: readLabels(metric),
    samples: new Map(samples.filter(([time, number]) => Number.isFinite(time) && Number.isFinite(number))),
  };
}

/**
 * The health of bus and bridge as Prometheus reads it: text exposition format 0.0.4, names and units as
 * https://prometheus.io/docs/practices/naming/ wants them.
 */
import type { Answerer } from "../ports/exchange.ts";
import { discardReasons } from "../ports/packet-source.ts";
import type { Health } from "./health.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A value, or one for each value of a label; absent where it cannot be told. */
type Values = number | undefined | Readonly<Record<string, number>>;

interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  /** What the keys of its values are. */
  readonly label?: string;
  readonly of: (health: Health) => Values;
}

const noDiscards = Object.fromEntries(discardReasons.map((reason) => [reason, 0]));

const metrics: readonly Metric[] = [
  {
    name: "hub_can_uptime_seconds",
    type: "gauge",
    help: "Time since the bridge began.",
    of: ({ uptimeSec }) => uptimeSec,
  },
  {
    name: "hub_can_frames_total",
    type: "counter",
    help: "29-bit data frames taken in.",
    of: ({ frames }) => frames,
  },
  {
    name: "hub_can_frames_ignored_total",
    type: "counter",
    help: "Frames left aside.",
    label: "kind",
    of: ({ framesIgnored }) => framesIgnored,
  },
  {
    name: "hub_can_frames_lost_total",
    type: "counter",
    help: "Frames that nobody saw, by where there was no room for them.",
    label: "place",
    of: ({ framesLost }) => framesLost,
  },
  {
    name: "hub_can_packets_total",
    type: "counter",
    help: "Finished packets.",
    label: "transport",
    of: ({ packets }) => packets,
  },
  {
    name: "hub_can_packets_discarded_total",
    type: "counter",
    help: "Packets given up.",
    label: "reason",
    // A counter that appears with its first event hides that event from rate().
    of: ({ packetsDiscarded }) => ({ ...noDiscards, ...packetsDiscarded }),
  },
  {
    name: "hub_can_packets_refused_total",
    type: "counter",
    help: "Packets that fit none of the layouts their PGN may have.",
    of: ({ refused }) => refused,
  },
  {
    name: "hub_can_packets_unknown_total",
    type: "counter",
    help: "Packets of PGNs that are not in the tables.",
    of: ({ unknown }) => unknown,
  },
  {
    name: "hub_can_decode_errors_total",
    type: "counter",
    help: "Packets that could not be decoded.",
    of: ({ decodeErrors }) => decodeErrors,
  },
  {
    name: "hub_can_recording_malformed_total",
    type: "counter",
    help: "Lines or records of a replayed recording that could not be read.",
    of: ({ malformed }) => malformed,
  },
  {
    name: "hub_can_messages_total",
    type: "counter",
    help: "PGN messages made.",
    of: ({ published }) => published,
  },
  {
    name: "hub_can_messages_dropped_total",
    type: "counter",
    help: "Messages that the broker was away or too slow for.",
    of: ({ dropped }) => dropped,
  },
  {
    name: "hub_can_frames_recorded_total",
    type: "counter",
    help: "Frames written to the recording.",
    of: ({ recorded }) => recorded,
  },
  {
    name: "hub_can_frames_not_recorded_total",
    type: "counter",
    help: "Frames that the recording had no room for.",
    of: ({ recordDropped }) => recordDropped,
  },
  {
    name: "hub_can_publish_backlog_bytes",
    type: "gauge",
    help: "Accepted for publishing and not yet taken by the connection.",
    of: ({ backlogBytes }) => backlogBytes,
  },
  {
    name: "hub_can_bus_load_ratio",
    type: "gauge",
    help: "Share of the time in which bits were on the bus.",
    of: ({ busLoadPercent }) => (busLoadPercent === undefined ? undefined : busLoadPercent / 100),
  },
  {
    // Every client library has this one, and dashboards know it by its name.
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Resident memory size in bytes.",
    of: ({ memoryBytes }) => memoryBytes,
  },
];

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** The whole text; each sample carries the label `interface`. */
export function metricsText(health: Health, interfaceName: string): string {
  const always = `interface="${escaped(interfaceName)}"`;
  return metrics
    .map(({ name, type, help, label, of }) => {
      const values = of(health);
      if (values === undefined) return "";
      const samples =
        typeof values === "number"
          ? [`${name}{${always}} ${values}\n`]
          : Object.entries(values).map(([key, value]) => `${name}{${always},${label}="${escaped(key)}"} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("")}`;
    })
    .join("");
}

/** Answers `GET /metrics` with `text()` and refuses everything else. */
export const metricsAnswerer =
  (text: () => string): Answerer =>
  async ({ method, target }) => {
    const refuse = (status: number, why: string, headers: Readonly<Record<string, string>> = {}) => ({
      status,
      headers: { "Content-Type": "text/plain; charset=utf-8", ...headers },
      body: `${why}\n`,
    });
    if (target.split("?", 1)[0] !== "/metrics") return refuse(404, "nothing but /metrics is here");
    if (method !== "GET" && method !== "HEAD") return refuse(405, "can only be read", { Allow: "GET, HEAD" });
    return { status: 200, headers: { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" }, body: text() };
  };

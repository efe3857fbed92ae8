/**
 * The health of bus and bridge, and the status of a gateway, for Prometheus: text exposition format 0.0.4, names and
 * units by https://prometheus.io/docs/practices/naming/.
 */
import * as z from "zod";
import { type FindingKind, findingKinds } from "../../../core/findings/definitions.ts";
import type { FindingsData } from "../../../core/findings/report.ts";
import { discardReasons } from "../../../core/ports/packet-source.ts";
import { gatewayStatus, type InterfaceStatus } from "../../../core/report/interface-status.ts";
import { type Health, healthData, networkHealth } from "../../../core/topics/health.ts";
import { sum } from "../../../core/util/sum.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A value, or one for each value of a label; absent where it is unknown. */
type Values = number | undefined | Readonly<Record<string, number>>;

interface Metric<Of> {
  readonly name: string;
  /** Absent if the description of the member in its schema is the help. */
  readonly help?: string;
  /** Name of the keys of its values. */
  readonly label?: string;
  /** Absent if the member itself is the value. */
  readonly of?: (all: Of) => Values;
}

/** Figures of the process that Prometheus client libraries export by default, beside memory. */
export interface ProcessVitals {
  /** User and system time so far. */
  readonly cpuSeconds: number;
  /** Start of the process, seconds since 1970; the same at every scrape. */
  readonly startTimeSeconds: number;
  readonly version: string;
}

const noDiscards = Object.fromEntries(discardReasons.map((reason) => [reason, 0]));

const ratioOf = (percent: number | undefined): number | undefined => percent && percent / 100;

/** A metric for each member of the health. */
const healthMetrics: Readonly<Record<Exclude<keyof Health, "networks">, Metric<Health>>> = {
  uptimeSec: { name: "hub_can_uptime_seconds" },
  frames: { name: "hub_can_frames_total" },
  framesIgnored: { name: "hub_can_frames_ignored_total", label: "kind" },
  framesLost: { name: "hub_can_frames_lost_total", label: "place" },
  packets: { name: "hub_can_packets_total", label: "transport" },
  packetsDiscarded: {
    name: "hub_can_packets_discarded_total",
    help: "packets discarded, by reason",
    label: "reason",
    // A counter that appears with its first event hides that event from rate().
    of: ({ packetsDiscarded }) => ({ ...noDiscards, ...packetsDiscarded }),
  },
  refused: { name: "hub_can_packets_refused_total" },
  unknown: { name: "hub_can_packets_unknown_total" },
  decodeErrors: { name: "hub_can_decode_errors_total" },
  malformed: { name: "hub_can_recording_malformed_total" },
  unusedTransducers: { name: "hub_can_transducers_unused_total", label: "name" },
  ignoredSettings: {
    name: "hub_can_settings_ignored",
    help: "parts of the deployed settings that are not understood",
    of: ({ ignoredSettings }) => ignoredSettings.length,
  },
  published: { name: "hub_can_messages_total" },
  dropped: { name: "hub_can_messages_dropped_total" },
  publishRefused: { name: "hub_can_messages_refused_total" },
  commandsSkipped: { name: "hub_can_commands_skipped_total", label: "reason" },
  laneTopics: { name: "hub_can_lane_topics" },
  laneLeftOut: { name: "hub_can_lane_messages_left_out_total" },
  recorded: { name: "hub_can_frames_recorded_total" },
  recordDropped: { name: "hub_can_frames_not_recorded_total" },
  frameClients: { name: "hub_can_frame_clients" },
  frameClientsDropped: { name: "hub_can_frame_clients_dropped_total", label: "reason" },
  frameClientBytes: { name: "hub_can_frame_client_bytes_total" },
  framesNotServed: { name: "hub_can_frames_not_served_total" },
  backlogBytes: { name: "hub_can_publish_backlog_bytes" },
  busLoadPercent: {
    name: "hub_can_bus_load_ratio",
    help: "share of the time in which bits were on the bus",
    of: ({ busLoadPercent }) => ratioOf(busLoadPercent),
  },
  clockAheadSec: {
    name: "hub_can_clock_ahead_seconds",
    help: "seconds by which the computer's clock is ahead of the time on the bus, where they differ",
  },
  partFaults: {
    name: "hub_can_part_faults_total",
    help: "faults of parts of hub-cand",
    label: "part",
    of: ({ partFaults = {} }) =>
      Object.fromEntries(Object.entries(partFaults).map(([part, places]) => [part, sum(Object.values(places))])),
  },
  // Every client library has this one, and dashboards know it by its name.
  memoryBytes: { name: "process_resident_memory_bytes" },
};

type NetworkHealth = NonNullable<Health["networks"]>[number];

/** A metric for each counter of a further network. */
const networkMetrics: Readonly<Record<Exclude<keyof NetworkHealth, "interface" | "firstAddr">, string>> = {
  frames: "hub_can_network_frames_total",
  framesLost: "hub_can_network_frames_lost_total",
  packets: "hub_can_network_packets_total",
  packetsDiscarded: "hub_can_network_packets_discarded_total",
  malformed: "hub_can_network_malformed_total",
  unusedTransducers: "hub_can_network_transducers_unused_total",
};

type Gateway = NonNullable<InterfaceStatus["gateway"]>;

/** A metric for each number of the status of a gateway except the load of the bus, which is in the health. */
const gatewayMetrics: Readonly<Record<GatewayNumber, Metric<Gateway>>> = {
  connections: { name: "hub_can_gateway_connections_total" },
  receivedBytes: { name: "hub_can_gateway_received_bytes_total" },
  refused: { name: "hub_can_gateway_refused_total" },
  droppedPercent: {
    name: "hub_can_gateway_dropped_ratio",
    help: "share of the messages of the bus that the gateway had no room for, as it reports it",
    of: ({ droppedPercent }) => ratioOf(droppedPercent),
  },
  receiveErrorCounter: { name: "hub_can_gateway_receive_error_counter" },
  transmitErrorCounter: { name: "hub_can_gateway_transmit_error_counter" },
};

type GatewayNumber = Exclude<keyof Gateway, "source" | "since" | "reason" | "busLoadPercent">;

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** The description of a member, which an optional one has inside. */
function descriptionOf(schema: z.ZodType): string {
  const described = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  return described.description!;
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** By the rules for names a counter ends with `_total`. */
const typeOf = (name: string): string => (name.endsWith("_total") ? "counter" : "gauge");

const family = (name: string, help: string, samples: string): string =>
  `# HELP ${name} ${sentence(help)}\n# TYPE ${name} ${typeOf(name)}\n${samples}`;

interface Reports {
  readonly health: Health;
  /** Further networks by interface or URL, and whether they are up. */
  readonly networksUp?: ReadonlyMap<string, boolean> | undefined;
  /** The status of a gateway in place of an interface. */
  readonly status?: Pick<InterfaceStatus, "up" | "gateway"> | undefined;
  readonly findings?: FindingsData | undefined;
}

/** The whole text; each sample carries the label `interface`. */
export function metricsText(
  { health, status, findings, networksUp }: Reports,
  interfaceName: string,
  process: ProcessVitals,
): string {
  const always = `interface="${escaped(interfaceName)}"`;
  const ofGateway = status?.gateway === undefined ? "" : gatewayText(status.gateway, status.up === true, always);
  const ofFindings = findings === undefined ? "" : findingsText(findings, always);
  return (
    textOf(healthMetrics, healthData.shape, health, always) +
    networksText(health.networks ?? [], networksUp, always) +
    ofGateway +
    ofFindings +
    processMetrics(process, always)
  );
}

function networksText(networks: readonly NetworkHealth[], networksUp: Reports["networksUp"], always: string): string {
  if (networks.length === 0) return "";
  const samples = (name: string, of: (network: NetworkHealth) => number): string =>
    networks.map((each) => `${name}{${always},network="${escaped(each.interface)}"} ${of(each)}\n`).join("");
  const up = samples("hub_can_network_up", ({ interface: name }) => (networksUp?.get(name) ? 1 : 0));
  const counters = Object.entries(networkMetrics) as [keyof typeof networkMetrics, string][];
  return (
    family("hub_can_network_up", "1 while the further network is heard, else 0", up) +
    counters
      .map(([member, name]) =>
        family(
          name,
          descriptionOf(networkHealth.shape[member]),
          samples(name, ({ [member]: counted = 0 }) =>
            typeof counted === "number" ? counted : sum(Object.values(counted)),
          ),
        ),
      )
      .join("")
  );
}

function gatewayText(gateway: Gateway, isUp: boolean, always: string): string {
  const up = `hub_can_gateway_up{${always}} ${isUp ? 1 : 0}\n`;
  return (
    family("hub_can_gateway_up", "1 while the gateway is connected and heard, else 0", up) +
    textOf(gatewayMetrics, gatewayStatus.shape, gateway, always)
  );
}

/** A sample for each kind, so that a kind without findings is 0 and does not vanish. */
function findingsText({ findings }: FindingsData, always: string): string {
  const numberOf = (kind: FindingKind): number => findings.filter((finding) => finding.kind === kind).length;
  const samples = findingKinds.map((kind) => `hub_can_findings{${always},kind="${kind}"} ${numberOf(kind)}\n`);
  return family("hub_can_findings", "findings about the bus that are the case now, by kind", samples.join(""));
}

function processMetrics({ cpuSeconds, startTimeSeconds, version }: ProcessVitals, always: string): string {
  const of = (name: string, help: string, value: number, more = ""): string =>
    family(name, help, `${name}{${always}${more}} ${value}\n`);
  return (
    of("process_cpu_seconds_total", "user and system CPU time", cpuSeconds) +
    of("process_start_time_seconds", "start of the process, seconds since 1970", startTimeSeconds) +
    of("hub_can_build_info", "version of hub; the value is always 1", 1, `,version="${escaped(version)}"`)
  );
}

function textOf<Of extends object, Member extends keyof Of & string>(
  table: Readonly<Record<Member, Metric<Of>>>,
  schemas: Readonly<Record<Member, z.ZodType>>,
  all: Of,
  always: string,
): string {
  return (Object.entries(table) as [Member, Metric<Of>][])
    .map(([member, { name, help = descriptionOf(schemas[member]), label, of }]) => {
      const values = of === undefined ? (all[member] as Values) : of(all);
      if (values === undefined) return "";
      const samples =
        typeof values === "number"
          ? [`${name}{${always}} ${values}\n`]
          : Object.entries(values).map(([key, value]) => `${name}{${always},${label}="${escaped(key)}"} ${value}\n`);
      return family(name, help, samples.join(""));
    })
    .join("");
}

/** The command line of hub-cand: its options, and the settings that they give. */
import type { BrokerAddress } from "../adapters/node/mqtt/broker-socket.ts";
import type { ListenAddress } from "../adapters/node/streams/line-server.ts";
import { isJ1939Network, MAX_FURTHER_NETWORKS } from "../core/can/networks.ts";
import type { LogLevel } from "../core/ports/log.ts";
import { laneList } from "../core/settings/lanes.ts";
import { OWN_BROKER } from "../core/settings/networks.ts";
import { destinationOf, type GatewayAddress, gatewayUrls, readGatewayUrl } from "../formats/gateway/table.ts";
import {
  type BrokerSettings,
  brokerOptions,
  brokerTargetOf,
  logLevelOf,
  logLevelOption,
  pathOf,
  prefixOf,
  readBrokerUrl,
  SIGNALS_NOTE,
  wholeOf,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { listenAddressOf } from "./program/listening.ts";
import {
  type Command,
  commandOf,
  type Given,
  type Values as OptionValues,
  optionTable,
  standardOptions,
} from "./program/options.ts";

const findingsFormats = ["text", "json"] as const;

/** Lines of the form `  URL   gateways that speak it`. */
const sourceNotes = gatewayUrls.map(({ form, gateway }) => `  ${form.padEnd(43)}${gateway.title}`);
/** The URLs of brokers with sensors, for --also. */
const BROKER_FORMS = "mqtt: or mqtt://HOST[:PORT]";

export const hubCandOptions = optionTable({
  usage: "Usage: hub-cand [OPTION]...",
  column: 25,
  options: [
    ...standardOptions,
    {
      short: "i",
      long: "interface",
      value: "IF",
      help: "SocketCAN interface (default can0); with another source only a name in topics",
    },
    { short: "s", long: "source", value: "URL", help: "listen to a gateway in place of an interface" },
    {
      long: "also",
      value: "NETWORK",
      help: "listen to a further network too: an interface, a gateway, mqtt:, j1939:IF or j1939+URL; may be repeated",
    },
    { short: "t", long: "prefix", value: "PREFIX", help: "topic prefix (default can/<interface>)" },
    ...brokerOptions,
    { short: "c", long: "config", value: "FILE", help: "deployed configuration (default /etc/hub/deploy.json)" },
    { short: "r", long: "replay", value: "FILE", help: "read a recording instead of a bus; - is stdin" },
    { long: "speed", value: "N", help: "replay speed: 1 as recorded (default), 10 ten times as fast, 0 at full speed" },
    {
      long: "simulate",
      optionalValue: "SECOND",
      help: "simulate a voyage instead of a bus, from this second of it (default 0)",
    },
    { short: "o", long: "stdout", help: "write messages as JSON lines to stdout, without a broker" },
    {
      long: "findings",
      optionalValue: "FORMAT",
      choices: findingsFormats,
      help: "print what is wrong with the bus of a recording, as text (default) or json, and nothing else",
    },
    { long: "max-rate", value: "HZ", help: "at most HZ messages a second per PGN stream (default: no limit)" },
    {
      long: "lanes",
      value: "SECONDS",
      help: "also repeat the data below PREFIX/every/SECONDS, at most so often: 1,60",
    },
    { long: "all-pgns", help: "publish all PGNs of the public database, not only those of the document" },
    { long: "unknown", help: "publish unknown PGNs as raw bytes" },
    { long: "node", help: "claim an address on the bus and request information from the devices" },
    { long: "schema", value: "PGN", help: "print the JSON Schema of a PGN (or interface, devices, …) and exit" },
    {
      long: "record",
      value: "DIR",
      help: "record the frames of the bus in DIR, as candump -L files compressed by gzip",
    },
    {
      long: "record-limit",
      value: "SIZE",
      help: "size of all recordings together; the oldest is removed first: 500M, 1G (default)",
    },
    {
      long: "home-assistant",
      optionalValue: "PREFIX",
      help: "publish Home Assistant's MQTT discovery (default prefix homeassistant)",
    },
    {
      long: "serve-frames",
      value: "[HOST:]PORT",
      help: "serve the frames of the bus over TCP as Yacht Devices RAW (default HOST 127.0.0.1)",
    },
    { long: "metrics", value: "PORT", help: "serve metrics for Prometheus at http://127.0.0.1:PORT/metrics" },
    logLevelOption,
  ],
  notes: [
    "URLs of gateways, with their formats:",
    ...sourceNotes,
    "Brokers with sensors, for --also: mqtt: is the one of --broker, mqtt://HOST[:PORT] another.",
    SIGNALS_NOTE,
  ],
});

export interface HubCandSettings {
  /** SocketCAN interface; with another source only the name in topics and client id. */
  readonly interface: string;
  readonly prefix: string;
  readonly source: BusSource | GatewaySource | ReplaySource | SimulationSource;
  /** Networks in addition to the source. */
  readonly also: readonly NetworkAddress[];
  readonly target: BrokerTarget | StdoutTarget | FindingsTarget;
  /** Path of deploy.json. */
  readonly config: string;
  /** Messages a second per PGN stream; absent: no limit. */
  readonly maxRate?: number | undefined;
  /** Slow lanes in addition to those of the deployed configuration, in seconds. */
  readonly lanes: readonly number[];
  readonly allPgns: boolean;
  readonly publishUnknown: boolean;
  /** Whether hub is a node of the bus; otherwise it never sends. */
  readonly node: boolean;
  readonly logLevel: LogLevel;
  /** Folder and maximum bytes of recordings; absent: no recording. */
  readonly record?: { readonly folder: string; readonly limit: number } | undefined;
  /** Prefix of Home Assistant's discovery; absent: no discovery. */
  readonly homeAssistant?: string | undefined;
  /** TCP address at which frames are served; absent: none. */
  readonly serveFrames?: ListenAddress | undefined;
  /** TCP port on the loopback address for Prometheus; absent: none. */
  readonly metrics?: number | undefined;
}

/** A network that is listened to in addition to the first; `name` is its text on the command line. */
export type NetworkAddress = { readonly name: string } & (BusSource | GatewaySource | SensorsSource | J1939Network);

/** A broker with sensors, whose rows are in the settings. */
export interface SensorsSource {
  readonly kind: "sensors";
  /** Absent: the broker of `target`, with its credentials and certificates. */
  readonly broker?: BrokerAddress;
}

/** A network of frames that are read as those of SAE J1939. */
export interface J1939Network {
  readonly kind: "j1939";
  readonly of: { readonly name: string } & (BusSource | GatewaySource);
  readonly firstEngine: number;
}

export interface BusSource {
  readonly kind: "bus";
}

export interface GatewaySource {
  readonly kind: "gateway";
  readonly address: GatewayAddress;
}

export interface ReplaySource extends BusReplacement {
  readonly kind: "replay";
  /** `-` is standard input. */
  readonly file: string;
  /** 0: as fast as possible. */
  readonly speed: number;
}

export interface SimulationSource extends BusReplacement {
  readonly kind: "simulation";
  /** The second of the voyage to begin with. */
  readonly from: number;
}

interface BusReplacement {
  /** The interface that was named but is not opened. */
  readonly unopened?: string | undefined;
}

export interface BrokerTarget extends BrokerSettings {
  readonly kind: "broker";
}

export interface StdoutTarget {
  readonly kind: "stdout";
}

/** The findings of a recording on standard output, and no messages. */
export interface FindingsTarget {
  readonly kind: "findings";
  readonly format: (typeof findingsFormats)[number];
}

export type HubCandCommand = Command<HubCandSettings> | { readonly kind: "schema"; readonly topic: string };

export const hubCandCommand = (args: readonly string[]): HubCandCommand =>
  commandOf(hubCandOptions, args, settingsOf, ({ name, value }) =>
    name === "schema" ? ({ kind: "schema", topic: value } as const) : undefined,
  );

type Option = Given<typeof hubCandOptions.options>;
type Values = OptionValues<Option["name"]>;

function settingsOf(values: Values, given: readonly Option[]): HubCandSettings {
  // For other options the last value counts; two of these mean two gateways.
  if (given.filter(({ name }) => name === "source").length > 1)
    throw new UsageError("--source is given twice: each gateway needs an instance of its own");
  const interfaceName = interfaceOf(values.get("interface") ?? "can0");
  const maxRate = values.get("max-rate");
  const also = given.flatMap(({ name, value }) => (name === "also" ? [value] : []));
  return {
    interface: interfaceName,
    prefix: prefixOf(values.get("prefix") ?? `can/${interfaceName}`, "prefix"),
    source: sourceOf(values),
    also: alsoOf(also, values),
    target: targetOf(values),
    config: pathOf(values, "config") ?? "/etc/hub/deploy.json",
    maxRate: maxRate === undefined ? undefined : rateOf(maxRate),
    lanes: lanesOf(values.get("lanes")),
    allPgns: values.has("all-pgns"),
    publishUnknown: values.has("unknown"),
    node: values.has("node"),
    logLevel: logLevelOf(values),
    record: recordOf(values),
    homeAssistant: values.has("home-assistant")
      ? prefixOf(values.get("home-assistant") ?? "homeassistant", "home-assistant")
      : undefined,
    serveFrames: listenAddressOf(values, "serve-frames"),
    metrics: values.has("metrics") ? wholeOf(values, "metrics", { most: 65_535 }) : undefined,
  };
}

/** A name that the kernel accepts (1 to 15 bytes, neither `/` nor blanks nor `:`), and fit for a level of a topic. */
const isInterface = (text: string): boolean =>
  /^[^\s/:+#\0]+$/.test(text) && Buffer.byteLength(text) <= 15 && text !== "." && text !== "..";

function interfaceOf(text: string): string {
  if (!isInterface(text)) throw new UsageError(`--interface ${text}: not the name of an interface`);
  return text;
}

/** Reads a further network; returns its fault as the rest of a sentence. */
export function readNetwork(text: string): NetworkAddress | string {
  const [, mark, of = "", engine = "0"] = /^j1939([:+])([^#]*)(?:#(\d{1,2}))?$/.exec(text) ?? [];
  if (mark !== undefined) return readJ1939(text, mark, of, Number(engine));
  if (isJ1939Network(text)) return J1939_FORMS;
  if (isInterface(text)) return { kind: "bus", name: text };
  if (text === OWN_BROKER) return { kind: "sensors", name: text };
  if (text.startsWith("mqtt://")) {
    const broker = readBrokerUrl(text);
    return broker === undefined ? `must be ${BROKER_FORMS}` : { kind: "sensors", name: text, broker };
  }
  const address = readGatewayUrl(text);
  return typeof address === "string"
    ? `${address}, ${BROKER_FORMS}, or an interface`
    : { kind: "gateway", name: text, address };
}

const J1939_FORMS =
  "must be j1939:INTERFACE or j1939+URL of a gateway, with the number of its first engine: j1939:can1#1";

function readJ1939(name: string, mark: string, of: string, firstEngine: number): NetworkAddress | string {
  if (mark === ":")
    return isInterface(of) ? { kind: "j1939", name, of: { kind: "bus", name: of }, firstEngine } : J1939_FORMS;
  const address = readGatewayUrl(of);
  if (typeof address === "string") return `the URL behind j1939+ ${address}`;
  const { gateway, endpoint } = address;
  if (gateway.carries === "messages") return `${endpoint.scheme} gives messages of NMEA 2000 and no frames`;
  return { kind: "j1939", name, of: { kind: "gateway", name: of, address }, firstEngine };
}

/** The interface, the gateway or the broker of a network as one text, the same however the network is written. */
export function originOf(network: NetworkAddress): string {
  if (network.kind === "j1939") return `j1939 ${originOf(network.of)}`;
  return network.kind === "gateway" ? destinationOf(network.address) : network.name;
}

export const firstOrigins = ({ interface: name, source }: Pick<HubCandSettings, "interface" | "source">): string[] =>
  source.kind === "bus" || source.kind === "gateway" ? [originOf({ name, ...source })] : [];

function alsoOf(texts: readonly string[], values: Values): readonly NetworkAddress[] {
  if (texts.length === 0) return [];
  if (values.has("findings")) throw new UsageError("--findings and --also exclude each other");
  if (speedOf(values.get("speed") ?? "1") === 0) throw new UsageError("--also needs a --speed above 0");
  if (texts.length > MAX_FURTHER_NETWORKS) throw new UsageError(`--also may be given ${MAX_FURTHER_NETWORKS} times`);
  const taken = firstOrigins({ interface: values.get("interface") ?? "can0", source: sourceOf(values) });
  return texts.map((text) => {
    const network = readNetwork(text);
    if (typeof network === "string") throw new UsageError(`--also ${text}: ${network}`);
    if (network.kind === "sensors" && network.broker === undefined && values.has("stdout"))
      throw new UsageError(`--also ${text}: there is no broker with --stdout`);
    const origin = originOf(network);
    if (taken.includes(origin)) throw new UsageError(`--also ${text}: is listened to already`);
    taken.push(origin);
    return network;
  });
}

function sourceOf(values: Values): HubCandSettings["source"] {
  const file = pathOf(values, "replay");
  const speed = values.get("speed");
  const url = values.get("source");
  const kinds = (["source", "replay", "simulate"] as const).filter((name) => values.has(name));
  if (kinds.length > 1) throw new UsageError(`--${kinds[0]} and --${kinds[1]} exclude each other`);
  for (const name of ["replay", "simulate"] as const) {
    if (values.has("node") && values.has(name)) throw new UsageError(`--node and --${name} exclude each other`);
  }
  if (speed !== undefined && file === undefined) throw new UsageError("--speed needs --replay");
  if (speed !== undefined && speedOf(speed) !== 0 && values.has("findings"))
    throw new UsageError("--findings reads at full speed: --speed 0");
  // The replay would end before a client connects.
  if (speed !== undefined && speedOf(speed) === 0 && values.has("serve-frames"))
    throw new UsageError("--serve-frames needs a --speed above 0");
  const unopened = values.get("interface");
  if (file !== undefined) return { kind: "replay", file, speed: speedGiven(speed, values), unopened };
  if (url !== undefined) return { kind: "gateway", address: gatewayOf(url, values) };
  if (!values.has("simulate")) return { kind: "bus" };
  return { kind: "simulation", from: secondOf(values.get("simulate") ?? "0"), unopened };
}

/** Findings are printed as fast as possible. */
const speedGiven = (speed: string | undefined, values: Values): number =>
  speed === undefined ? (values.has("findings") ? 0 : 1) : speedOf(speed);

function gatewayOf(url: string, values: Values): GatewayAddress {
  const address = readGatewayUrl(url);
  if (typeof address === "string") throw new UsageError(`--source ${url}: ${address}`);
  const { gateway, endpoint } = address;
  if (values.has("node") && gateway.transmits === undefined)
    throw new UsageError(`--node: nothing can be sent through ${endpoint.scheme}, which only listens`);
  if (values.has("record") && gateway.carries !== "frames")
    throw new UsageError(`--record: ${endpoint.scheme} gives whole messages and no frames`);
  return address;
}

function targetOf(values: Values): HubCandSettings["target"] {
  for (const target of ["stdout", "findings"] as const) {
    if (!values.has(target)) continue;
    for (const name of ["broker", "credentials", "ca", "cert", "key"] as const)
      if (values.has(name)) throw new UsageError(`--${target} and --${name} exclude each other`);
  }
  if (values.has("stdout") && values.has("findings"))
    throw new UsageError("--stdout and --findings exclude each other");
  if (values.has("stdout")) return { kind: "stdout" };
  if (values.has("findings")) return findingsOf(values);
  return { kind: "broker", ...brokerTargetOf(values) };
}

function findingsOf(values: Values): FindingsTarget {
  if (!values.has("replay")) throw new UsageError("--findings needs --replay");
  const text = values.get("findings") ?? "text";
  const format = findingsFormats.find((each) => each === text);
  if (format === undefined) throw new UsageError(`--findings=${text}: must be text or json`);
  return { kind: "findings", format };
}

/** A number in digits, with or without a point, without sign and exponent. */
function numberOf(text: string): number {
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

function secondOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--simulate=${text}: must be a whole number of seconds, 0 or more`);
  return Number(text);
}

function speedOf(text: string): number {
  const speed = numberOf(text);
  if (!Number.isFinite(speed)) throw new UsageError(`--speed ${text}: must be a number, 0 or more`);
  return speed;
}

function rateOf(text: string): number {
  const rate = numberOf(text);
  if (!(Number.isFinite(rate) && rate > 0)) throw new UsageError(`--max-rate ${text}: must be a number above 0`);
  return rate;
}

function lanesOf(text: string | undefined): readonly number[] {
  if (text === undefined) return [];
  const { success, data } = laneList.safeParse(text.split(",").map(numberOf));
  if (!success) throw new UsageError(`--lanes ${text}: must be up to 8 whole numbers of seconds, 1 to 3600: 1,60`);
  return data;
}

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };
const LEAST_RECORDING = 2 ** 20;

function recordOf(values: Values): HubCandSettings["record"] {
  const folder = pathOf(values, "record");
  const limit = values.get("record-limit");
  if (folder === undefined) {
    if (limit !== undefined) throw new UsageError("--record-limit needs --record");
    return undefined;
  }
  // Many recordings hold whole messages and no frames.
  if (values.has("replay")) throw new UsageError("--record and --replay exclude each other");
  return { folder, limit: limit === undefined ? 2 ** 30 : bytesOf(limit) };
}

function bytesOf(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,9})([KMGT]?)$/.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit] ?? 1);
  if (!(bytes >= LEAST_RECORDING))
    throw new UsageError(`--record-limit ${text}: must be a number of bytes, K, M, G or T, 1M or more`);
  return bytes;
}

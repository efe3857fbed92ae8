/**
 * From packets to topics: each packet is decoded, put into its envelope and published, one after the other, in the order
 * in which they arrived.
 *
 * Time comes in with the packets and through `advance`; the bridge never asks for it, so that a recording read at full
 * speed gives the same messages as the bus did.
 */
import { type AsciiBuffer, textOf } from "../n2k/ascii-buffer.ts";
import { type Catalogue, createCatalogue, feedsReportsOnly, type Reader, unknownJson } from "../n2k/catalogue.ts";
import type { Read } from "../n2k/decode.ts";
import { packFraming } from "../n2k/framing.ts";
import { jsonWriterOf } from "../n2k/json.ts";
import { onceEach } from "../n2k/once-each.ts";
import { readSwitches, type Switches } from "../n2k/switches.ts";
import type { MagneticModel } from "../nav/heading.ts";
import { defaultSettings, type NavigationSettings, readNavigationSettings } from "../nav/settings.ts";
import type { FrameSender } from "../ports/frame-sender.ts";
import type { InterfaceMonitor } from "../ports/interface-monitor.ts";
import type { Log } from "../ports/log.ts";
import type { PacketBatch } from "../ports/packet-source.ts";
import type { Publisher, Stream } from "../ports/publisher.ts";
import { AisTopic } from "./ais.ts";
import { createMetadata, DATA } from "./envelope.ts";
import { FramesHeard } from "./frames-heard.ts";
import type { Health, Vitals } from "./health.ts";
import { HealthReport } from "./health-report.ts";
import { HomeAssistant, type HomeAssistantOptions } from "./home-assistant.ts";
import { InterfaceReport } from "./interface-report.ts";
import { NavigationTopic } from "./navigation.ts";
import { BusNode } from "./node.ts";
import { type Packet, packetsOf } from "./packet-batch.ts";
import { Peers } from "./peers.ts";
import { RateLimit } from "./rate-limit.ts";
import type { Listener, Report } from "./report.ts";
import { SeldomLog } from "./seldom-log.ts";
import { topicsBelow } from "./topics.ts";

export interface BridgeOptions {
  readonly prefix: string;
  readonly publisher: Publisher;
  readonly log: Log;
  /** The interface of the bus, or what is there instead of one. */
  readonly interface: InterfaceMonitor | "replay" | "simulation";
  /** Messages a second that each stream of a PGN may publish; no limit when absent. */
  readonly maxRate?: number | undefined;
  /** Asked for the magnetic variation where the settings say so. */
  readonly magneticModel?: MagneticModel | undefined;
  /** Dates before this wall-clock time are not believed, milliseconds since 1970: the day on which hub was built. */
  readonly notBefore?: number | undefined;
  /** Publish PGNs that are not in the tables, as raw bytes. */
  readonly unknown?: boolean | undefined;
  /** Tell Home Assistant what there is. */
  readonly homeAssistant?: HomeAssistantOptions | undefined;
}

/** Who a node is. */
export interface NodeIdentity {
  /** 21 bits that no other hub on the bus has, and this one always. */
  readonly uniqueNumber: number;
  readonly softwareVersion: string;
}

export interface BridgeCounters {
  /** Packets by what became of them. */
  readonly packets: number;
  readonly published: number;
  readonly failed: number;
  /** Attempts of the node to send a frame for which there was no room or no bus. */
  readonly notSent: number;
  /** Packets of PGNs that are not in the tables, by PGN. */
  readonly unknown: ReadonlyMap<number, number>;
  /** Messages of PGNs of assumed layout that were neither that nor the public message, by PGN. */
  readonly refused: ReadonlyMap<number, number>;
  /** Percent of the last ten seconds in which the bus was busy; absent without a CAN controller. */
  readonly busLoadPercent?: number;
}

/** Addresses from here on are no devices: 254 cannot claim one, 255 is everybody. */
const NO_DEVICE = 254;

/** A hostile bus could use every number there is; its topics are then opened anew. */
const MOST_UNKNOWN_STREAMS = 4096;

/** Time for the reports about the last packet to become due, milliseconds. */
const LAST_WORDS = 1000;

/** PGNs whose every message counts, at any rate: alerts, switch control, AIS. */
const isNeverLimited = (pgn: number): boolean =>
  (pgn >= 126983 && pgn <= 126985) ||
  pgn === 127512 ||
  (pgn >= 129038 && pgn <= 129041) ||
  (pgn >= 129793 && pgn <= 129812);

/** Members that tell apart the streams which share a topic. */
const isIdentity = (name: string): boolean => /(^i|I)nstance$/.test(name) || name === "targetId" || name === "mmsi";

/** What becomes of the packets of a PGN. */
interface Route {
  /** Undefined for a PGN that is not published. */
  readonly reader: Reader | undefined;
  /** The report that hears it. */
  readonly listener: Listener | undefined;
  /** By source address. */
  readonly streams: (Stream | undefined)[];
}

/** Gives the text of the identifying members of a message: a writer for nothing but them. */
const keyOf = onceEach((definition): Read<string> => {
  const order = Object.keys(definition.fields).filter(isIdentity);
  return textOf(jsonWriterOf({ ...definition, order }));
});

export class Bridge {
  readonly #options: BridgeOptions;
  readonly #topics;
  #catalogue: Catalogue;
  #switches: Switches = new Map();
  #navigationSettings: NavigationSettings = defaultSettings;
  readonly #metadata = createMetadata();
  readonly #peers: Peers;
  readonly #navigation: NavigationTopic;
  readonly #ais: AisTopic;
  readonly #interface: InterfaceReport;
  readonly #homeAssistant: HomeAssistant | undefined;
  #node: BusNode | undefined;
  #health: HealthReport | undefined;
  /** Counts frames where no interface does. */
  readonly #framesHeard: FramesHeard | undefined;
  /** For what the bus provokes. */
  readonly #log: SeldomLog;
  /** By PGN. */
  #routes: ReadonlyMap<number, Route>;
  /** What speaks of its own accord, as time passes. */
  readonly #reports: Report[];
  readonly #unknownStreams = new Map<number, Stream>();
  readonly #limit: RateLimit | undefined;
  /** A message as a string, for one that has to wait. */
  readonly #text = textOf((out, packet: Packet, reader: Reader) => this.#write(out, packet, reader));
  readonly #unknown = new Map<number, number>();
  /** The packet that came last; only its times are still good. */
  #last: Packet | undefined;
  /** What the catalogues before this one had refused. */
  #refusedBefore: ReadonlyMap<number, number> = new Map();
  #packets = 0;
  #published = 0;
  #failed = 0;
  /** Monotonic time at which the next report has something to do, milliseconds. */
  #due = Number.NEGATIVE_INFINITY;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#topics = topicsBelow(options.prefix);
    const { publisher, maxRate } = options;
    const log = new SeldomLog(options.log);
    this.#log = log;
    this.#catalogue = createCatalogue();
    this.#limit = maxRate === undefined ? undefined : new RateLimit(maxRate);
    const peers = new Peers({ topics: this.#topics, publisher, log });
    this.#peers = peers;
    this.#navigation = new NavigationTopic(publisher.stream(this.#topics.navigation, { important: true }), {
      nameOf: (address) => peers.nameOf(address),
      modelOf: (name) => peers.modelOf(name),
      notBefore: options.notBefore ?? 0,
      magneticModel: options.magneticModel,
    });
    this.#ais = new AisTopic(publisher.stream(this.#topics.ais), () => this.#navigation.latest);
    this.#routes = this.#routesOf(this.#catalogue);
    this.#framesHeard = typeof options.interface === "string" ? new FramesHeard(options.interface) : undefined;
    const monitor = this.#framesHeard ?? (options.interface as InterfaceMonitor);
    this.#interface = new InterfaceReport({ topic: this.#topics.interface, monitor, publisher, log });
    if (options.homeAssistant !== undefined) {
      const navigation = () => this.#navigation.latest;
      this.#homeAssistant = new HomeAssistant(options.homeAssistant, {
        topics: this.#topics,
        publisher,
        peers,
        navigation,
      });
    }
    this.#reports = [
      this.#interface,
      peers,
      this.#navigation,
      this.#ais,
      ...(this.#homeAssistant === undefined ? [] : [this.#homeAssistant]),
      ...(this.#limit === undefined ? [] : [this.#limit]),
    ];
  }

  /** How frames belong together under the settings in force, for reassembly. */
  get framing(): Uint32Array {
    return packFraming(this.#catalogue.framing());
  }

  /** PGNs that are read by an assumed layout under the settings in force. */
  get assumed(): readonly number[] {
    return this.#catalogue.assumed();
  }

  /**
   * Takes over the entries of `settings` in deploy.json; what cannot be used is warned of and leaves what was in force.
   * `framing` may change by it.
   */
  configure(settings: ReadonlyMap<string, unknown>): void {
    const { log } = this.#options;
    const { switches, warnings } = readSwitches(settings.get("can"), this.#switches);
    for (const warning of warnings) log.warn(`settings, can: ${warning}`);
    const navigation = readNavigationSettings(settings.get("navigation"), this.#navigationSettings);
    for (const warning of navigation.warnings) log.warn(`settings, navigation: ${warning}`);
    this.#navigationSettings = navigation.settings;
    this.#navigation.configure(navigation.settings);
    this.#ais.setOwnMmsi(navigation.settings.ownMmsi);
    this.#refusedBefore = this.#refused();
    this.#switches = switches;
    this.#catalogue = createCatalogue(switches);
    this.#routes = this.#routesOf(this.#catalogue);
  }

  /** Publishes a burst of packets. */
  take(batch: PacketBatch): void {
    let last: Packet | undefined;
    for (const packet of packetsOf(batch)) {
      if (packet.arrived >= this.#due) this.advance(packet.arrived, packet.received);
      this.#hear(packet);
      last = packet;
    }
    this.#last = last ?? this.#last;
  }

  /** Becomes a node of the bus, whose frames go out through `sender`. */
  join(sender: FrameSender, identity: NodeIdentity): void {
    this.#node = new BusNode({ ...identity, sender, log: this.#log, peers: this.#peers.addresses });
    this.#reports.push(this.#node);
  }

  /** The bus has come or gone, at a monotonic time in milliseconds; only a node minds. */
  busChanged(isUp: boolean, now: number): void {
    if (isUp) this.#node?.busUp(now);
    else this.#node?.busDown();
    this.#due = Number.NEGATIVE_INFINITY;
  }

  /** The interface may have changed. */
  noticeInterface(): void {
    this.#interface.notice();
    this.#due = Math.min(this.#due, this.#interface.due);
  }

  /** Reports from now on how bus and bridge are, with what is counted elsewhere. */
  watch(vitals: Vitals): void {
    const { publisher } = this.#options;
    this.#health = new HealthReport({ topic: this.#topics.health, publisher, vitals, bridge: () => this.counters() });
    this.#reports.push(this.#health);
    this.#due = Number.NEGATIVE_INFINITY;
  }

  /** How bus and bridge are at a monotonic time in milliseconds; undefined when nobody watches. */
  health(now: number): Health | undefined {
    return this.#health?.health(now);
  }

  /** Lets time pass: does what is due at `now` (monotonic) with the stamp `wall`, milliseconds both. */
  advance(now: number, wall: number): void {
    if (now < this.#due) return;
    this.#log.now = now;
    for (const report of this.#reports) report.advance(now, wall);
    this.#due = Math.min(...this.#reports.map((report) => report.due));
  }

  /** Nothing comes any more: sends what waits, and the reports of a second after the last packet. */
  finish(): void {
    if (this.#last === undefined) return;
    const { arrived, received } = this.#last;
    this.#limit?.finish(arrived);
    this.advance(arrived + LAST_WORDS, received + LAST_WORDS);
    this.#health?.finish(arrived + LAST_WORDS, received + LAST_WORDS);
  }

  /** How many things are kept of the bus in memory: bounded, whatever the bus does. */
  get kept(): number {
    return this.#peers.kept + this.#unknownStreams.size + (this.#limit?.kept ?? 0) + (this.#homeAssistant?.kept ?? 0);
  }

  counters(): BridgeCounters {
    const { busLoadPercent } = this.#interface;
    return {
      packets: this.#packets,
      published: this.#published,
      failed: this.#failed,
      notSent: this.#node?.counters.refused ?? 0,
      unknown: this.#unknown,
      refused: this.#refused(),
      ...(busLoadPercent !== undefined && { busLoadPercent }),
    };
  }

  #refused(): ReadonlyMap<number, number> {
    const refused = new Map(this.#refusedBefore);
    for (const [pgn, count] of this.#catalogue.refused()) refused.set(pgn, (refused.get(pgn) ?? 0) + count);
    return refused;
  }

  #hear(packet: Packet): void {
    this.#packets++;
    this.#framesHeard?.hear(packet);
    this.#log.now = packet.arrived;
    try {
      this.#peers.hear(packet);
      this.#node?.hear(packet);
      if (packet.source < NO_DEVICE) this.#pass(packet);
    } catch (error) {
      this.#failed++;
      const { pgn, source } = packet;
      this.#log.error("a message could not be decoded", { pgn, source, error: String(error) });
    }
    if (this.#node !== undefined && this.#node.due < this.#due) this.#due = this.#node.due;
    if (this.#peers.due < this.#due) this.#due = this.#peers.due;
  }

  #pass(packet: Packet): void {
    const route = this.#routes.get(packet.pgn);
    if (route?.reader === undefined) this.#hearUnknown(packet);
    else this.#publish(packet, route.reader, route.streams);
    if (route?.listener === undefined) return;
    // Only what has heard something can have become due sooner.
    const due = route.listener(packet);
    if (due < this.#due) this.#due = due;
  }

  #routesOf(catalogue: Catalogue): ReadonlyMap<number, Route> {
    const listeners = new Map([...this.#navigation.listeners, ...this.#ais.listeners]);
    const pgns = [...catalogue.readers.map(({ definition }) => definition.pgn), ...listeners.keys()];
    const routeOf = (pgn: number): Route => ({
      reader: catalogue.reader(pgn),
      listener: listeners.get(pgn),
      streams: [],
    });
    return new Map(pgns.map((pgn) => [pgn, routeOf(pgn)]));
  }

  #publish(packet: Packet, reader: Reader, streams: (Stream | undefined)[]): void {
    const { pgn, source } = packet;
    streams[source] ??= this.#options.publisher.stream(this.#topics.pgn(source, pgn));
    const stream = streams[source];
    if (this.#limit === undefined || isNeverLimited(pgn)) {
      this.#write(stream.begin(), packet, reader);
      stream.end();
    } else {
      const key = keyOf(reader.definition)(packet.bytes, packet.at, packet.end, source);
      this.#limit.publish(stream, key, this.#text(packet, reader), packet.arrived);
      this.#due = Math.min(this.#due, this.#limit.due);
    }
    this.#published++;
  }

  #write(out: AsciiBuffer, { bytes, at, end, source, arrived, received }: Packet, reader: Reader): void {
    out.put(DATA);
    const from = out.at;
    reader.write(out, bytes, at, end, source, arrived);
    this.#homeAssistant?.hear(source, reader.definition, out, from, arrived);
    this.#metadata(out, received);
  }

  #hearUnknown({ pgn, source, bytes, at, end, received }: Packet): void {
    if (feedsReportsOnly(pgn)) return;
    this.#unknown.set(pgn, (this.#unknown.get(pgn) ?? 0) + 1);
    if (!this.#options.unknown) return;
    const place = source * 0x40000 + pgn;
    let stream = this.#unknownStreams.get(place);
    if (stream === undefined) {
      if (this.#unknownStreams.size >= MOST_UNKNOWN_STREAMS) this.#unknownStreams.clear();
      stream = this.#options.publisher.stream(this.#topics.pgn(source, pgn));
      this.#unknownStreams.set(place, stream);
    }
    const out = stream.begin();
    out.put(DATA);
    out.ascii(unknownJson(pgn, bytes, at, end));
    this.#metadata(out, received);
    stream.end();
  }
}

/**
 * From packets to topics: each packet is decoded, put into its envelope and published, one after the other, in the
 * order in which they arrived.
 *
 * Time comes with the packets and through `advance`; the bridge never reads a clock, so that a recording read at full
 * speed gives the same messages as the bus did.
 */

import type { AlarmSettings } from "../../core/alarms/settings.ts";
import { NETWORK_ADDRESSES } from "../../core/can/networks.ts";
import type { Circumstances } from "../../core/findings/monitor.ts";
import type { FindingsData } from "../../core/findings/report.ts";
import { createCatalogue, feedsReportsOnly, type Reader, unknownJson } from "../../core/n2k/catalogue.ts";
import { fastPacketTable } from "../../core/n2k/fast-packets.ts";
import type { CanSettings } from "../../core/n2k/layout-modes.ts";
import type { NavigationSettings } from "../../core/nav/settings.ts";
import type { InterfaceMonitor } from "../../core/ports/interface-monitor.ts";
import type { Log } from "../../core/ports/log.ts";
import { forEachPacket, type Packet } from "../../core/ports/packet-batch.ts";
import type { PacketBatch, SourceState } from "../../core/ports/packet-source.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { createMetadataWriter, DATA } from "../../core/report/envelope.ts";
import { entries } from "../../core/settings/entries.ts";
import { type LaneSettings, sortedLanes } from "../../core/settings/lanes.ts";
import { nameAtAnyDevice } from "../../core/settings/names.ts";
import { type AsciiBuffer, textOf } from "../../core/text/ascii-buffer.ts";
import type { Health } from "../../core/topics/health.ts";
import { topicReader, topicsBelow } from "../../core/topics/topics.ts";
import { AisTopic } from "./ais-topic.ts";
import { AlarmTopic } from "./alarm-topic.ts";
import { FindingsTopic } from "./findings-topic.ts";
import { ClockWatch } from "./health/clock-watch.ts";
import { HealthReport } from "./health/health-report.ts";
import { HomeAssistant } from "./home-assistant/home-assistant.ts";
import { IgnoredSettings } from "./ignored-settings.ts";
import { InterfaceReport } from "./interface-report.ts";
import { Lanes } from "./lanes/lanes.ts";
import { RateLimit } from "./lanes/rate-limit.ts";
import { LayoutReport } from "./layout-report.ts";
import { NavigationTopic } from "./navigation-topic.ts";
import { BusNode } from "./node/bus-node.ts";
import type { BridgeCounters, BridgeOptions, FurtherNetwork } from "./options.ts";
import { PublicStreams, UnknownStreams } from "./other-streams.ts";
import { Peers } from "./peers.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import type { Listener } from "./report.ts";
import { Reports } from "./reports.ts";
import { type SettingsPart, settingsPart } from "./settings-parts.ts";

/** Time after the last packet in which every report about it becomes due. */
const FINAL_REPORTS_MS = 1000;

/** The reader, the listener and the streams of a PGN. */
interface Route {
  /** Undefined for a PGN that is not published. */
  reader: Reader | undefined;
  /** The report that reads the PGN. */
  readonly listener: Listener | undefined;
  /** Whether the crew has set a limit on a field of the PGN. */
  isWatched: boolean;
  /** Streams by source address. */
  readonly streams: (Stream | undefined)[];
}

/** The parts that read all packets of a network. */
interface Receivers {
  readonly monitor: InterfaceMonitor;
  /** Findings are those of the first network, and the node is on it. */
  readonly findings: FindingsTopic | undefined;
  readonly node: BusNode | undefined;
  /** Packets taken so far, of a further network. */
  packets: number;
}

export class Bridge {
  readonly #options: BridgeOptions;
  readonly #topics;
  readonly #readTopic;
  readonly #catalogue = createCatalogue();
  /** Parts that read the deployed settings. */
  readonly #parts: readonly SettingsPart[];
  #friendlyNames = entries.navigation.byDefault.friendlyNames;
  #names = entries.names.byDefault;
  readonly #metadata = createMetadataWriter();
  readonly #peers: Peers;
  readonly #navigation: NavigationTopic;
  readonly #ais: AisTopic;
  readonly #alarms: AlarmTopic;
  readonly #findings: FindingsTopic | undefined;
  readonly #layouts: LayoutReport | undefined;
  readonly #lanes: Lanes;
  readonly #ignored: IgnoredSettings;
  readonly #interface: InterfaceReport;
  readonly #homeAssistant: HomeAssistant | undefined;
  readonly #node: BusNode | undefined;
  readonly #health: HealthReport | undefined;
  /** Networks in addition to the first, by their numbers less one. */
  #further: readonly (FurtherNetwork | undefined)[] = [];
  /** Receivers by the number of the network. */
  #receivers: readonly (Receivers | undefined)[];
  readonly #clock: ClockWatch;
  /** Log for messages that the bus can cause, with a limited rate. */
  readonly #log: Log;
  /** Monotonic time of the current call, milliseconds. */
  #now = Number.NEGATIVE_INFINITY;
  /** Wall clock less monotonic time at the last call of `advance`, milliseconds. */
  #wallAhead: number | undefined;
  /** Monotonic time of the last packet. */
  #heardAt: number | undefined;
  /** Routes by PGN. */
  readonly #routes: ReadonlyMap<number, Route>;
  /** Messages that are published on a timer. */
  readonly #reports: Reports;
  readonly #unknownStreams: UnknownStreams;
  readonly #publicStreams = new PublicStreams();
  #publicSetting = entries.can.byDefault.published;
  /** Whether the settings that are being applied change the fast-packet table. */
  #changesTable = false;
  readonly #limit: RateLimit | undefined;
  /** A message as a string, for a message that waits because of its rate. */
  readonly #text = textOf((out, packet: Packet, reader: Reader) => this.#write(out, packet, reader));
  readonly #unknown = new Map<number, number>();
  /** The last packet; its times are valid, but its bytes may have been overwritten. */
  #last: Packet | undefined;
  #packets = 0;
  #published = 0;
  #failed = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#topics = topicsBelow(options.prefix);
    this.#unknownStreams = new UnknownStreams((place) => options.publisher.stream(this.#topics.pgn(place)));
    this.#readTopic = topicReader(options.prefix);
    const { publisher, maxRate } = options;
    const log = new RateLimitedLog(options.log, () => this.#now);
    this.#log = log;
    this.#clock = new ClockWatch(options.log);
    this.#limit = maxRate === undefined ? undefined : new RateLimit(maxRate);
    const namesAt = (name: bigint) => this.#names.things.get(String(name));
    const peers = new Peers({
      topics: this.#topics,
      publisher,
      log,
      friendlyNameOf: (name) => this.#friendlyNames.get(String(name)),
      namesAt,
    });
    this.#peers = peers;
    this.#ignored = new IgnoredSettings(options.log, peers);
    const lanes = new Lanes({ topics: this.#topics, publisher, log });
    this.#lanes = lanes;
    this.#navigation = this.#createNavigation(peers, lanes);
    this.#ais = new AisTopic(
      publisher.stream(this.#topics.ais()),
      () => this.#navigation.latest,
      (...report) => lanes.isOn && lanes.hearAis(...report),
    );
    this.#alarms = new AlarmTopic({
      topics: this.#topics,
      publisher,
      log,
      hasKinds: options.homeAssistant !== undefined,
      reports: (now) => ({
        navigation: this.#navigation.latest,
        targets: this.#ais.approaches,
        isHeard: (address) => peers.addresses.has(address),
        nameOfDevice: (address) => this.#nameOfDevice(address),
        nameOfThing: (thing) => nameAtAnyDevice(this.#names, thing),
        receivers: this.#navigation.receivers(now),
        sounderHeardAt: this.#navigation.sounderHeardAt,
        clockAheadSec: this.#clock.aheadSec,
        disk: options.disk?.(),
        newDevices: this.#findings?.newDevices,
        aisSources: this.#ais.sources,
        heardAt: this.#heardAt,
      }),
    });
    if (options.findings) {
      this.#findings = new FindingsTopic({
        topics: this.#topics,
        publisher,
        log,
        friendlyNameOf: (name) => this.#friendlyNames.get(String(name)),
        circumstances: () => this.#circumstances(),
      });
    }
    this.#layouts = options.layouts ? new LayoutReport(this.#topics.layouts(), publisher) : undefined;
    this.#routes = this.#createRoutes();
    this.#selectPublic();
    this.#interface = new InterfaceReport({
      topic: this.#topics.interface(),
      monitor: options.monitor,
      further: () => this.#further,
      publisher,
      log,
    });
    if (options.homeAssistant !== undefined) {
      const hasFindings = this.#findings !== undefined;
      const navigation = () => this.#navigation.latest;
      const parts = { topics: this.#topics, publisher, peers, namesAt, log, navigation, hasFindings };
      this.#homeAssistant = new HomeAssistant(options.homeAssistant, parts);
    }
    if (options.node !== undefined) {
      const onRequest = this.#findings?.noteRequest;
      this.#node = new BusNode({ ...options.node, log, peers: peers.addresses, onRequest });
    }
    if (options.vitals !== undefined) {
      const { vitals } = options;
      const topic = this.#topics.health();
      const ignoredSettings = (now: number) => this.#ignored.list(now);
      this.#health = new HealthReport({ topic, publisher, vitals, bridge: () => this.counters(), ignoredSettings });
    }
    this.#receivers = [{ monitor: options.monitor, findings: this.#findings, node: this.#node, packets: 0 }];
    const optional = [this.#findings, this.#layouts, this.#homeAssistant, this.#limit, this.#node, this.#health];
    this.#reports = new Reports([
      this.#interface,
      peers,
      this.#navigation,
      this.#ais,
      this.#alarms,
      ...optional.filter((each) => each !== undefined),
      // Lanes come last, because they repeat reports of the same moment.
      lanes,
    ]);
    this.#parts = [
      settingsPart(entries.can, (settings) => this.#useCan(settings)),
      settingsPart(entries.navigation, (settings) => this.#useNavigation(settings)),
      settingsPart(entries.names, (settings) => {
        this.#names = settings;
        this.#peers.renamed();
      }),
      settingsPart(entries.alarms, (settings) => this.#useAlarms(settings)),
      settingsPart(entries.lanes, (settings) => this.#useLanes(settings)),
    ];
    this.#useLanes(entries.lanes.byDefault);
  }

  #createNavigation(peers: Peers, lanes: Lanes): NavigationTopic {
    const { publisher, notBefore = 0, magneticModel } = this.#options;
    return new NavigationTopic(
      publisher.stream(this.#topics.navigation(), { important: true }),
      {
        nameOf: (address) => peers.nameOf(address),
        modelOf: (name) => peers.modelOf(name),
        notBefore,
        magneticModel,
      },
      (...report) => lanes.isOn && lanes.hearNavigation(...report),
    );
  }

  #commandsSkipped(): BridgeCounters["commandsSkipped"] {
    const { tooLong, notUnderstood, withoutEffect } = this.#alarms.commandsSkipped;
    const others = this.#findings?.commandsSkipped;
    return {
      tooLong: tooLong + (others?.tooLong ?? 0),
      notUnderstood: notUnderstood + (others?.notUnderstood ?? 0),
      withoutEffect,
    };
  }

  /** State of a live bus beyond its packets. */
  #circumstances(): Circumstances {
    const { status } = this.#interface;
    const isLive = status?.gateway !== undefined || (status?.state !== undefined && status.state !== "UNKNOWN");
    return {
      interface: isLive ? status : undefined,
      counters: this.#options.vitals?.bus(),
      clockAheadSec: this.#clock.aheadSec,
    };
  }

  /** The findings that were published last. */
  get findings(): FindingsData | undefined {
    return this.#findings?.latest;
  }

  /** The crew's name for a device, or else its model. */
  #nameOfDevice(address: number): string | undefined {
    const name = this.#peers.nameOf(address);
    return name === undefined ? undefined : (this.#friendlyNames.get(String(name)) ?? this.#peers.modelOf(name));
  }

  /** The fast-packet table under the settings in force, for reassembly. */
  get fastPacketTable(): Uint32Array {
    return fastPacketTable(this.#catalogue.fastPackets());
  }

  /** PGNs that are read by an assumed layout under the settings in force. */
  get assumed(): readonly number[] {
    return this.#catalogue.assumed();
  }

  /**
   * Applies the entries of `settings` in deploy.json that have changed. A part that cannot be used is logged, and the
   * one in force stays. True when `fastPacketTable` may have changed.
   */
  configure(settings: ReadonlyMap<string, unknown>): boolean {
    this.#changesTable = false;
    for (const { entry, configure } of this.#parts) {
      const warnings = configure(settings.get(entry));
      if (warnings !== undefined) this.#ignored.note(entry, warnings);
    }
    this.#noticeHealth();
    return this.#changesTable;
  }

  /** Only the readers that change are made again. */
  #useCan({ modes, published }: CanSettings): void {
    this.#publicSetting = published;
    this.#selectPublic();
    const changed = this.#catalogue.setLayoutModes(modes);
    for (const pgn of changed) this.#routes.get(pgn)!.reader = this.#catalogue.reader(pgn);
    this.#changesTable = changed.length > 0;
  }

  #useNavigation(settings: NavigationSettings): void {
    const before = this.#friendlyNames;
    this.#friendlyNames = settings.friendlyNames;
    if (JSON.stringify([...before]) !== JSON.stringify([...settings.friendlyNames])) this.#peers.renamed();
    this.#navigation.configure(settings);
    this.#ais.setOwnMmsi(settings.ownMmsi);
    this.#ignored.use(settings);
  }

  /**
   * Sets the networks in addition to the first, at a monotonic time; the devices of one that is replaced are gone.
   * Undefined: a number that no network has now.
   */
  setNetworks(further: readonly (FurtherNetwork | undefined)[], now: number): void {
    const before = this.#further;
    this.#further = further;
    const receiversOf = (network: FurtherNetwork, number: number): Receivers =>
      before[number - 1] === network
        ? this.#receivers[number]!
        : { monitor: network.monitor, findings: undefined, node: undefined, packets: 0 };
    this.#receivers = [
      this.#receivers[0],
      ...further.map((network, index) => network && receiversOf(network, index + 1)),
    ];
    before.forEach((network, index) => {
      if (network !== undefined && network !== further[index]) this.#peers.forgetNetwork(index + 1, now);
    });
    this.networkChanged();
  }

  /** Tells that the state of a further network has changed. */
  networkChanged(): void {
    this.#interface.notice();
    this.#reports.wake();
  }

  /** Whether each further network is up, by interface or URL. */
  get networksUp(): ReadonlyMap<string, boolean> {
    return new Map(this.#interface.networks.map(({ interface: name, up }) => [name, up === true]));
  }

  /** Notes parts of an entry of the settings that another part of the program reads and cannot use. */
  settingIgnored(entry: string, warnings: readonly string[]): void {
    this.#ignored.note(entry, warnings);
    this.#noticeHealth();
  }

  /** Sets the file of the deployed settings, and why it cannot be used; undefined: it can, or there has never been one. */
  settingsFile(file: string, fault: string | undefined): void {
    if (this.#ignored.setFile(file, fault)) this.#noticeHealth();
  }

  #noticeHealth(): void {
    this.#health?.notice();
    this.#reports.wake();
  }

  /** Takes a command to the alarms: a payload of the topic `{prefix}/alarms/{target}/set`; undefined: too long. */
  command(topic: string, payload: string | undefined): void {
    const place = this.#readTopic(topic);
    const named = ["anchorWatch", "berth", "sounding", "manOverboard"] as const;
    const target = named.find((each) => each === place?.topic);
    if (target !== undefined) this.#alarms.command(target, payload);
    else if (place?.topic === "alarmHistory") this.#alarms.hearHistory(payload);
    else if (place?.topic === "externalAlarm") this.#alarms.command(`external/${place.alarm}`, payload);
    else if (place?.topic === "keptCall") this.#alarms.command(`calls/${place.alarm}`, payload);
    else if (place?.topic === "alarmAnswer") this.#alarms.command(place.alarm, payload);
    else if (place?.topic === "baseline") this.#findings?.command(payload);
    else return;
    this.#reports.wakeAt(Math.min(this.#alarms.due, this.#findings?.due ?? Number.POSITIVE_INFINITY));
  }

  /** The lanes are those of the options and of the settings, and the lane of Home Assistant. */
  #useLanes(settings: LaneSettings): void {
    const { lanes, homeAssistant } = settings;
    const its = this.#homeAssistant === undefined ? [] : [homeAssistant];
    this.#lanes.configure(sortedLanes([...(this.#options.lanes ?? []), ...lanes, ...its]), settings);
    this.#homeAssistant?.useLane(homeAssistant);
  }

  #selectPublic(): void {
    const { allPgns, publicPgns } = this.#options;
    const setting = allPgns || this.#publicSetting;
    const pgns = setting === false ? undefined : publicPgns?.();
    this.#catalogue.setPublic(
      pgns && { pgns, isWanted: (pgn) => setting === true || (setting as Set<number>).has(pgn) },
    );
  }

  /** Publishes a burst of packets of a network; those of one that has been removed are dropped. */
  take(batch: PacketBatch, network = 0): void {
    const receivers = this.#receivers[network];
    if (receivers === undefined) return;
    const visit = (packet: Packet): void => {
      if (packet.arrived >= this.#reports.due) this.#advanceTo(packet, network);
      this.#hear(packet, receivers);
    };
    const before = this.#packets;
    const last = forEachPacket(batch, visit, network * NETWORK_ADDRESSES);
    receivers.packets += this.#packets - before;
    // The clock of the packets is that of the first network.
    if (last !== undefined && network === 0) this.#last = last;
  }

  /** Tells that the state of the source has changed, at a monotonic time in milliseconds. */
  sourceChanged({ isUp, hasChanged }: SourceState, now: number): void {
    this.#interface.notice();
    if (hasChanged) {
      if (isUp) this.#node?.busUp(now);
      else this.#node?.busDown();
    }
    this.#reports.wake();
  }

  /**
   * Takes the computer's clock at a monotonic time, both in milliseconds. Called only if the time on the bus is that of
   * today.
   */
  compareClock(now: number, wall: number): void {
    if (this.#clock.compare(now, wall, this.#navigation.timeOnBus(now))) this.#noticeHealth();
  }

  /** The health at a monotonic time in milliseconds; undefined without vitals. */
  health(now: number): Health | undefined {
    return this.#health?.health(now);
  }

  /** Publishes the reports that are due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void {
    this.#wallAhead = wall - now;
    if (now < this.#reports.due) return;
    this.#now = now;
    this.#reports.advance(now, wall);
  }

  /**
   * Publishes the reports that are due at a packet. A further network may have the clock of another computer, which the
   * reports of the boat do not follow; before the first call of `advance` they wait for it.
   */
  #advanceTo({ arrived, received }: Packet, network: number): void {
    if (network === 0) this.advance(arrived, received);
    else if (this.#wallAhead !== undefined) this.advance(arrived, arrived + this.#wallAhead);
  }

  /** The wall clock of the packets at a monotonic time, by the last of them; undefined before the first. */
  packetClock(now: number): number | undefined {
    return this.#last && this.#last.received + (now - this.#last.arrived);
  }

  /**
   * Ends the source: publishes messages that wait for their rate, and the reports of the second after the last packet.
   */
  finish(): void {
    if (this.#last === undefined) return;
    const { arrived, received } = this.#last;
    this.#limit?.finish(arrived);
    this.advance(arrived + FINAL_REPORTS_MS, received + FINAL_REPORTS_MS);
    this.#lanes.finish(arrived + FINAL_REPORTS_MS);
    this.#health?.finish(arrived + FINAL_REPORTS_MS, received + FINAL_REPORTS_MS);
  }

  /** Entries held in memory about the bus; bounded for any traffic. */
  get kept(): number {
    const streams = this.#unknownStreams.count + this.#publicStreams.count;
    return (
      this.#peers.kept +
      (this.#findings?.kept ?? 0) +
      streams +
      (this.#limit?.kept ?? 0) +
      (this.#homeAssistant?.kept ?? 0) +
      this.#lanes.kept
    );
  }

  counters(): BridgeCounters {
    const { busLoadPercent } = this.#interface;
    const { aheadSec: clockAheadSec } = this.#clock;
    const lanes = this.#lanes.counters;
    return {
      packets: this.#packets,
      published: this.#published,
      failed: this.#failed,
      notSent: this.#node?.counters.refused ?? 0,
      unknown: this.#unknown,
      refused: this.#catalogue.unmatched(),
      commandsSkipped: this.#commandsSkipped(),
      ...(busLoadPercent !== undefined && { busLoadPercent }),
      ...(clockAheadSec !== undefined && { clockAheadSec }),
      ...(lanes !== undefined && { lanes }),
      ...(this.#further.length > 0 && { networks: this.#networkCounters() }),
    };
  }

  #networkCounters(): NonNullable<BridgeCounters["networks"]> {
    return this.#further.flatMap((network, index) =>
      network === undefined
        ? []
        : [
            {
              name: network.name,
              firstAddr: (index + 1) * NETWORK_ADDRESSES,
              packets: this.#receivers[index + 1]!.packets,
              counters: network.counters(),
            },
          ],
    );
  }

  #hear(packet: Packet, { monitor, findings, node }: Receivers): void {
    this.#packets++;
    monitor.count?.(packet.transport, packet.end - packet.at);
    this.#now = packet.arrived;
    this.#heardAt = packet.arrived;
    try {
      const isTaken = this.#peers.hear(packet);
      findings?.hear(packet);
      node?.hear(packet);
      if (isTaken) this.#dispatch(packet);
    } catch (error) {
      this.#failed++;
      const { pgn, source } = packet;
      this.#log.error("a message could not be decoded", {
        code: "DECODE_FAILED",
        pgn,
        source,
        reason: String(error),
      });
    }
    if (this.#node !== undefined) this.#reports.wakeAt(this.#node.due);
    this.#reports.wakeAt(this.#peers.due);
  }

  #dispatch(packet: Packet): void {
    const route = this.#routes.get(packet.pgn);
    if (route?.reader === undefined) this.#hearOther(packet);
    else this.#publish(packet, route.reader, route.streams);
    if (route?.isWatched) this.#hearWatched(packet, route);
    if (route?.listener === undefined) return;
    // A report can become due sooner only because of a packet that it reads.
    this.#reports.wakeAt(route.listener(packet));
  }

  #hearWatched(packet: Packet, { reader }: Route): void {
    const { pgn, bytes, at, end, source, arrived } = packet;
    if (reader !== undefined) this.#alarms.hearWatched(pgn, reader.message(bytes, at, end, source, arrived), packet);
  }

  #useAlarms(settings: AlarmSettings): void {
    this.#alarms.configure(settings);
    const watched = this.#alarms.watchedPgns;
    for (const [pgn, route] of this.#routes) route.isWatched = watched.has(pgn);
  }

  #createRoutes(): ReadonlyMap<number, Route> {
    const listeners = new Map([
      ...this.#navigation.listeners,
      ...this.#ais.listeners,
      ...this.#alarms.listeners,
      ...(this.#layouts?.listeners ?? []),
    ]);
    const pgns = [...this.#catalogue.readers.map(({ definition }) => definition.pgn), ...listeners.keys()];
    const routeOf = (pgn: number): Route => ({
      reader: this.#catalogue.reader(pgn),
      listener: listeners.get(pgn),
      isWatched: false,
      streams: [],
    });
    return new Map(pgns.map((pgn) => [pgn, routeOf(pgn)]));
  }

  #publish(packet: Packet, reader: Reader, streams: (Stream | undefined)[]): void {
    const { pgn, source, bytes, at, end, arrived } = packet;
    streams[source] ??= this.#options.publisher.stream(this.#topics.pgn({ addr: source, pgn }));
    const stream = streams[source];
    const selected = reader.select(bytes, at, end, source, arrived);
    const limit = this.#limit;
    const key = limit && selected.streamKey(bytes, at, end, source, arrived);
    if (limit === undefined || key === undefined) {
      const out = stream.open();
      try {
        this.#write(out, packet, selected);
      } catch (error) {
        stream.discard();
        throw error;
      }
      stream.commit();
    } else {
      limit.publish(stream, key, this.#text(packet, selected), arrived);
      this.#reports.wakeAt(limit.due);
    }
    this.#published++;
    this.#homeAssistant?.hear(packet, selected);
    if (this.#lanes.isOn) {
      this.#lanes.hear(packet, selected);
      this.#reports.wakeAt(this.#lanes.due);
    }
  }

  #write(out: AsciiBuffer, { bytes, at, end, source, arrived, received }: Packet, reader: Reader): void {
    out.write(DATA);
    reader.write(out, bytes, at, end, source, arrived);
    this.#metadata(out, received);
  }

  /** A PGN that is not in the document. */
  #hearOther(packet: Packet): void {
    const { pgn, source } = packet;
    const reader = this.#catalogue.publicReader(pgn);
    if (reader === undefined) {
      this.#hearUnknown(packet);
      return;
    }
    this.#publish(packet, reader, this.#publicStreams.of(pgn, source));
  }

  #hearUnknown({ pgn, source, bytes, at, end, received }: Packet): void {
    if (feedsReportsOnly(pgn)) return;
    this.#unknown.set(pgn, (this.#unknown.get(pgn) ?? 0) + 1);
    if (!this.#options.unknown) return;
    const stream = this.#unknownStreams.of(pgn, source);
    const data = unknownJson(pgn, bytes, at, end);
    const out = stream.open();
    out.write(DATA);
    out.ascii(data);
    this.#metadata(out, received);
    stream.commit();
  }
}

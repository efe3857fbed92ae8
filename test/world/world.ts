/**
 * A whole boat in one process: bus, bridge, broker, readers and crew on one virtual clock. The script says what happens;
 * the promises of the documentation are asked every second.
 */
import { createHash } from "node:crypto";
import { isGrave } from "../../src/core/alarms/constants.ts";
import type { ActiveAlarm, AlarmsData } from "../../src/core/alarms/report.ts";
import { deviceNameBytes } from "../../src/core/n2k/device-name.ts";
import { isoAddressClaim } from "../../src/core/n2k/pgns/system.ts";
import { forEachPacket } from "../../src/core/ports/packet-batch.ts";
import { noCounts, type PacketBatch } from "../../src/core/ports/packet-source.ts";
import { identityPayload } from "../../src/core/topics/identity.ts";
import { readJson } from "../../src/core/topics/messages.ts";
import { receivedFilters, topicReader, topics } from "../../src/core/topics/topics.ts";
import { aisPgns } from "../../src/formats/nmea0183/ais-messages.ts";
import type { Bridge } from "../../src/services/bridge/bridge.ts";
import { type MemoryInterface, memoryInterface } from "../support/memory/interface-monitor.ts";
import { type MemoryLog, memoryLog } from "../support/memory/log.ts";
import { Answers, kindsWithTerm } from "./answers.ts";
import { Broker } from "./broker.ts";
import { Bus, type BusDevice, NO_DEVICE } from "./bus.ts";
import { FrameGateway } from "./gateway.ts";
import { INTERFACE, makeBridge, PREFIX, statusOf, VERSION } from "./hub-cand.ts";
import { MessageCheck } from "./message-check.ts";
import { ModelPublisher } from "./model-publisher.ts";
import { listed, type Promised, type PromiseName, promises } from "./promises.ts";
import { ENGINES, furtherNetworks, OtherProtocols, publishSensor, SENSORS, SENTENCES } from "./protocols.ts";
import { type Random, randomOf } from "./random.ts";
import { HistoryProgram, LinkProgram, Reader } from "./readers.ts";
import { FERRY, payloadOf, type RoleName, roleOf, type Truth } from "./roles.ts";
import { type Danger, hasContradictions, type Script, type WorldEvent } from "./script.ts";
import { Sounds } from "./sounds.ts";
import { Tablet } from "./tablet/tablet.ts";
import { type ProgramClock, VirtualClock } from "./virtual-clock.ts";

/** hub-cand forgets a device that is silent for three minutes; the slowest sends every ten seconds. */
const FORGETS_MS = 165_000;
const BEGIN = Date.UTC(2026, 10, 21, 8);
const TICK_MS = 100;
/** The history is published each five seconds. */
const HISTORY_MS = 15_000;
const CHECK_MS = 1000;
/** An answer for one of its devices is for all. */
const OF_ONE_THING = "depth";
/** One alarm is for all ships that come to a boat in a harbour, and rings for each that comes within ten minutes. */
const OF_ALL_SHIPS = "cpa-harbour";
/** Times within which a ship surely counts, and perhaps, because speeds are rounded. */
const [SURELY_COMES_MS, PERHAPS_COMES_MS] = [580_000, 620_000];
/** A row of the settings; low batteries are below the limit, as `roles.ts` has them. */
const OWN_LIMIT = { id: "volts", pgn: 127508, member: "voltageV", below: 11.5, seconds: 5, text: "Low voltage" };
/** The message of the button. */
const PRESS = "{}";
/** Time in which a tablet in reach sees the person whom it has marked. */
const LOOKS_MS = 10_000;
/** Time for which a place is reckoned from the last one, and what it takes to come. */
const RECKONS_MS = 140_000;
/** Time in which what was heard last may still end an alarm, and for which a warning stays without data at least. */
const [UNHEARD_MS, WARNING_HELD_MS, SETTLED_MS] = [15_000, 50_000, 5000];
/** The first MMSI of ships that are not there, and how often they are heard. */
const FALSE_SHIPS = 245_000_000;
const FALSE_SHIPS_MS = 5000;
/** A tablet with a connection of that time knows the boat, on the slowest network too. */
const KNOWN_MS = 60_000;
/** How often the ships of a harbour are heard, when the ferry comes, and where it turns. */
const [HARBOUR_MS, FERRY_COMES_MS] = [3000, 630_000];
const [FERRY_METRES, FERRY_TURNS_METRES, FERRY_METRES_PER_MS] = [1800, 1400, 0.006];
const METRES_PER_DEGREE = 111_120;
const BOAT_METRES_PER_MS = 0.003;
/** The latitude at which the voyage begins again, far from the poles. */
const VOYAGE_DEGREES = 20;

/** A ship as hub-cand has last heard it: its speed to the south in metres per second. */
interface HeardShip {
  readonly at: number;
  readonly latitude: number;
  readonly southMs: number;
}

export interface Violation {
  readonly promise: PromiseName;
  count: number;
  /** The first time, seconds of the world. */
  readonly second: number;
  readonly detail: string;
}

/** A run of hub-cand. */
export interface Run {
  readonly bridge: Bridge;
  readonly publisher: ModelPublisher;
  readonly protocols: OtherProtocols;
  /** That of the second network, if it has one. */
  readonly gateway: FrameGateway | undefined;
  readonly clock: ProgramClock;
  readonly log: MemoryLog;
  readonly since: number;
  /** Packets that it was given, of any network. */
  packets: number;
}

/** Milliseconds by which the clock of a tablet is ahead. */
const wrongClocks = [-400, 90_000, -3_600_000, 40 * 86_400_000, -20 * 365 * 86_400_000];

/** The promises that are asked for every second. */
const asked = Object.entries<Promised>(promises).flatMap(([name, { ask }]) =>
  ask === undefined ? [] : [[name as PromiseName, ask] as const],
);

const filters = receivedFilters(PREFIX, INTERFACE, true);
export class World {
  readonly script: Script;
  readonly clock = new VirtualClock(BEGIN);
  readonly broker: Broker;
  readonly bus: Bus;
  readonly hasContradictions: boolean;
  run: Run | undefined;
  link!: Reader<LinkProgram>;
  readonly history: Reader<HistoryProgram>;
  /** The clock of the second one is wrong. */
  readonly tablets: readonly [Tablet, Tablet];
  /** The last report of the alarms as published, and the time since which an alarm has been in it. */
  alarms: AlarmsData | undefined;
  readonly alarmSince = new Map<string, number>();
  /** The time of that report, and how its alarms sound. */
  alarmsAt = 0;
  /** The time of the first report of this run of hub-cand. */
  firstAlarmsAt = 0;
  readonly sounds = new Sounds();
  /** The time at which hub-cand began the last time, and at which it ended, while it is away. */
  runBeganAt = 0;
  runEndedAt = 0;
  readonly violations = new Map<PromiseName, Violation>();
  /** Times at which something ended, by what it is; absent: never. */
  readonly endedAt = new Map<string, number>();
  /** Time of the last navigation report, and of the last message of a sounder that hub-cand has heard, by depth. */
  navigationAt = 0;
  readonly soundedAt = new Map<number, number>();
  /** The NAME of the sounder in the report before. */
  readonly soundedBy: { was: string | undefined } = { was: undefined };
  /** The last navigation report, and the last one of ships. */
  navigation = "";
  ships = "";
  /** Milliseconds for which an alarm has been unanswered; negative: for which none has. */
  unansweredFor = 0;
  #losesAnswers = false;
  /** The broker has lost states that only hub-cand has. */
  #hasForgotten = false;
  /** Times since which the crew is owed something: `manOverboard`, `anchorWatch`. */
  readonly owed = new Map<"manOverboard" | "anchorWatch", number>();
  /**
   * The press of a tablet whose person is not released: its name, and where the boat was. `isCertain`: no
   * clock was set before hub-cand had it, and the tablet knew how the boat sailed.
   */
  pressed:
    | { readonly tablet: Tablet; readonly name: string; readonly latitude: number; isCertain: boolean }
    | undefined;
  /** The berth that the crew has given last; `givenAt` and `leftAt` are Infinity where hub-cand cannot know it. */
  berth: { readonly latitude: number; readonly longitude: number; givenAt: number; leftAt: number } | undefined;
  /** Whether the crew has a limit of its own, and since when. */
  limit = { isSet: false, since: 0 };
  /** The harbour in which the boat lies, and when a ferry comes there. */
  harbour: { readonly ferryAt: number } | undefined;
  #pressedFor = 0;
  #mooredAt: number | undefined;
  #mooredMs = 0;
  #castOffAt = Number.NEGATIVE_INFINITY;
  /** The time at which hub-cand has found that the boat is away from her berth. */
  #leftBerthAt = Number.NEGATIVE_INFINITY;
  /** The ids that an answer was for since the start of hub-cand, because the last report had them. */
  readonly answered = new Set<string>();
  /** The ids of the last report of the hub-cand before, which is shown until the next one has a report. */
  #shownBefore: ReadonlySet<string> = new Set();
  /** The ids of alarms that have ended without an answer, and when; those of them that the crew has answered since. */
  readonly rectified = new Map<string, number>();
  readonly dismissed = new Map<string, number>();
  /** Ships by MMSI. */
  readonly shipsHeard = new Map<number, HeardShip>();
  /** Time of the last message of each station, of any PGN of AIS. */
  readonly stationsHeard = new Map<number, number>();
  /** The ships that were coming at the last answer to the alarm for all of them. */
  #answeredShips: ReadonlyMap<number, number> = new Map();
  readonly answers: Answers;
  readonly networkSince: number[] = [0, ...furtherNetworks.map(() => 0)];
  /** When the networks came back after so long a time that hub-cand has forgotten their devices. */
  readonly networkForgotten: number[] = [0, ...furtherNetworks.map(() => 0)];
  /** By address the time at which hub-cand has last heard a device there without its NAME. */
  readonly unnamedAt = new Map<number, number>();
  readonly readTopic = topicReader(PREFIX);
  readonly names = new Map<string, string>();
  messages = 0;
  packets = 0;
  delayMs = 0;
  /** Time at which the ways to the readers became slow the last time. */
  slowAt = Number.POSITIVE_INFINITY;
  /** Time of the last disturbance of the ways to the readers. */
  delayedAt = Number.NEGATIVE_INFINITY;
  #clockSetAt = Number.NEGATIVE_INFINITY;
  readonly #digest = createHash("sha256");
  readonly #random: Random;
  readonly #timers: ProgramClock;
  readonly #monitors: readonly MemoryInterface[] = [INTERFACE, ...furtherNetworks].map((name) =>
    memoryInterface(statusOf(name, true)),
  );
  readonly #check: MessageCheck;

  constructor(script: Script) {
    this.script = script;
    this.hasContradictions = hasContradictions(script);
    this.broker = new Broker(this.clock, script.isOldBroker ? 4 : 5);
    this.answers = new Answers(script.term);
    this.#random = randomOf(script.seed ^ 0x5eed);
    this.#timers = this.clock.program();
    this.#check = new MessageCheck((promise, detail) => this.violated(promise, detail));
    this.bus = new Bus({
      clock: this.clock,
      devices: script.devices,
      truth: () => this.truth,
      deliver: (batch, network) => {
        if (network !== 1 || script.gateway === undefined) this.#take(batch, network);
        else this.guard("a gateway", () => this.run?.gateway?.hear(batch));
      },
      speak: ({ script, isInDanger }) => {
        const said = { ...script, role: script.role!, isInDanger };
        if (script.network === SENSORS) publishSensor(this.broker, said, this.truth);
        else if (this.bus.isUp[script.network])
          this.guard("an instrument speaks", () => this.run?.protocols.hear(said, this.truth));
      },
      claim: ({ script, name, address }) => {
        if (script.network === ENGINES && this.bus.isUp[ENGINES])
          this.run?.protocols.hearEngine(address, isoAddressClaim.pgn, deviceNameBytes(name));
      },
    });
    this.startBridge();
    this.startLink();
    this.history = new Reader(
      "hub-history",
      this.clock,
      this.broker,
      () => this.delay(),
      () => new HistoryProgram(),
    );
    const tablet = (name: string, aheadMs: number): Tablet =>
      new Tablet({ name, clock: this.clock, broker: this.broker, delayMs: () => this.delay() }, aheadMs);
    this.tablets = [tablet("tablet", 0), tablet("tablet with a wrong clock", this.#random.pick(wrongClocks))];
    this.bus.start();
    for (const event of script.events)
      this.#timers.after(event.at, () => this.guard(event.is, () => this.#happen(event)));
    this.#timers.every(CHECK_MS, () => this.#ask());
  }

  #take(batch: PacketBatch, network: number): void {
    const { run } = this;
    forEachPacket(batch, ({ pgn, bytes, at, end }) => {
      this.packets++;
      if (run === undefined) return;
      // A flood has payloads of any length.
      const payload = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at);
      // In centimetres.
      if (pgn === 128267 && payload.length >= 5) this.soundedAt.set(payload.readUInt32LE(1) / 100, this.now);
      if (aisPgns.includes(pgn) && payload.length >= 5) this.stationsHeard.set(payload.readUInt32LE(1), this.now);
      // Type of the message, MMSI, longitude, latitude in 1e-7 degrees, bits, course in 1e-4 radians, speed in cm/s.
      if ((pgn === 129038 || pgn === 129039) && payload.length >= 18) {
        const southMs = (-Math.cos(payload.readUInt16LE(14) / 1e4) * payload.readUInt16LE(16)) / 100;
        const latitude = payload.readInt32LE(9) / 1e7;
        this.shipsHeard.set(payload.readUInt32LE(1), { at: this.now, latitude, southMs });
      }
      run.packets++;
    });
    if (run !== undefined) this.guard("hub-cand takes a packet", () => run.bridge.take(batch, network));
  }

  get now(): number {
    return this.clock.now;
  }

  get clockSetAt(): number {
    return this.#clockSetAt;
  }

  get truth() {
    const { now } = this.clock;
    const sailed = (this.#mooredAt ?? now) - this.#mooredMs;
    const latitude = ((sailed * BOAT_METRES_PER_MS) / METRES_PER_DEGREE) % VOYAGE_DEGREES;
    const metresPerSecond = this.#mooredAt === undefined ? BOAT_METRES_PER_MS * 1000 : 0;
    return { latitude: Math.round((30 + latitude) * 1e6) / 1e6, longitude: -30, time: BEGIN + now, metresPerSecond };
  }

  /** Metres from the berth that the crew has given last. */
  get metresFromBerth(): number {
    return Math.abs(this.truth.latitude - (this.berth?.latitude ?? 0)) * METRES_PER_DEGREE;
  }

  /** Milliseconds since the boat has lain at a berth. */
  get underWayFor(): number {
    return this.#mooredAt === undefined ? this.now - this.#castOffAt : 0;
  }

  /** Milliseconds since hub-cand has known that the boat is not at a berth, for which it needs her course. */
  get awakeFor(): number {
    return this.alarms?.rest === "berth" ? 0 : this.now - this.#leftBerthAt;
  }

  /** The bytes of all messages, as a number. */
  get digest(): string {
    return this.#digest.copy().digest("hex").slice(0, 16);
  }

  /** Runs to the end of the script, or to the first violation. */
  simulate({ stopsAt }: { readonly stopsAt?: PromiseName } = {}): void {
    const end = this.script.seconds * 1000;
    for (let now = 0; now < end; now = Math.min(end, now + CHECK_MS)) {
      this.clock.advanceTo(Math.min(end, now + CHECK_MS));
      if (stopsAt !== undefined && this.violations.has(stopsAt)) return;
    }
  }

  violated(promise: PromiseName, detail: string): void {
    const known = this.violations.get(promise);
    if (known !== undefined) known.count++;
    else this.violations.set(promise, { promise, count: 1, second: Math.round(this.now / 1000), detail });
  }

  guard(action: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      const stack = String((error as Error).stack)
        .split("\n")
        .slice(0, 3)
        .join(" ");
      this.violated("no exception", `${action}: ${stack}`);
    }
  }

  delay(): number {
    return this.#random.between(0, 20) + (this.delayMs > 0 ? this.#random.between(0, this.delayMs) : 0);
  }

  /** `slowMs`: the time that the broker takes to answer this start. */
  startBridge(slowMs = 0): void {
    const clock = this.clock.program();
    const log = memoryLog();
    const since = this.now;
    const publisher = new ModelPublisher({
      broker: this.broker,
      clock,
      identity: {
        topic: topics.info.name({ interface: INTERFACE }),
        payload: (online) => identityPayload({ version: VERSION, hostname: "boat", online, wall: this.clock.wall }),
      },
      filters,
      command: (topic, payload) =>
        this.guard("a command", () => {
          this.#answers(topic, payload);
          bridge.command(topic, payload);
        }),
      onMessage: (topic, payload, isState) => this.#published(topic, payload, isState),
      delayMs: () => this.#random.between(0, 20) + (this.now - since < TICK_MS ? slowMs : 0),
      losesAnswers: () => this.#losesAnswers,
    });
    const sender = { send: (id: number, data: Uint8Array) => this.bus.hear(id, data) };
    const bridge = makeBridge({ publisher, monitor: this.#monitors[0]!, sender, log });
    const protocols = new OtherProtocols({
      ...{ clock: this.clock, broker: this.broker },
      take: (batch, network) => this.#take(batch, network),
    });
    const gateway =
      this.script.gateway &&
      new FrameGateway({
        ...{ name: this.script.gateway, clock, random: this.#random, fastPacketTable: bridge.fastPacketTable },
        take: (batch) => this.#take(batch, 1),
      });
    const run: Run = { bridge, publisher, protocols, gateway, clock, log, since, packets: 0 };
    this.run = run;
    this.runBeganAt = since;
    this.alarms = undefined;
    this.alarmSince.clear();
    this.answers.clear();
    this.answered.clear();
    this.guard("hub-cand starts", () => {
      publisher.connect();
      this.configure();
      const further = furtherNetworks.map((name, index) => ({ name, monitor: this.#monitors[index + 1]! }));
      bridge.setNetworks(
        further.map((network) => ({ ...network, counters: () => noCounts })),
        this.now,
      );
      if (this.bus.isUp[0]) bridge.sourceChanged({ isUp: true, hasChanged: true }, this.now);
    });
    clock.every(TICK_MS, () =>
      this.guard("hub-cand ticks", () => {
        bridge.compareClock(this.now, this.clock.wall);
        bridge.advance(this.now, this.clock.wall);
      }),
    );
  }

  stopBridge(): void {
    // What has ended within the last seconds is not in the history yet; nor is anything without a broker.
    const isLost = this.inTouchFor < HISTORY_MS;
    for (const [id, at] of this.rectified) if (isLost || this.now - at < HISTORY_MS) this.rectified.delete(id);
    if (this.run?.publisher.isOnline === false && this.#hasForgotten) this.#mayHaveLost();
    this.run?.publisher.end();
    this.run?.protocols.stop();
    this.run = undefined;
    this.runEndedAt = this.now;
    if (this.alarms !== undefined) this.#shownBefore = new Set(this.alarms.alarms.map(({ id }) => id));
    this.alarms = undefined;
    this.navigation = "";
    this.ships = "";
    this.sounds.forget();
    this.dismissed.clear();
  }

  /** The broker has forgotten what hub-cand does not know, or no longer: calls and watches may be gone. */
  #mayHaveLost(): void {
    for (const key of this.owed.keys()) this.owed.set(key, Number.POSITIVE_INFINITY);
    this.rectified.clear();
    if (this.berth === undefined) return;
    this.berth.givenAt = Number.POSITIVE_INFINITY;
    this.berth.leftAt = Number.POSITIVE_INFINITY;
  }

  /** The broker goes before hub-cand has read it, which replaces a history that does not come within ten seconds. */
  #loseUnread({ forgets }: { readonly forgets: boolean }): void {
    if (forgets) this.#mayHaveLost();
    const { since = 0 } = this.run ?? {};
    for (const [id, at] of this.rectified) if (at < since) this.rectified.delete(id);
  }

  configure(): void {
    const { term } = this.script;
    const terms = term && Object.fromEntries(kindsWithTerm.map((kind) => [kind, { term }]));
    const limits = { rows: this.limit.isSet ? [OWN_LIMIT] : [] };
    this.run?.bridge.configure(
      new Map([
        ["navigation", { name: "navigation", friendlyNames: Object.fromEntries(this.names) }],
        ["alarms", { name: "alarms", ...terms, limits }],
      ]),
    );
  }

  startLink(): void {
    this.link = new Reader(
      "hub-link",
      this.clock,
      this.broker,
      () => this.delay(),
      (clock) => new LinkProgram(clock),
    );
  }

  stopLink(): void {
    this.link.stop();
    this.link.program.close();
    // A reconnection may be waiting.
    if (this.link.clock.timers > 1) this.violated("nothing is left", `${this.link.clock.timers} timers of hub-link`);
    this.link.clock.stop();
  }

  /** Milliseconds for which hub-cand has been able to hear a device. */
  heardFor({ isOn, since, script }: BusDevice): number {
    const { run } = this;
    if (run === undefined || !isOn || !this.bus.isUp[script.network]) return 0;
    const { sensors } = run.protocols;
    const isOfBroker = script.network === SENSORS;
    if (isOfBroker && !sensors.isConnected) return 0;
    const wayOf = isOfBroker ? sensors.connectedAt : this.networkSince[script.network]!;
    return this.now - Math.max(since, run.since, wayOf);
  }

  /** Milliseconds for which nobody can have heard a device; 0 while it may be heard. */
  silentFor({ isOn, since, script }: BusDevice): number {
    const isUp = this.bus.isUp[script.network];
    return Math.max(isOn ? 0 : this.now - since, isUp ? 0 : this.now - this.networkSince[script.network]!);
  }

  /** Milliseconds for which hub-cand has been able to hear the course of the boat. */
  get courseFor(): number {
    return Math.max(0, ...this.#devicesOf("receiver").map((device) => this.heardFor(device)));
  }

  /** Milliseconds for which a reader has heard the broker. */
  connectedFor({ isConnected, connectedAt }: { readonly isConnected: boolean; readonly connectedAt: number }): number {
    return isConnected ? this.now - connectedAt : 0;
  }

  /** The crew and hub-cand hear one another for so long. */
  get inTouchFor(): number {
    const { isOnline = false, readAt = this.now, connectedAt = readAt } = this.run?.publisher ?? {};
    return isOnline ? this.now - Math.max(readAt, connectedAt) : 0;
  }

  /** hub-cand has ended and said so; without a broker it cannot. */
  get isSaidOffline(): boolean {
    if (this.run !== undefined) return false;
    const identity = this.broker.retained(topics.info.name({ interface: INTERFACE }));
    return identity !== undefined && !JSON.parse(identity).online;
  }

  #devicesOf(role: RoleName): readonly BusDevice[] {
    return this.bus.devices.filter(({ script }) => script.role === role);
  }

  #ask(): void {
    for (const tablet of this.tablets)
      tablet.knowsBoat ||= this.inTouchFor > KNOWN_MS && tablet.connectedFor > KNOWN_MS;
    const isUnanswered = this.alarms?.alarms.some(({ unanswered }) => unanswered) ?? false;
    const step = isUnanswered ? CHECK_MS : -CHECK_MS;
    this.unansweredFor = Math.sign(this.unansweredFor) === Math.sign(step) ? this.unansweredFor + step : step;
    const names = listed(this);
    for (const device of this.bus.devices) {
      device.isNamed = names?.get(device.place) === device.script.name;
      if (!device.isNamed && this.heardFor(device) > SETTLED_MS) this.unnamedAt.set(device.place, this.now);
    }
    for (const [name, ask] of asked) {
      const detail = ask(this);
      if (detail !== undefined) this.violated(name, detail);
    }
  }

  #published(topic: string, payload: string, isState: boolean): void {
    this.messages++;
    this.#digest.update(topic).update(payload);
    const place = this.readTopic(topic);
    if (place === undefined) return;
    if (place.topic === "ais") this.ships = payload;
    if (place.topic === "navigation") {
      this.navigationAt = this.now;
      this.navigation = payload;
    }
    this.#check.hear(place, payload, isState, this.now);
    if (place.topic !== "alarms" || payload === "") return;
    const { data } = readJson("alarms", Buffer.from(payload)) as { readonly data: AlarmsData };
    this.#compare(this.alarms, data);
    if (this.alarms === undefined) this.firstAlarmsAt = this.now;
    this.alarms = data;
    this.alarmsAt = this.now;
    this.sounds.hear(data.alarms, this.now);
    const ids = new Set(this.alarms.alarms.map(({ id }) => id));
    for (const id of this.alarmSince.keys()) if (!ids.has(id)) this.alarmSince.delete(id);
    const broken = this.answers.hear(data.alarms, this.now, (alarm, since) => this.#hasOther(alarm, since));
    if (broken !== undefined) this.violated("an answer holds", `${broken} sounds again`);
    for (const id of ids) if (!this.alarmSince.has(id)) this.alarmSince.set(id, this.now);
  }

  /** An answer arrives at hub-cand: it is for what the last report has. */
  #answers(topic: string, payload: string): void {
    const place = this.readTopic(topic);
    // A release is an answer; a press is another call.
    if (place?.topic === "manOverboard" && payload === "") this.answered.add("manOverboard-0");
    if (place?.topic === "manOverboard" && payload === PRESS) this.answered.delete("manOverboard-0");
    if (place?.topic === "manOverboard" && payload.includes(`"press":"${this.pressed?.name}"`)) this.#pressArrives();
    if (place?.topic === "alarmAnswer" && payload === "silence") this.sounds.silence(this.now);
    if (place?.topic !== "alarmAnswer" || payload !== "acknowledge") return;
    const { alarms = [], rectified = [] } = this.alarms ?? {};
    if (this.alarms === undefined && this.#shownBefore.has(place.alarm)) this.answered.add(place.alarm);
    const isMeant = ({ id, kind, severity }: Pick<ActiveAlarm, "id" | "kind" | "severity">): boolean =>
      id === place.alarm || ((place.alarm === "all" || kind === place.alarm) && severity !== "emergency");
    for (const alarm of alarms.filter(isMeant)) {
      this.answered.add(alarm.id);
      this.answers.give(alarm, this.now);
      this.sounds.acknowledge(alarm, this.now);
      if (alarm.id === OF_ALL_SHIPS) this.#answeredShips = this.#coming(0);
    }
    for (const { id } of [...alarms, ...rectified].filter(isMeant)) this.rectified.delete(id);
    for (const { id } of rectified.filter(isMeant)) this.dismissed.set(id, this.now);
  }

  /** What has ended between two reports without an answer is owed to the crew. */
  #compare(before: AlarmsData | undefined, after: AlarmsData): void {
    if (before?.rest === "berth" && after.rest !== "berth") this.#leftBerthAt = this.now;
    for (const { id, kind, state } of after.alarms) {
      this.rectified.delete(id);
      this.dismissed.delete(id);
      // These have an answer of before this start, or one of the device.
      const isBefore = id !== "manOverboard-0" || (this.owed.get("manOverboard") ?? 0) < this.run!.since;
      const isElsewhere = (kind === "manOverboard" && isBefore) || kind === "distress" || kind === "alert";
      if (state === "acknowledged" && !isElsewhere && !this.answered.has(id))
        this.violated("an answer is for what was shown", `${id} is acknowledged, and was in no report before`);
    }
    if (before === undefined || before.leftOut !== undefined || after.leftOut !== undefined) return;
    const ids = new Set(after.alarms.map(({ id }) => id));
    for (const alarm of before.alarms) {
      const { id, state, kind } = alarm;
      // One whose limit is removed has not ended.
      if (kind === "limits" && !this.limit.isSet) continue;
      if (ids.has(id) || state === "acknowledged" || this.answers.given.has(id)) continue;
      this.rectified.set(id, this.now);
      if (this.#isUnheard(alarm) && after.rest !== "berth")
        this.violated("no data is no all-clear", `${id} has ended, though nobody says so`);
    }
  }

  /** Whether nothing of what rings has been heard for a while, so that nobody knows of its end; a warning has one then. */
  #isUnheard({ id, kind, severity, subject }: ActiveAlarm): boolean {
    // A ship that lies reports every three minutes: the boat may pass it before it counts as lost.
    const hasPassed = kind === "cpa" && (this.shipsHeard.get(Number(subject))?.latitude ?? 0) < this.truth.latitude;
    if (this.hasContradictions || hasPassed) return false;
    const owners = this.#ownersOf(id);
    const begun = this.alarmSince.get(id) ?? 0;
    // One that has lost its power at once, or before hub-cand began, has said nothing of its danger, or of its end.
    const saidFor = (device: BusDevice): number =>
      this.now - this.silentFor(device) - Math.max(device.dangerSince, device.backAt, this.run?.since ?? 0);
    const hasSaidEnd = (device: BusDevice): boolean =>
      !device.isInDanger && device.dangerSince > begun && saidFor(device) >= roleOf(device.script.role!).everyMs;
    const inDanger = owners.filter((device) => device.isInDanger && saidFor(device) > SETTLED_MS);
    const isHeld = inDanger.some((device) => this.silentFor(device) < WARNING_HELD_MS);
    // Others take nothing back, but that a ship is elsewhere.
    const concerned = inDanger.length === 0 || kind === "cpa" ? owners : inDanger;
    const isSilent = concerned.every((device) => this.silentFor(device) > UNHEARD_MS && !hasSaidEnd(device));
    return owners.length > 0 && isSilent && (isGrave(severity) || isHeld);
  }

  #say(target: string, payload: string): void {
    this.broker.publish(`${PREFIX}/alarms/${target}/set`, payload);
  }

  /** A command that the crew gives again until hub-cand can hear it. */
  #insist(command: () => void, isPossible = (): boolean => true): void {
    if (this.inTouchFor > 2000 && isPossible()) command();
    else this.#timers.after(2000, () => this.#insist(command, isPossible));
  }

  #press(tablet: Tablet, forMs: number): void {
    if (this.owed.has("manOverboard") || this.pressed !== undefined) return;
    const { latitude } = this.truth;
    const steadyFor = this.now - (this.#mooredAt ?? this.#castOffAt);
    // Without a position the tablet reckons with the last course and speed, of two minutes at the most.
    const isHeard = Math.min(this.courseFor, tablet.connectedFor, this.now - this.delayedAt) > LOOKS_MS;
    const isCertain = steadyFor > (isHeard ? LOOKS_MS : RECKONS_MS);
    this.pressed = { tablet, name: tablet.page.pressManOverboard(), latitude, isCertain };
    this.#pressedFor = forMs;
  }

  #pressArrives(): void {
    if (this.owed.has("manOverboard")) return;
    this.owed.set("manOverboard", this.now);
    this.endedAt.delete("manOverboard");
    this.answered.delete("manOverboard-0");
    const { tablet } = this.pressed!;
    const release = (): void => {
      this.#say("manOverboard", "");
      this.pressed = undefined;
      this.owed.delete("manOverboard");
      this.endedAt.set("manOverboard", this.now);
    };
    // The tablet sends it again until it sees the person.
    this.#timers.after(this.#pressedFor, () => this.#insist(release, () => tablet.connectedFor > LOOKS_MS));
  }

  #doubtPress(): void {
    if (this.pressed !== undefined && !this.owed.has("manOverboard")) this.pressed.isCertain = false;
  }

  #lasting(key: "manOverboard" | "anchorWatch", payload: string, forMs: number): void {
    if (this.owed.has(key) || (key === "manOverboard" && this.pressed !== undefined)) return;
    this.owed.set(key, Number.POSITIVE_INFINITY);
    this.#insist(() => {
      this.#say(key, payload);
      this.owed.set(key, this.now);
      this.endedAt.delete(key);
      this.#timers.after(forMs, () =>
        this.#insist(() => {
          this.#say(key, "");
          this.owed.delete(key);
          this.endedAt.set(key, this.now);
        }),
      );
    });
  }

  /** The boat stops, and casts off; undefined where she may not. */
  #stop(forMs: number, castOff: () => void): Truth | undefined {
    if (this.#mooredAt !== undefined || this.owed.has("anchorWatch")) return undefined;
    this.#mooredAt = this.now;
    this.#timers.after(forMs, () => {
      this.#mooredMs += this.now - this.#mooredAt!;
      this.#mooredAt = undefined;
      this.#castOffAt = this.now;
      castOff();
    });
    return this.truth;
  }

  /** The crew gives the berth, and casts off. */
  #moor(forMs: number): void {
    const place = this.#stop(forMs, () => {
      berth.leftAt = this.now;
    });
    if (place === undefined) return;
    const { latitude, longitude } = place;
    const unknown = Number.POSITIVE_INFINITY;
    const berth = { latitude, longitude, givenAt: unknown, leftAt: unknown };
    this.#insist(() => {
      this.#say("berth", JSON.stringify({ latitude, longitude }));
      this.berth = berth;
      berth.givenAt = this.now;
    });
  }

  /** The boat lies among ships that lie, past which a ferry comes. */
  #lieInHarbour(forMs: number): void {
    const place = this.#stop(forMs, () => {
      this.harbour = undefined;
      end();
    });
    if (place === undefined) return;
    this.harbour = { ferryAt: this.now + FERRY_COMES_MS };
    const say = (ship: number, more: object): void => {
      const heard = { pgn: 129038, messageId: 1, mmsi: FERRY + ship, ...place, ...more };
      this.bus.say(NO_DEVICE, 129038, payloadOf(heard));
    };
    const end = this.#timers.every(HARBOUR_MS, () => {
      for (const ship of [1, 2, 3])
        say(ship, { longitude: place.longitude + ship / 1000, sogMs: 0, cogDeg: 0, navStatus: "Moored" });
      const metres = FERRY_METRES - (this.now - this.harbour!.ferryAt) * FERRY_METRES_PER_MS;
      if (metres > FERRY_METRES) return;
      const isComing = metres > FERRY_TURNS_METRES;
      const latitude = place.latitude + Math.max(metres, FERRY_TURNS_METRES) / METRES_PER_DEGREE;
      say(0, {
        latitude,
        sogMs: FERRY_METRES_PER_MS * 1000,
        cogDeg: isComing ? 180 : 0,
        navStatus: "Under way using engine",
      });
    });
  }

  #setNetwork(network: number, isUp: boolean): void {
    const { run } = this;
    this.bus.isUp[network] = isUp;
    if (isUp && this.now - this.networkSince[network]! > FORGETS_MS) this.networkForgotten[network] = this.now;
    this.networkSince[network] = this.now;
    const name = network === 0 ? INTERFACE : furtherNetworks[network - 1]!;
    this.#monitors[network]!.become(statusOf(name, isUp));
    if (network === SENTENCES && isUp) run?.protocols.reopen();
    if (network === 1 && isUp) run?.gateway?.reopen();
    if (network > 0) run?.bridge.networkChanged();
    else run?.bridge.sourceChanged({ isUp, hasChanged: true }, this.now);
  }

  #endanger({ device, forMs, again, silent }: Omit<Danger, "device"> & { readonly device: BusDevice }): void {
    const { role, instance } = device.script;
    const alarm = role && roleOf(role).alarm;
    if (role === undefined || alarm === undefined || device.isInDanger) return;
    // What the boat is in, and what several report of one engine.
    const isOfAll = alarm.isOfBoat === true || alarm.severity !== undefined;
    const concerned = isOfAll ? this.#ownersOf(alarm.id(instance)) : [device];
    const become = (isInDanger: boolean): void => {
      for (const each of concerned) {
        each.isInDanger = isInDanger;
        each.dangerSince = this.now;
      }
    };
    become(true);
    if (silent !== undefined)
      this.#timers.after(silent.afterMs, () => this.#silence(this.#ownersOf(alarm.id(instance)), silent.forMs));
    this.#timers.after(forMs, () => {
      become(false);
      if (again !== undefined)
        this.#timers.after(again.afterMs, () => this.#endanger({ device, forMs: again.forMs, again: undefined }));
    });
  }

  /** The devices that may raise an alarm. */
  #ownersOf(id: string): readonly BusDevice[] {
    const isOwner = ({ role, instance }: BusDevice["script"]): boolean =>
      id === `limits-${OWN_LIMIT.id}`
        ? role === "battery"
        : role !== undefined && roleOf(role).alarm?.id(instance) === id;
    return this.bus.devices.filter(({ script }) => isOwner(script));
  }

  /** Milliseconds until ships reach the boat, if she sails towards them: one that is heard is where it was heard. */
  #coming(metresPerSecond: number): ReadonlyMap<number, number> {
    const { now, truth } = this;
    const coming = new Map<number, number>();
    for (const [mmsi, { at, latitude, southMs }] of this.shipsHeard) {
      const reckonedMs = Math.max(0, now - at - FALSE_SHIPS_MS);
      const metres = (latitude - truth.latitude) * METRES_PER_DEGREE - (southMs * reckonedMs) / 1000;
      const inMs = (metres / (southMs + metresPerSecond)) * 1000;
      if (metres > 0 && inMs > 0 && inMs < PERHAPS_COMES_MS) coming.set(mmsi, inMs);
    }
    return coming;
  }

  /**
   * One of several devices of an alarm has come into danger since a time, or to where hub-cand hears of it, or is another
   * one for hub-cand; which of them send noise that raises an alarm is not known.
   */
  #hasOther({ id, kind, addresses }: ActiveAlarm, since: number): boolean {
    if (id === OF_ALL_SHIPS) {
      // One that was perhaps not near enough at the answer has come nearer since.
      return [...this.#coming(this.truth.metresPerSecond)].some(([mmsi, inMs]) => {
        const before = this.#answeredShips.get(mmsi) ?? Number.POSITIVE_INFINITY;
        return before > SURELY_COMES_MS && inMs < before - CHECK_MS;
      });
    }
    const owners = this.#ownersOf(id);
    // hub-cand hears of it with the next message, and one that is switched on begins to speak within a period.
    const isNew = ({ dangerSince, since: changedAt, script: { network, role } }: BusDevice): boolean =>
      Math.max(dangerSince, changedAt, this.networkSince[network]!) > since - 2 * roleOf(role!).everyMs;
    const isOfNoise = owners.length === 0 && addresses !== undefined;
    const isOther = owners.some(({ movedUnnamedAt }) => movedUnnamedAt > since);
    return kind !== OF_ONE_THING && (isOfNoise || isOther || (owners.length > 1 && owners.some(isNew)));
  }

  /** Devices lose their power, and get it back. */
  #silence(devices: readonly BusDevice[], forMs: number): void {
    const on = devices.filter(({ isOn }) => isOn);
    for (const each of on) this.bus.switchOff(each);
    this.#timers.after(forMs, () => {
      for (const each of on) if (!each.isOn) this.bus.switchOn(each);
    });
  }

  #happen(event: WorldEvent): void {
    const later = (milliseconds: number, call: () => void): void => {
      this.#timers.after(milliseconds, () => this.guard(`the end of: ${event.is}`, call));
    };
    const deviceOf = (id: number): BusDevice | undefined => this.bus.devices.find(({ script }) => script.id === id);
    switch (event.is) {
      case "switched": {
        const device = deviceOf(event.device);
        if (device === undefined) return;
        const turn = (): void => (device.isOn ? this.bus.switchOff(device) : this.bus.switchOn(device));
        turn();
        later(event.forMs, turn);
        return;
      }
      case "moved": {
        const device = deviceOf(event.device);
        if (device !== undefined) this.bus.move(device, event.address);
        return;
      }
      case "swapped": {
        const [one, other] = event.devices.map(deviceOf);
        if (one !== undefined && other !== undefined && one !== other) this.bus.swap(one, other);
        return;
      }
      case "address taken": {
        const [holder, other] = event.devices.map(deviceOf);
        if (holder === undefined || other === undefined || holder.script.network !== other.script.network) return;
        if (holder === other || !holder.isOn || holder.usesOtherProtocol) return;
        this.#silence([holder], event.forMs);
        later(event.afterMs, () => {
          this.bus.move(other, holder.address);
          if (!other.isOn) this.bus.switchOn(other);
        });
        return;
      }
      case "danger": {
        const device = deviceOf(event.device);
        if (device !== undefined) this.#endanger({ ...event, device });
        return;
      }
      case "bridge away":
        if (this.run === undefined) return;
        this.stopBridge();
        later(event.forMs, () => this.startBridge(event.slowMs));
        return;
      case "broker away":
        this.#losesAnswers = true;
        later(event.silentMs ?? 0, () => {
          this.#losesAnswers = false;
          if (!this.broker.isUp) return;
          this.broker.stop(event);
          this.#hasForgotten = event.forgets;
          if (this.run?.publisher.readAt === undefined) this.#loseUnread(event);
          this.delayedAt = this.now;
          later(event.forMs, () => {
            this.broker.isUp = true;
            this.delayedAt = this.now;
          });
        });
        return;
      case "link away":
        this.stopLink();
        later(event.forMs, () => this.startLink());
        return;
      case "tablet away":
        this.tablets[event.tablet].setInReach(false);
        later(event.forMs, () => this.tablets[event.tablet].setInReach(true));
        return;
      case "tablet reloaded":
        if (event.forgets && !this.owed.has("manOverboard") && this.pressed?.tablet === this.tablets[event.tablet])
          this.pressed = undefined;
        this.tablets[event.tablet].reload(event);
        return;
      case "tablet clock set":
        this.tablets[event.tablet].aheadMs += event.byMs;
        this.#doubtPress();
        return;
      case "tablet answers": {
        const { tablet, answer, awayMs } = event;
        if (awayMs !== undefined) {
          this.tablets[tablet].setInReach(false);
          later(awayMs, () => this.tablets[tablet].setInReach(true));
        }
        this.tablets[tablet].answer(answer);
        return;
      }
      case "network down":
        if (!this.bus.isUp[event.network]) return;
        this.#setNetwork(event.network, false);
        later(event.forMs, () => this.#setNetwork(event.network, true));
        return;
      case "clock set":
        this.clock.stepWall(event.byMs);
        this.#clockSetAt = this.now;
        this.#doubtPress();
        return;
      case "slow":
        // One slow time may follow another.
        if (this.delayMs === 0 && this.now > this.delayedAt) this.slowAt = this.now;
        this.delayMs = event.delayMs;
        this.delayedAt = this.now;
        later(event.forMs, () => {
          // What waits now waits as long as the last slow time has said.
          this.delayedAt = Math.max(this.delayedAt, this.now + this.delayMs);
          this.delayMs = 0;
        });
        return;
      case "flood":
        this.#flood(event.packets, randomOf(event.seed));
        return;
      case "false ships":
        this.#showFalseShips(event);
        return;
      case "acknowledge": {
        const first = this.alarms?.alarms[0];
        const alarm = event.alarm === "first" ? first?.id : event.alarm === "kind" ? first?.kind : "all";
        if (alarm === undefined || this.inTouchFor < 2000) return;
        this.#say(alarm, "acknowledge");
        if (event.alarm === "again and again")
          for (let tap = 1; tap < 50; tap++) this.#timers.after(tap * 200, () => this.#say(alarm, "acknowledge"));
        return;
      }
      case "silence":
        this.#say("all", "silence");
        return;
      case "man overboard":
        if (event.tablet === undefined) this.#lasting("manOverboard", PRESS, event.forMs);
        else this.#press(this.tablets[event.tablet], event.forMs);
        return;
      case "berth":
        this.#moor(event.forMs);
        return;
      case "harbour":
        this.#lieInHarbour(event.forMs);
        return;
      case "anchor watch": {
        if (this.#mooredAt !== undefined) return;
        const { latitude, longitude } = this.truth;
        this.#lasting("anchorWatch", JSON.stringify({ radius: 1000, latitude, longitude }), event.forMs);
        return;
      }
      case "renamed": {
        const device = deviceOf(event.device);
        if (device === undefined) return;
        this.names.set(String(device.name), event.as);
        this.configure();
        return;
      }
      case "limit": {
        if (this.limit.isSet) return;
        const set = (isSet: boolean): void => {
          this.limit = { isSet, since: this.now };
          this.configure();
        };
        set(true);
        later(event.forMs, () => set(false));
      }
    }
  }

  /** Ships on collision courses that are not there; the crew answers all that rings. */
  #showFalseShips({ ships, forMs }: { readonly ships: number; readonly forMs: number }): void {
    const say = (): void => {
      const { latitude, longitude } = this.truth;
      for (let ship = 0; ship < ships; ship++) {
        const place = { latitude: latitude + (0.5 + ship / 50) / 60, longitude };
        const motion = { sogMs: 4, cogDeg: 180, mmsi: FALSE_SHIPS + ship };
        this.bus.say(NO_DEVICE + 1, 129039, payloadOf({ pgn: 129039, messageId: 18, ...place, ...motion }));
      }
    };
    say();
    const end = this.#timers.every(FALSE_SHIPS_MS, say);
    this.#timers.after(forMs / 2, () => this.#say("all", "acknowledge"));
    this.#timers.after(forMs, end);
  }

  /** False messages from addresses that no device has. */
  #flood(packets: number, random: Random): void {
    for (let count = 0; count < packets; count++) {
      const payload = Uint8Array.from({ length: random.pick([0, 3, 8, 8, 8, 20, 134, 223]) }, () =>
        random.integer(0, 255),
      );
      const pgn = random.pick([60928, 126996, 126464, 127505, 130842, 65_300, 129_040, random.integer(0, 131_071)]);
      this.bus.say(random.integer(NO_DEVICE + 2, 251), pgn, payload);
    }
  }
}

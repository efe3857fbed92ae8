/**
 * The kernel of the bridge: each packet is published, and goes to the parts that hear it, in the order of arrival; parts
 * publish their reports when they are due. It knows no part by its name: `parts.ts` has a row for each.
 *
 * Time comes with the packets and through `advance`; the bridge never reads a clock, so that a recording read at full
 * speed gives the same messages as the bus did.
 */
import { NETWORK_ADDRESSES } from "../../core/can/networks.ts";
import { forEachPacket, type Packet } from "../../core/ports/packet-batch.ts";
import type { PacketBatch, SourceState } from "../../core/ports/packet-source.ts";
import type { Warning } from "../../core/report/read-entry.ts";
import { topicReader, topics, topicsBelow } from "../../core/topics/topics.ts";
import { type Boat, createBoat, type WritableBoat } from "./boat.ts";
import { addedCounters, type BridgeCounters } from "./counters.ts";
import { DeployedSettings } from "./deployed-settings.ts";
import { GuardedPart } from "./guarded-part.ts";
import { ClockWatch } from "./health/clock-watch.ts";
import { HeardPacket } from "./heard-packet.ts";
import { type Hearer, type Hearing, hearingOf } from "./hearing.ts";
import { Messages } from "./messages.ts";
import type { BridgeOptions } from "./options.ts";
import type { Change, Part, PartRow } from "./part.ts";
import { PartFaults } from "./part-faults.ts";
import { partsOf } from "./parts.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import { Schedule } from "./schedule.ts";
import { SharedKnowledge } from "./shared-knowledge.ts";
import { type FurtherNetwork, type TakenNetwork, TakenNetworks } from "./taken-networks.ts";

/** Time after the last packet in which every report about it becomes due. */
const FINAL_REPORTS_MS = 1000;

/** The bridge as hub-cand builds it, with the parts that its options ask for. */
export const createBridge = (options: BridgeOptions, parts = partsOf(options)): Bridge => new Bridge(options, parts);

export class Bridge {
  readonly #knowledge = new SharedKnowledge();
  readonly #boat: WritableBoat;
  readonly #readTopic;
  readonly #messages: Messages;
  readonly #parts: readonly GuardedPart[];
  readonly #schedule = new Schedule();
  readonly #settings: DeployedSettings;
  readonly #faults: PartFaults;
  readonly #clock: ClockWatch;
  readonly #networks: TakenNetworks;
  #hearing: Hearing = hearingOf([]);
  readonly #packet = new HeardPacket(this.#knowledge.readings);
  /** Times of the last packet of the first network. */
  #last: Pick<Packet, "arrived" | "received"> | undefined;

  constructor(options: BridgeOptions, rows: readonly PartRow[]) {
    const { prefix, interface: name, publisher, monitor } = options;
    const clock = (): number => this.#schedule.now;
    const log = new RateLimitedLog(options.log, clock);
    this.#readTopic = topicReader(prefix);
    this.#clock = new ClockWatch(options.log);
    this.#faults = new PartFaults(log, clock);
    this.#networks = new TakenNetworks(monitor);
    this.#boat = createBoat({
      ...this.#knowledge.readings,
      topics: topicsBelow(prefix, name),
      publisher,
      log,
      disk: () => options.disk?.(),
      failing: () => this.#faults.failing(),
      counters: () => this.counters(),
      ignoredSettings: (now) => this.#settings.list(now),
      requested: (...request) => this.#call("requested", (part) => part.requested?.(...request)),
    });
    this.#settings = new DeployedSettings(options.log, this.#boat);
    this.#messages = new Messages(this.#boat, options);
    const guarded = (row: PartRow): GuardedPart =>
      new GuardedPart(row, this.#boat, this.#faults, () => this.#connect());
    this.#parts = [{ name: "messages", create: () => this.#messages, isLasting: true }, ...rows].map(guarded);
    this.#schedule.parts = this.#parts;
    this.#connect();
  }

  /** Joins the parts: what they know, hear and follow. Again when one has been made anew. */
  #connect(): void {
    this.#knowledge.connect(this.#parts);
    for (const { name, settings } of this.#parts) this.#settings.follow(name, settings);
    this.#hearing = hearingOf(this.#parts);
    this.#schedule.wake();
  }

  /** The shared knowledge of the parts. */
  get boat(): Boat {
    return this.#boat;
  }

  /** The fast-packet table under the settings in force, for reassembly. */
  get fastPacketTable(): Uint32Array {
    return this.#messages.fastPacketTable;
  }

  /** PGNs that are read by an assumed layout under the settings in force. */
  get assumed(): readonly number[] {
    return this.#messages.assumed;
  }

  /** Entries held in memory about the bus; bounded for any traffic. */
  get kept(): number {
    return this.#parts.reduce((sum, { part }) => sum + (part.kept ?? 0), 0);
  }

  counters(): BridgeCounters {
    const own = [this.#networks.counters(), this.#clock.counters(), this.#faults.counters()];
    return addedCounters([...own, ...this.#call("counters", (part) => part.counters?.())]);
  }

  /**
   * Applies the entries of `settings` in deploy.json that have changed. A part that cannot be used is logged, and the
   * one in force stays. `fastPacketTable` may change.
   */
  configure(settings: ReadonlyMap<string, unknown>): void {
    this.#settings.configure(settings);
    this.#hearing = hearingOf(this.#parts);
    this.#notice({ of: "settings" });
  }

  /** Notes parts of an entry of the settings that another part of the program reads and cannot use. */
  settingIgnored(entry: string, warnings: readonly Warning[]): void {
    this.#settings.note(entry, warnings);
    this.#notice({ of: "settings" });
  }

  /** Sets the file of the deployed settings, and why it cannot be used; undefined: it can, or there has never been one. */
  settingsFile(file: string, fault: string | undefined): void {
    if (this.#settings.setFile(file, fault)) this.#notice({ of: "settings" });
  }

  /** Sets the networks after the first, at a monotonic time; undefined: a number that no network has now. */
  setNetworks(further: readonly (FurtherNetwork | undefined)[], now: number): void {
    const gone = this.#networks.set(further);
    this.#boat.networks = further;
    this.#schedule.now = now;
    this.#notice({ of: "network", gone });
  }

  /** Tells that the state of a further network has changed. */
  networkChanged(): void {
    this.#notice({ of: "network", gone: [] });
  }

  /** Tells that the state of the source has changed, at a monotonic time in milliseconds. */
  sourceChanged({ isUp, hasChanged }: SourceState, now: number): void {
    this.#schedule.now = now;
    this.#notice({ of: "bus", isUp, hasChanged });
  }

  /** Takes the computer's clock at a monotonic time, in milliseconds; only where the time on the bus is of today. */
  compareClock(now: number, wall: number): void {
    const hasChanged = this.#clock.compare(now, wall, this.#boat.navigation.timeOnBus(now));
    this.#boat.clockAheadSec = this.#clock.aheadSec;
    if (hasChanged) this.#notice({ of: "clock" });
  }

  #notice(change: Change): void {
    this.#call("notice", (part) => part.notice?.(change, this.#schedule.now));
    this.#schedule.wake();
  }

  /** Calls `work` for each part; the results, undefined of a part that throws. */
  #call<Result>(place: string, work: (part: Part) => Result): readonly (Result | undefined)[] {
    return this.#parts.map((guarded) => guarded.call(place, () => work(guarded.part)));
  }

  /**
   * Takes a command: a payload of a topic of commands; undefined: too long. One that a client has left at the broker is
   * old, unless its topic is retained: the broker repeats an answer at each connection, when other alarms may ring.
   */
  command(topic: string, payload: string | undefined, isRetained = false): void {
    const place = this.#readTopic(topic);
    if (place === undefined || (isRetained && !topics[place.topic].retain)) return;
    for (const guarded of this.#parts) {
      const command = guarded.part.commands?.[place.topic];
      if (command === undefined) continue;
      guarded.call("commands", () => command(place, payload));
      this.#schedule.wakeAt(guarded.due);
    }
  }

  /** Publishes a burst of packets of a network; those of one that has been removed are dropped. */
  take(batch: PacketBatch, number = 0): void {
    const network = this.#networks.at(number);
    if (network === undefined) return;
    const isFirst = network.of === undefined;
    const visit = (packet: HeardPacket): void => {
      if (packet.arrived >= this.#schedule.due)
        this.#schedule.advanceTo(packet.arrived, isFirst ? packet.received : undefined);
      this.#hear(packet, network);
    };
    const last = forEachPacket(batch, visit, number * NETWORK_ADDRESSES, this.#packet);
    // The clock of the packets is that of the first network.
    if (last !== undefined && isFirst) this.#last = { arrived: last.arrived, received: last.received };
  }

  #hear(packet: HeardPacket, network: TakenNetwork): void {
    const { admits, all, byPgn, published } = this.#hearing;
    packet.renew();
    network.packets++;
    network.monitor.count?.(packet.transport, packet.end - packet.at);
    this.#schedule.now = packet.arrived;
    this.#boat.heardAt = packet.arrived;
    const isAdmitted = this.#each(admits, packet);
    if (network.of === undefined) this.#each(all, packet);
    if (!isAdmitted) return;
    this.#messages.publish(packet);
    this.#schedule.wakeAt(this.#messages.due);
    if (packet.reader !== undefined) this.#each(published, packet);
    const listening = byPgn.get(packet.pgn);
    if (listening !== undefined) this.#each(listening, packet);
  }

  /** False if one of them returns false. A packet makes reports due sooner only of the parts that hear it. */
  #each(hearers: readonly Hearer[], packet: HeardPacket): boolean {
    let isAdmitted = true;
    for (const { part, hear } of hearers) {
      if (hear(packet) === false) isAdmitted = false;
      this.#schedule.wakeAt(part.due);
    }
    return isAdmitted;
  }

  /** Publishes the reports that are due at `now` (monotonic) with the timestamp `wall`, both in milliseconds. */
  advance(now: number, wall: number): void {
    this.#schedule.advance(now, wall);
  }

  /** The wall clock of the packets at a monotonic time, by the last of them; undefined before the first. */
  packetClock(now: number): number | undefined {
    return this.#last && this.#last.received + (now - this.#last.arrived);
  }

  /** Ends the source: publishes what waits, and the reports of the second after the last packet. */
  finish(): void {
    if (this.#last === undefined) return;
    const [now, wall] = [this.#last.arrived + FINAL_REPORTS_MS, this.#last.received + FINAL_REPORTS_MS];
    this.#messages.finish(this.#last.arrived);
    this.advance(now, wall);
    this.#call("finish", (part) => part.finish?.(now, wall));
  }
}

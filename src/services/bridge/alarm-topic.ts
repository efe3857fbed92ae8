/** The topic of the alarms, and the commands to them. */
import { type AlarmCommand, alarmCommandOf, MAX_COMMAND_BYTES } from "../../core/alarms/commands.ts";
import { alarmKindsMessage, kindsOf } from "../../core/alarms/kinds-report.ts";
import { type AlarmMessage, AlarmMonitor, alarmMessages, type Refused } from "../../core/alarms/monitor.ts";
import type { Sender } from "../../core/alarms/names.ts";
import { type AlarmsData, alarmsData } from "../../core/alarms/report.ts";
import type { Surroundings } from "../../core/alarms/surroundings.ts";
import { exactDecodersOf, type Read } from "../../core/n2k/decode.ts";
import { generatorStartStatus } from "../../core/n2k/pgns/for-reports.ts";
import { publicReaderOf } from "../../core/n2k/read-public.ts";
import { createMetadataWriter, metadataAt } from "../../core/report/envelope.ts";
import { writerOf } from "../../core/report/write.ts";
import { entries } from "../../core/settings/entries.ts";
import { AsciiBuffer, textOf } from "../../core/text/ascii-buffer.ts";
import { type Place, topics } from "../../core/topics/topics.ts";
import { type Boat, isCalled, labelOfDevice } from "./boat.ts";
import type { BridgeCounters } from "./counters.ts";
import type { HeardPacket } from "./heard-packet.ts";
import { HistoryTopic } from "./history-topic.ts";
import { KeptCalls } from "./kept-calls.ts";
import { listenersOf, type Part, uses } from "./part.ts";
import { RetainedCommand } from "./retained-command.ts";

/** Intervals of evaluations, and of messages without a change. */
const INTERVAL_MS = 1000;
const { repeatMs } = topics.alarms;
/** Maximum characters of the `{id}` of a topic in the log. */
const MAX_LOGGED_TARGET = 64;
/** Interval of evaluations because of commands: clients may send thousands a second. */
const COMMAND_INTERVAL_MS = 100;

/** Maximum commands that wait for their execution, for the kinds of commands whose targets have no bound. */
const MAX_PENDING = 500;
const unbounded: readonly AlarmCommand["kind"][] = ["raiseExternal", "endExternal", "restoreCall"];
/** Commands of which each counts, not the last one alone, and how many of them may wait. */
const counted: readonly AlarmCommand["kind"][] = ["pressManOverboard", "releaseManOverboard"];
const MAX_COUNTED = 50;

/** Whether a command is short enough; the subscription permits longer ones, for the baseline of the findings. */
const fits = (text: string): boolean =>
  text.length <= MAX_COMMAND_BYTES && new TextEncoder().encode(text).length <= MAX_COMMAND_BYTES;

export class AlarmTopic implements Part {
  readonly listens;
  readonly settings = [uses(entries.alarms, (settings) => this.#monitor.configure(settings))];
  readonly commands: NonNullable<Part["commands"]> = {
    anchorWatch: (_, payload) => this.command("anchorWatch", payload),
    berth: (_, payload) => this.command("berth", payload),
    manOverboard: (_, payload) => this.command("manOverboard", payload),
    alarmHistory: (_, payload) => this.#hearHistory(payload),
    externalAlarm: (place, payload) => this.command(`external/${alarmIn(place)}`, payload),
    sounding: (_, payload) => this.command("sounding", payload),
    keptCall: (place, payload) => this.command(`calls/${alarmIn(place)}`, payload),
    formerCall: (place, payload) => {
      if (payload === "") return;
      this.command(`calls/${alarmIn(place)}`, payload);
      this.#boat.publisher.retain(this.#boat.topics.formerCall({ alarm: alarmIn(place) }), null);
    },
    alarmAnswer: (place, payload) => this.command(alarmIn(place), payload),
  };
  due = Number.NEGATIVE_INFINITY;
  readonly #boat: Boat;
  readonly #hasKinds: boolean;
  readonly #monitor: AlarmMonitor;
  readonly #writeData = writerOf(alarmsData);
  readonly #metadataText = textOf(createMetadataWriter());
  /**
   * Commands since the last evaluation, executed at the next one, which knows the position of the boat. Of anchor watches
   * the last is kept, of persons overboard all: no command can displace another.
   */
  readonly #commands = new Map<string, { readonly target: string; readonly command: AlarmCommand }>();
  #evaluatedAt = Number.NEGATIVE_INFINITY;
  /** The times of the last call of `advance`. */
  #now = Number.NEGATIVE_INFINITY;
  #wall = 0;
  readonly #skipped = { tooLong: 0, notUnderstood: 0, withoutEffect: 0 };
  readonly #data = new AsciiBuffer();
  /** Data of the last message, and when it was published, by both clocks. */
  readonly #published = new AsciiBuffer();
  #publishedAt = Number.NEGATIVE_INFINITY;
  #publishedWall = 0;
  readonly #kindsText = textOf(writerOf(alarmKindsMessage));
  /** The kinds of the last message, as text, and when it was published. */
  #kinds = "";
  #kindsAt = Number.NEGATIVE_INFINITY;
  /** Retained commands by their target. */
  readonly #states: Readonly<Record<string, RetainedCommand>>;
  readonly #calls: KeptCalls;
  readonly #history: HistoryTopic;

  /** `hasKinds`: whether the topic of the kinds is published. */
  constructor(boat: Boat, hasKinds: boolean) {
    this.#boat = boat;
    this.#hasKinds = hasKinds;
    const { publisher, topics } = boat;
    const monitor = new AlarmMonitor();
    this.#monitor = monitor;
    const clock = (): number => this.#now;
    const state = (topic: string, stateNow: () => object | undefined): RetainedCommand =>
      new RetainedCommand(publisher, topic, () => jsonOf(stateNow()), clock);
    this.#states = {
      anchorWatch: state(topics.anchorWatch(), () => monitor.anchorWatch),
      berth: state(topics.berth(), () => monitor.berth),
      sounding: state(topics.sounding(), () => monitor.sounding),
      manOverboard: state(topics.manOverboard(), () => monitor.manOverboard),
    };
    this.#calls = new KeptCalls(publisher, topics, clock);
    this.#history = new HistoryTopic(publisher, topics.alarmHistory());
    const readers = exactDecodersOf<AlarmMessage>(alarmMessages);
    const { pgn: start } = generatorStartStatus;
    const read: ReadonlyMap<number, Read<AlarmMessage | undefined>> = new Map([
      ...readers,
      [start, publicReaderOf(start, readers.get(start)!)],
    ]);
    this.listens = listenersOf(read, (message: AlarmMessage, packet) => this.#monitor.hear(message, packet));
  }

  /** See `AlarmMonitor.watchedPgns`. */
  get watches(): ReadonlySet<number> {
    return this.#monitor.watchedPgns;
  }

  hearWatched(packet: HeardPacket): void {
    this.#monitor.hearWatched(packet.pgn, packet.message, packet);
  }

  counters(): Partial<BridgeCounters> {
    return { commandsSkipped: this.#skipped };
  }

  /** Takes a command to the alarms, or what was kept for this start; undefined: too long. */
  command(target: string, text: string | undefined): void {
    const payload = text !== undefined && fits(text) ? text : undefined;
    const command = payload === undefined ? undefined : alarmCommandOf(target, payload);
    // Retained, it has displaced the state of its topic at the broker.
    if (command === undefined || command.kind === "answer") this.#states[target]?.noteOther();
    if (command === undefined) {
      this.#skipped[payload === undefined ? "tooLong" : "notUnderstood"] += 1;
      const { tooLong, notUnderstood } = this.#skipped;
      this.#boat.log.warn("a command to the alarms is not understood", {
        code: "COMMAND_REFUSED",
        target: target.slice(0, MAX_LOGGED_TARGET),
        tooLong,
        notUnderstood,
      });
      return;
    }
    if (command.kind === "answer") {
      // At once: what is raised before the next evaluation was not seen by those who gave it.
      this.#run(target, command, this.#now, this.#wall);
      this.#evaluateSoon();
      return;
    }
    const isCounted = counted.includes(command.kind);
    const key = isCounted ? `${target} ${payload}` : target;
    if (!this.#commands.has(key) && (isCounted ? this.#waiting(target) >= MAX_COUNTED : this.#isFullFor(command))) {
      this.#skipWithoutEffect(target, "too many commands wait");
      return;
    }
    if (command.kind === "restoreCall" && !this.#calls.hear(command.id, payload!)) return;
    if (this.#states[target]?.isEcho(payload!)) return;
    this.#states[target]?.noteOther();
    // A press after a release is executed after it.
    this.#commands.delete(key);
    this.#commands.set(key, { target, command });
    this.#evaluateSoon();
  }

  #waiting(target: string): number {
    return [...this.#commands.values()].filter((each) => each.target === target).length;
  }

  #isFullFor({ kind }: AlarmCommand): boolean {
    return unbounded.includes(kind) && this.#commands.size >= MAX_PENDING;
  }

  #evaluateSoon(): void {
    this.due = Math.min(this.due, this.#evaluatedAt + COMMAND_INTERVAL_MS);
  }

  #hearHistory(text: string | undefined): void {
    const past = this.#history.hear(text);
    if (past !== undefined) this.#monitor.restoreHistory(past.alarms, past.writtenAt);
  }

  advance(now: number, wall: number): void {
    this.#now = now;
    this.#wall = wall;
    if (now < this.due) return;
    this.due = now + INTERVAL_MS;
    this.#evaluatedAt = now;
    const surroundings = this.#surroundings(now);
    let data = this.#monitor.observe(surroundings, now, wall);
    if (this.#commands.size > 0) {
      this.#execute(now, wall);
      data = this.#monitor.observe(surroundings, now, wall);
    }
    this.#calls.retain(this.#monitor.keptCalls());
    this.#history.publish(this.#monitor.history, now, wall);
    for (const state of Object.values(this.#states)) state.retain();
    // Without the anchor watch, the berth and the calls of before, a report would say that they have ended.
    if (this.#boat.publisher.isReading) return;
    if (this.#hasKinds) this.#publishKinds(data, now, wall);
    this.#data.at = 0;
    this.#writeData(this.#data, data);
    // If the clock was set, those who find the last message at the broker compute another age.
    const ageMs = Math.max(now - this.#publishedAt, Math.abs(wall - this.#publishedWall));
    if (ageMs < repeatMs && this.#data.endsWith(this.#published, 0)) return;
    this.#published.copyFrom(this.#data, 0);
    this.#publishedAt = now;
    this.#publishedWall = wall;
    const { publisher, topics } = this.#boat;
    publisher.retain(topics.alarms(), `{"data":${this.#data.text()}${this.#metadataText(wall)}`);
  }

  #surroundings(now: number): Surroundings {
    const { devices, names, navigation, ships, findings, clockAheadSec, heardAt } = this.#boat;
    const nameOf = ({ address, name }: Sender): bigint | undefined => name ?? devices.nameOf(address);
    return {
      navigation: navigation.latest?.data ?? {},
      targets: ships.approaches,
      ownMmsis: ships.ownMmsis,
      isHeard: ({ address, name }) =>
        name === undefined
          ? devices.addresses.has(address)
          : [...devices.addresses.values()].some((each) => each.name === name),
      nameOfDevice: (device) => labelOfDevice(this.#boat, nameOf(device)),
      isCalled: (device, text) => isCalled(this.#boat, nameOf(device), text),
      nameOfThing: (thing, device) => names.ofThing(thing, nameOf(device)),
      receivers: navigation.receivers(now),
      otherSounders: navigation.otherSounders(now),
      sounderInUse: navigation.sounderInUse,
      sounderHeardAt: navigation.sounderHeardAt,
      gust: navigation.gust(now),
      clockAheadSec,
      disk: this.#boat.disk(),
      faultyParts: this.#boat.failing(),
      rival: this.#boat.publisher.rival,
      newDevices: findings.newDevices,
      aisSources: ships.sources,
      isUnpublished: this.#boat.publisher.isReading,
      heardAt,
    };
  }

  #publishKinds(alarms: AlarmsData, now: number, wall: number): void {
    const data = kindsOf(alarms);
    const news = `${data.kinds.join()} ${data.unanswered}`;
    if (news === this.#kinds && now - this.#kindsAt < topics.alarmKinds.repeatMs) return;
    this.#kinds = news;
    this.#kindsAt = now;
    this.#boat.publisher.retain(this.#boat.topics.alarmKinds(), this.#kindsText({ data, metadata: metadataAt(wall) }));
  }

  #execute(now: number, wall: number): void {
    for (const { target, command } of this.#commands.values()) this.#run(target, command, now, wall);
    this.#commands.clear();
  }

  #run(target: string, command: AlarmCommand, now: number, wall: number): void {
    const refused = this.#monitor.execute(command, now, wall);
    if (refused !== undefined) this.#skipWithoutEffect(target, refused);
  }

  #skipWithoutEffect(target: string, reason: Refused | "too many commands wait"): void {
    this.#skipped.withoutEffect += 1;
    this.#boat.log.info("a command to the alarms has no effect", {
      target: target.slice(0, MAX_LOGGED_TARGET),
      reason,
    });
  }
}

/** The id in the topic of a command. */
const alarmIn = (place: Place): string => ("alarm" in place ? place.alarm : "");

const jsonOf = (state: object | undefined): string | undefined => state && JSON.stringify(state);

/** The topic of the alarms, and the commands to them. */
import { type AlarmCommand, alarmCommandOf, MAX_COMMAND_BYTES } from "../../core/alarms/commands.ts";
import { alarmKindsMessage, kindsOf } from "../../core/alarms/kinds-report.ts";
import { type AlarmMessage, AlarmMonitor, alarmMessages, type Surroundings } from "../../core/alarms/monitor.ts";
import { type AlarmsData, alarmsData } from "../../core/alarms/report.ts";
import type { AlarmSettings } from "../../core/alarms/settings.ts";
import { exactDecodersOf, type Read } from "../../core/n2k/decode.ts";
import { generatorStartStatus } from "../../core/n2k/pgns/for-reports.ts";
import { publicReaderOf } from "../../core/n2k/read-public.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import { createMetadataWriter, metadataAt } from "../../core/report/envelope.ts";
import { writerOf } from "../../core/report/write.ts";
import { AsciiBuffer, textOf } from "../../core/text/ascii-buffer.ts";
import { type TopicsBelow, topics } from "../../core/topics/topics.ts";
import { HistoryTopic } from "./history-topic.ts";
import { KeptCalls } from "./kept-calls.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";
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

/** Skipped commands by reason, since the start. */
export interface CommandsSkipped {
  readonly tooLong: number;
  readonly notUnderstood: number;
  /**
   * Commands without effect: an alarm that is not raised, an anchor watch without a position, an alarm of another
   * program for which there is no room, a call from before the start that has ended.
   */
  readonly withoutEffect: number;
}

/** Whether a command is short enough; the subscription permits longer ones, for the baseline of the findings. */
const fits = (text: string): boolean =>
  text.length <= MAX_COMMAND_BYTES && new TextEncoder().encode(text).length <= MAX_COMMAND_BYTES;

export interface AlarmTopicOptions {
  readonly topics: TopicsBelow;
  readonly publisher: Publisher;
  readonly log: Log;
  /** The reports at a monotonic time, milliseconds. */
  readonly reports: (now: number) => Surroundings;
  /** Whether the topic of the kinds is published. */
  readonly hasKinds: boolean;
}

export class AlarmTopic implements Report {
  /** By PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  due = Number.NEGATIVE_INFINITY;
  readonly #options: AlarmTopicOptions;
  readonly #monitor = new AlarmMonitor();
  readonly #writeData = writerOf(alarmsData);
  readonly #metadataText = textOf(createMetadataWriter());
  /**
   * Commands since the last evaluation, executed at the next one, which knows the position of the boat. Equal ones are
   * kept once, of anchor watches the last, and answers only to raised alarms: no command can displace another.
   */
  readonly #commands = new Map<string, { readonly target: string; readonly command: AlarmCommand }>();
  #executedAt = Number.NEGATIVE_INFINITY;
  /** The time of the last call of `advance`. */
  #now = Number.NEGATIVE_INFINITY;
  readonly #skipped = { tooLong: 0, notUnderstood: 0, withoutEffect: 0 };
  readonly #data = new AsciiBuffer();
  /** Data of the last message, and when it was published. */
  readonly #published = new AsciiBuffer();
  #publishedAt = Number.NEGATIVE_INFINITY;
  readonly #kindsText = textOf(writerOf(alarmKindsMessage));
  /** The kinds of the last message, as text, and when it was published. */
  #kinds = "";
  #kindsAt = Number.NEGATIVE_INFINITY;
  /** Retained commands by their target. */
  readonly #states: Readonly<Record<string, RetainedCommand>>;
  readonly #calls: KeptCalls;
  readonly #history: HistoryTopic;

  constructor(options: AlarmTopicOptions) {
    this.#options = options;
    const { publisher, topics } = options;
    const monitor = this.#monitor;
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
    const all: readonly (readonly [number, Read<AlarmMessage | undefined>])[] = [
      ...readers,
      [start, publicReaderOf(start, readers.get(start)!)],
    ];
    this.listeners = listenersOf(all, {
      hear: (message, packet) => message && this.#monitor.hear(message, packet),
      due: () => this.due,
    });
  }

  configure(settings: AlarmSettings): void {
    this.#monitor.configure(settings);
  }

  /** See `AlarmMonitor.watchedPgns`. */
  get watchedPgns(): ReadonlySet<number> {
    return this.#monitor.watchedPgns;
  }

  hearWatched(pgn: number, message: object, packet: Packet): void {
    this.#monitor.hearWatched(pgn, message, packet);
  }

  get commandsSkipped(): CommandsSkipped {
    return this.#skipped;
  }

  /** Takes a command: a payload of `{prefix}/alarms/{target}/set`; undefined: too long. */
  command(target: string, text: string | undefined): void {
    const payload = text !== undefined && fits(text) ? text : undefined;
    const command = payload === undefined ? undefined : alarmCommandOf(target, payload);
    if (command === undefined) {
      this.#skipped[payload === undefined ? "tooLong" : "notUnderstood"] += 1;
      const { tooLong, notUnderstood } = this.#skipped;
      this.#options.log.warn("a command to the alarms is not understood", {
        code: "COMMAND_REFUSED",
        target: target.slice(0, MAX_LOGGED_TARGET),
        tooLong,
        notUnderstood,
      });
      return;
    }
    if (command.kind === "answer" && !this.#monitor.isRaised(command.id)) {
      this.#skipWithoutEffect(target);
      return;
    }
    const isFull = unbounded.includes(command.kind) && this.#commands.size >= MAX_PENDING;
    if (isFull && !this.#commands.has(target)) {
      this.#skipWithoutEffect(target);
      return;
    }
    if (command.kind === "restoreCall" && !this.#calls.hear(command.id, payload!)) return;
    if (this.#states[target]?.isEcho(payload!)) return;
    this.#states[target]?.noteOther();
    this.#commands.set(command.kind === "answer" ? `${target} ${command.answer}` : target, { target, command });
    this.due = Math.min(this.due, this.#executedAt + COMMAND_INTERVAL_MS);
  }

  /** Takes a message of the topic of the history; undefined: too long. */
  hearHistory(text: string | undefined): void {
    const past = this.#history.hear(text);
    if (past !== undefined) this.#monitor.restoreHistory(past);
  }

  advance(now: number, wall: number): void {
    this.#now = now;
    if (now < this.due) return;
    this.due = now + INTERVAL_MS;
    const reports = this.#options.reports(now);
    let data = this.#monitor.observe(reports, now, wall);
    if (this.#commands.size > 0) {
      this.#execute(now, wall);
      data = this.#monitor.observe(reports, now, wall);
    }
    this.#calls.retain(this.#monitor.keptCalls(now, wall));
    this.#history.publish(this.#monitor.history, now, wall);
    for (const state of Object.values(this.#states)) state.retain();
    if (this.#options.hasKinds) this.#publishKinds(data, now, wall);
    this.#data.at = 0;
    this.#writeData(this.#data, data);
    if (now - this.#publishedAt < repeatMs && this.#data.endsWith(this.#published, 0)) return;
    this.#published.copyFrom(this.#data, 0);
    this.#publishedAt = now;
    const { publisher, topics } = this.#options;
    publisher.retain(topics.alarms(), `{"data":${this.#data.text()}${this.#metadataText(wall)}`);
  }

  #publishKinds(alarms: AlarmsData, now: number, wall: number): void {
    const data = kindsOf(alarms);
    const news = `${data.kinds.join()} ${data.unanswered}`;
    if (news === this.#kinds && now - this.#kindsAt < topics.alarmKinds.repeatMs) return;
    this.#kinds = news;
    this.#kindsAt = now;
    this.#options.publisher.retain(
      this.#options.topics.alarmKinds(),
      this.#kindsText({ data, metadata: metadataAt(wall) }),
    );
  }

  #execute(now: number, wall: number): void {
    for (const { target, command } of this.#commands.values())
      if (!this.#monitor.execute(command, now, wall)) this.#skipWithoutEffect(target);
    this.#commands.clear();
    this.#executedAt = now;
  }

  #skipWithoutEffect(target: string): void {
    this.#skipped.withoutEffect += 1;
    this.#options.log.info("a command to the alarms has no effect", { target: target.slice(0, MAX_LOGGED_TARGET) });
  }
}

const jsonOf = (state: object | undefined): string | undefined => state && JSON.stringify(state);

/** The topic of the alarms, and the commands to them. */
import { type AlarmCommand, alarmCommandOf, MAX_COMMAND_BYTES } from "../alarms/commands.ts";
import { type AlarmMessage, AlarmMonitor, alarmMessages, type Reports } from "../alarms/monitor.ts";
import { alarmsData } from "../alarms/report.ts";
import type { AlarmSettings } from "../alarms/settings.ts";
import { exactDecodersOf } from "../n2k/decode.ts";
import type { Log } from "../ports/log.ts";
import type { Publisher } from "../ports/publisher.ts";
import { createMetadataWriter } from "../report/envelope.ts";
import { writerOf } from "../report/write.ts";
import { AsciiBuffer, textOf } from "../text/ascii-buffer.ts";
import { type Listener, listenersOf, type Report } from "./report.ts";
import type { Topics } from "./topics.ts";

/** Intervals of evaluations, and of messages without a change. */
const INTERVAL_MS = 1000;
const REPUBLISH_MS = 30_000;
/** Commands per evaluation; a client in a loop sends more, which are dropped. */
const MAX_COMMANDS = 10;

export interface AlarmTopicOptions {
  readonly topics: Topics;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly reports: () => Reports;
}

export class AlarmTopic implements Report {
  /** By PGN. */
  readonly listeners: ReadonlyMap<number, Listener>;
  due = Number.NEGATIVE_INFINITY;
  readonly #options: AlarmTopicOptions;
  readonly #monitor = new AlarmMonitor();
  readonly #writeData = writerOf(alarmsData);
  readonly #metadataText = textOf(createMetadataWriter());
  /** Commands since the last evaluation, executed at the next one, which knows where the boat is. */
  #commands: { readonly target: string; readonly command: AlarmCommand }[] = [];
  readonly #data = new AsciiBuffer();
  /** Data of the last message, and when it was published. */
  readonly #published = new AsciiBuffer();
  #publishedAt = Number.NEGATIVE_INFINITY;
  /** The anchor watch as it was last retained; undefined: a client has published another one. */
  #retainedWatch: string | undefined = "";

  constructor(options: AlarmTopicOptions) {
    this.#options = options;
    this.listeners = listenersOf(exactDecodersOf<AlarmMessage>(alarmMessages), {
      hear: (message, packet) => this.#monitor.hear(message, packet),
      due: () => this.due,
    });
  }

  configure(settings: AlarmSettings): void {
    this.#monitor.configure(settings);
  }

  /** Takes a command: a payload of `{prefix}/alarms/{target}/set`. */
  command(target: string, payload: string): void {
    const { log } = this.#options;
    if (this.#commands.length >= MAX_COMMANDS) return;
    const command = payload.length > MAX_COMMAND_BYTES ? undefined : alarmCommandOf(target, payload);
    if (command === undefined) {
      log.warn("a command to the alarms is not understood", { code: "COMMAND_REFUSED", target: target.slice(0, 64) });
      return;
    }
    if (target === "anchorWatch" && payload !== this.#retainedWatch) this.#retainedWatch = undefined;
    this.#commands.push({ target, command });
    this.due = Number.NEGATIVE_INFINITY;
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    this.due = now + INTERVAL_MS;
    const reports = this.#options.reports();
    let data = this.#monitor.observe(reports, now, wall);
    if (this.#commands.length > 0) {
      this.#execute(now);
      data = this.#monitor.observe(reports, now, wall);
    }
    this.#data.at = 0;
    this.#writeData(this.#data, data);
    if (now - this.#publishedAt < REPUBLISH_MS && this.#data.endsWith(this.#published, 0)) return;
    this.#published.copyFrom(this.#data, 0);
    this.#publishedAt = now;
    const { publisher, topics } = this.#options;
    publisher.retain(topics.alarms, `{"data":${this.#data.text()}${this.#metadataText(wall)}`);
  }

  #execute(now: number): void {
    for (const { target, command } of this.#commands)
      if (!this.#monitor.execute(command, now))
        this.#options.log.info("a command to the alarms has no effect", { target: target.slice(0, 64) });
    this.#commands = [];
    this.#retainAnchorWatch();
  }

  /** Its own command is retained, so that the watch outlives the daemon: the broker sends it again at the next start. */
  #retainAnchorWatch(): void {
    const { anchorWatch } = this.#monitor;
    const watch = anchorWatch === undefined ? "" : JSON.stringify(anchorWatch);
    if (watch === this.#retainedWatch) return;
    this.#retainedWatch = watch;
    this.#options.publisher.retain(this.#options.topics.alarmCommand("anchorWatch"), watch === "" ? null : watch);
  }
}

/**
 * A command of the boat's own as an outlet: it runs while an alarm has no answer, and while a watch that the boat needs
 * is lost, so that it is heard without a display.
 */
import { alarmText } from "../../core/alarms/alarm-text.ts";
import { ESCALATE_AFTER_MS } from "../../core/alarms/constants.ts";
import { needsWatch } from "../../core/alarms/need.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { DataOf, Message } from "../../core/topics/read-message.ts";
import type { Heard, Outlet } from "./outlet.ts";

type ActiveAlarm = DataOf<"alarms">["alarms"][number];

/** The alarm or the loss for which the command runs, as its environment variables. */
export type Call = Readonly<
  Record<"HUB_ALARM_ID" | "HUB_ALARM_SEVERITY" | "HUB_ALARM_TITLE" | "HUB_ALARM_TEXT", string>
>;

export interface CommandRunner {
  /** Runs the command again and again until `stop`; a call meanwhile changes the environment of the next run. */
  run(call: Call): void;
  stop(): void;
  close(): Promise<void>;
}

const CHECK_MS = 1000;
/** Time for which hub-cand may be away: a restart takes five seconds, an upgrade somewhat longer. */
const LOST_AFTER_MS = 30_000;

type Alarm = Pick<ActiveAlarm, "id" | "severity" | "title"> & Partial<ActiveAlarm>;

const lost = {
  id: "watch",
  severity: "alarm",
  title: "Alarms are not watched",
  text: "hub-cand or the broker is gone",
} as const;

/** Texts come from the bus and by radio: a NUL would end the environment of a process. */
const callOf = (alarm: Alarm): Call => {
  const { id, severity, title, name } = alarm;
  const clean = (words: string): string => words.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ");
  return {
    HUB_ALARM_ID: clean(id),
    HUB_ALARM_SEVERITY: severity,
    HUB_ALARM_TITLE: clean(title),
    HUB_ALARM_TEXT: clean([name, alarmText(alarm)].filter(Boolean).join(", ")),
  };
};

export class CommandOutlet implements Outlet {
  readonly topics = ["alarms"] as const;
  readonly pgns = [] as const;
  readonly #runner: CommandRunner;
  readonly #clock: Clock;
  readonly #stopChecking: () => void;
  #report: DataOf<"alarms"> | undefined;
  #stamp = "";
  /** Monotonic time at which the last report expires, or at which hub-cand went offline. */
  #lostAt = Number.POSITIVE_INFINITY;
  #isRunning = false;
  readonly #hasWarnings: boolean;
  /** Monotonic times since which warnings sound, by id. */
  #soundSince: ReadonlyMap<string, number> = new Map();

  /** With `warnings`, a warning without an answer runs the command as an alarm does. */
  constructor(runner: CommandRunner, clock: Clock, { warnings = false }: { readonly warnings?: boolean } = {}) {
    this.#hasWarnings = warnings;
    this.#runner = runner;
    this.#clock = clock;
    this.#stopChecking = clock.every(CHECK_MS, () => this.#check());
  }

  hear(heard: Heard): void {
    if (heard.topic !== "alarms") return;
    const { data, metadata } = heard.message as Message<"alarms">;
    // The broker sends the last report of an offline hub-cand again at each connection.
    if (heard.isRetained && metadata.rxDate === this.#stamp) return;
    this.#stamp = metadata.rxDate;
    // At the start the alarms of a hub-cand that is offline are of any age. It raises again those that last, and its
    // loss rings if the boat needs the watch.
    const isOld = heard.isLast === true && this.#report === undefined;
    this.#report = isOld ? { ...data, alarms: [] } : data;
    this.#noteWarnings(heard.receivedMs);
    this.#lostAt = heard.receivedMs + metadata.expireAfterSec * 1000;
    this.#check();
  }

  forget(): void {
    this.#lostAt = Math.min(this.#lostAt, this.#clock.monotonic());
  }

  async close(): Promise<void> {
    this.#stopChecking();
    await this.#runner.close();
  }

  #noteWarnings(now: number): void {
    if (!this.#hasWarnings) return;
    const sounding = this.#report!.alarms.filter(({ severity, state }) => severity === "warning" && state === "active");
    this.#soundSince = new Map(sounding.map(({ id }) => [id, this.#soundSince.get(id) ?? now]));
  }

  #check(): void {
    const call = this.#call();
    if (call !== undefined) this.#runner.run(callOf(call));
    else if (this.#isRunning) this.#runner.stop();
    this.#isRunning = call !== undefined;
  }

  /** While hub-cand is away its alarms stay as they were, until the loss itself is an alarm. */
  #call(): Alarm | undefined {
    if (this.#report === undefined) return undefined;
    const isLost = this.#clock.monotonic() >= this.#lostAt + LOST_AFTER_MS;
    if (isLost) return needsWatch(this.#report) ? lost : undefined;
    const { alarms } = this.#report;
    const since = this.#clock.monotonic() - ESCALATE_AFTER_MS;
    return (
      alarms.find(({ unanswered }) => unanswered) ??
      alarms.find(({ id }) => (this.#soundSince.get(id) ?? Number.POSITIVE_INFINITY) <= since)
    );
  }
}

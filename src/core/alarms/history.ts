/**
 * The history: the last alarms, and those of them that have ended without an answer. Its timestamps are of the wall
 * clock; how long ago an alarm ended is counted by the monotonic one, because the clock of a computer may be set.
 */
import { isoTime } from "../text/date.ts";
import { RAISED_WITHIN_MS } from "./constants.ts";
import { MAX_ALARMS, MAX_HISTORY, type PastAlarm } from "./report.ts";

/** Time after which only the history has an alarm that has ended without an answer. */
const RECTIFIED_FOR_MS = 24 * 3_600_000;

interface Rectified {
  readonly alarm: PastAlarm;
  readonly endedAt: number;
}

export class AlarmHistory {
  /** The oldest first. */
  #past: readonly PastAlarm[] = [];
  /** By id, the oldest first. */
  readonly #rectified = new Map<string, Rectified>();
  /** Alarms that are raised, by id. */
  #raised: ReadonlyMap<string, PastAlarm> = new Map();
  /** Alarms of before this start that have no answer, the oldest first, until the next observation. */
  #restored: readonly PastAlarm[] = [];
  /** Those of them whose end is not known. */
  #open = new Map<string, PastAlarm>();
  #restoredAt = 0;

  /** Takes the alarms that are raised now; those that were raised before and are not any more have ended. */
  observe(raised: ReadonlyMap<string, PastAlarm>, now: number, wall: number): void {
    this.#takeRestored(now);
    this.#raised.forEach((before, id) => {
      if (raised.get(id)?.since !== before.since) this.#end(before, now, wall);
    });
    for (const id of raised.keys()) {
      this.#rectified.delete(id);
      this.#open.delete(id);
    }
    this.#raised = raised;
    if (this.#open.size > 0 && now - this.#restoredAt > RAISED_WITHIN_MS) {
      for (const [id, alarm] of this.#open) this.#rectified.set(id, { alarm, endedAt: this.#restoredAt });
      this.#open.clear();
    }
    for (const [id, { endedAt }] of this.#rectified) if (now - endedAt > RECTIFIED_FOR_MS) this.#rectified.delete(id);
    while (this.#rectified.size > MAX_ALARMS) this.#rectified.delete(this.#leastNeeded());
  }

  /** Their day begins anew, because the clock may have been set since they ended. */
  #takeRestored(now: number): void {
    for (const alarm of this.#restored) {
      if (alarm.until === undefined) this.#open.set(alarm.id, alarm);
      else this.#rectified.set(alarm.id, { alarm, endedAt: now });
    }
    if (this.#restored.length > 0) this.#restoredAt = now;
    this.#restored = [];
  }

  /** The oldest one of the kind that has the most: ships in a fleet hide no other kind. */
  #leastNeeded(): string {
    const counts = new Map<string, number>();
    for (const { alarm } of this.#rectified.values()) counts.set(alarm.kind, (counts.get(alarm.kind) ?? 0) + 1);
    const [most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    return [...this.#rectified.values()].find(({ alarm }) => alarm.kind === most)!.alarm.id;
  }

  #end(alarm: PastAlarm, now: number, wall: number): void {
    const ended = { ...alarm, until: isoTime(wall) };
    this.#past = [...this.#past, ended].slice(-MAX_HISTORY);
    if (alarm.acknowledged === undefined) this.#rectified.set(alarm.id, { alarm: ended, endedAt: now });
  }

  /** Acknowledges the alarm of an id that has ended, if there is one. */
  acknowledge(id: string, wall: number): void {
    const alarm = this.#rectified.get(id)?.alarm;
    if (alarm === undefined) return;
    this.#rectified.delete(id);
    const acknowledged = isoTime(wall);
    this.#past = this.#past.map((one) => (one === alarm ? { ...one, acknowledged } : one));
  }

  /** The alarms that have ended without an answer, the newest first. */
  get rectified(): readonly PastAlarm[] {
    return [...this.#rectified.values()].map(({ alarm }) => alarm).reverse();
  }

  /** The last alarms: those that are raised, then those that ended last, in their order, which no set clock changes. */
  get alarms(): readonly PastAlarm[] {
    const raised = [...this.#raised.values()].sort((one, other) => (one.since < other.since ? 1 : -1));
    return [...raised, ...this.#past.toReversed()].slice(0, MAX_HISTORY);
  }

  /** Takes the alarms of before this start. Those that were raised then have no end that is known. */
  restore(alarms: readonly PastAlarm[]): void {
    const known = new Set([...this.#past, ...this.#raised.values()].map(({ id, since }) => `${id} ${since}`));
    const before = alarms.filter(({ id, since }) => !known.has(`${id} ${since}`)).toReversed();
    this.#past = [...before, ...this.#past].slice(-MAX_HISTORY);
    // Of each id the last one counts: the answer to it is one to those before.
    const last = new Map(before.map((alarm) => [alarm.id, alarm]));
    this.#restored = [...last.values()].filter(({ id, acknowledged }) => {
      return acknowledged === undefined && !this.#raised.has(id) && !this.#rectified.has(id);
    });
  }
}

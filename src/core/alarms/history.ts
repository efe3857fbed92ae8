/**
 * The history: the last alarms, and those of them that have ended without an answer. Its timestamps are of the wall
 * clock; how long ago an alarm ended is counted by the monotonic one, because the clock of a computer may be set.
 */
import { isoTime } from "../text/date.ts";
import { groupedBy } from "../util/grouped.ts";
import { KEPT_STATE_MS, RAISED_WITHIN_MS } from "./constants.ts";
import { isAnsweredAnywhere, type Raised } from "./raised.ts";
import { MAX_ALARMS, MAX_HISTORY, type PastAlarm } from "./report.ts";
import { takeAnswer } from "./track.ts";
import type { AlarmKind } from "./words.ts";

/** Time after which only the history has an alarm that has ended without an answer. */
const RECTIFIED_FOR_MS = 24 * 3_600_000;

const count = (counts: Map<AlarmKind, number>, kind: AlarmKind): Map<AlarmKind, number> =>
  counts.set(kind, (counts.get(kind) ?? 0) + 1);

interface Rectified {
  readonly alarm: PastAlarm;
  readonly endedAt: number;
}

export class AlarmHistory {
  /** The oldest first. */
  #past: readonly PastAlarm[] = [];
  /** By id, the oldest first. */
  readonly #rectified = new Map<string, Rectified>();
  /** By kind, how many rectified alarms there was no room for. */
  readonly #displaced = new Map<AlarmKind, number>();
  /** Alarms that are raised, by id. */
  #raised = new Map<string, PastAlarm>();
  /** Alarms of before this start that have no answer, the oldest first, until the next observation takes them. */
  #restored: readonly PastAlarm[] | undefined;
  /** Alarms that may have been raised when the history of before this start was written, and that time. */
  readonly #lasting = new Map<string, PastAlarm>();
  #writtenAt = Number.NEGATIVE_INFINITY;
  #startedAt: number | undefined;

  /**
   * Gives alarms that ring again after a start the time at which they began before it. One that was answered then and
   * rings is another one; a call has the time of its first report, and keeps its answer.
   */
  continueBefore(raised: readonly Raised[], now: number): void {
    this.#startedAt ??= now;
    if (this.#lasting.size === 0) return;
    for (const { id, alarm, track } of raised) {
      const before = this.#lasting.get(id);
      if (before === undefined || alarm.lastsSince - this.#startedAt > RAISED_WITHIN_MS) continue;
      this.#lasting.delete(id);
      const first = alarm.reading.place?.first;
      if (first === undefined) this.#continueSince({ id, alarm }, before);
      else if (before.acknowledged !== undefined && Date.parse(first.at) === Date.parse(before.since))
        takeAnswer(track, { at: now, wall: Date.parse(before.acknowledged) });
    }
    if (now - this.#startedAt > RAISED_WITHIN_MS) this.#lasting.clear();
  }

  #continueSince({ id, alarm }: Pick<Raised, "id" | "alarm">, before: PastAlarm): void {
    const [since, offFor] = [Date.parse(before.since), alarm.since - this.#writtenAt];
    const isSame = before.acknowledged === undefined || isAnsweredAnywhere({ alarm });
    if (!isSame || since > alarm.since || offFor < 0 || offFor > KEPT_STATE_MS) return;
    alarm.since = since;
    const row = this.#raised.get(id);
    if (row !== undefined) this.#raised.set(id, { ...row, since: before.since });
  }

  /** Takes the alarms that are raised now; those that were raised before and are not any more have ended. */
  observe(now: number, wall: number, rows: readonly PastAlarm[]): void {
    this.#takeRestored(now, isoTime(wall));
    const raised = new Map(rows.map((row) => [row.id, this.#withFirstAnswer(row)]));
    this.#raised.forEach((before, id) => {
      if (raised.get(id)?.since !== before.since) this.#end(before, now, wall);
    });
    for (const id of raised.keys()) this.#rectified.delete(id);
    // A person who was marked before this start is raised again with her own time.
    this.#past = this.#past.filter(({ id, since, until }) => until !== undefined || raised.get(id)?.since !== since);
    this.#raised = raised;
    for (const [id, { endedAt }] of this.#rectified) if (now - endedAt > RECTIFIED_FOR_MS) this.#rectified.delete(id);
    if (this.#rectified.size < MAX_HISTORY) this.#displaced.clear();
    for (const { id, kind } of this.#without(MAX_HISTORY)) {
      this.#rectified.delete(id);
      count(this.#displaced, kind);
    }
  }

  /** Of several observations of an answer the first one has its time, also before this start. */
  #withFirstAnswer(row: PastAlarm): PastAlarm {
    if (row.acknowledged === undefined) return row;
    const lasting = [this.#raised.get(row.id), ...this.#past.filter(({ until }) => until === undefined)];
    const before = lasting.find((each) => each?.id === row.id && each.since === row.since);
    return { ...row, acknowledged: before?.acknowledged ?? row.acknowledged };
  }

  /** Restored alarms stay for a whole day, because the clock may have been set since they ended. */
  #takeRestored(now: number, start: string): void {
    if (this.#restored === undefined) return;
    const restored = new Set(this.#restored);
    this.#past = this.#past.map((before) => {
      const hasEnd = (before.until ?? before.endedBefore) !== undefined;
      const alarm = hasEnd ? before : { ...before, endedBefore: start };
      if (restored.has(before)) this.#rectified.set(alarm.id, { alarm, endedAt: now });
      return alarm;
    });
    this.#restored = undefined;
  }

  /** Those for which there is no room: the oldest of the kind that has the most, so that a fleet hides no other kind. */
  #without(room: number): ReadonlySet<PastAlarm> {
    const without = new Set<PastAlarm>();
    if (this.#rectified.size <= room) return without;
    const alarms = [...this.#rectified.values()].map(({ alarm }) => alarm);
    const byKind = groupedBy(alarms, ({ kind }) => kind);
    while (this.#rectified.size - without.size > room) {
      const most = [...byKind.values()].reduce((a, b) => (b.length > a.length ? b : a));
      without.add(most.shift()!);
    }
    return without;
  }

  #end(alarm: PastAlarm, now: number, wall: number): void {
    const ended = { ...alarm, until: isoTime(wall) };
    this.#past = [...this.#past, ended].slice(-MAX_HISTORY);
    if (alarm.acknowledged === undefined) this.#rectified.set(alarm.id, { alarm: ended, endedAt: now });
  }

  /** Acknowledges the alarm of an id: the raised one, which may end before it is observed again, or that which has ended. */
  acknowledge(id: string, wall: number): void {
    const acknowledged = isoTime(wall);
    const raised = this.#raised.get(id);
    if (raised !== undefined) this.#raised.set(id, { ...raised, acknowledged: raised.acknowledged ?? acknowledged });
    const alarm = this.#rectified.get(id)?.alarm;
    if (alarm === undefined) return;
    this.#rectified.delete(id);
    this.#past = this.#past.map((one) => (one === alarm ? { ...one, acknowledged } : one));
  }

  /** The alarms that have ended without an answer, the newest first, as many as a report has room for. */
  get rectified(): readonly PastAlarm[] {
    const without = this.#without(MAX_ALARMS);
    const all = [...this.#rectified.values()].map(({ alarm }) => alarm).reverse();
    return without.size === 0 ? all : all.filter((alarm) => !without.has(alarm));
  }

  /** By kind, how many more of them there are. */
  get leftOut(): ReadonlyMap<AlarmKind, number> {
    const counts = new Map(this.#displaced);
    for (const { kind } of this.#without(MAX_ALARMS)) count(counts, kind);
    return counts;
  }

  /** The last alarms: those that are raised, then those that ended last, in their order, which no set clock changes. */
  get alarms(): readonly PastAlarm[] {
    const raised = [...this.#raised.values()].sort((one, other) => (one.since < other.since ? 1 : -1));
    return [...raised, ...this.#past.toReversed()].slice(0, MAX_HISTORY);
  }

  /** Takes the alarms of before this start, as they were at a time. Those that may have been raised then have no end. */
  restore(alarms: readonly PastAlarm[], writtenAt: number): void {
    this.#writtenAt = writtenAt;
    for (const alarm of alarms.toReversed()) {
      const hasEnded = writtenAt - Date.parse(alarm.endedBefore ?? "") > RAISED_WITHIN_MS;
      if (alarm.until === undefined && !hasEnded) this.#lasting.set(alarm.id, alarm);
    }
    for (const { id, since, acknowledged } of alarms) {
      const raised = this.#raised.get(id);
      if (raised?.since === since && raised.acknowledged !== undefined && acknowledged !== undefined)
        this.#raised.set(id, { ...raised, acknowledged });
    }
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

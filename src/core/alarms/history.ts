/** The history: the last alarms, and those of them that have ended without an answer. Times are of the wall clock. */
import { isoTime } from "../text/date.ts";
import { MAX_ALARMS, MAX_HISTORY, type PastAlarm } from "./report.ts";

/** Time after which only the history has an alarm that has ended without an answer. */
const RECTIFIED_FOR_MS = 24 * 3_600_000;

export class AlarmHistory {
  /** The oldest first. */
  #past: readonly PastAlarm[] = [];
  /** By id, the oldest first. */
  readonly #rectified = new Map<string, PastAlarm>();
  /** Alarms that are raised, by id. */
  #raised: ReadonlyMap<string, PastAlarm> = new Map();

  /** Takes the alarms that are raised now; those that were raised before and are not any more have ended. */
  observe(raised: ReadonlyMap<string, PastAlarm>, wall: number): void {
    this.#raised.forEach((before, id) => {
      if (raised.get(id)?.since !== before.since) this.#end(before, wall);
    });
    for (const id of raised.keys()) this.#rectified.delete(id);
    this.#raised = raised;
    for (const [id, { until }] of this.#rectified)
      if (this.#rectified.size > MAX_ALARMS || wall - Date.parse(until!) > RECTIFIED_FOR_MS) this.#rectified.delete(id);
  }

  #end(alarm: PastAlarm, wall: number): void {
    const ended = { ...alarm, until: isoTime(wall) };
    this.#past = [...this.#past, ended].slice(-MAX_HISTORY);
    if (alarm.acknowledged !== undefined) return;
    this.#rectified.delete(alarm.id);
    this.#rectified.set(alarm.id, ended);
  }

  /** Acknowledges an alarm that has ended, those of its kind, or all, but emergencies only by their id; false if there is none. */
  acknowledge(id: string, wall: number): boolean {
    const those = this.#those(id).filter((each) => each.id === id || each.severity !== "emergency");
    for (const each of those) {
      this.#rectified.delete(each.id);
      const acknowledged = isoTime(wall);
      this.#past = this.#past.map((one) => (one === each ? { ...one, acknowledged } : one));
    }
    return those.length > 0;
  }

  has(id: string): boolean {
    return this.#those(id).length > 0;
  }

  /** An alarm, those of a kind, or all. */
  #those(id: string): readonly PastAlarm[] {
    return [...this.#rectified.values()].filter((each) => id === "all" || id === each.kind || id === each.id);
  }

  /** The alarms that have ended without an answer, the newest first. */
  get rectified(): readonly PastAlarm[] {
    return [...this.#rectified.values()].reverse();
  }

  /** The last alarms, the newest first, those that are raised among them. */
  get alarms(): readonly PastAlarm[] {
    const raised = [...this.#raised.values()];
    return [...this.#past, ...raised]
      .sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0))
      .slice(0, MAX_HISTORY);
  }

  /** Takes the alarms of before this start. Those that were raised then have no end that is known. */
  restore(alarms: readonly PastAlarm[]): void {
    const known = new Set([...this.#past, ...this.#raised.values()].map(({ id, since }) => `${id} ${since}`));
    const before = alarms.filter(({ id, since }) => !known.has(`${id} ${since}`));
    this.#past = [...before.toReversed(), ...this.#past].slice(-MAX_HISTORY);
  }
}

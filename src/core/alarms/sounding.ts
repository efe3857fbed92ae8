/**
 * Alarms that sound without an answer, kept for the next start of hub-cand: without them a hub-cand that restarts again
 * and again would never call for help. Times are of the wall clock, but for `now`.
 */
import * as z from "zod";
import { isoTime } from "../text/date.ts";
import { isGrave, RAISED_WITHIN_MS } from "./constants.ts";
import type { ActiveAlarm } from "./report.ts";

/** Maximum ids, by which the payload of the longest ones is a command. */
const MAX_IDS = 6;
const MAX_ID = 64;
/** An older state is of another voyage. */
const MAX_AGE_MS = 600_000;

/** Payload of `sounding/set`. */
export const keptSounding = z.strictObject({
  ids: z.array(z.string().max(MAX_ID)).max(MAX_IDS).describe("the most dangerous alarms without an answer"),
  since: z.iso.datetime().describe("since when one of them sounds"),
});
export type KeptSounding = z.infer<typeof keptSounding>;

export class Sounding {
  #state: KeptSounding | undefined;
  #restored: KeptSounding | undefined;
  #restoredAt = Number.NEGATIVE_INFINITY;

  /** The state to keep. */
  get state(): KeptSounding | undefined {
    return this.#state ?? this.#restored;
  }

  restore(kept: KeptSounding | undefined, now: number): void {
    this.#restored = kept;
    this.#restoredAt = now;
  }

  /** Milliseconds for which an alarm that is raised now sounded before this start and since. */
  before(id: string, now: number, wall: number): number {
    this.#forget(now, wall);
    return this.#restored?.ids.includes(id) ? wall - Date.parse(this.#restored.since) : 0;
  }

  /** A state of long ago, or of before the clock was set, does not count. */
  #forget(now: number, wall: number): void {
    if (this.#restored === undefined) return;
    const age = wall - Date.parse(this.#restored.since);
    const isOver = age < 0 || age > MAX_AGE_MS || now - this.#restoredAt > RAISED_WITHIN_MS;
    if (isOver) this.#restored = undefined;
  }

  observe(alarms: readonly ActiveAlarm[], now: number, wall: number): void {
    this.#forget(now, wall);
    const before = [this.#state, this.#restored];
    // An alarm that has been raised again, and ends, is another one the next time.
    if (this.#restored !== undefined) {
      const ids = this.#restored.ids.filter((id) => !alarms.some((alarm) => alarm.id === id));
      this.#restored = ids.length === 0 ? undefined : { ...this.#restored, ids };
    }
    const sounding = alarms.filter(({ state, severity, id }) => {
      return state === "active" && isGrave(severity) && id.length <= MAX_ID;
    });
    const ids = sounding.slice(0, MAX_IDS).map(({ id }) => id);
    if (ids.length === 0) {
      this.#state = undefined;
      return;
    }
    const continued = before.find((state) => state?.ids.some((id) => ids.includes(id)));
    this.#state = { ids, since: continued?.since ?? isoTime(wall) };
  }
}

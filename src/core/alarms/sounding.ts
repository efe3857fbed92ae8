/**
 * For how long alarms have sounded without an answer, kept for the next start of hub-cand: without it a hub-cand that
 * restarts again and again would never call for help. The time off does not count, nor that until an alarm is raised
 * again, because the crew cannot answer an alarm that does not ring.
 */
import * as z from "zod";
import { isoTime } from "../text/date.ts";
import { ESCALATE_AFTER_MS, isGrave, KEPT_STATE_MS, RAISED_WITHIN_MS } from "./constants.ts";
import type { ActiveAlarm } from "./report.ts";

/** Maximum ids, by which the payload of the longest ones is a command. */
const MAX_IDS = 6;
const MAX_ID = 64;
/** Precision of what is kept: each change is a message. */
const STEP_SECONDS = 2;
const MAX_SECONDS = ESCALATE_AFTER_MS / 1000;

/** Payload of `sounding/set`. */
export const keptSounding = z.strictObject({
  at: z.iso.datetime().describe("when it was so"),
  seconds: z
    .record(z.string().max(MAX_ID), z.int().min(0).max(MAX_SECONDS))
    .refine((seconds) => Object.keys(seconds).length <= MAX_IDS)
    .describe("by id, for how long the most dangerous alarms have sounded without an answer; 30: or longer"),
});
export type KeptSounding = z.infer<typeof keptSounding>;

/** Whether an alarm calls for an answer. */
export const sounds = ({ state, severity, id }: ActiveAlarm): boolean =>
  state === "active" && isGrave(severity) && id.length <= MAX_ID;

const secondsOf = (ms: number): number => Math.min(MAX_SECONDS, Math.floor(ms / 1000 / STEP_SECONDS) * STEP_SECONDS);

export class Sounding {
  state: KeptSounding | undefined;
  /** Of before this start, and not raised again yet. */
  #restored: KeptSounding | undefined;
  #restoredAt = Number.NEGATIVE_INFINITY;

  restore(kept: KeptSounding | undefined, now: number): void {
    this.#restored = kept;
    this.#restoredAt = now;
    this.state = kept;
  }

  /** Milliseconds for which an alarm that is raised now sounded before this start. */
  before(id: string, now: number, wall: number): number {
    this.#forget(now, wall);
    return (this.#restored?.seconds[id] ?? 0) * 1000;
  }

  /** A state of long ago, or of before the clock was set, does not count. */
  #forget(now: number, wall: number): void {
    if (this.#restored === undefined) return;
    const age = wall - Date.parse(this.#restored.at);
    const isOver = age < 0 || age > KEPT_STATE_MS || now - this.#restoredAt > RAISED_WITHIN_MS;
    if (isOver) this.#restored = undefined;
  }

  /** Takes the alarms that sound, the most dangerous first, each with the milliseconds for which it does. */
  observe(sounding: ReadonlyMap<string, number>, raised: ReadonlySet<string>, now: number, wall: number): void {
    this.#forget(now, wall);
    // An alarm that has been raised again, and ends, is another one the next time.
    if (this.#restored !== undefined) {
      const left = Object.entries(this.#restored.seconds).filter(([id]) => !raised.has(id));
      this.#restored = left.length === 0 ? undefined : { ...this.#restored, seconds: Object.fromEntries(left) };
    }
    const known = [...sounding].map(([id, ms]): [string, number] => [id, secondsOf(ms)]);
    const all = [...known, ...Object.entries(this.#restored?.seconds ?? {})].slice(0, MAX_IDS);
    const { at, seconds = {} } = this.state ?? {};
    const isSame = all.length === Object.keys(seconds).length && all.every(([id, each]) => seconds[id] === each);
    const isRecent = at === undefined || Math.abs(wall - Date.parse(at)) < KEPT_STATE_MS / 2;
    if (isSame && isRecent) return;
    this.state = all.length === 0 ? undefined : { at: isoTime(wall), seconds: Object.fromEntries(all) };
  }
}

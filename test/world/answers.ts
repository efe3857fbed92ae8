/** The alarms that the crew has acknowledged, until they end, or sound again as the documentation says. */
import { severities } from "../../src/core/alarms/constants.ts";
import type { ActiveAlarm } from "../../src/core/alarms/report.ts";

/** `term` of the settings by default, minutes, and its kinds. */
const [TERM, MINUTE_MS] = [5, 60_000];
export const kindsWithTerm: readonly string[] = ["depth", "depthLost", "anchor", "cpa"];
/** It sounds again at another level of its fall, which the report does not have. */
const WITH_LEVELS = "pressure";
/** An answer counts from the evaluation before it. */
const EVALUATED_MS = 1000;
/** Values of a report are rounded. */
const [WORSE, OF_LIMIT] = [1.49, 0.09];

const rankOf = ({ severity }: ActiveAlarm): number => severities.indexOf(severity);
const excessOf = ({ value = 0, limit = value }: ActiveAlarm): number => value - limit;

export interface Answer {
  readonly at: number;
  /** As it was at the answer. */
  readonly alarm: ActiveAlarm;
  /** The mildest severity since then, as its place in `severities`. */
  rank: number;
  /** A report has had the alarm as acknowledged. */
  isSeen: boolean;
}

function isWorse(alarm: ActiveAlarm, { alarm: answered, rank }: Answer): boolean {
  const [excess, was] = [excessOf(alarm), excessOf(answered)];
  const isFarther = excess * was > 0 && Math.abs(excess) > Math.abs(was) * WORSE + Math.abs(alarm.limit!) * OF_LIMIT;
  return rankOf(alarm) < rank || isFarther || alarm.kind === WITH_LEVELS;
}

export class Answers {
  readonly #given = new Map<string, Answer>();
  readonly #termMs: number;

  constructor(term = TERM) {
    this.#termMs = term * MINUTE_MS;
  }

  /** The term of an answer is over. */
  isTermOver({ kind, severity }: ActiveAlarm, sinceMs: number): boolean {
    return kindsWithTerm.includes(kind) && severity !== "warning" && sinceMs >= this.#termMs;
  }

  get given(): ReadonlyMap<string, Answer> {
    return this.#given;
  }

  /** The first answer counts, also one of before a time in which the report had no room for the alarm. */
  give(alarm: ActiveAlarm, at: number): void {
    if (!this.#given.has(alarm.id) && alarm.state !== "acknowledged")
      this.#given.set(alarm.id, { at, alarm, rank: rankOf(alarm), isSeen: false });
  }

  clear(): void {
    this.#given.clear();
  }

  /**
   * Takes a report; returns the id of an alarm that sounds again though its answer holds. `hasOther`: whether a device
   * may be in danger that was not in danger, or not heard, at a time.
   */
  hear(
    alarms: readonly ActiveAlarm[],
    now: number,
    hasOther: (alarm: ActiveAlarm, since: number) => boolean,
  ): string | undefined {
    let broken: string | undefined;
    const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]));
    for (const [id, answer] of this.#given) {
      const alarm = byId.get(id);
      const soundsAgain =
        alarm?.state === "active" &&
        (isWorse(alarm, answer) ||
          // Another person, pressed within a second of the end of the former.
          alarm.press !== answer.alarm.press ||
          this.isTermOver(alarm, now - answer.at + EVALUATED_MS) ||
          hasOther(alarm, answer.at - EVALUATED_MS));
      if (alarm === undefined || soundsAgain) this.#given.delete(id);
      else {
        if (answer.isSeen && alarm.state !== "acknowledged") broken ??= id;
        answer.isSeen ||= alarm.state === "acknowledged";
        answer.rank = Math.max(answer.rank, rankOf(alarm));
      }
    }
    return broken;
  }
}

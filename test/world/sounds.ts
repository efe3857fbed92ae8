/** How the alarms of the reports sound: since when, and for how long they are silent. Monotonic milliseconds. */
import { isGrave } from "../../src/core/alarms/constants.ts";
import type { ActiveAlarm } from "../../src/core/alarms/report.ts";

function note(since: Map<string, number>, keys: readonly string[], now: number): void {
  const present = new Set(keys);
  for (const key of since.keys()) if (!present.has(key)) since.delete(key);
  for (const key of present) if (!since.has(key)) since.set(key, now);
}

export class Sounds {
  /** Ids of all that sounds. */
  readonly loudSince = new Map<string, number>();
  /** The last time at which anything sounded. */
  loudUntil = 0;
  /** Ids with severities: an alarm that becomes more severe begins anew. */
  readonly graveSince = new Map<string, number>();
  readonly silencedSince = new Map<string, number>();

  /** Takes a report. */
  hear(alarms: readonly ActiveAlarm[], now: number): void {
    if (this.loudSince.size > 0) this.loudUntil = now;
    const active = alarms.filter(({ state }) => state === "active");
    const idsOf = (list: readonly ActiveAlarm[]): readonly string[] => list.map(({ id }) => id);
    note(this.loudSince, idsOf(active.filter(({ severity }) => severity !== "caution")), now);
    const grave = active.filter(({ severity }) => isGrave(severity));
    note(
      this.graveSince,
      grave.map(({ id, severity }) => `${id} ${severity}`),
      now,
    );
    note(this.silencedSince, idsOf(alarms.filter(({ state }) => state === "silenced")), now);
  }

  /** A silence arrives. */
  silence(now: number): void {
    for (const id of this.silencedSince.keys()) this.silencedSince.set(id, now);
  }

  /** An answer arrives: an alarm that gets worse at once begins anew, and no report has had the answer. */
  acknowledge({ id, severity }: ActiveAlarm, now: number): void {
    const key = `${id} ${severity}`;
    if (this.graveSince.has(key)) this.graveSince.set(key, now);
  }

  /** hub-cand has ended. */
  forget(): void {
    for (const since of [this.loudSince, this.graveSince, this.silencedSince]) since.clear();
  }
}

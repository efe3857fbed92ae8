/** Messages a second of each network, from its counter in the reports of the health, half a minute apart. */
import type { DataOf } from "../../../core/topics/read-message.ts";
import { numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";

type Health = DataOf<"health">;

export interface Activity {
  /** Messages since hub-cand began. */
  readonly count: number;
  /** Undefined until two reports are there. */
  readonly perSecond: number | undefined;
  /** Seconds, by the time of the reports, for which no message has come; 0: one came since the report before. */
  readonly quietSec: number | undefined;
  /** Seconds for which hub-cand ran at the last report. */
  readonly uptime: number;
}

/** A network that is opened at the start is heard in the second report at the latest. */
const STARTING_SECONDS = 60;

/** The messages of each network by its number; 0 is the first. */
function countsOf({ packets, networks = [] }: Health): readonly (number | undefined)[] {
  const { single = 0, fast = 0, isoTp = 0 } = packets ?? {};
  return [packets && single + fast + isoTp, ...networks.map((network) => network.packets)];
}

export class HeardRates {
  #counted: readonly (Activity | undefined)[] = [];

  /** Takes a report; one that was taken before changes nothing. */
  take(health: Health): void {
    const { uptimeSec: uptime } = health;
    if (uptime === undefined) return;
    this.#counted = countsOf(health).map((count, number) => {
      const before = this.#counted[number];
      if (count === undefined || before?.uptime === uptime) return before;
      // One that counts less has begun anew, and so has hub-cand.
      if (before === undefined || count < before.count || uptime < before.uptime)
        return { count, uptime, perSecond: undefined, quietSec: undefined };
      const seconds = uptime - before.uptime;
      const quietSec = count > before.count ? 0 : (before.quietSec ?? 0) + seconds;
      return { count, uptime, perSecond: (count - before.count) / seconds, quietSec };
    });
  }

  of(number: number): Activity | undefined {
    return this.#counted[number];
  }
}

export function activityText(
  { count, perSecond, quietSec, uptime }: Activity,
  durationText: (seconds: number) => string,
): string {
  if (count === 0 && uptime < STARTING_SECONDS) return say("not known yet");
  if (count === 0) return say("no message since hub-cand began");
  if (perSecond === undefined || quietSec === undefined) return say("heard since hub-cand began; counting");
  if (quietSec > 0) return say("no message for {duration}", { duration: durationText(quietSec) });
  if (perSecond < 0.1) return say("a few messages a minute, the last one within 30 s");
  const rate = numberText(perSecond.toFixed(perSecond < 10 ? 1 : 0));
  return say("{rate} messages a second, the last one within 30 s", { rate });
}

/** Alarms in the history of the boat, which reaches back farther than that of hub-cand. */
import { signal } from "@preact/signals";
import { ALARM, ALARM_SECONDS, seriesName } from "../../../core/topics/measurements.ts";
import { readMessage } from "../../../core/topics/read-message.ts";
import { settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { pastState } from "../trend/boat-history.ts";
import { rangeUrl } from "../trend/range-query.ts";
import type { AlarmsData, PastAlarm } from "./alarms.ts";

const PERIOD_MS = 300_000;
const TIMEOUT_MS = 10_000;
/** Above the alarms of a season in which one rings every ten minutes. */
const MAX_BYTES = 2 ** 23;
const numbers = ["subject", "person", "value", "limit"] as const;

const archived = signal<readonly PastAlarm[]>([]);
let askedAt = Number.NEGATIVE_INFINITY;

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** An alarm from the tags of its series; undefined for another series. */
function alarmOf({ metric: { __name__, bus, ...tags }, values }: Series): PastAlarm | undefined {
  const seconds = Number(values[0]?.[1]);
  const until = new Date(Date.parse(tags.since ?? "") + seconds * 1000);
  if (Number.isNaN(until.getTime())) return undefined;
  const named = numbers.filter((name) => tags[name] !== undefined).map((name) => [name, Number(tags[name])]);
  const alarm = { ...tags, ...Object.fromEntries(named), until: until.toISOString() };
  const metadata = { rxDate: alarm.until, rxTimestamp: 0, expireAfterSec: 0 };
  try {
    return readMessage("alarmHistory", { data: { alarms: [alarm] }, metadata }).data.alarms[0];
  } catch {
    return undefined;
  }
}

async function ask(): Promise<void> {
  const value = { metric: seriesName(ALARM, ALARM_SECONDS), isAngle: true };
  const response = await fetch(rangeUrl(settings.peek().prefix, value, "season"), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = response.ok ? await response.text() : "";
  if (text === "" || text.length > MAX_BYTES) return;
  const { result } = (JSON.parse(text) as { readonly data: { readonly result: readonly Series[] } }).data;
  archived.value = result.flatMap((series) => alarmOf(series) ?? []);
}

/** The alarms of the archive, which is asked every five minutes while they are shown. */
function archivedAlarms(now: number): readonly PastAlarm[] {
  if (pastState.value === "there" && now - askedAt > PERIOD_MS) {
    askedAt = now;
    // Without an answer those of before stay.
    ask().catch(() => {});
  }
  return archived.value;
}

/** The history that hub-cand keeps; of a simulation or a recording it keeps none, but reports what has just been. */
export const keptAlarms = ({ alarms, rectified = [] }: AlarmsData): readonly PastAlarm[] =>
  store.alarmHistory?.data.alarms ?? [...alarms, ...rectified];

/** The alarms that hub-cand keeps, and the older ones of the archive, the newest first. */
export function withArchive(kept: readonly PastAlarm[], now: number): readonly PastAlarm[] {
  const all = new Map<string, PastAlarm>();
  const add = (alarm: PastAlarm): void => void all.set(`${alarm.id} ${alarm.since}`, alarm);
  // An alarm that was acknowledged after its end is there twice.
  for (const alarm of archivedAlarms(now)) if (alarm.acknowledged === undefined) add(alarm);
  for (const alarm of archivedAlarms(now)) if (alarm.acknowledged !== undefined) add(alarm);
  for (const alarm of kept) add(alarm);
  return [...all.values()].sort((a, b) => (a.since < b.since ? 1 : -1));
}

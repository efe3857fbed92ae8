/** The alarms that ring on this screen: the active alarms of the boat and the loss of the watch, without those that were answered here. */
import { signal } from "@preact/signals";
import type { Severity } from "../../alarms/severities.ts";
import { type ActiveAlarm, answer, currentAlarms } from "./alarms.ts";
import { lossOf } from "./loss.ts";

/** As long as hub-cand keeps an alarm silent. */
const SILENT_MS = 30_000;

/** Stands for the loss of the watch among the ids of alarms. */
export const LOSS = "watch";

/** Until when an alarm is silent here, monotonic milliseconds: an answer counts at once, and without a broker. */
const silentUntil = signal<ReadonlyMap<string, number>>(new Map());

const isSilentHere = (id: string, now: number): boolean => (silentUntil.value.get(id) ?? 0) > now;

const keepSilent = (ids: readonly string[], until: number): void => {
  silentUntil.value = new Map([...silentUntil.peek(), ...ids.map((id) => [id, until] as const)]);
};

const activeIds = (now: number): readonly string[] => currentAlarms(now)?.alarms.map(({ id }) => id) ?? [];

export function silence(id: string): void {
  const now = performance.now();
  keepSilent(id === "all" ? activeIds(now) : [id], now + SILENT_MS);
  answer(id, "silence");
}

/** Without a confirmation by hub-cand it rings here again after the time of a silence. */
export function acknowledge(id: string): void {
  keepSilent([id], performance.now() + SILENT_MS);
  answer(id, "acknowledge");
}

/** With the watch the answers to the alarms are lost too, so that what is still known of them is silent as well. */
const keepLossSilent = (until: number): void => keepSilent([LOSS, ...activeIds(performance.now())], until);

export const silenceLoss = (): void => keepLossSilent(performance.now() + SILENT_MS);
/** Until the boat is watched again. */
export const acknowledgeLoss = (): void => keepLossSilent(Number.POSITIVE_INFINITY);

/** The state of an alarm, with the answers that hub-cand has not confirmed yet. */
export const stateHere = ({ id, state }: ActiveAlarm, now: number): ActiveAlarm["state"] =>
  state === "active" && isSilentHere(id, now) ? "silenced" : state;

export function lossStateHere(now: number): ActiveAlarm["state"] {
  const until = silentUntil.value.get(LOSS) ?? 0;
  return until === Number.POSITIVE_INFINITY ? "acknowledged" : until > now ? "silenced" : "active";
}

export interface Ringing {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly isSilent: boolean;
}

export const LOSS_TITLE = "Alarms are not watched";

/** All that waits for an answer, the loss of the watch first. */
export function ringingNow(now: number): readonly Ringing[] {
  const loss = lossOf(now);
  if (loss === undefined && silentUntil.peek().has(LOSS)) {
    // The next loss is a new one, and alarms that were silent with the last one are reported again.
    silentUntil.value = new Map();
  }
  const lost: readonly Ringing[] =
    loss?.isDangerous === true && lossStateHere(now) !== "acknowledged"
      ? [{ id: LOSS, title: LOSS_TITLE, severity: "alarm", isSilent: isSilentHere(LOSS, now) }]
      : [];
  const reported = (currentAlarms(now)?.alarms ?? [])
    .filter(({ state }) => state !== "acknowledged")
    .map(({ id, title, severity, state }) => ({
      ...{ id, title, severity },
      isSilent: state === "silenced" || isSilentHere(id, now),
    }));
  return [...lost, ...reported];
}

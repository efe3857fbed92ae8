/**
 * The alarms that ring on this screen: active alarms of the boat and the loss of the watch, without those answered
 * here.
 */
import { signal } from "@preact/signals";
import { type Severity, SILENCE_MS } from "../../../core/alarms/constants.ts";
import { type ActiveAlarm, answer, currentAlarms } from "./alarms.ts";
import { type Loss, lossOf } from "./loss.ts";

/** Id of the loss of the watch among the ids of alarms. */
const LOSS = "watch";

/** Monotonic times until which alarms are silent here: an answer counts at once, also without a broker. */
const silentUntil = signal<ReadonlyMap<string, number>>(new Map());

const isSilentHere = (id: string, now: number): boolean => (silentUntil.value.get(id) ?? 0) > now;

const keepSilent = (ids: readonly string[], until: number): void => {
  silentUntil.value = new Map([...silentUntil.peek(), ...ids.map((id) => [id, until] as const)]);
};

const activeIds = (now: number): readonly string[] => currentAlarms(now)?.alarms.map(({ id }) => id) ?? [];

export function silence(id: string): void {
  const now = performance.now();
  keepSilent(id === "all" ? activeIds(now) : [id], now + SILENCE_MS);
  answer(id, "silence");
}

/**
 * Acknowledges alarms, each by its id: on a slow way another one of their kind may ring before the answer arrives.
 * Without a confirmation by hub-cand they ring here again after the time of a silence.
 */
export function acknowledgeThese(ids: readonly string[]): void {
  keepSilent(ids, performance.now() + SILENCE_MS);
  for (const id of ids) answer(id, "acknowledge");
}

export const acknowledge = (id: string): void => acknowledgeThese([id]);

/** Without the watch answers to alarms do not arrive either, so that the known alarms are silent as well. */
const keepLossSilent = (until: number): void => keepSilent([LOSS, ...activeIds(performance.now())], until);

export const silenceLoss = (): void => keepLossSilent(performance.now() + SILENCE_MS);
/** Acknowledges the loss until the boat is watched again. */
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

/**
 * Forgets the silence of alarms that hub-cand reports as answered, or no longer reports: if they are raised again, they
 * ring.
 */
function forgetConfirmed(now: number): void {
  const alarms = currentAlarms(now)?.alarms;
  if (alarms === undefined) return;
  const active = new Set(alarms.flatMap(({ id, state }) => (state === "active" ? [id] : [])));
  const kept = [...silentUntil.peek()].filter(([id]) => id === LOSS || active.has(id));
  if (kept.length < silentUntil.peek().size) silentUntil.value = new Map(kept);
}

/**
 * The loss of the watch. Once there is none its answer is over, also if that lasts for a moment: the next loss is a new
 * one, and alarms that were silent with the last one are reported again.
 */
export function lossHere(now: number): Loss | undefined {
  const loss = lossOf(now);
  if (loss === undefined && silentUntil.peek().has(LOSS)) silentUntil.value = new Map();
  return loss;
}

/** All alarms without an answer, the loss of the watch first. */
export function ringingNow(now: number): readonly Ringing[] {
  const loss = lossHere(now);
  forgetConfirmed(now);
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

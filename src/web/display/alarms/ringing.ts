/**
 * The alarms that ring on this screen: active alarms of the boat and the loss of the watch, without those answered
 * here.
 */
import { signal } from "@preact/signals";
import { type Severity, SILENCE_MS } from "../../../core/alarms/constants.ts";
import { type ActiveAlarm, answer, currentAlarms } from "./alarms.ts";
import { type Loss, lossOf } from "./loss.ts";

/** The loss of the watch among the alarms, and its key. */
const LOSS = "watch";

/** An alarm that is raised again, also by a hub-cand that has restarted, is another one. */
const keyOf = ({ id, since }: Pick<ActiveAlarm, "id" | "since">): string => `${id} ${since}`;

/** Monotonic times until which alarms are silent here, by key: an answer counts at once, also without a broker. */
const silentUntil = signal<ReadonlyMap<string, number>>(new Map());

const isSilentHere = (key: string, now: number): boolean => (silentUntil.value.get(key) ?? 0) > now;

const keepSilent = (keys: readonly string[], until: number): void => {
  silentUntil.value = new Map([...silentUntil.peek(), ...keys.map((key) => [key, until] as const)]);
};

const keysNow = (now: number, isMeant: (id: string) => boolean = () => true): readonly string[] =>
  currentAlarms(now)?.alarms.flatMap((alarm) => (isMeant(alarm.id) ? [keyOf(alarm)] : [])) ?? [];

export function silence(id: string): void {
  const now = performance.now();
  keepSilent(
    keysNow(now, (each) => id === "all" || each === id),
    now + SILENCE_MS,
  );
  answer(id, "silence");
}

/**
 * Acknowledges alarms, each by its id: on a slow way another one of their kind may ring before the answer arrives.
 * Without a confirmation by hub-cand they ring here again after the time of a silence.
 */
export function acknowledgeThese(ids: readonly string[]): void {
  const now = performance.now();
  keepSilent(
    keysNow(now, (id) => ids.includes(id)),
    now + SILENCE_MS,
  );
  for (const id of ids) answer(id, "acknowledge");
}

export const acknowledge = (id: string): void => acknowledgeThese([id]);

/** Without the watch answers to alarms do not arrive either, so that the known alarms are silent as well. */
const keepLossSilent = (until: number): void => keepSilent([LOSS, ...keysNow(performance.now())], until);

export const silenceLoss = (): void => keepLossSilent(performance.now() + SILENCE_MS);
/** Acknowledges the loss until the boat is watched again. */
export const acknowledgeLoss = (): void => keepLossSilent(Number.POSITIVE_INFINITY);

/** The state of an alarm, with the answers that hub-cand has not confirmed yet. */
export const stateHere = (alarm: ActiveAlarm, now: number): ActiveAlarm["state"] =>
  alarm.state === "active" && isSilentHere(keyOf(alarm), now) ? "silenced" : alarm.state;

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
  const active = new Set(alarms.flatMap((alarm) => (alarm.state === "active" ? [keyOf(alarm)] : [])));
  const kept = [...silentUntil.peek()].filter(([key]) => key === LOSS || active.has(key));
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
    .map((alarm) => {
      const { id, title, severity } = alarm;
      return { id, title, severity, isSilent: stateHere(alarm, now) === "silenced" };
    });
  return [...lost, ...reported];
}

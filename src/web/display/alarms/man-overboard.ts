/**
 * The man-overboard button of this screen. It keeps place and time of each press, and sends them to hub-cand until
 * hub-cand reports them: also after the broker was away, and after the page was loaded again.
 */

import { effect, signal } from "@preact/signals";
import { connectionState } from "../data/connection.ts";
import { boatClock, latest } from "../data/store.ts";
import { stored } from "../data/stored.ts";
import { type Coordinates, placeAt } from "../trend/own-track.ts";
import { type ActiveAlarm, canCommand, command, currentAlarms, isOfButton } from "./alarms.ts";
import { acknowledge } from "./ringing.ts";

/** The payload of `manOverboard/set` (src/core/alarms/commands.ts). */
export interface Press {
  readonly at: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

const SEND_PERIOD_MS = 3000;
/** Time for the second press; a first press without one was a mistake. */
const ASK_MS = 30_000;
/** A press of the button so soon after the first is the same one, of a trembling finger. */
const BOUNCE_MS = 500;
/** Maximum age in seconds of the position for a press; older ones are worse than none. */
const MAX_POSITION_AGE = 120;
/** Age in seconds from which the boat has moved on noticeably. */
const NEW_POSITION_AGE = 3;

/** The first press, while the second one is awaited. */
export const question = signal<Press>();
const isPress = ({ at }: Press): boolean => typeof at === "string" && !Number.isNaN(Date.parse(at));
const memory = stored<readonly Press[]>("hub-men-overboard", (json) => (json as readonly Press[]).filter(isPress));

/** Presses confirmed by a second one, which hub-cand has not reported yet. */
export const unsent = signal<readonly Press[]>(memory.read() ?? []);

/** Where the boat is, by course and speed if her last position is some time old. */
function placeNow(now: number): Coordinates | undefined {
  const place = latest.read("place", now);
  if (!("value" in place) || place.age > MAX_POSITION_AGE) return undefined;
  const { latitude, longitude } = place.value;
  if (latitude === undefined || longitude === undefined) return undefined;
  const [sog, cog] = [latest.read("sog", now), latest.read("cog", now)];
  if (place.age < NEW_POSITION_AGE || !("value" in sog) || !("value" in cog)) return { latitude, longitude };
  const [miles, course] = [(sog.value * place.age) / 3600, (cog.value * Math.PI) / 180];
  return placeAt({ latitude, longitude }, miles * Math.sin(course), miles * Math.cos(course));
}

function pressNow(): Press {
  const now = performance.now();
  return { at: new Date(boatClock(now)).toISOString(), ...placeNow(now) };
}

let forgetting: ReturnType<typeof setTimeout> | undefined;
let askedAt = 0;

/**
 * Takes a press of the button: the first one asks, the second one confirms as the answer yes does. True: it has
 * confirmed.
 */
export function press(): boolean {
  if (question.peek() === undefined) {
    ask();
    return false;
  }
  if (performance.now() - askedAt < BOUNCE_MS) return false;
  confirm();
  return true;
}

function ask(): void {
  question.value = pressNow();
  askedAt = performance.now();
  clearTimeout(forgetting);
  forgetting = setTimeout(dismiss, ASK_MS);
}

export function dismiss(): void {
  question.value = undefined;
}

export function confirm(): void {
  const press = question.peek();
  if (press !== undefined) unsent.value = [...unsent.peek(), press];
  dismiss();
}

/** When the person of an alarm fell, milliseconds since 1970: what tells persons apart. */
const fellAt = ({ first, since }: ActiveAlarm): number => Date.parse(first?.at ?? since);

/** The persons of the button that hub-cand reports. */
export const reportedPersons = (now: number): readonly ActiveAlarm[] =>
  currentAlarms(now)?.alarms.filter(isOfButton) ?? [];

/** The presses that hub-cand has not reported yet. */
export function waitingPresses(now: number): readonly Press[] {
  const reported = reportedPersons(now).map(fellAt);
  return unsent.value.filter(({ at }) => !reported.includes(Date.parse(at)));
}

/** hub-cand reports a person for some seconds after her release; for longer, it has not got the release. */
const RELEASE_MS = 20_000;

/** Monotonic times at which persons were released on this screen or another one, by the time when they fell. */
const releases = signal<ReadonlyMap<number, number>>(new Map());

/** Notes that another screen has released a person. */
export function hearRelease(payload: Uint8Array): void {
  try {
    const { at, back } = JSON.parse(new TextDecoder().decode(payload)) as {
      readonly at?: unknown;
      readonly back?: unknown;
    };
    if (back === true && typeof at === "string") noteRelease(Date.parse(at));
  } catch {
    // A payload that is not JSON releases no person.
  }
}

function noteRelease(at: number): void {
  const now = performance.now();
  const last = [...releases.peek()].filter(([fell]) => isReleased(fell, now));
  releases.value = new Map([...last, [at, now]]);
}

/** Whether this screen has told hub-cand, or has heard another one tell it, that the person who fell at a time is back on board. */
export const isReleased = (at: number, now: number): boolean =>
  now - (releases.value.get(at) ?? -Infinity) < RELEASE_MS;

export const isPersonMarked = (now: number): boolean => unsent.value.length + reportedPersons(now).length > 0;

/** The person who fell at a time is back on board. */
export function release(at: number): void {
  const now = performance.now();
  noteRelease(at);
  unsent.value = unsent.peek().filter((press) => Date.parse(press.at) !== at);
  command("manOverboard", JSON.stringify({ at: new Date(at).toISOString(), back: true }));
  // An alarm ends when the button is released and the alarm acknowledged.
  for (const alarm of reportedPersons(now)) if (fellAt(alarm) === at) acknowledge(alarm.id);
}

function send(): void {
  const before = unsent.peek();
  const now = performance.now();
  const latest = boatClock(now);
  // A press from before the boat was heard may have the time of a clock that is ahead, which hub-cand does not take.
  const waiting = waitingPresses(now).map((press) =>
    Date.parse(press.at) > latest ? { ...press, at: new Date(latest).toISOString() } : press,
  );
  // The effect that calls this follows it.
  if (waiting.length < before.length || waiting.some((press) => !before.includes(press))) unsent.value = waiting;
  for (const press of waiting) command("manOverboard", JSON.stringify(press));
}

export function startManOverboard(): void {
  if (!canCommand) return;
  effect(() => {
    memory.write(unsent.value);
    if (connectionState.value === "connected") send();
  });
  setInterval(send, SEND_PERIOD_MS);
}

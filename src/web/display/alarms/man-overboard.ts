/**
 * The man-overboard button of this screen. It names each press, keeps its place and how long ago it was, and sends them
 * to hub-cand until hub-cand reports that press: also after the broker was away, and after the page was loaded again. The
 * clocks of screen and boat may be wrong, or set meanwhile.
 */

import { effect, signal } from "@preact/signals";
import { MAX_PERSONS } from "../../../core/alarms/words.ts";
import type { Position } from "../../../core/nav/great-circle.ts";
import { connectionState } from "../data/connection.ts";
import { latest } from "../data/store.ts";
import { stored } from "../data/stored.ts";
import { placeAt } from "../trend/own-track.ts";
import { type ActiveAlarm, canCommand, command, currentAlarms, isOfButton } from "./alarms.ts";
import { acknowledge } from "./ringing.ts";

/** A press that hub-cand does not have yet. */
export interface WaitingPress extends Partial<Position> {
  /** Its name, which no other press has. */
  readonly press: string;
  /** When it was, by the two clocks of this device, milliseconds. */
  readonly monotonic: number;
  readonly wall: number;
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
export const question = signal<WaitingPress>();
const isPress = ({ press, monotonic, wall }: WaitingPress): boolean =>
  typeof press === "string" && Number.isFinite(monotonic + wall);
const memory = stored<readonly WaitingPress[]>("hub-men-overboard", (json) =>
  (json as readonly WaitingPress[]).filter(isPress),
);

/** Presses confirmed by a second one, which hub-cand has not reported yet. */
export const unsent = signal<readonly WaitingPress[]>(memory.read() ?? []);

/** Where the boat is, by course and speed if her last position is some time old. */
function placeNow(now: number): Position | undefined {
  const place = latest.read("place", now);
  if (!("value" in place) || place.age > MAX_POSITION_AGE) return undefined;
  const { latitude, longitude } = place.value;
  if (latitude === undefined || longitude === undefined) return undefined;
  const [sog, cog] = [latest.read("sog", now), latest.read("cog", now)];
  if (place.age < NEW_POSITION_AGE || !("value" in sog) || !("value" in cog)) return { latitude, longitude };
  const [miles, course] = [(sog.value * place.age) / 3600, (cog.value * Math.PI) / 180];
  return placeAt({ latitude, longitude }, miles * Math.sin(course), miles * Math.cos(course));
}

function pressNow(): WaitingPress {
  const now = performance.now();
  const press = crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36);
  return { press, monotonic: now, wall: Date.now(), ...placeNow(now) };
}

/**
 * When a press was, monotonic milliseconds. The monotonic clock begins anew with the page and stands still while the device
 * sleeps, so that it never says too much.
 */
export const wasPressedAt = ({ monotonic, wall }: WaitingPress, now: number): number =>
  now - Math.max(0, now - monotonic, Date.now() - wall);

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

/** The name of the press that marked a person, by which persons are told apart; undefined for another alarm. */
export const pressOf = (alarm: ActiveAlarm): string | undefined =>
  isOfButton(alarm) ? (alarm.press ?? alarm.first?.at ?? alarm.since) : undefined;

export const reportedPersons = (now: number): readonly ActiveAlarm[] =>
  currentAlarms(now)?.alarms.filter(isOfButton) ?? [];

/** A press that another screen tells hub-cand, and when it did last, monotonic milliseconds. */
interface HeardPress extends WaitingPress {
  readonly heardAt: number;
}

const heard = signal<readonly HeardPress[]>([]);

/** A screen repeats its press until it is reported: one that is not repeated beside a hub-cand that reports is over. */
const isOver = ({ heardAt }: HeardPress, now: number): boolean =>
  now - heardAt > 3 * SEND_PERIOD_MS && currentAlarms(now) !== undefined;

/** The presses that hub-cand has not reported yet, those of this screen first. */
export function waitingPresses(now: number): readonly WaitingPress[] {
  const known = new Set([...reportedPersons(now).map(pressOf), ...unsent.value.map(({ press }) => press)]);
  return [...unreported(now), ...heard.value.filter((each) => !known.has(each.press) && !isOver(each, now))];
}

function unreported(now: number): readonly WaitingPress[] {
  const reported = reportedPersons(now).map(pressOf);
  return unsent.value.filter(({ press }) => !reported.includes(press));
}

/** Whether a press was made on this screen. */
export const isOwn = ({ press }: WaitingPress): boolean => unsent.value.some((each) => each.press === press);

/** hub-cand reports a person for some seconds after her release; for longer, it has not got the release. */
const RELEASE_MS = 20_000;

/** Monotonic times at which persons were released on this screen or another one, by their presses. */
const releases = signal<ReadonlyMap<string, number>>(new Map());

/** Notes that another screen has marked a person, or has released her. */
export function hearCommand(payload: Uint8Array): void {
  try {
    const command = JSON.parse(new TextDecoder().decode(payload)) as Readonly<Record<string, unknown>>;
    const press = String(command.press ?? command.at);
    if (command.back === true) forget(press);
    else if (typeof command.press === "string" && typeof command.ago === "number") hearPress(press, command);
  } catch {
    // A payload that is not JSON says nothing of a person.
  }
}

function hearPress(press: string, { ago, latitude, longitude }: Readonly<Record<string, unknown>>): void {
  const now = performance.now();
  const milliseconds = 1000 * (ago as number);
  const isPlaced = typeof latitude === "number" && typeof longitude === "number";
  const place = isPlaced ? { latitude, longitude } : {};
  const others = heard.peek().filter((each) => each.press !== press);
  const times = { monotonic: now - milliseconds, wall: Date.now() - milliseconds, heardAt: now };
  heard.value = [...others, { press, ...times, ...place }].slice(-MAX_PERSONS);
}

/** The person of a press is back on board: no screen tells of her any more. */
function forget(press: string): void {
  noteRelease(press);
  unsent.value = unsent.peek().filter((each) => each.press !== press);
  heard.value = heard.peek().filter((each) => each.press !== press);
}

function noteRelease(press: string): void {
  const now = performance.now();
  const last = [...releases.peek()].filter(([before]) => isReleased(before, now));
  releases.value = new Map([...last, [press, now]]);
}

/** Whether this screen has told hub-cand, or has heard another one tell it, that the person of a press is back on board. */
export const isReleased = (press: string, now: number): boolean =>
  now - (releases.value.get(press) ?? -Infinity) < RELEASE_MS;

export const isPersonMarked = (now: number): boolean => waitingPresses(now).length + reportedPersons(now).length > 0;

/** The person of a press is back on board. */
export function release(press: string): void {
  const now = performance.now();
  forget(press);
  command("manOverboard", JSON.stringify({ press, back: true }));
  // An alarm ends when the button is released and the alarm acknowledged.
  for (const alarm of reportedPersons(now)) if (pressOf(alarm) === press) acknowledge(alarm.id);
}

function send(): void {
  const now = performance.now();
  const waiting = unreported(now);
  // The effect that calls this follows it.
  if (waiting.length < unsent.peek().length) unsent.value = waiting;
  for (const each of waiting) {
    const { press, latitude, longitude } = each;
    // As `manOverboardCommand` of src/core/alarms/commands.ts has it.
    const ago = Math.round(now - wasPressedAt(each, now)) / 1000;
    command("manOverboard", JSON.stringify({ press, ago, latitude, longitude }));
  }
}

export function startManOverboard(): void {
  if (!canCommand) return;
  effect(() => {
    memory.write(unsent.value);
    if (connectionState.value === "connected") send();
  });
  setInterval(send, SEND_PERIOD_MS);
}

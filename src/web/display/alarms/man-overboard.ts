/**
 * The man-overboard button of this screen. It keeps place and time of its press, and sends them to hub-cand until
 * hub-cand reports them: also after the broker was away, and after the page was loaded again.
 */

import { effect, signal } from "@preact/signals";
import { connectionState } from "../data/connection.ts";
import { boatClock, latest } from "../data/store.ts";
import { stored } from "../data/stored.ts";
import { type ActiveAlarm, canCommand, command, currentAlarms } from "./alarms.ts";
import { acknowledge } from "./ringing.ts";

/** The payload of `manOverboard/set` (src/core/alarms/commands.ts). */
interface Press {
  readonly at: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

const BUTTON_ID = "manOverboard-0";
const SEND_PERIOD_MS = 3000;
/** Time for the second press; a first press without one was a mistake. */
const ASK_MS = 30_000;
/** A press of the button so soon after the first is the same one, of a trembling finger. */
const BOUNCE_MS = 500;
/** Maximum age in seconds of the position for a press; older ones are worse than none. */
const MAX_POSITION_AGE = 120;

/** The first press, while the second one is awaited. */
export const question = signal<Press>();
const memory = stored("hub-man-overboard", (json) => {
  const { at } = json as Press;
  return typeof at === "string" && !Number.isNaN(Date.parse(at)) ? (json as Press) : undefined;
});

/** A press confirmed by a second one, which hub-cand has not reported yet. */
export const unsent = signal(memory.read());

function pressNow(): Press {
  const now = performance.now();
  const place = latest.read("place", now);
  const isKnown = "value" in place && place.age <= MAX_POSITION_AGE;
  const { latitude, longitude } = isKnown ? place.value : {};
  const at = new Date(boatClock(now)).toISOString();
  return { at, ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }) };
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
  unsent.value = question.peek();
  dismiss();
}

export const reportedPress = (now: number): ActiveAlarm | undefined =>
  currentAlarms(now)?.alarms.find(({ id }) => id === BUTTON_ID);

/** The release of this screen: the alarm goes on for some seconds, in which a press is that of another person. */
let released: { readonly since: string | undefined; readonly at: number } | undefined;
/** An alarm that goes on for longer was not released: the command was lost. */
const RELEASE_MS = 10_000;

/** Whether hub-cand reports a press that was not released here. */
export function isPressReported(now: number): boolean {
  const reported = reportedPress(now);
  if (reported === undefined) return false;
  return released === undefined || reported.since !== released.since || now - released.at > RELEASE_MS;
}

/** The person is back on board. */
export function release(): void {
  unsent.value = undefined;
  const now = performance.now();
  released = { since: reportedPress(now)?.since, at: now };
  command("manOverboard", "null");
  // The alarm ends when the button is released and the alarm acknowledged.
  acknowledge(BUTTON_ID);
}

function send(): void {
  const press = unsent.peek();
  if (press === undefined) return;
  if (isPressReported(performance.now())) unsent.value = undefined;
  else command("manOverboard", JSON.stringify(press));
}

export function startManOverboard(): void {
  if (!canCommand) return;
  effect(() => {
    memory.write(unsent.value);
    if (connectionState.value === "connected") send();
  });
  setInterval(send, SEND_PERIOD_MS);
}

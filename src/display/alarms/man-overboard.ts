/**
 * The man-overboard button of this screen. It notes where and when it was pressed, and tells hub-cand until that reports it: also
 * after the broker was away, and after the page was loaded again.
 */
import { effect, signal } from "@preact/signals";
import { connectionState } from "../data/connection.ts";
import { boatClock, latest } from "../data/store.ts";
import { type ActiveAlarm, canCommand, command, currentAlarms } from "./alarms.ts";
import { acknowledge } from "./ringing.ts";

/** As `manOverboard/set` takes it (src/alarms/commands.ts). */
interface Press {
  readonly at: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

const BUTTON_ID = "manOverboard-0";
const STORAGE_KEY = "hub-man-overboard";
const SEND_PERIOD_MS = 3000;
/** A first press that is not followed by a second one was a mistake. */
const ASK_MS = 30_000;
/** Seconds for which the last position tells where the person fell better than none. */
const MAX_POSITION_AGE = 120;

/** Pressed once. */
export const asked = signal<Press>();
/** Confirmed by a second press, and not reported by hub-cand yet. */
export const unsent = signal<Press | undefined>(stored());

function stored(): Press | undefined {
  try {
    const press = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as Press | null;
    return typeof press?.at === "string" && !Number.isNaN(Date.parse(press.at)) ? press : undefined;
  } catch {
    return undefined;
  }
}

function pressNow(): Press {
  const now = performance.now();
  const place = latest.read("place", now);
  const isKnown = "value" in place && place.age <= MAX_POSITION_AGE;
  const { latitude, longitude } = isKnown ? place.value : {};
  const at = new Date(boatClock(now)).toISOString();
  return { at, ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }) };
}

let forgetting: ReturnType<typeof setTimeout> | undefined;

export function ask(): void {
  asked.value = pressNow();
  clearTimeout(forgetting);
  forgetting = setTimeout(dismiss, ASK_MS);
}

export function dismiss(): void {
  asked.value = undefined;
}

export function confirm(): void {
  unsent.value = asked.peek();
  dismiss();
}

export const reportedPress = (now: number): ActiveAlarm | undefined =>
  currentAlarms(now)?.alarms.find(({ id }) => id === BUTTON_ID);

/** The person is back on board. */
export function release(): void {
  unsent.value = undefined;
  command("manOverboard", "null");
  // Its alarm ends when it is released and acknowledged.
  acknowledge(BUTTON_ID);
}

function send(): void {
  const press = unsent.peek();
  if (press === undefined) return;
  if (reportedPress(performance.now()) !== undefined) unsent.value = undefined;
  else command("manOverboard", JSON.stringify(press));
}

export function startManOverboard(): void {
  if (!canCommand) return;
  effect(() => {
    const press = unsent.value;
    try {
      if (press === undefined) localStorage.removeItem(STORAGE_KEY);
      else localStorage.setItem(STORAGE_KEY, JSON.stringify(press));
    } catch {
      // Storage may be forbidden; the press then lasts until the page is closed.
    }
    if (connectionState.value === "connected") send();
  });
  setInterval(send, SEND_PERIOD_MS);
}

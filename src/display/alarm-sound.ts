/**
 * Sounds the active alarms, also while the page is hidden, and keeps the screen on. Browsers give sound only to a page that was
 * touched once, and keep the screen on only over https and on localhost.
 */
import { effect, signal } from "@preact/signals";
import { currentAlarms } from "./alarms.ts";
import { settings } from "./settings.ts";

const PERIOD_MS = 1000;
/** Periods from one sound of a warning to the next. */
const WARNING_PERIODS = 5;
const ALARM_TONES = [880, 660, 880] as const;
const WARNING_TONES = [660] as const;
const TONE_SECONDS = 0.16;
const LOUDNESS = 0.5;

export type SoundState = "untouched" | "ready" | "unavailable";

export const soundState = signal<SoundState>("untouched");
export const wakeLockState = signal<"on" | "off" | "unavailable">("wakeLock" in navigator ? "off" : "unavailable");

/** Runs, silently, from the first touch on: one that is stopped could need another touch, and an anchor drags at night. */
let context: AudioContext | undefined;

function allowSound(): void {
  try {
    context ??= new AudioContext();
    void context.resume().then(() => {
      soundState.value = "ready";
    });
  } catch {
    soundState.value = "unavailable";
  }
}

function play(tones: readonly number[]): void {
  if (context?.state !== "running") return;
  const gain = context.createGain();
  gain.gain.value = LOUDNESS;
  gain.connect(context.destination);
  tones.forEach((frequency, index) => {
    const tone = context!.createOscillator();
    tone.type = "square";
    tone.frequency.value = frequency;
    tone.connect(gain);
    const begin = context!.currentTime + index * TONE_SECONDS * 1.25;
    tone.start(begin);
    tone.stop(begin + TONE_SECONDS);
  });
}

/** Plays the sound of an alarm once, so that the crew knows it. */
export function tryOut(): void {
  allowSound();
  play(ALARM_TONES);
}

let periods = 0;

function sound(): void {
  periods++;
  if (!settings.peek().sound) return;
  const active = currentAlarms(performance.now())?.alarms.filter(({ state }) => state === "active") ?? [];
  if (active.some(({ severity }) => severity === "alarm")) {
    play(ALARM_TONES);
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([300, 150, 300]);
  } else if (active.length > 0 && periods % WARNING_PERIODS === 0) play(WARNING_TONES);
}

let lock: WakeLockSentinel | undefined;

/** The browser releases the lock whenever the page is hidden. */
async function keepAwake(): Promise<void> {
  if (!("wakeLock" in navigator)) return;
  const wanted = settings.peek().awake && !document.hidden;
  try {
    if (!wanted) await lock?.release();
    else if (lock === undefined || lock.released) lock = await navigator.wakeLock.request("screen");
  } catch {
    // Refused, for example with a low battery; tried again when the page is shown again.
  }
  wakeLockState.value = wanted && lock?.released === false ? "on" : "off";
}

export function startAlarmSound(): void {
  for (const gesture of ["pointerdown", "keydown"] as const) addEventListener(gesture, allowSound);
  setInterval(sound, PERIOD_MS);
  document.addEventListener("visibilitychange", () => void keepAwake());
  effect(() => {
    void settings.value.awake;
    void keepAwake();
  });
}

/**
 * Plays the sound of alarms, also while the page is hidden, and keeps the screen on. Browsers permit sound only after a
 * touch of the loaded page, interrupt it for a call or a locked screen, and keep the screen on only over https and on
 * localhost.
 */
import { effect, signal } from "@preact/signals";
import { severities } from "../../../core/alarms/constants.ts";
import { settings } from "../data/settings.ts";
import { type Sound, soundOf } from "./patterns.ts";
import { type Ringing, ringingNow } from "./ringing.ts";

const PERIOD_MS = 1000;

/**
 * `locked`: not permitted since the page was loaded; `interrupted`: sound was permitted before, and may need a touch.
 */
export type SoundState = "locked" | "interrupted" | "ready" | "unavailable";

export const soundState = signal<SoundState>("locked");
export const wakeLockState = signal<"on" | "off" | "unavailable">("wakeLock" in navigator ? "off" : "unavailable");
/** Title of the first alarm without an answer, for the title of the page, which is visible on a hidden page too. */
export const ringingTitle = signal<string>();

/**
 * The context runs silently from the first touch on: a stopped one could need another touch, and an anchor drags at
 * night.
 */
let context: AudioContext | undefined;

/** Takes over the state of the context, and resumes it if it is not running. */
function followContext(): void {
  if (context === undefined) return;
  if (context.state === "running") soundState.value = "ready";
  else {
    if (soundState.peek() === "ready") soundState.value = "interrupted";
    if (context.state === "closed") context = undefined;
    else void context.resume().catch(() => {});
  }
}

/**
 * Called at a touch of the page, during which a browser permits sound. The next second of `ring` tells the state: bar
 * and bell change their size by it, and the same touch still has to reach the control below the finger.
 */
function allowSound(): void {
  try {
    context ??= new AudioContext();
    if (context.state !== "running") void context.resume().catch(() => {});
  } catch {
    soundState.value = "unavailable";
  }
}

function play({ tones, seconds, loudness }: Omit<Sound, "period">): void {
  if (context?.state !== "running") return;
  const gain = context.createGain();
  gain.gain.value = loudness;
  gain.connect(context.destination);
  tones.forEach((frequency, index) => {
    const tone = context!.createOscillator();
    tone.type = "square";
    tone.frequency.value = frequency;
    tone.connect(gain);
    const begin = context!.currentTime + index * seconds * 1.25;
    tone.start(begin);
    tone.stop(begin + seconds);
  });
}

/** Plays the sound of an alarm once, so that the crew knows it. */
export function tryOut(): void {
  allowSound();
  play(soundOf("alarm", 0));
}

/** Time since which each alarm has been ringing without an answer. */
let unanswered: ReadonlyMap<string, number> = new Map();

/** The sound of the most dangerous alarm that is not silent. */
function soundNow(ringing: readonly Ringing[], now: number): Sound | undefined {
  const loud = ringing.filter(({ isSilent }) => !isSilent);
  unanswered = new Map(loud.map(({ id }) => [id, unanswered.get(id) ?? now]));
  const severity = severities.find((one) => loud.some((each) => each.severity === one));
  if (severity === undefined || severity === "caution") return undefined;
  const since = loud.filter((each) => each.severity === severity).map(({ id }) => unanswered.get(id)!);
  // biome-ignore lint/plugin: alarms of a report
  return soundOf(severity, now - Math.min(...since));
}

/** Since the last sound. */
let periods = Number.POSITIVE_INFINITY;

function ring(): void {
  periods++;
  // Not every browser reports an interruption.
  followContext();
  const now = performance.now();
  const ringing = ringingNow(now);
  ringingTitle.value = ringing[0]?.title;
  const sound = soundNow(ringing, now);
  if (sound === undefined || !settings.peek().sound || periods < sound.period) return;
  periods = 0;
  play(sound);
  if (sound.period < 5 && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([300, 150, 300]);
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
    // The browser refuses, for example with a low battery; the next attempt is when the page is shown again.
  }
  wakeLockState.value = wanted && lock?.released === false ? "on" : "off";
}

/** iPads permit sound at the end of a touch only. */
const gestures = ["touchend", "click", "keydown"] as const;

export function startAlarmSound(): void {
  for (const gesture of gestures) addEventListener(gesture, allowSound, { capture: true });
  // The browser of a kiosk permits sound without a touch; other browsers would log each attempt.
  if (new URLSearchParams(location.search).has("kiosk")) allowSound();
  setInterval(ring, PERIOD_MS);
  document.addEventListener("visibilitychange", () => {
    followContext();
    void keepAwake();
  });
  effect(() => {
    void settings.value.awake;
    void keepAwake();
  });
}

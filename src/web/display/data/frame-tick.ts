/**
 * Limits rendering to ten frames a second after messages, and to one a second otherwise, which updates the shown ages.
 * Nothing is rendered while the page is hidden. Messages only write to the store; components read it at each tick.
 */
import { signal } from "@preact/signals";

const MIN_FRAME_PERIOD_MS = 100;

/** Monotonic milliseconds of the current frame. A component that reads the signal renders at each frame. */
export const frameTick = signal(performance.now());

/** Like `frameTick`, once a second, for values that change slowly. */
export const secondTick = signal(performance.now());

let isScheduled = false;

function draw(now: number): void {
  isScheduled = false;
  frameTick.value = now;
}

/** Requests a frame. Calls before that frame have no further effect. */
export function invalidate(): void {
  if (isScheduled || document.hidden) return;
  isScheduled = true;
  const wait = Math.max(0, frameTick.peek() + MIN_FRAME_PERIOD_MS - performance.now());
  setTimeout(() => requestAnimationFrame(() => draw(performance.now())), wait);
}

function everySecond(): void {
  if (document.hidden) return;
  secondTick.value = performance.now();
  if (performance.now() - frameTick.peek() > 500) invalidate();
}

export function startTicks(): void {
  setInterval(everySecond, 1000);
  document.addEventListener("visibilitychange", () => {
    isScheduled = false;
    everySecond();
  });
}

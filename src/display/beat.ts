/**
 * The beat in which the display draws: at most ten times a second when something was heard, once a second for the ages,
 * never while nobody can see it. Messages only leave their values behind; the beat collects them.
 */
import { signal } from "@preact/signals";

const SHORTEST_MS = 100;

/** Monotonic milliseconds of the picture that is drawn; whoever reads it is drawn anew with each beat. */
export const beat = signal(performance.now());

/** The same once a second, for what moves slowly. */
export const second = signal(performance.now());

let asked = false;

function draw(now: number): void {
  asked = false;
  beat.value = now;
}

/** Something was heard that somebody may want to see. */
export function stir(): void {
  if (asked || document.hidden) return;
  asked = true;
  const wait = Math.max(0, beat.peek() + SHORTEST_MS - performance.now());
  setTimeout(() => requestAnimationFrame(() => draw(performance.now())), wait);
}

function tick(): void {
  if (document.hidden) return;
  second.value = performance.now();
  if (performance.now() - beat.peek() > 500) stir();
}

export function startBeat(): void {
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", () => {
    asked = false;
    tick();
  });
}

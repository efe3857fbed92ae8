/**
 * Whether the boat needed a watch at its last report, kept in this browser: a page loaded while the broker is away gets
 * no report, and would not notice the loss of the watch.
 */
import { stored } from "../data/stored.ts";

interface Memory {
  readonly prefix: string;
  readonly isNeeded: boolean;
  /** Time by this device's clock, milliseconds since 1970. */
  readonly at: number;
}

/** Maximum age: a screen that was taken home does not raise the alarm on the next day. */
const MAX_AGE_MS = 12 * 3_600_000;
const WRITE_PERIOD_MS = 60_000;

const storedMemory = stored("hub-watched", (json) => {
  const memory = json as Memory;
  return typeof memory.at === "number" ? memory : undefined;
});

let known = storedMemory.read();
/**
 * Monotonic milliseconds until which it counts: a clock that is set while the page waits does not end it. One that is
 * behind has been set back, or is of a computer that has lost its power: the boat may have been heard a moment ago.
 */
let countsUntil = performance.now() + MAX_AGE_MS - Math.max(0, Date.now() - (known?.at ?? 0));

export function rememberWatch(prefix: string, isNeeded: boolean): void {
  const at = Date.now();
  countsUntil = performance.now() + MAX_AGE_MS;
  const isSame = known?.prefix === prefix && known.isNeeded === isNeeded && Math.abs(at - known.at) < WRITE_PERIOD_MS;
  if (isSame) return;
  known = { prefix, isNeeded, at };
  storedMemory.write(known);
}

/** Whether the boat needed a watch; undefined if it was not heard recently. */
export const rememberedNeed = (prefix: string): boolean | undefined =>
  known?.prefix === prefix && performance.now() < countsUntil ? known.isNeeded : undefined;

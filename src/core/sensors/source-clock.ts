/**
 * The clock of a source, beside the monotonic one here. Messages may arrive late, but a source whose times go on as fast
 * as its messages arrive sends them now, whatever its clock or the boat's shows.
 */

/** Variation of the way from the source, and of times in whole seconds. */
const TOLERANCE_MS = 2000;
/** Longer than the tolerance, in which old messages that arrive together look alike. */
const PROVEN_AFTER_MS = 5000;

export class SourceClock {
  /** By how much the times of the source are ahead of ours, once that is proven. */
  #aheadMs: number | undefined;
  #before: { readonly aheadMs: number; readonly now: number } | undefined;

  /** Takes the time of a fresh message, milliseconds since 1970, at a monotonic time. */
  hear(moment: number, now: number): void {
    const aheadMs = moment - now;
    const isSteady = this.#before !== undefined && Math.abs(aheadMs - this.#before.aheadMs) <= TOLERANCE_MS;
    if (isSteady && now - this.#before!.now < PROVEN_AFTER_MS) return;
    if (isSteady) this.#aheadMs = aheadMs;
    this.#before = { aheadMs, now };
  }

  /** Milliseconds since a time of the source; by the wall clock here as long as its own is not known. */
  age(moment: number, now: number, wall: number): number {
    return (this.#aheadMs ?? wall - now) - (moment - now);
  }
}

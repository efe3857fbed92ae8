/** The jumps of position receivers: moves that are longer than the boat can make. Times are monotonic milliseconds. */
import { greatCircle } from "../nav/great-circle.ts";
import type { ReceiverFix as Receiver } from "../nav/navigator.ts";

export interface Jump {
  readonly receiver: Receiver;
  /** Nautical miles, and the part of them that the boat cannot have moved. */
  readonly distance: number;
  readonly excess: number;
  readonly seconds: number;
}

interface Known {
  readonly receiver: Receiver;
  readonly at: number;
  readonly sog: number;
  jump?: { readonly jump: Jump; readonly at: number } | undefined;
}

/** Speed that a gust, a wave or a lock of a canal may add to the speed over ground. */
const EXTRA_KNOTS = 20;
/** Speed assumed for a boat whose speed is not known. */
const ANY_KNOTS = 50;
/** Time for which a jump is reported. */
const TOLD_MS = 60_000;
const MAX_RECEIVERS = 50;

export class ReceiverWatch {
  readonly #known = new Map<number, Known>();

  /** The jumps of the last minute, the longest of each receiver. */
  observe(receivers: readonly Receiver[], speed: number | null | undefined, now: number): readonly Jump[] {
    for (const receiver of receivers) this.#observe(receiver, speed ?? ANY_KNOTS, now);
    return [...this.#known.values()].flatMap(({ jump }) => (jump && now - jump.at < TOLD_MS ? [jump.jump] : []));
  }

  forgetJumps(): void {
    for (const known of this.#known.values()) known.jump = undefined;
  }

  #observe(receiver: Receiver, sog: number, now: number): void {
    const before = this.#known.get(receiver.id);
    if (before?.at === now) return;
    if (before === undefined && this.#known.size >= MAX_RECEIVERS) return;
    const known: Known = { receiver, at: now, sog, jump: before?.jump };
    this.#known.set(receiver.id, known);
    if (before === undefined) return;
    const seconds = (now - before.at) / 1000;
    const distance = greatCircle(before.receiver, receiver).range;
    const excess = distance - ((Math.max(sog, before.sog) + EXTRA_KNOTS) * seconds) / 3600;
    const isOld = known.jump === undefined || now - known.jump.at >= TOLD_MS;
    if (isOld || excess >= known.jump!.jump.excess) {
      known.jump = excess > 0 ? { jump: { receiver, distance, excess, seconds }, at: now } : undefined;
    }
  }
}

/**
 * Two senders of one subject: whether one repeats the other, or contradicts it. Each message of one is looked for among
 * the last ones of the other, so that a gateway that passes messages on agrees with their sender, at any rate and
 * delay.
 */
import type { Stream } from "./stream.ts";

/** Messages of a sender after which its agreement is known; from then on older messages count half. */
const ENOUGH = 20;
const HALVED_AT = 60;
/** The part of messages that may be the same by chance. */
const BY_CHANCE = 0.2;

interface Side {
  readonly stream: Stream;
  compared: number;
  agreed: number;
}

const contradicts = ({ compared, agreed }: Side): boolean => compared >= ENOUGH && agreed <= compared * BY_CHANCE;

export class Rivalry {
  readonly #sides: readonly [Side, Side];

  constructor(one: Stream, other: Stream) {
    this.#sides = [
      { stream: one, compared: 0, agreed: 0 },
      { stream: other, compared: 0, agreed: 0 },
    ];
  }

  get streams(): readonly [Stream, Stream] {
    return [this.#sides[0].stream, this.#sides[1].stream];
  }

  /** Neither sender repeats the other. */
  get isConflict(): boolean {
    return this.#sides.every(contradicts);
  }

  /** Counts a message of a stream. */
  note(stream: Stream, digest: string): void {
    const [one, other] = this.#sides;
    const [mine, theirs] = one.stream === stream ? [one, other] : [other, one];
    if (theirs.stream.digests.length === 0) return;
    mine.compared++;
    if (theirs.stream.digests.includes(digest)) mine.agreed++;
    if (mine.compared < HALVED_AT) return;
    mine.compared /= 2;
    mine.agreed /= 2;
  }
}

/**
 * Two senders of one subject: whether one repeats the other, or contradicts it. Each message of one is looked for among
 * the last ones of the other, so that a gateway that passes messages on agrees with their sender, at any rate and
 * delay.
 */

/** A sender that is compared: its recent payloads, and the monotonic time of its last message. */
interface Sender {
  readonly digests: readonly string[];
  readonly last: number;
}

/** Messages of a sender after which its agreement is known; from then on older messages count half. */
const ENOUGH = 20;
const HALVED_AT = 60;
/** The part of messages that may be the same by chance. */
const BY_CHANCE = 0.2;

interface Side<Of extends Sender = Sender> {
  readonly stream: Of;
  compared: number;
  agreed: number;
  /** Monotonic time since which its messages agree with those of the other by chance only. */
  since: number | undefined;
}

const agreesByChance = ({ compared, agreed }: Side): boolean => agreed <= compared * BY_CHANCE;
const contradicts = (side: Side): boolean => side.compared >= ENOUGH && agreesByChance(side);

export class Rivalry<Of extends Sender> {
  readonly #sides: readonly [Side<Of>, Side<Of>];

  constructor(one: Of, other: Of) {
    this.#sides = [
      { stream: one, compared: 0, agreed: 0, since: undefined },
      { stream: other, compared: 0, agreed: 0, since: undefined },
    ];
  }

  get streams(): readonly [Of, Of] {
    return [this.#sides[0].stream, this.#sides[1].stream];
  }

  /** Neither sender repeats the other. */
  get isConflict(): boolean {
    return this.#sides.every(contradicts);
  }

  /** The time since which both contradict each other, if they do. */
  get since(): number | undefined {
    const [one, other] = this.#sides;
    return one.since === undefined || other.since === undefined ? undefined : Math.max(one.since, other.since);
  }

  /** Counts a message of a stream. */
  note(stream: Of, digest: string): void {
    const [one, other] = this.#sides;
    const [mine, theirs] = one.stream === stream ? [one, other] : [other, one];
    if (theirs.stream.digests.length === 0) return;
    mine.compared++;
    if (theirs.stream.digests.includes(digest)) mine.agreed++;
    mine.since = agreesByChance(mine) ? (mine.since ?? stream.last) : undefined;
    if (mine.compared < HALVED_AT) return;
    mine.compared /= 2;
    mine.agreed /= 2;
  }
}

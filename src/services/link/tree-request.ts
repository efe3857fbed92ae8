/** A request for a part of the tree, which is made in turns. */
import type { Allowance } from "../../formats/signalk/allowance.ts";
import type { Worker } from "./turns.ts";

type Bytes = Uint8Array<ArrayBuffer> | undefined;

export class TreeRequest implements Worker {
  readonly made: Promise<Bytes>;
  readonly #pieces: Generator<number, Bytes>;
  readonly #allowance: Allowance;
  readonly #resolve: (bytes: Bytes) => void;
  readonly #reject: (error: unknown) => void;

  /** `pieces` yields the amount of work of each piece. */
  constructor(pieces: Generator<number, Bytes>, allowance: Allowance) {
    this.#pieces = pieces;
    this.#allowance = allowance;
    let settle: [(bytes: Bytes) => void, (error: unknown) => void] | undefined;
    this.made = new Promise((resolve, reject) => {
      settle = [resolve, reject];
    });
    [this.#resolve, this.#reject] = settle!;
  }

  work(now: number): number {
    try {
      const { value, done } = this.#pieces.next();
      if (!done) {
        this.#allowance.spend(value, now);
        return value;
      }
      this.#resolve(value);
    } catch (error) {
      this.#reject(error);
    }
    return 0;
  }

  recentAt(now: number): number {
    return this.#allowance.recentAt(now);
  }
}

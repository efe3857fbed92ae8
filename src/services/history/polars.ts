/**
 * The polar of all voyages. Voyages only grow, so each byte of them is read once: a polar and a place in each voyage are
 * all that is kept.
 */
import type { VoyageStore } from "../../core/ports/voyage-store.ts";
import { createExclusive } from "../../core/util/exclusive.ts";
import { lineIn } from "../../core/voyages/lines.ts";
import { type Polar, PolarSums } from "../../core/voyages/polar.ts";

const PIECE_BYTES = 64 << 10;
const LINE_FEED = 0x0a;

interface Read {
  /** Bytes that are read, up to the end of a line. */
  bytes: number;
  /** Time of the last line of the track: one that was written twice counts once. */
  time: number;
}

export class Polars {
  readonly #store: Pick<VoyageStore, "piece">;
  readonly #sums = new PolarSums();
  readonly #read = new Map<string, Read>();
  readonly #inTurn = createExclusive();

  constructor(store: Pick<VoyageStore, "piece">) {
    this.#store = store;
  }

  /** The polar of the voyages of these names. */
  polar(names: readonly string[]): Promise<Polar> {
    return this.#inTurn(async () => {
      for (const name of names) await this.#goOn(name);
      return this.#sums.polar;
    });
  }

  async #goOn(name: string): Promise<void> {
    const read = this.#read.get(name) ?? { bytes: 0, time: Number.NEGATIVE_INFINITY };
    this.#read.set(name, read);
    for (let length = PIECE_BYTES; ; ) {
      const piece = await this.#store.piece(name, read.bytes, length);
      const end = piece.lastIndexOf(LINE_FEED) + 1;
      for (const text of new TextDecoder().decode(piece.subarray(0, end)).split("\n")) this.#add(text, read);
      read.bytes += end;
      if (piece.length < length) return;
      // A line that is longer than a piece.
      length = end === 0 ? 2 * length : PIECE_BYTES;
    }
  }

  #add(text: string, read: Read): void {
    const line = text === "" ? undefined : lineIn(text);
    if (line?.line !== "track" || line.time <= read.time) return;
    read.time = line.time;
    this.#sums.add(line);
  }
}

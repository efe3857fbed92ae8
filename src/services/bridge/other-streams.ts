/** Streams of PGNs that are not in the document. Memory is bounded on a bus that uses every PGN and address. */
import type { Stream } from "../../core/ports/publisher.ts";

/** Maximum streams; beyond it they are opened anew. */
const MAX_STREAMS = 4096;

export class OtherStreams {
  readonly #open: (pgn: number, source: number) => Stream;
  readonly #streams = new Map<number, Stream>();

  constructor(open: (pgn: number, source: number) => Stream) {
    this.#open = open;
  }

  get count(): number {
    return this.#streams.size;
  }

  of(pgn: number, source: number): Stream {
    const place = source * 0x40000 + pgn;
    let stream = this.#streams.get(place);
    if (stream === undefined) {
      if (this.#streams.size >= MAX_STREAMS) this.#streams.clear();
      stream = this.#open(pgn, source);
      this.#streams.set(place, stream);
    }
    return stream;
  }
}

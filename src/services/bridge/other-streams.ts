/** Streams of PGNs that are not in the document. Memory is bounded on a bus that uses every PGN and address. */
import type { Stream } from "../../core/ports/publisher.ts";

/** Maximum streams; beyond it they are opened anew. */
const MAX_STREAMS = 4096;

/** Streams of public PGNs by PGN and source address; the bridge opens them. */
export class PublicStreams {
  readonly #streams = new Map<number, (Stream | undefined)[]>();
  count = 0;

  /** The streams of a PGN by source address; that of `source` is counted. */
  of(pgn: number, source: number): (Stream | undefined)[] {
    if (this.count >= MAX_STREAMS) {
      this.#streams.clear();
      this.count = 0;
    }
    let streams = this.#streams.get(pgn);
    if (streams === undefined) {
      streams = [];
      this.#streams.set(pgn, streams);
    }
    if (streams[source] === undefined) this.count++;
    return streams;
  }
}

/** Streams of PGNs that are published as raw bytes. */
export class UnknownStreams {
  readonly #open: (place: { readonly addr: number; readonly pgn: number }) => Stream;
  readonly #streams = new Map<number, Stream>();

  constructor(open: (place: { readonly addr: number; readonly pgn: number }) => Stream) {
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
      stream = this.#open({ addr: source, pgn });
      this.#streams.set(place, stream);
    }
    return stream;
  }
}

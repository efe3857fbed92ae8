/**
 * The topic of the PGNs of assumed layout: the latest message of each device in every layout of its PGN, for people who
 * choose a layout. Published while such messages are heard.
 */
import { jsonWriterOf } from "../../core/n2k/json.ts";
import { assumed } from "../../core/n2k/pgns/assumed.ts";
import { readHex } from "../../core/n2k/text.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { metadataAt } from "../../core/report/envelope.ts";
import { type Write, writerOf } from "../../core/report/write.ts";
import { textOf } from "../../core/text/ascii-buffer.ts";
import { type Layouts, type LayoutsMessage, layoutsMessage } from "../../core/topics/layouts.ts";
import { topics } from "../../core/topics/topics.ts";
import { memoize } from "../../core/util/memoize.ts";
import type { Boat } from "./boat.ts";
import type { Listener, Part } from "./part.ts";

/** Maximum messages, because a bus may use every address. */
const MAX_MESSAGES = 64;

const assumedByPgn = new Map(assumed.map((each) => [each.definition.pgn, each]));
const textIn = memoize((definition: (typeof assumed)[number]["definition"]) => textOf(jsonWriterOf(definition)));

function layoutsOf(pgn: number, addr: number, bytes: Uint8Array): Layouts["messages"][number] {
  const { definition, public: other } = assumedByPgn.get(pgn)!;
  const length = bytes.length;
  return {
    addr,
    pgn,
    raw: readHex(bytes, 0, length),
    assumed: textIn(definition)(bytes, 0, length, addr),
    ...(other !== undefined && { public: textIn(other.definition)(bytes, 0, length, addr) }),
  };
}

export class LayoutReport implements Part {
  readonly listens: readonly (readonly [number, Listener])[];
  due = Number.POSITIVE_INFINITY;
  #write: Write<LayoutsMessage> | undefined;
  readonly #stream: Stream;
  /** Payloads heard since the last message, by address and PGN. */
  readonly #heard = new Map<number, { readonly pgn: number; readonly source: number; readonly bytes: Uint8Array }>();
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor({ publisher, topics: names }: Pick<Boat, "publisher" | "topics">) {
    this.#stream = publisher.stream(names.layouts());
    this.listens = [...assumedByPgn.keys()].map((pgn) => [pgn, (packet) => this.#hear(packet)]);
  }

  #hear({ pgn, source, bytes, at, end, arrived }: Packet): void {
    const place = source * 0x40000 + pgn;
    if (this.#heard.size < MAX_MESSAGES || this.#heard.has(place))
      this.#heard.set(place, { pgn, source, bytes: bytes.slice(at, end) });
    this.due = Math.min(this.due, Math.max(arrived, this.#publishedAt + topics.layouts.repeatMs));
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    this.#publishedAt = now;
    this.due = Number.POSITIVE_INFINITY;
    this.#write ??= writerOf(layoutsMessage);
    const messages = [...this.#heard.values()].map(({ pgn, source, bytes }) => layoutsOf(pgn, source, bytes));
    this.#heard.clear();
    this.#write(this.#stream.open(), { data: { messages }, metadata: metadataAt(wall) });
    this.#stream.commit();
  }
}

/**
 * The messages of PGNs: each packet is decoded, put into its envelope and published, in the order of arrival. PGNs that
 * are not in the document are published if the options or the settings ask for them.
 */
import { createCatalogue, feedsReportsOnly, type Reader, unknownJson } from "../../core/n2k/catalogue.ts";
import { fastPacketTable } from "../../core/n2k/fast-packets.ts";
import type { CanSettings } from "../../core/n2k/layout-modes.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { createMetadataWriter, DATA } from "../../core/report/envelope.ts";
import { entries } from "../../core/settings/entries.ts";
import { type AsciiBuffer, textOf } from "../../core/text/ascii-buffer.ts";
import { sum } from "../../core/util/sum.ts";
import type { Boat } from "./boat.ts";
import type { BridgeCounters } from "./counters.ts";
import type { HeardPacket } from "./heard-packet.ts";
import { RateLimit } from "./lanes/rate-limit.ts";
import type { BridgeOptions } from "./options.ts";
import { OtherStreams } from "./other-streams.ts";
import { type Part, uses } from "./part.ts";

/** A PGN of the document: its reader, and its streams by source address. */
interface Route {
  reader: Reader;
  readonly streams: (Stream | undefined)[];
}

type Options = Pick<BridgeOptions, "allPgns" | "publicPgns" | "unknown" | "maxRate">;

export class Messages implements Part {
  readonly settings = [uses(entries.can, (settings) => this.#configure(settings))];
  readonly #boat: Boat;
  readonly #options: Options;
  readonly #catalogue = createCatalogue();
  readonly #routes: ReadonlyMap<number, Route>;
  readonly #open = (pgn: number, addr: number): Stream =>
    this.#boat.publisher.stream(this.#boat.topics.pgn({ addr, pgn }));
  readonly #otherStreams = new OtherStreams(this.#open);
  readonly #metadata = createMetadataWriter();
  readonly #limit: RateLimit | undefined;
  /** A message as a string, for a message that waits because of its rate. */
  readonly #text = textOf((out, packet: HeardPacket) => this.#write(out, packet));
  #unknown = 0;
  #published = 0;
  #failed = 0;

  constructor(boat: Boat, options: Options) {
    this.#boat = boat;
    this.#options = options;
    const { maxRate } = options;
    this.#limit = maxRate === undefined ? undefined : new RateLimit(maxRate);
    this.#routes = new Map(
      this.#catalogue.readers.map((reader) => [reader.definition.pgn, { reader, streams: [] }] as const),
    );
  }

  /** The fast-packet table under the settings in force, for reassembly. */
  get fastPacketTable(): Uint32Array {
    return fastPacketTable(this.#catalogue.fastPackets());
  }

  /** PGNs that are read by an assumed layout under the settings in force. */
  get assumed(): readonly number[] {
    return this.#catalogue.assumed();
  }

  get due(): number {
    return this.#limit?.due ?? Number.POSITIVE_INFINITY;
  }

  get kept(): number {
    return this.#otherStreams.count + (this.#limit?.kept ?? 0);
  }

  /** Only the readers that change are made again. */
  #configure({ modes, published }: CanSettings): void {
    const { allPgns, publicPgns } = this.#options;
    const setting = allPgns || published;
    const pgns = setting === false ? undefined : publicPgns?.();
    const isWanted = (pgn: number): boolean => setting === true || (setting as Set<number>).has(pgn);
    this.#catalogue.setPublic(pgns && { pgns, isWanted });
    for (const pgn of this.#catalogue.setLayoutModes(modes))
      this.#routes.get(pgn)!.reader = this.#catalogue.reader(pgn)!;
  }

  /** Publishes a packet, and sets its reader; one that is not published has none. */
  publish(packet: HeardPacket): void {
    try {
      this.#publish(packet);
    } catch (error) {
      packet.reader = undefined;
      this.#failed++;
      const { pgn, source } = packet;
      const reason = String(error);
      this.#boat.log.error("a message could not be decoded", { code: "DECODE_FAILED", pgn, source, reason });
    }
  }

  #publish(packet: HeardPacket): void {
    const { pgn, source } = packet;
    const route = this.#routes.get(pgn);
    const reader = route === undefined ? this.#catalogue.publicReader(pgn) : route.reader;
    packet.reader = reader?.select(packet);
    if (reader === undefined) return this.#publishUnknown(packet);
    if (route !== undefined) route.streams[source] ??= this.#open(pgn, source);
    this.#send(route?.streams[source] ?? this.#otherStreams.of(pgn, source), packet);
    this.#published++;
  }

  #send(stream: Stream, packet: HeardPacket): void {
    const key = this.#limit && packet.reader!.streamKey(packet);
    if (this.#limit === undefined || key === undefined) {
      const out = stream.open();
      try {
        this.#write(out, packet);
      } catch (error) {
        stream.discard();
        throw error;
      }
      stream.commit();
    } else this.#limit.publish(stream, key, this.#text(packet), packet.arrived);
  }

  #write(out: AsciiBuffer, packet: HeardPacket): void {
    out.write(DATA);
    packet.reader!.write(out, packet);
    this.#metadata(out, packet.received);
  }

  #publishUnknown({ pgn, source, bytes, at, end, received }: Packet): void {
    if (feedsReportsOnly(pgn)) return;
    this.#unknown++;
    if (!this.#options.unknown) return;
    const stream = this.#otherStreams.of(pgn, source);
    const data = unknownJson(pgn, bytes, at, end);
    const out = stream.open();
    out.write(DATA);
    out.ascii(data);
    this.#metadata(out, received);
    stream.commit();
  }

  advance(now: number): void {
    this.#limit?.advance(now);
  }

  finish(now: number): void {
    this.#limit?.finish(now);
  }

  counters(): Partial<BridgeCounters> {
    const refusedByPgn = this.#catalogue.unmatched();
    const refused = sum(refusedByPgn.values());
    return { published: this.#published, decodeErrors: this.#failed, unknown: this.#unknown, refused, refusedByPgn };
  }
}

/** Which parts hear which packets, gathered from the parts. */
import { addTo } from "../../core/util/grouped.ts";
import type { GuardedPart } from "./guarded-part.ts";
import type { HeardPacket } from "./heard-packet.ts";

/** A part, and what it does with a packet; it never throws. */
export interface Hearer {
  readonly part: GuardedPart;
  readonly hear: (packet: HeardPacket) => unknown;
}

export interface Hearing {
  readonly admits: readonly Hearer[];
  /** Those that hear every packet of the first network. */
  readonly all: readonly Hearer[];
  readonly published: readonly Hearer[];
  readonly byPgn: ReadonlyMap<number, readonly Hearer[]>;
}

/** In the order of the parts. A part that is off hears no published packets. */
export function hearingOf(parts: readonly GuardedPart[]): Hearing {
  const hearers = (name: "admits" | "hear" | "published"): Hearer[] =>
    parts.flatMap((part) => {
      const of = part.part;
      const method: ((packet: HeardPacket) => unknown) | undefined = of[name];
      if (method === undefined || (name === "published" && of.isOn === false)) return [];
      return [{ part, hear: part.guard(name, method.bind(of)) }];
    });
  const byPgn = new Map<number, Hearer[]>();
  const listen = (part: GuardedPart, pgn: number, place: string, work: (packet: HeardPacket) => void): void =>
    addTo(byPgn, pgn, { part, hear: part.guard(place, work) });
  for (const part of parts) {
    const { watches = [], listens = [] } = part.part;
    for (const pgn of watches)
      listen(part, pgn, "hearWatched", (packet) => packet.reader !== undefined && part.part.hearWatched!(packet));
    for (const [pgn, listener] of listens) listen(part, pgn, "listens", listener);
  }
  return { admits: hearers("admits"), all: hearers("hear"), published: hearers("published"), byPgn };
}

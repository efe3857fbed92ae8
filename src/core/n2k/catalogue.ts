/**
 * All PGNs as the bridge uses them: their readers, their entries in the fast-packet table, their layouts.
 * A function is compiled when its PGN is first received; a boat sends about forty of them.
 */
import type { AsciiBuffer } from "../text/ascii-buffer.ts";
import { memoize } from "../util/memoize.ts";
import { decoderOf, type Read } from "./decode.ts";
import type { Definition } from "./definition.ts";
import type { FastPacket } from "./fast-packets.ts";
import { minimumBits } from "./field.ts";
import { jsonWriterOf } from "./json.ts";
import { type DetectedLayout, layoutDetectorOf } from "./layout-detection.ts";
import type { LayoutMode, LayoutModes } from "./layout-modes.ts";
import type { Payload } from "./payload.ts";
import { assumed } from "./pgns/assumed.ts";
import { definitions, reportOnly } from "./pgns/index.ts";
import { publicPgns } from "./public-database.ts";
import { proprietaryRanges } from "./public-names.ts";
import type { PublicPgns, PublicVariant } from "./public-pgns.ts";
import { streamKeyOf } from "./stream-key.ts";
import { readHex } from "./text.ts";

/** Data of a message as an object whose fields are not known at compile time. */
export interface AnyMessage {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

export interface Reader {
  /** The definition in force; for a PGN whose layout is detected, the assumed one. */
  readonly definition: Definition;
  /** Writes `data` as JSON text, in ASCII. */
  write(out: AsciiBuffer, payload: Payload): void;
  /** The same as an object. */
  message(payload: Payload): AnyMessage;
  /** Key of the stream that the message belongs to (`stream-key.ts`); undefined for an event. */
  streamKey(payload: Payload): string | undefined;
  /**
   * The reader of the layout that the message has, for callers that read a message more than once: the layout is
   * detected and counted once. A PGN with one layout returns this reader.
   */
  select(payload: Payload): Reader;
  /** Messages so far that had neither the assumed nor the public layout; always 0 for other PGNs. */
  unmatched(): number;
}

/** PGNs beyond the document that are published too, with their definitions. */
export interface PublicSelection {
  readonly pgns: PublicPgns;
  readonly isWanted: (pgn: number) => boolean;
}

export interface Catalogue {
  /** Reader of a PGN that is published; undefined for one that is unknown or only feeds the reports. */
  reader(pgn: number): Reader | undefined;
  readonly readers: readonly Reader[];
  /** Reader of a PGN that is not in the document; undefined if it is not selected or not public. */
  publicReader(pgn: number): Reader | undefined;
  /** Changes the PGNs that `publicReader` reads; undefined: none. */
  setPublic(selection: PublicSelection | undefined): void;
  fastPackets(): readonly FastPacket[];
  /** PGNs that are read by an assumed layout, for the log. */
  assumed(): readonly number[];
  /** Messages so far that had none of the layouts of their PGN, by PGN; PGNs without any are left out. */
  unmatched(): ReadonlyMap<number, number>;
  /** Changes the operator's layout modes; returns the PGNs that have another reader now. The others keep theirs. */
  setLayoutModes(modes: LayoutModes): readonly number[];
}

const decoder = memoize((definition: Definition) => decoderOf(definition) as Read<AnyMessage>);
const writer = memoize(jsonWriterOf);
const streamKey = memoize(streamKeyOf);

/** A reader whose functions are compiled at their first call, which replaces itself by the compiled function. */
function readerOf(definition: Definition): Reader {
  const reader: { -readonly [Name in keyof Reader]: Reader[Name] } = {
    definition,
    write(first, payload) {
      const write = writer(definition);
      reader.write = (out, { bytes, at, end, source }) => write(out, bytes, at, end, source);
      reader.write(first, payload);
    },
    message(payload) {
      const decode = decoder(definition);
      reader.message = ({ bytes, at, end, source }) => decode(bytes, at, end, source);
      return reader.message(payload);
    },
    streamKey: (payload) => streamKey(definition)(payload),
    select: () => reader,
    unmatched: () => 0,
  };
  return reader;
}

const numberOnly = (definition: Definition): Definition => ({ ...definition, fields: {}, order: undefined });

const assumedByPgn = new Map(assumed.map((each) => [each.definition.pgn, each]));

/** The one definition by which a PGN of assumed layout is read in a mode other than `auto`. */
function definitionIn(mode: Exclude<LayoutMode, "auto">, definition: Definition): Definition {
  if (typeof mode === "object") return mode;
  if (mode === "assumed") return definition;
  const other = assumedByPgn.get(definition.pgn)?.public;
  return mode === "public" && other !== undefined
    ? { ...other.definition, title: definition.title, publicTitle: other.definition.title }
    : numberOnly(definition);
}

function detectingReader(pgn: number): Reader {
  const entry = assumedByPgn.get(pgn)!;
  const { definition } = entry;
  const detect = layoutDetectorOf(entry);
  const readers: Readonly<Record<DetectedLayout, Reader>> = {
    assumed: readerOf(definition),
    public: readerOf(entry.public?.definition ?? numberOnly(definition)),
    unknown: readerOf(numberOnly(definition)),
  };
  let unmatched = 0;
  const select = (payload: Payload): Reader => {
    const layout = detect(payload);
    if (layout === "unknown") unmatched++;
    return readers[layout];
  };
  return {
    definition,
    write: (out, payload) => select(payload).write(out, payload),
    message: (payload) => select(payload).message(payload),
    // The message is not counted here, because another function of the reader counts it.
    streamKey: (payload) => readers[detect(payload)].streamKey(payload),
    select,
    unmatched: () => unmatched,
  };
}

/** The reader of messages that share a PGN: each is read by its own layout. */
function sharedReader(variants: readonly PublicVariant[]): Reader {
  const readers: (Reader | undefined)[] = [];
  const select = ({ bytes, at, end }: Payload): Reader => {
    const found = variants.findIndex((variant) => variant.matches(bytes, at, end));
    const index = found === -1 ? variants.length - 1 : found;
    readers[index] ??= readerOf(variants[index]!.definition);
    return readers[index];
  };
  return {
    get definition() {
      return variants[0]!.definition;
    },
    write: (out, payload) => select(payload).write(out, payload),
    message: (payload) => select(payload).message(payload),
    streamKey: (payload) => select(payload).streamKey(payload),
    select,
    unmatched: () => 0,
  };
}

const reportOnlyByPgn = new Map(reportOnly.map((definition) => [definition.pgn, definition]));

/** Reader of a PGN that is not in the document: by the definition of the reports, or else by that of the table. */
function publicReaderOf({ pgns, isWanted }: PublicSelection, pgn: number): Reader | undefined {
  if (!isWanted(pgn)) return undefined;
  const own = reportOnlyByPgn.get(pgn);
  if (own !== undefined) return readerOf(own);
  const variants = pgns.variants(pgn);
  return variants.length === 0 ? undefined : sharedReader(variants);
}

/** Whether two modes read a PGN alike; layouts of the operator are compared field by field. */
const isSameMode = (one: LayoutMode, other: LayoutMode): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));

/**
 * The fast-packet entry of a PGN of assumed layout; undefined for single frames. If only the assumed message is a fast
 * packet and both may be received, only a packet of exactly its length is reassembled.
 */
function assumedFastPacket(definition: Definition, mode: LayoutMode): FastPacket | undefined {
  const { pgn } = definition;
  if (mode !== "auto" && mode !== "off")
    return definitionIn(mode, definition).transport === "fast" ? { pgn } : undefined;
  if (definition.transport !== "fast") return undefined;
  const other = assumedByPgn.get(pgn)!.public;
  return other === undefined ? { pgn } : { pgn, length: Math.ceil(minimumBits(definition.fields) / 8) };
}

/** The fast packets; if two tables have a PGN, the later one counts. */
function fastPacketsOf(modeOf: (pgn: number) => LayoutMode): readonly FastPacket[] {
  const list = new Map<number, FastPacket | undefined>();
  for (const { first, last, transport } of proprietaryRanges)
    for (let pgn = first; pgn <= last; pgn++) list.set(pgn, transport === "fast" ? { pgn } : undefined);
  for (const { pgn, transport } of [...publicPgns, ...definitions, ...reportOnly])
    list.set(pgn, transport === "fast" ? { pgn } : undefined);
  for (const { definition } of assumed) list.set(definition.pgn, assumedFastPacket(definition, modeOf(definition.pgn)));
  return [...list.values()].filter((entry) => entry !== undefined).sort((a, b) => a.pgn - b.pgn);
}

/**
 * A catalogue under the operator's layout modes.
 *
 * @example createCatalogue().reader(127250)?.message(payloadOf(bytes, source))
 */
export function createCatalogue(initial: LayoutModes = new Map()): Catalogue {
  let modes = initial;
  const modeOf = (pgn: number, of = modes): LayoutMode => of.get(pgn) ?? "auto";
  const newReader = (definition: Definition): Reader => {
    if (definition.origin !== "assumed") return readerOf(definition);
    const mode = modeOf(definition.pgn);
    return mode === "auto" ? detectingReader(definition.pgn) : readerOf(definitionIn(mode, definition));
  };
  const readers = new Map(definitions.map((definition) => [definition.pgn, newReader(definition)]));
  let selection: PublicSelection | undefined;
  const publicReaders = new Map<number, Reader>();
  /** Counts of the readers that were replaced. */
  const unmatchedBefore = new Map<number, number>();
  const unmatchedOf = (pgn: number): number => (unmatchedBefore.get(pgn) ?? 0) + readers.get(pgn)!.unmatched();
  const assumedPgns = assumed.map(({ definition }) => definition.pgn);

  return {
    reader: (pgn) => readers.get(pgn),
    get readers() {
      return [...readers.values()];
    },
    publicReader(pgn) {
      if (selection === undefined) return undefined;
      const known = publicReaders.get(pgn);
      if (known !== undefined) return known;
      const reader = publicReaderOf(selection, pgn);
      if (reader !== undefined) publicReaders.set(pgn, reader);
      return reader;
    },
    setPublic(next) {
      selection = next;
      publicReaders.clear();
    },
    fastPackets: () => fastPacketsOf(modeOf),
    assumed: () => assumedPgns.filter((pgn) => ["auto", "assumed"].includes(modeOf(pgn) as string)),
    unmatched: () =>
      new Map(assumedPgns.map((pgn) => [pgn, unmatchedOf(pgn)] as const).filter(([, count]) => count > 0)),
    setLayoutModes(next) {
      const changed = assumed.filter(({ definition: { pgn } }) => !isSameMode(modeOf(pgn), modeOf(pgn, next)));
      modes = next;
      for (const { definition } of changed) {
        unmatchedBefore.set(definition.pgn, unmatchedOf(definition.pgn));
        readers.set(definition.pgn, newReader(definition));
      }
      return changed.map(({ definition }) => definition.pgn);
    },
  };
}

/** PGNs that feed the reports and are not published as messages. */
const reportPgns = new Set([60160, 60416, ...reportOnly.map(({ pgn }) => pgn)]);
export const feedsReportsOnly = (pgn: number): boolean => reportPgns.has(pgn);

/** JSON text of `data` of an unknown PGN: its bytes in lower-case hex. */
export const unknownJson = (pgn: number, bytes: Uint8Array, at: number, end: number): string =>
  `{"pgn":${pgn},"raw":"${readHex(bytes, at, end)}"}`;

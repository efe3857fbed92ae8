/**
 * All PGNs as the bridge uses them: who can read which, how their frames belong together, what they are called.
 * Functions are compiled when a PGN is first heard; a boat speaks some forty of them.
 */
import type { AsciiBuffer } from "./ascii-buffer.ts";
import { decoderOf, type Read } from "./decode.ts";
import { type Definition, minimumBits } from "./field.ts";
import type { Framing } from "./framing.ts";
import { jsonWriterOf } from "./json.ts";
import { onceEach } from "./once-each.ts";
import { assumed } from "./pgns/assumed.ts";
import { definitions, reportOnly } from "./pgns/index.ts";
import { proprietaryRanges, publicPgns } from "./public-names.ts";
import { type Recognition, recogniserOf } from "./recognition.ts";
import type { Switch, Switches } from "./switches.ts";
import { readHex } from "./text.ts";

/** Reads the payload that lies in `bytes` from `at` to `end`; `arrived` is monotonic, in milliseconds. */
export type ReadAt<Result> = (bytes: Uint8Array, at: number, end: number, source: number, arrived: number) => Result;

/** The same for what is written to `out`. */
export type WriteAt = (
  out: AsciiBuffer,
  bytes: Uint8Array,
  at: number,
  end: number,
  source: number,
  arrived: number,
) => void;

/** Data of a message as an object whose fields are not known beforehand. */
export interface AnyMessage {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

export interface Reader {
  /** What the PGN means here; of a PGN of assumed layout that layout, unless the switch says otherwise. */
  readonly definition: Definition;
  /** Writes `data` as JSON text, in ASCII. */
  readonly write: WriteAt;
  /** The same as an object. */
  readonly message: ReadAt<AnyMessage>;
  /** Messages so far that were neither of the assumed layout nor the public message; always 0 for other PGNs. */
  refused(): number;
}

export interface Catalogue {
  /** Reader of a PGN that is published; undefined for one that nobody knows or that feeds the reports only. */
  reader(pgn: number): Reader | undefined;
  readonly readers: readonly Reader[];
  /** The fast packets, for reassembly. */
  framing(): readonly Framing[];
  /** PGNs that are read by an assumed layout, for the line in the log that says so. */
  assumed(): readonly number[];
  /** Messages so far that were neither of the assumed layout nor the public message, by PGN; PGNs without any are left out. */
  refused(): ReadonlyMap<number, number>;
}

const decoder = onceEach((definition) => decoderOf(definition) as Read<AnyMessage>);
const writer = onceEach(jsonWriterOf);

/** A reader whose functions are compiled when they are first called, and then take the place of what compiled them. */
function readerOf(definition: Definition): Reader {
  const reader: { -readonly [Member in keyof Reader]: Reader[Member] } = {
    definition,
    write(out, bytes, at, end, source, arrived) {
      reader.write = writer(definition);
      reader.write(out, bytes, at, end, source, arrived);
    },
    message(bytes, at, end, source, arrived) {
      reader.message = decoder(definition);
      return reader.message(bytes, at, end, source, arrived);
    },
    refused: () => 0,
  };
  return reader;
}

/** A message that nothing is known of but its number. */
const numberOnly = (definition: Definition): Definition => ({ ...definition, fields: {}, order: undefined });

const assumedByPgn = new Map(assumed.map((each) => [each.definition.pgn, each]));

/** What a PGN of assumed layout stands for when its switch leaves no choice. */
function settled(definition: Definition, how: Exclude<Switch, "auto">): Definition {
  if (typeof how === "object") return how;
  if (how === "assumed") return definition;
  const other = assumedByPgn.get(definition.pgn)?.public;
  return how === "public" && other !== undefined
    ? { ...other.definition, title: definition.title, publicTitle: other.definition.title }
    : numberOnly(definition);
}

function recognisingReader(pgn: number): Reader {
  const entry = assumedByPgn.get(pgn)!;
  const { definition } = entry;
  const recognise = recogniserOf(entry);
  const readers: Readonly<Record<Recognition, Reader>> = {
    assumed: readerOf(definition),
    public: readerOf(entry.public?.definition ?? numberOnly(definition)),
    refused: readerOf(numberOnly(definition)),
  };
  let refused = 0;
  const choose: ReadAt<Reader> = (bytes, at, end, source, arrived) => {
    const recognition = recognise(bytes, at, end, source, arrived);
    if (recognition === "refused") refused++;
    return readers[recognition];
  };
  return {
    definition,
    write: (out, bytes, at, end, source, arrived) =>
      choose(bytes, at, end, source, arrived).write(out, bytes, at, end, source, arrived),
    message: (bytes, at, end, source, arrived) =>
      choose(bytes, at, end, source, arrived).message(bytes, at, end, source, arrived),
    refused: () => refused,
  };
}

/**
 * How the frames of a PGN of assumed layout belong together. Where one of the two messages is a single frame and the
 * other a fast packet, and both may come, only a packet of exactly the assumed length is put together.
 */
function assumedFraming(definition: Definition, how: Switch): Framing {
  const { pgn } = definition;
  if (how !== "auto" && how !== "off") return { pgn, fast: settled(definition, how).transport === "fast" };
  const other = assumedByPgn.get(pgn)!.public;
  if (definition.transport !== "fast") return { pgn, fast: false };
  return other === undefined
    ? { pgn, fast: true }
    : { pgn, fast: true, length: Math.ceil(minimumBits(definition.fields) / 8) };
}

/** A catalogue under the operator's switches. */
export function createCatalogue(switches: Switches = new Map()): Catalogue {
  const switchOf = (pgn: number): Switch => switches.get(pgn) ?? "auto";
  const readers = definitions.map((definition): Reader => {
    if (definition.origin !== "assumed") return readerOf(definition);
    const how = switchOf(definition.pgn);
    return how === "auto" ? recognisingReader(definition.pgn) : readerOf(settled(definition, how));
  });
  const byPgn = new Map(readers.map((reader) => [reader.definition.pgn, reader]));

  return {
    reader: (pgn) => byPgn.get(pgn),
    readers,
    framing: () => {
      const list = new Map<number, Framing>();
      for (const { first, last, transport } of proprietaryRanges)
        for (let pgn = first; pgn <= last; pgn++) list.set(pgn, { pgn, fast: transport === "fast" });
      for (const { pgn, transport } of publicPgns) list.set(pgn, { pgn, fast: transport === "fast" });
      for (const { pgn, transport } of [...definitions, ...reportOnly])
        list.set(pgn, { pgn, fast: transport === "fast" });
      for (const { definition } of assumed)
        list.set(definition.pgn, assumedFraming(definition, switchOf(definition.pgn)));
      return [...list.values()].filter(({ fast }) => fast).sort((a, b) => a.pgn - b.pgn);
    },
    assumed: () =>
      assumed
        .map(({ definition }) => definition.pgn)
        .filter((pgn) => ["auto", "assumed"].includes(switchOf(pgn) as string)),
    refused: () =>
      new Map(
        readers.map((reader) => [reader.definition.pgn, reader.refused()] as const).filter(([, count]) => count > 0),
      ),
  };
}

/** PGNs that are known and feed the reports, but are not published as messages. */
const reportPgns = new Set([60160, 60416, ...reportOnly.map(({ pgn }) => pgn)]);
export const feedsReportsOnly = (pgn: number): boolean => reportPgns.has(pgn);

/** JSON text of `data` of a PGN that nobody knows: its bytes in lower-case hex. */
export const unknownJson = (pgn: number, bytes: Uint8Array, at: number, end: number): string =>
  `{"pgn":${pgn},"raw":"${readHex(bytes, at, end)}"}`;

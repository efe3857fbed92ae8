/**
 * Recordings of canboat's programs, one line for a frame (PLAIN) or for a whole message (FAST):
 *
 *     2016-04-09T16:41:09.078Z,3,127257,17,255,8,00,ff,7f,52,00,21,fe,ff
 *     stamp, priority, PGN, source, destination, length, bytes; the older stamp is 2016-04-09-16:41:09.078
 *
 * The two differ only in messages of more than 8 bytes. As in canboat, such a line, or a comment `# format=FAST`, means
 * that lines are messages. In PLAIN_MIX_FAST lines of up to 8 bytes are frames, among them those of fast packets, and
 * longer ones messages: a comment `# format=PLAIN_MIX_FAST` says so, or the frames of whole fast packets one after the
 * other. A line of a fast packet's PGN that is shorter than a frame, and continues no packet, is a message in any case.
 */
import { toCanId } from "../../../core/can/can-id.ts";
import { definitions } from "../../../core/n2k/pgns/index.ts";
import { EXTENDED_FRAME } from "../frame-batch.ts";
import { type LineParser, lineReader, wholeLines } from "../line-reader.ts";
import { FIRST_INTERNAL_PGN, LONGEST_PAYLOAD, RecordWriter } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { takeDate, takeTimeOfDay } from "../wall-time.ts";
import type { Format, Head, ReaderOptions } from "./format.ts";

/** Bytes of the longest line that is a frame. */
const LONGEST_FRAME = 8;

/** Fast packets, all of whose frames came one after the other, that prove that short lines are frames, or messages. */
const PROVING_PACKETS = 2;
/** Bytes of a fast packet in its first frame and in each further one. */
const FIRST_BYTES = 6;
const NEXT_BYTES = 7;
const LONGEST_FAST_PACKET = 223;
/** Maximum senders of PGNs whose last line is remembered. */
const MAX_CHAINS = 1000;

const fastPgns: ReadonlySet<number> = new Set(
  definitions.flatMap(({ pgn, transport }) => (transport === "fast" ? [pgn] : [])),
);

/** The frames of a fast packet, as far as they have come one after the other. */
interface Chain {
  readonly first: number;
  readonly frames: number;
  count: number;
}

/** Statistics of the lines so far. */
class LineStatistics {
  lines = 0;
  longest = 0;
  /** Whole fast packets in frames, and messages of fast packets' PGNs that are shorter than a frame. */
  packets = 0;
  short = 0;

  /** Whether lines are whole messages, up to eight bytes long too. */
  get areMessages(): boolean {
    return this.longest > LONGEST_FRAME || (this.short >= PROVING_PACKETS && this.packets === 0);
  }
  readonly #chains = new Map<number, Chain>();

  /** Takes a line of up to eight bytes of a fast packet's PGN; true if it is a frame that begins or continues a packet. */
  takeFrame(pgn: number, source: number, bytes: Uint8Array, length: number): boolean {
    const key = pgn * 256 + source;
    const [first = 0, announced = 0] = bytes;
    const chain = this.#chains.get(key);
    if (chain !== undefined && length > 1 && first === chain.first + chain.count) {
      chain.count++;
      if (chain.count === chain.frames) {
        this.packets++;
        this.#chains.delete(key);
      }
      return true;
    }
    this.#chains.delete(key);
    if (length !== LONGEST_FRAME || (first & 31) !== 0 || announced <= FIRST_BYTES || announced > LONGEST_FAST_PACKET)
      return false;
    if (this.#chains.size >= MAX_CHAINS) this.#chains.clear();
    this.#chains.set(key, { first, frames: 1 + Math.ceil((announced - FIRST_BYTES) / NEXT_BYTES), count: 1 });
    return true;
  }
}

/** The content of the lines: frames until one is too long for that, messages, or either by its length. */
type Kind = "frames" | "messages" | "mixed";

function createParser(kind: Kind, seen: LineStatistics): LineParser {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);

  function field(): number {
    return cursor.take(",") ? cursor.decimal() : -1;
  }

  return (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    const day = takeDate(cursor);
    if (Number.isNaN(day) || !(cursor.take("T") || cursor.take("-") || cursor.take(" "))) return false;
    const time = takeTimeOfDay(cursor);
    if (time < 0) return false;
    cursor.take("Z");
    const wall = day * 1000 + time;
    const priority = field();
    const pgn = field();
    const source = field();
    const destination = field();
    const length = field();
    if (priority < 0 || priority > 7 || pgn < 0 || pgn > 0xffffff) return false;
    if (source < 0 || source > 255 || destination < 0 || destination > 255) return false;
    if (length < 0 || length > LONGEST_PAYLOAD) return false;
    for (let index = 0; index < length; index++) {
      const byte = cursor.take(",") ? cursor.byte() : -1;
      if (byte < 0) return false;
      payload[index] = byte;
    }
    cursor.takeBlanks();
    if (!cursor.done) return false;
    seen.lines++;
    seen.longest = Math.max(seen.longest, length);
    const isFrame = length <= LONGEST_FRAME && fastPgns.has(pgn) && seen.takeFrame(pgn, source, payload, length);
    const isShort = length < LONGEST_FRAME && fastPgns.has(pgn) && !isFrame;
    if (isShort) seen.short++;
    const isMessage = kind === "messages" || isShort || (kind === "mixed" ? length > LONGEST_FRAME : seen.areMessages);
    if (isMessage) return writer.packet(wall, priority, pgn, source, destination, payload, length);
    if (pgn >= FIRST_INTERNAL_PGN) writer.internal++;
    else {
      const identifier = (EXTENDED_FRAME | toCanId({ priority, pgn, source, destination })) >>> 0;
      writer.frameOf(wall, identifier, payload, length);
    }
    return true;
  };
}

/** Kind of the lines of a head; undefined if they are not of canboat, or too few to decide. */
function kindOf(head: Head): Kind | undefined {
  const seen = new LineStatistics();
  const lines = wholeLines(head);
  lineReader(createParser("frames", seen)).read(lines, true, new RecordWriter());
  if (seen.lines === 0) return undefined;
  const [, declared] = /^# *format=(\w+)/m.exec(new TextDecoder().decode(lines)) ?? [];
  const isMixed = declared === undefined && seen.longest > LONGEST_FRAME && seen.packets >= PROVING_PACKETS;
  if (declared === "PLAIN_MIX_FAST" || isMixed) return "mixed";
  if (seen.areMessages || declared === "FAST") return "messages";
  return head.complete || declared === "PLAIN" ? "frames" : undefined;
}

/** The parser of lines that are whole messages, whatever their length. */
export const parseMessageLines = (): LineParser => createParser("messages", new LineStatistics());

const formatOf = (name: string, kind: Kind): Format => ({
  name: `canboat ${name}`,
  matches: (head) => kindOf(head) === kind,
  createReader: (_options: ReaderOptions) => lineReader(createParser(kind, new LineStatistics())),
});

export const canboatPlain = formatOf("PLAIN", "frames");
export const canboatFast = formatOf("FAST", "messages");
export const canboatMixed = formatOf("PLAIN_MIX_FAST", "mixed");

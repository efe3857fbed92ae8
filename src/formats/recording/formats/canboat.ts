/**
 * Recordings of canboat's programs, one line for a frame (PLAIN) or for a whole message (FAST):
 *
 *     2016-04-09T16:41:09.078Z,3,127257,17,255,8,00,ff,7f,52,00,21,fe,ff
 *     stamp, priority, PGN, source, destination, length, bytes; the older stamp is 2016-04-09-16:41:09.078
 *
 * The two differ only in messages of more than 8 bytes. As in canboat, such a line, or a comment `# format=FAST`, means
 * that lines are messages. A comment `# format=PLAIN_MIX_FAST` means that lines of up to 8 bytes are frames, among them
 * those of fast packets, and longer ones messages.
 */
import { toCanId } from "../../../core/can/can-id.ts";
import { EXTENDED_FRAME } from "../frame-batch.ts";
import { type LineParser, lineReader, wholeLines } from "../line-reader.ts";
import { FIRST_INTERNAL_PGN, LONGEST_PAYLOAD, RecordWriter } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { takeDate, takeTimeOfDay } from "../wall-time.ts";
import type { Format, Head, ReaderOptions } from "./format.ts";

/** Bytes of the longest line that is a frame. */
const LONGEST_FRAME = 8;

/** Statistics of the lines so far. */
interface LineStatistics {
  lines: number;
  longest: number;
}

/** What the lines are: frames until one is too long for that, messages, or either by its length. */
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
    const isMessage = kind === "messages" || (kind === "mixed" ? length : seen.longest) > LONGEST_FRAME;
    if (isMessage) return writer.packet(wall, priority, pgn, source, destination, payload, length);
    if (pgn >= FIRST_INTERNAL_PGN) writer.internal++;
    else {
      const identifier = (EXTENDED_FRAME | toCanId({ priority, pgn, source, destination })) >>> 0;
      writer.frameOf(wall, identifier, payload, length);
    }
    return true;
  };
}

const noLines = (): LineStatistics => ({ lines: 0, longest: 0 });

/** Kind of the lines of a head; undefined if they are not of canboat, or too few to decide. */
function kindOf(head: Head): Kind | undefined {
  const seen = noLines();
  const lines = wholeLines(head);
  lineReader(createParser("frames", seen)).read(lines, true, new RecordWriter());
  if (seen.lines === 0) return undefined;
  const [, declared] = /^# *format=(\w+)/m.exec(new TextDecoder().decode(lines)) ?? [];
  if (declared === "PLAIN_MIX_FAST") return "mixed";
  if (seen.longest > LONGEST_FRAME || declared === "FAST") return "messages";
  return head.complete || declared === "PLAIN" ? "frames" : undefined;
}

const formatOf = (name: string, kind: Kind): Format => ({
  name: `canboat ${name}`,
  matches: (head) => kindOf(head) === kind,
  createReader: (_options: ReaderOptions) => lineReader(createParser(kind, noLines())),
});

export const canboatPlain = formatOf("PLAIN", "frames");
export const canboatFast = formatOf("FAST", "messages");
export const canboatMixed = formatOf("PLAIN_MIX_FAST", "mixed");

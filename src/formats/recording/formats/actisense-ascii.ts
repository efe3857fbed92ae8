/**
 * Recordings of Actisense gateways in "N2K ASCII" (their knowledge base, "NMEA 2000 ASCII Output format"), complete
 * messages:
 *
 *     A173321.107 23FF7 1F513 012F3070002F30709F
 *     A hhmmss.ddd, source 23, destination FF, priority 7, PGN 1F513, payload
 */
import { type LineParser, lineFormat } from "../line-reader.ts";
import { LONGEST_PAYLOAD } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { MICROSECONDS_OF_SECOND, secondsOfDay, TimesOfDay } from "../wall-time.ts";

/** Makes the parser of its lines, whose times of day are those of `times`. */
export function parseAsciiLines(times: Pick<TimesOfDay, "wall">): LineParser {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);

  return (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    if (!cursor.take("A")) return false;
    const clock = cursor.decimal();
    const clockDigits = cursor.digits;
    if (clockDigits !== 6) return false;
    const seconds = secondsOfDay(Math.floor(clock / 10_000), Math.floor(clock / 100) % 100, clock % 100);
    const fraction = cursor.take(".") ? cursor.microseconds() : 0;
    if (seconds < 0 || fraction < 0 || !cursor.takeBlanks()) return false;
    const addresses = cursor.hexadecimal();
    const addressDigits = cursor.digits;
    if (addressDigits !== 5 || !cursor.takeBlanks()) return false;
    const pgn = cursor.hexadecimal();
    if (pgn < 0 || cursor.digits > 6) return false;
    // The upper bit is reserved.
    const priority = addresses & 7;
    cursor.takeBlanks();
    const length = cursor.takeBytes(payload);
    cursor.takeBlanks();
    if (length < 0 || !cursor.done) return false;
    const wall = times.wall(seconds * MICROSECONDS_OF_SECOND + fraction);
    return writer.packet(wall, priority, pgn, addresses >> 12, (addresses >> 4) & 0xff, payload, length);
  };
}

export const actisenseAscii = lineFormat("Actisense N2K ASCII", ({ modified }) => ({
  parse: parseAsciiLines(new TimesOfDay(modified)),
  times: "undated",
}));

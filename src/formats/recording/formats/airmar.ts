/**
 * Recordings of Airmar's program, whole messages (canboat's format AIRMAR):
 *
 *     20:11:00 - 130306 09FD020D FF 8B 72 FF FF FF FF FF
 *     time of day, PGN, identifier of a frame, payload; the bytes may have commas between them
 *
 * The PGN is that of the identifier, and is not used.
 */
import { fromCanId } from "../../../core/can/can-id.ts";
import { LARGEST_IDENTIFIER } from "../frame-batch.ts";
import { type LineParser, lineFormat } from "../line-reader.ts";
import { LONGEST_PAYLOAD } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { TimesOfDay, takeTimeOfDay } from "../wall-time.ts";

export const airmar = lineFormat("Airmar", ({ modified }) => {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);
  const times = new TimesOfDay(modified);

  const parse: LineParser = (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    const time = takeTimeOfDay(cursor);
    if (time < 0 || !cursor.takeWord(" - ")) return false;
    if (cursor.decimal() < 0 || !cursor.takeBlanks()) return false;
    const identifier = cursor.hexadecimal();
    if (identifier < 0 || identifier > LARGEST_IDENTIFIER || cursor.digits !== 8) return false;
    const length = cursor.takeBytes(payload, () => cursor.takeBlanks() || cursor.take(","));
    if (length < 0 || !cursor.done) return false;
    const { priority, pgn, source, destination } = fromCanId(identifier);
    return writer.packet(times.wall(time), priority, pgn, source, destination, payload, length);
  };
  return { parse, times: "undated" };
});

/**
 * Recordings of Yacht Devices gateways in RAW mode (their manuals, appendix "Format of messages in RAW mode"), which
 * Actisense and others write too:
 *
 *     17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70     R from the bus, T to the bus
 *
 * Lines with more than 8 bytes are written by programs that reassemble; each is a complete message.
 */
import { fromCanId } from "../../../core/can/can-id.ts";
import { EXTENDED_FRAME, LARGEST_IDENTIFIER } from "../frame-batch.ts";
import { type LineParser, lineFormat } from "../line-reader.ts";
import { LONGEST_PAYLOAD } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { TimesOfDay, takeTimeOfDay } from "../wall-time.ts";

/** Makes the parser of its lines, whose times of day are those of `times`. */
export function parseRawLines(times: Pick<TimesOfDay, "wall">): LineParser {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);
  const takeBlanks = (): boolean => cursor.takeBlanks();

  return (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    const time = takeTimeOfDay(cursor);
    if (time < 0 || !cursor.takeBlanks()) return false;
    if (!(cursor.take("R") || cursor.take("T")) || !cursor.takeBlanks()) return false;
    const identifier = cursor.hexadecimal();
    if (identifier < 0 || identifier > LARGEST_IDENTIFIER || cursor.digits !== 8) return false;
    const length = cursor.takeBytes(payload, takeBlanks);
    if (length < 0 || !cursor.done) return false;
    const wall = times.wall(time);
    if (length <= 8) writer.frameOf(wall, (identifier | EXTENDED_FRAME) >>> 0, payload, length);
    else {
      const { priority, pgn, source, destination } = fromCanId(identifier);
      writer.packet(wall, priority, pgn, source, destination, payload, length);
    }
    return true;
  };
}

export const yachtDevicesRaw = lineFormat("Yacht Devices RAW", ({ modified }) => ({
  parse: parseRawLines(new TimesOfDay(modified)),
  times: "undated",
}));

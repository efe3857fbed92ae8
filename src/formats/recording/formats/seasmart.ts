/**
 * Recordings of gateways by Chetco and SeaSmart, whole messages in sentences ("SeaSmart.Net protocol"; canboat's format
 * CHETCO):
 *
 *     $PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59
 *     PGN, time in milliseconds, source, payload, checksum: the exclusive or of the bytes before `*`
 *
 * The sentence has neither priority nor destination. The time has no date, and starts again after 32 bits.
 */
import { GLOBAL_ADDRESS } from "../../../core/can/can-id.ts";
import { type LineParser, lineFormat } from "../line-reader.ts";
import { LONGEST_PAYLOAD } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { timesFrom } from "../wall-time.ts";

const PERIOD_US = 2 ** 32 * 1000;
/** canboat has the same for these messages. */
const NO_PRIORITY = 0;

export const seaSmart = lineFormat("SeaSmart", ({ modified }) => {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);
  const wallOf = timesFrom(modified, PERIOD_US);

  /** A number of the whole field; -1 if it is none. */
  function field(): number {
    const value = cursor.hexadecimal();
    return cursor.take(",") ? value : -1;
  }

  const parse: LineParser = (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    if (!cursor.takeWord("$PCDIN,")) return false;
    const pgn = field();
    const milliseconds = field();
    const source = field();
    if (pgn < 0 || pgn > 0xffffff || milliseconds < 0 || source < 0 || source > 255) return false;
    const length = cursor.takeBytes(payload);
    if (length < 0) return false;
    let checksum = 0;
    for (let at = from + 1; at < cursor.at; at++) checksum ^= bytes[at]!;
    if (!cursor.take("*") || cursor.byte() !== checksum || !cursor.done) return false;
    const wall = wallOf(milliseconds * 1000);
    return writer.packet(wall, NO_PRIORITY, pgn, source, GLOBAL_ADDRESS, payload, length);
  };
  return { parse, times: "undated" };
});

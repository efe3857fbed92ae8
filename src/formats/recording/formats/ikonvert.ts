/**
 * Recordings of Digital Yacht's iKonvert (its wiki, "Serial Protocol"), whole messages:
 *
 *     !PDGY,129039,4,43,255,481.706,ErZcAw6BGlf/h2BIHkP//wAABgAG//8AdAH/
 *     PGN, priority, source, destination, timer (seconds, starts again after 1000), payload in base64
 *
 * `$PDGY` sentences are about the gateway itself. The serial line loses bytes: text before the last `!PDGY` of a line
 * is the rest of a truncated sentence, and a `$PDGY` after a payload is not part of it.
 */

import { type LineParser, lineFormat } from "../line-reader.ts";
import { LONGEST_PAYLOAD } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { MICROSECONDS_OF_SECOND, RunningTime } from "../wall-time.ts";
import type { ReaderOptions } from "./format.ts";

const TIMER_PERIOD = 1000 * MICROSECONDS_OF_SECOND;
const EXCLAMATION = 0x21;
const EQUALS = 0x3d;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** The value of each byte as a digit of base64, -1 for other bytes. */
const base64Value = new Int8Array(256).fill(-1);
for (let value = 0; value < 64; value++) base64Value[alphabet.charCodeAt(value)] = value;

export function parseIkonvertLines({ modified }: ReaderOptions): LineParser {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);
  const times = new RunningTime(modified * 1000, TIMER_PERIOD);

  function field(): number {
    const value = cursor.decimal();
    return cursor.take(",") ? value : -1;
  }

  /** Decodes into `payload`; returns its length, -1 if it is not base64 or too long. */
  function takePayload(): number {
    let length = 0;
    let bits = 0;
    let held = 0;
    let digits = 0;
    for (; !cursor.done; cursor.at++, digits++) {
      const value = base64Value[cursor.next]!;
      if (value < 0) break;
      held = ((held << 6) | value) & 0xfff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      if (length === LONGEST_PAYLOAD) return -1;
      payload[length++] = held >> bits;
    }
    for (; cursor.next === EQUALS; cursor.at++) digits++;
    return digits % 4 === 0 ? length : -1;
  }

  return (bytes, from, to, writer) => {
    const last = bytes.subarray(from, to).lastIndexOf(EXCLAMATION);
    cursor.set(bytes, from, to);
    if (last < 0) return cursor.takeWord("$PDGY,");
    cursor.at = from + last;
    if (!cursor.takeWord("!PDGY,")) return false;
    const pgn = field();
    const priority = field();
    const source = field();
    const destination = field();
    const seconds = cursor.decimal();
    const fraction = cursor.take(".") ? cursor.microseconds() : 0;
    if (pgn < 0 || priority < 0 || priority > 7 || source < 0 || source > 255) return false;
    if (destination < 0 || destination > 255 || seconds < 0 || fraction < 0 || !cursor.take(",")) return false;
    const length = takePayload();
    // A payload followed by a sentence of the gateway is complete only if its padding is there.
    const whole = cursor.done || (cursor.bytes[cursor.at - 1] === EQUALS && cursor.takeWord("$PDGY,"));
    if (length < 0 || !whole) return false;
    const wall = times.wall(seconds * MICROSECONDS_OF_SECOND + fraction);
    return writer.packet(wall, priority, pgn, source, destination, payload, length);
  };
}

export const ikonvert = lineFormat("iKonvert", (options) => ({
  parse: parseIkonvertLines(options),
  times: "undated",
}));

/**
 * Recordings of `candump -L` and `candump -l` (can-utils), the most common format:
 *
 *     (1436509052.249713) vcan0 0DF10503#2A366C2BBA      29 bits: eight digits
 *     (1436509052.249713) vcan0 044#2A366C2BBA           11 bits: three digits
 *     (1436509052.249713) vcan0 044#R8                   remote frame, length behind R when there is one
 *     (1436509052.249713) vcan0 20000004#0000000000000000  error frame: bit 29 of eight digits
 *     (1436509052.249713) vcan0 044#2A366C2BBA00FFFF_B   raw data length code behind eight bytes
 *
 * Further words after the data (`-x` adds T or R) do not describe the frame. CAN FD and CAN XL frames are malformed:
 * NMEA 2000 has none.
 *
 * The first form is nearly all of a recording, and the addon reads it (`native/candump_log.h`).
 */

import { REMOTE_FRAME } from "../frame-batch.ts";
import { type LineParser, lineFormat } from "../line-reader.ts";
import { TextCursor } from "../text-cursor.ts";
import { MICROSECONDS_OF_SECOND } from "../wall-time.ts";
import { candumpIdentifier } from "./candump-identifier.ts";

const SPACE = 0x20;
const ZERO = 0x30;
const LONGEST_DATA = 8;

function parseLines(): LineParser {
  const cursor = new TextCursor();

  return (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    const wall = takeStamp(cursor);
    if (wall < 0 || !takeName(cursor)) return false;
    const identifier = candumpIdentifier(cursor.hexadecimal(), cursor.digits);
    if (identifier === -1 || !cursor.take("#")) return false;
    const isRemote = cursor.take("R");
    const length = isRemote ? takeLength(cursor, writer.data) : cursor.takeBytes(writer.data);
    if (length < 0) return false;
    if (length === LONGEST_DATA && cursor.take("_") && !takeLengthCode(cursor)) return false;
    if (!cursor.done && cursor.next !== SPACE) return false;
    writer.frame(wall, isRemote ? identifier | REMOTE_FRAME : identifier, length);
    return true;
  };
}

/** Reads the stamp, microseconds since 1970; -1 if it is malformed. */
function takeStamp(cursor: TextCursor): number {
  if (!cursor.take("(")) return -1;
  const seconds = cursor.decimal();
  if (seconds < 0 || !cursor.take(".")) return -1;
  const microseconds = Math.max(0, cursor.microseconds());
  return cursor.takeWord(") ") ? seconds * MICROSECONDS_OF_SECOND + microseconds : -1;
}

/** Skips the name of the interface and the space after it. */
function takeName(cursor: TextCursor): boolean {
  const name = cursor.at;
  while (cursor.next > SPACE) cursor.at++;
  return cursor.at > name && cursor.take(" ");
}

/** The length of a remote frame, 0 when there is none; its data are zeros. */
function takeLength(cursor: TextCursor, data: Uint8Array): number {
  data.fill(0);
  const digit = cursor.next - ZERO;
  if (digit < 0 || digit > LONGEST_DATA) return 0;
  cursor.at++;
  return digit;
}

/** The raw data length code of eight bytes, 9 to F. */
const takeLengthCode = (cursor: TextCursor): boolean => cursor.hexadecimal() > LONGEST_DATA && cursor.digits === 1;

export const candumpLog = lineFormat("candump -L", ({ readCandumpLog }) => ({
  parse: parseLines(),
  readLines: readCandumpLog,
}));

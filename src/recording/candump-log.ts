/**
 * Recordings of `candump -L` and `candump -l` (can-utils), the most common format and therefore read without a string, a
 * regular expression or an object per line:
 *
 *     (1436509052.249713) vcan0 0DF10503#2A366C2BBA      29 bits: eight digits
 *     (1436509052.249713) vcan0 044#2A366C2BBA           11 bits: three digits
 *     (1436509052.249713) vcan0 044#R8                   remote frame, length behind R when there is one
 *     (1436509052.249713) vcan0 20000004#0000000000000000  error frame: bit 29 of eight digits
 *     (1436509052.249713) vcan0 044#2A366C2BBA00FFFF_B   raw data length code behind eight bytes
 *
 * Further words behind the data (`-x` adds T or R) say nothing about the frame. CAN FD and CAN XL frames are malformed:
 * NMEA 2000 has none.
 *
 * The parser reads two digits at a time and stops at the line feed without having looked for it, which makes a line 0.1 µs
 * of the 1.25 µs that a frame of a replay takes; digit by digit, with the line end looked for first, it is 0.17 µs.
 */
import { candumpIdentifier } from "./candump-identifier.ts";
import { decimalPair, hexPair, hexValue } from "./digits.ts";
import { REMOTE_FRAME } from "./frame-batch.ts";
import { inPlaceFormat, LONGEST_LINE } from "./line-reader.ts";
import type { RecordWriter } from "./record-writer.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const OPEN = 0x28;
const CLOSE = 0x29;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_R = 0x52;
const UNDERLINE = 0x5f;

/** Twelve digits are the year 33658; more would lose the microseconds in a double. */
const MAX_SECONDS_DIGITS = 12;
const MICROSECOND_DIGITS = 6;

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** The number that the two digits at `at` write, -1 if one is no digit. */
const decimalsAt = (bytes: Uint8Array, at: number): number => decimalPair[bytes[at]! | (bytes[at + 1]! << 8)]!;
const byteAt = (bytes: Uint8Array, at: number): number => hexPair[bytes[at]! | (bytes[at + 1]! << 8)]!;

/** Reads `(seconds.fraction) ` into `stamp`, microseconds; returns the index behind it, -1 when it is malformed. */
function readStamp(bytes: Uint8Array, from: number, stamp: Float64Array): number {
  if (bytes[from] !== OPEN) return -1;
  return readUsualStamp(bytes, from, stamp) ? from + 20 : readAnyStamp(bytes, from, stamp);
}

/** Ten digits of seconds and six of microseconds, the form that candump writes until the year 2286; without loops. */
function readUsualStamp(bytes: Uint8Array, from: number, stamp: Float64Array): boolean {
  if (bytes[from + 11] !== POINT || bytes[from + 18] !== CLOSE || bytes[from + 19] !== SPACE) return false;
  const a = decimalsAt(bytes, from + 1);
  const b = decimalsAt(bytes, from + 3);
  const c = decimalsAt(bytes, from + 5);
  const d = decimalsAt(bytes, from + 7);
  const e = decimalsAt(bytes, from + 9);
  const f = decimalsAt(bytes, from + 12);
  const g = decimalsAt(bytes, from + 14);
  const h = decimalsAt(bytes, from + 16);
  if ((a | b | c | d | e | f | g | h) < 0) return false;
  stamp[0] = (((a * 100 + b) * 10_000 + c * 100 + d) * 100 + e) * 1_000_000 + (f * 100 + g) * 100 + h;
  return true;
}

function readAnyStamp(bytes: Uint8Array, from: number, stamp: Float64Array): number {
  let at = from + 1;
  let seconds = 0;
  for (let pair = decimalsAt(bytes, at); pair >= 0; pair = decimalsAt(bytes, at)) {
    seconds = seconds * 100 + pair;
    at += 2;
  }
  if (isDigit(bytes[at]!)) seconds = seconds * 10 + bytes[at++]! - ZERO;
  const digits = at - from - 1;
  if (bytes[at] !== POINT || digits === 0 || digits > MAX_SECONDS_DIGITS) return -1;
  at++;
  const end = at + MICROSECOND_DIGITS;
  let microseconds = 0;
  for (let pair = decimalsAt(bytes, at); pair >= 0 && at < end; pair = decimalsAt(bytes, at)) {
    microseconds = microseconds * 100 + pair;
    at += 2;
  }
  if (at < end) {
    if (isDigit(bytes[at]!)) microseconds = microseconds * 10 + bytes[at++]! - ZERO;
    microseconds *= 10 ** (end - at);
  }
  while (isDigit(bytes[at]!)) at++;
  if (bytes[at] !== CLOSE || bytes[at + 1] !== SPACE) return -1;
  stamp[0] = seconds * 1_000_000 + microseconds;
  return at + 2;
}

/** The identifier of three or eight digits at `at`, with its flags; -1 when there is none. */
function identifierAt(bytes: Uint8Array, at: number): number {
  const first = byteAt(bytes, at);
  if (bytes[at + 3] === HASH) {
    const last = hexValue[bytes[at + 2]!]!;
    return first < 0 || last < 0 ? -1 : candumpIdentifier((first << 4) | last, 3);
  }
  const second = byteAt(bytes, at + 2);
  const third = byteAt(bytes, at + 4);
  const fourth = byteAt(bytes, at + 6);
  if ((first | second | third | fourth) < 0 || bytes[at + 8] !== HASH) return -1;
  return candumpIdentifier((first << 24) | (second << 16) | (third << 8) | fourth, 8);
}

const stamp = new Float64Array(1);

function parse(bytes: Uint8Array, from: number, writer: RecordWriter): number {
  const name = readStamp(bytes, from, stamp);
  if (name < 0) return -1;
  let at = name;
  while (bytes[at]! > SPACE) at++;
  if (at === name || bytes[at] !== SPACE) return -1;
  at++;
  let identifier = identifierAt(bytes, at);
  if (identifier === -1) return -1;
  at += bytes[at + 3] === HASH ? 4 : 9;

  const { data } = writer;
  let length = 0;
  if (bytes[at] === LETTER_R) {
    identifier |= REMOTE_FRAME;
    const digit = bytes[++at]! - ZERO;
    if (digit >= 0 && digit <= 8) {
      length = digit;
      at++;
    }
    data.fill(0);
  } else {
    while (length < 8) {
      const byte = byteAt(bytes, at);
      if (byte < 0) break;
      data[length++] = byte;
      at += 2;
    }
  }
  if (bytes[at] !== LINE_FEED) {
    if (length === 8 && bytes[at] === UNDERLINE && hexValue[bytes[at + 1]!]! > 8) at += 2;
    if (bytes[at] === SPACE) at = bytes.indexOf(LINE_FEED, at);
    else if (bytes[at] === CARRIAGE_RETURN) at++;
    if (bytes[at] !== LINE_FEED) return -1;
  }
  if (at - from > LONGEST_LINE) return -1;
  writer.frame(stamp[0]!, identifier, length);
  return at + 1;
}

export const candumpLog = inPlaceFormat("candump -L", parse);

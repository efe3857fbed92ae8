/**
 * Recordings of `candump -L` and `candump -l` (can-utils), the format that is read most and therefore without a string, a
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
 */
import { decimalPair, hexPair, hexValue } from "./digits.ts";
import { ERROR_FRAME, EXTENDED_FRAME, REMOTE_FRAME } from "./frame-batch.ts";
import { lineFormat, type PlainLineParser } from "./line-reader.ts";
import type { RecordWriter } from "./record-writer.ts";

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const HASH = 0x23;
const OPEN = 0x28;
const CLOSE = 0x29;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_R = 0x52;
const UNDERLINE = 0x5f;

function parse(bytes: Uint8Array, from: number, to: number, writer: RecordWriter): boolean {
  let at = from;
  if (bytes[at] !== OPEN) return false;
  at++;
  const firstDigit = at;
  let seconds = 0;
  let byte = bytes[at]!;
  while (byte >= ZERO && byte <= NINE) {
    seconds = seconds * 10 + byte - ZERO;
    byte = bytes[++at]!;
  }
  // Twelve digits are the year 33658; more would lose the microseconds in a double.
  if (byte !== POINT || at === firstDigit || at - firstDigit > 12) return false;
  at++;
  let fraction = 0;
  let scale = 1_000_000;
  byte = bytes[at]!;
  while (byte >= ZERO && byte <= NINE) {
    if (scale > 1) {
      scale /= 10;
      fraction += (byte - ZERO) * scale;
    }
    byte = bytes[++at]!;
  }
  if (byte !== CLOSE || bytes[at + 1] !== SPACE) return false;
  at += 2;

  const name = at;
  while (at < to && bytes[at] !== SPACE) at++;
  if (at === name || at >= to) return false;
  at++;

  const firstOfIdentifier = at;
  let identifier = 0;
  let digit = hexValue[bytes[at]!]!;
  while (digit >= 0 && at < to) {
    identifier = (identifier << 4) | digit;
    digit = hexValue[bytes[++at]!]!;
  }
  if (at >= to || bytes[at] !== HASH) return false;
  const digits = at - firstOfIdentifier;
  if (digits === 8) {
    if (identifier >>> 29 === 0) identifier |= EXTENDED_FRAME;
    else if (identifier >>> 29 !== ERROR_FRAME >>> 29) return false;
  } else if (digits !== 3 || identifier > 0x7ff) return false;
  at++;

  const { data } = writer;
  let length = 0;
  if (at < to && bytes[at] === LETTER_R) {
    identifier |= REMOTE_FRAME;
    at++;
    if (at < to && bytes[at] !== SPACE && bytes[at] !== UNDERLINE) {
      length = bytes[at]! - ZERO;
      if (length < 0 || length > 8) return false;
      at++;
    }
    data.fill(0);
  } else {
    while (at < to && length < 8) {
      // Behind an odd digit lies the line end or a blank, which is no digit; a line never ends its buffer unseen.
      const value = (hexValue[bytes[at]!]! << 4) | (at + 1 < to ? hexValue[bytes[at + 1]!]! : -1);
      if (value < 0) break;
      data[length++] = value;
      at += 2;
    }
  }
  if (at + 1 < to && bytes[at] === UNDERLINE && length === 8 && hexValue[bytes[at + 1]!]! > 8) at += 2;
  if (at < to && bytes[at] !== SPACE) return false;
  writer.frame(seconds * 1_000_000 + fraction, identifier, length);
  return true;
}

/** Bytes of the longest line that is read in one go: stamp, name, identifier, data, line feed. */
const LONGEST_PLAIN = 20 + 17 + 9 + 16 + 1;

/**
 * Most lines of most recordings are alike: ten digits of seconds and six behind the point, eight of identifier, whole bytes,
 * line feed. Those are read here in one go, which takes half the time of looking for the line end first.
 */
function plainParser(): PlainLineParser {
  // Hundreds of lines share a second: its twelve bytes, from the bracket to the point, are read once and then compared.
  let firstEight = Number.NaN;
  let nextFour = 0;
  /** Since 1970. */
  let microseconds = 0;
  const readSecond = (bytes: Uint8Array, view: DataView, from: number): boolean => {
    if (bytes[from] !== OPEN || bytes[from + 11] !== POINT) return false;
    let seconds = 0;
    for (let at = from + 1; at < from + 11; at += 2) {
      const pair = decimalPair[view.getUint16(at, true)]!;
      if (pair < 0) return false;
      seconds = seconds * 100 + pair;
    }
    firstEight = view.getFloat64(from, true);
    nextFour = view.getInt32(from + 8, true);
    microseconds = seconds * 1_000_000;
    return true;
  };

  return (bytes, view, from, writer) => {
    if (bytes.length - from < LONGEST_PLAIN) return -1;
    const isSameSecond = view.getFloat64(from, true) === firstEight && view.getInt32(from + 8, true) === nextFour;
    if (!isSameSecond && !readSecond(bytes, view, from)) return -1;
    const hundredths = decimalPair[view.getUint16(from + 12, true)]!;
    const tenThousandths = decimalPair[view.getUint16(from + 14, true)]!;
    const millionths = decimalPair[view.getUint16(from + 16, true)]!;
    if ((hundredths | tenThousandths | millionths) < 0 || bytes[from + 18] !== CLOSE || bytes[from + 19] !== SPACE)
      return -1;
    const fraction = (hundredths * 100 + tenThousandths) * 100 + millionths;

    let at = from + 21;
    const lastOfName = from + 36;
    // A line end is no part of a name, nor is any other control character.
    while (bytes[at]! > SPACE && at < lastOfName) at++;
    if (bytes[from + 20]! <= SPACE || bytes[at] !== SPACE || bytes[at + 9] !== HASH) return -1;
    const high = hexPair[view.getUint16(at + 1, true)]!;
    const second = hexPair[view.getUint16(at + 3, true)]!;
    const third = hexPair[view.getUint16(at + 5, true)]!;
    const low = hexPair[view.getUint16(at + 7, true)]!;
    if ((high | second | third | low) < 0 || high > 0x1f) return -1;
    const identifier = (high << 24) | (second << 16) | (third << 8) | low;
    at += 10;

    const { data } = writer;
    let length = 0;
    while (length < 8) {
      const value = hexPair[view.getUint16(at, true)]!;
      if (value < 0) break;
      data[length++] = value;
      at += 2;
    }
    if (bytes[at] !== LINE_FEED) return -1;
    writer.frame(microseconds + fraction, identifier | EXTENDED_FRAME, length);
    return at + 1;
  };
}

export const candumpLog = lineFormat("candump -L", () => parse, plainParser);

/**
 * Text on the wire: fields of a fixed length, whose padding differs between manufacturers, and strings preceded by
 * their length. Layouts: canboat database 6.2.0 (STRING_FIX, STRING_LZ, STRING_LAU); AIS pads with `@` (ITU-R M.1371).
 */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Control characters (C0, DEL, C1) and the byte order mark, which are removed from published text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\ufeff]/g;

const ONE_BYTE = Array.from({ length: 0x80 }, (_, byte) => String.fromCharCode(byte));

/** Text with bytes above 0x7f: valid UTF-8, else ISO 8859-1. */
function decodeBytes(bytes: Uint8Array, from: number, to: number): string {
  const slice = bytes.subarray(from, to);
  try {
    return utf8.decode(slice);
  } catch {
    return Array.from(slice, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** Text of `bytes` from `from` to `to`, without control characters and without spaces at its end. */
function plainText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte > 0x7e) return decodeBytes(bytes, from, to).replace(CONTROL, "").trimEnd();
    text += ONE_BYTE[byte];
  }
  return text;
}

/** A text of fixed length: ends at the first zero; 0xFF, space, `@` and control characters at its end are padding. */
export function readText(bytes: Uint8Array, from: number, length: number): string {
  let to = from;
  const limit = from + length;
  while (to < limit && bytes[to] !== 0) to++;
  while (to > from) {
    const last = bytes[to - 1]!;
    if (last > 0x20 && last < 0x7f && last !== 0x40) break;
    if (last > 0x7f && last < 0xff) break;
    to--;
  }
  const text = plainText(bytes, from, to);
  // There may have been control characters after the padding.
  return text.endsWith("@") ? text.replace(/[\s@]+$/, "") : text;
}

/** End of a broken string: beyond every message, so that no field after it is read. */
const NOWHERE = 0x3fffffff;

/**
 * End of a string that begins with length and encoding; the length includes these two bytes. A string is broken if its
 * length is below 2 or exceeds the message.
 */
export function lauTextEnd(bytes: Uint8Array, from: number, end: number): number {
  if (from >= end) return NOWHERE;
  const length = bytes[from]!;
  return length < 2 || from + length > end ? NOWHERE : from + length;
}

/** The text of such a string: encoding 0 is UTF-16 (little-endian), 1 is ASCII, in practice also UTF-8. */
export function readLauText(bytes: Uint8Array, from: number, end: number): string {
  let to = lauTextEnd(bytes, from, end);
  if (to === NOWHERE) return "";
  const start = from + 2;
  if (bytes[from + 1] === 0) {
    let text = "";
    for (let at = start; at + 1 < to; at += 2) text += String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8));
    return text.split("\0", 1)[0]!.replace(CONTROL, "").toWellFormed().trimEnd();
  }
  for (let at = start; at < to; at++) if (bytes[at] === 0) to = at;
  while (to > start && bytes[to - 1] === 0xff) to--;
  return plainText(bytes, start, to).trimEnd();
}

/** End of a text preceded by the number of its bytes; beyond every message if it points there. */
export function lzTextEnd(bytes: Uint8Array, from: number, end: number): number {
  if (from >= end) return NOWHERE;
  const to = from + 1 + bytes[from]!;
  return to > end ? NOWHERE : to;
}

/** The text itself, in UTF-8, to its first zero; of a truncated text, the part that the message has. */
export function readLzText(bytes: Uint8Array, from: number, end: number): string {
  if (from >= end) return "";
  let to = Math.min(end, from + 1 + bytes[from]!);
  const start = from + 1;
  for (let at = start; at < to; at++) if (bytes[at] === 0) to = at;
  while (to > start && bytes[to - 1] === 0xff) to--;
  return plainText(bytes, start, to).trimEnd();
}

const HEX = Array.from({ length: 0x100 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes in lower-case hex. */
export function readHex(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += HEX[bytes[at]!];
  return text;
}

/** The same for a field of bytes; empty if all are ones, which stands for not available. */
export function readBytes(bytes: Uint8Array, from: number, to: number): string {
  for (let at = from; at < to; at++) if (bytes[at] !== 0xff) return readHex(bytes, from, to);
  return "";
}

const DIGIT_PAIRS = Array.from({ length: 100 }, (_, byte) => String(byte).padStart(2, "0"));

/** Bytes of two decimal digits each, as DSC symbols are; empty when one of them is above 99. */
export function readDigitPairs(bytes: Uint8Array, from: number, count: number): string {
  let text = "";
  for (let at = from; at < from + count; at++) {
    const pair = DIGIT_PAIRS[bytes[at]!];
    if (pair === undefined) return "";
    text += pair;
  }
  return text;
}

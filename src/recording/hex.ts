/** Hexadecimal digits as bytes of text. */

const DIGITS = [..."0123456789abcdefABCDEF"].map((digit) => digit.charCodeAt(0));

/** The value of each byte as a hexadecimal digit in either case, -1 for those that are none. */
export const hexValue: Int8Array = new Int8Array(0x100).fill(-1);
for (const digit of DIGITS) hexValue[digit] = Number.parseInt(String.fromCharCode(digit), 16);

/** The byte that two digits write, by both as they lie in memory, read as one little-endian number; -1 if one is none. */
export const hexPair: Int16Array = new Int16Array(0x10000).fill(-1);
for (const high of DIGITS) {
  for (const low of DIGITS) hexPair[high | (low << 8)] = (hexValue[high]! << 4) | hexValue[low]!;
}

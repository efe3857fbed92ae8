/** Values of digits in text, single and in pairs; the key of a pair is its two bytes read as little-endian. */

const DECIMAL = digitsOf("0123456789");
const HEXADECIMAL = digitsOf("0123456789abcdefABCDEF");

/** The value of each byte as a hexadecimal digit in either case, -1 for other bytes. */
export const hexValue: Int8Array = new Int8Array(0x100).fill(-1);
for (const digit of HEXADECIMAL) hexValue[digit] = Number.parseInt(String.fromCharCode(digit), 16);

/** The byte of two hexadecimal digits, -1 for other pairs. */
export const hexPair: Int16Array = new Int16Array(0x10000).fill(-1);
for (const high of HEXADECIMAL) {
  for (const low of HEXADECIMAL) hexPair[high | (low << 8)] = (hexValue[high]! << 4) | hexValue[low]!;
}

/** The number of two decimal digits, -1 for other pairs. */
export const decimalPair: Int8Array = new Int8Array(0x10000).fill(-1);
for (const high of DECIMAL) {
  for (const low of DECIMAL) decimalPair[high | (low << 8)] = 10 * hexValue[high]! + hexValue[low]!;
}

function digitsOf(text: string): readonly number[] {
  return [...text].map((digit) => digit.charCodeAt(0));
}

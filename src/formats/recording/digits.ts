/** Values of digits in text. */

/** The value of each byte as a hexadecimal digit in either case, -1 for other bytes. */
export const hexValue: Int8Array = new Int8Array(0x100).fill(-1);
for (const digit of "0123456789abcdefABCDEF") hexValue[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

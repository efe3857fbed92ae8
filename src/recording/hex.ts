/** Hexadecimal digits as bytes of text. */

/** The value of each byte as a hexadecimal digit in either case, -1 for those that are none. */
export const hexValue: Int8Array = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  hexValue[digit.charCodeAt(0)] = value;
  hexValue[digit.toUpperCase().charCodeAt(0)] = value;
}

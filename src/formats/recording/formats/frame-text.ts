/** Frames as text, in hexadecimal digits as in recordings. */

const bytesAsText = Array.from({ length: 256 }, (_, byte) => digitsOf(byte, 2));

/** Upper case, at least `count` digits. */
export function digitsOf(value: number, count: number): string {
  return value.toString(16).toUpperCase().padStart(count, "0");
}

/** `length` bytes from `at` on, two digits each, with `before` in front of each. */
export function dataText(bytes: Uint8Array, at: number, length: number, before = ""): string {
  let text = "";
  for (let byte = at; byte < at + length; byte++) text += before + bytesAsText[bytes[byte]!];
  return text;
}

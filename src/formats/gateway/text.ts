/** Text of gateways. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** ASCII text as bytes. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The bytes from `from` to `to` as text, a character each. */
export const textAt = (bytes: Uint8Array, from: number, to: number): string => decoder.decode(bytes.subarray(from, to));

/** For parsers of recordings, in which stamps without a date begin at the date of the file; a gateway has no file. */
export const noDate = { modified: 0 };

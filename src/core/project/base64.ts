/**
 * Base64 (RFC 4648, padded) of whole buffers: runtimes have no common function for it that avoids strings of single
 * characters.
 */

const alphabet = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const padding = 0x3d;
const sextets = new Int16Array(256).fill(-1);
for (const [sextet, code] of alphabet.entries()) sextets[code] = sextet;

const decoder = new TextDecoder();

export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const rest = bytes.length - from;
    const triple = (bytes[from]! << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    text[at++] = alphabet[triple >> 18]!;
    text[at++] = alphabet[(triple >> 12) & 63]!;
    text[at++] = rest > 1 ? alphabet[(triple >> 6) & 63]! : padding;
    text[at++] = rest > 2 ? alphabet[triple & 63]! : padding;
  }
  return decoder.decode(text);
}

/** Undefined for a text that is not base64; line breaks and missing padding are not accepted. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const pads = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - pads);
  const end = text.length - pads;
  let bits = 0;
  let at = 0;
  for (let from = 0; from < text.length; from++) {
    const code = text.charCodeAt(from);
    const sextet = from < end ? (code < 256 ? sextets[code]! : -1) : 0;
    if (sextet < 0) return undefined;
    bits = (bits << 6) | sextet;
    if (from % 4 !== 3) continue;
    bytes[at++] = bits >> 16;
    bytes[at++] = bits >> 8;
    bytes[at++] = bits;
    bits = 0;
  }
  return bytes;
}

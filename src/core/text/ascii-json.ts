/**
 * JSON in ASCII: other characters are escaped, so that the length of a message is its size in bytes, and V8 keeps
 * strings with one byte per character.
 */

const BEYOND_ASCII = /[\u007f-\uffff]/g;
const NEEDS_ESCAPE = /["\\]|[^\u0020-\u007e]/;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes all characters beyond ASCII in JSON text. */
export const asciiJson = (json: string): string => json.replace(BEYOND_ASCII, escaped);

/**
 * A JSON string literal in ASCII.
 *
 * @example quote("Zürich") // '"Z\\u00fcrich"'
 */
export const quote = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? asciiJson(JSON.stringify(text)) : `"${text}"`;

/**
 * JSON in ASCII: what is beyond is escaped, as JSON allows, so that the length of a message is its size in bytes and a
 * burst of messages is one string of one byte per character.
 */

const BEYOND_ASCII = /[\u007f-\uffff]/g;
const NEEDS_ESCAPE = /["\\]|[^\u0020-\u007e]/;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON text with everything beyond ASCII escaped. */
export const asciiJson = (json: string): string => json.replace(BEYOND_ASCII, escaped);

/** A JSON string literal in ASCII. */
export const quote = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? asciiJson(JSON.stringify(text)) : `"${text}"`;

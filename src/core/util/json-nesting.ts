/** The depth of JSON. */

/** Maximum depth of lists and objects; deeper values could be parsed but not printed again. */
export const MAX_DEPTH = 1000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * True if JSON is nested beyond `MAX_DEPTH`; to be asked before it is parsed, because a megabyte of brackets becomes a
 * hundred of memory.
 */
export function isNestedTooDeeply(bytes: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

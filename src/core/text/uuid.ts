/** UUIDs made of texts, for APIs that require a UUID where hub has a name of its own. */
import { sha256Hex } from "./sha256.ts";

/** The same UUID for the same text, in the form of version 4. */
export const uuidOf = (text: string): string => uuidIn(sha256Hex(text));

/** A UUID in the form of version 4, of the first 32 hexadecimal digits; `variant` replaces one of them. */
export const uuidIn = (hex: string, variant = "a"): string =>
  [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");

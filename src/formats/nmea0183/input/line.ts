/**
 * A line with a sentence:
 *
 *     UdPbC␀ \s:GP0001,c:1577836800*10\ $GPRMC,…*2A         prefix of IEC 61162-450, tag block, sentence
 */
import { checksumOf } from "../sentence.ts";

export interface Line {
  /** The sentence between its first character and its checksum. */
  readonly body: string;
  /** Begins with `!`: its content is encapsulated. */
  readonly isEncapsulated: boolean;
  readonly hasChecksum: boolean;
  /** The source in the tag block; empty without one. */
  readonly source: string;
  /** The time in the tag block, milliseconds since 1970. */
  readonly sentAt: number | undefined;
}

/** Characters of the longest sentence; programs exceed the 82 of the standard. */
const LONGEST_SENTENCE = 250;
const LONGEST_SOURCE = 15;

/** The text before its checksum, and whether it has one; undefined if it is wrong. */
function checked(text: string): { readonly text: string; readonly hasChecksum: boolean } | undefined {
  const [, body, digits] = /^([^*]*)\*([0-9A-Fa-f]{2})$/.exec(text) ?? [];
  if (body !== undefined)
    return checksumOf(body) === Number.parseInt(digits!, 16) ? { text: body, hasChecksum: true } : undefined;
  return text.includes("*") ? undefined : { text, hasChecksum: false };
}

/** The time of a tag block, in seconds or milliseconds. */
function timeIn(tags: string): number | undefined {
  const [, seconds, milliseconds] = /(?:^|,)c:(?:(\d{9,10}(?:\.\d{1,9})?)|(\d{12,13}))(?:,|$)/.exec(tags) ?? [];
  if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  return milliseconds === undefined ? undefined : Number(milliseconds);
}

/** Reads a line; undefined for one that has no sentence, or a wrong checksum. A sentence cut off before is passed over. */
export function readLine(line: string): Line | undefined {
  const text = line.trim().replace(/^UdPbC\0/, "");
  const [, tag] = /^\\([^\\]{0,200})\\/.exec(text) ?? [];
  const block = tag === undefined ? undefined : checked(tag);
  if (tag !== undefined && block === undefined) return undefined;
  const begin = Math.max(text.lastIndexOf("$"), text.lastIndexOf("!"));
  if (begin < 0 || text.length - begin > LONGEST_SENTENCE) return undefined;
  const sentence = checked(text.slice(begin + 1));
  if (sentence === undefined || !/^[A-Z][A-Z0-9]{2,9},[ -~]*$/.test(sentence.text)) return undefined;
  const isEncapsulated = text[begin] === "!";
  if (isEncapsulated && !sentence.hasChecksum) return undefined;
  // A tag block belongs to the sentence that follows it at once.
  const isTagged = tag !== undefined && begin === tag.length + 2;
  const tags = isTagged ? block!.text : "";
  const [, source = ""] = /(?:^|,)s:([\w-]+)/.exec(tags) ?? [];
  return {
    body: sentence.text,
    isEncapsulated,
    hasChecksum: sentence.hasChecksum,
    source: source.slice(0, LONGEST_SOURCE),
    sentAt: timeIn(tags),
  };
}

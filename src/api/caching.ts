/** Entity tags and If-None-Match (RFC 9110, 8.8.3 and 13.1.2). */
import type { Answer } from "../ports/exchange.ts";
import { emptyAnswer } from "./answers.ts";

const entityTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g;

/** True if the header names the tag, weakly compared, or is `*`. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return [...header.matchAll(entityTag)].some(([, tag]) => tag === opaque);
}

/** A stored tag as it may stand in a header: quoted; undefined if it cannot stand there. */
export function quoted(etag: string | undefined): string | undefined {
  if (etag === undefined) return undefined;
  const whole = /^(?:W\/)?"/.test(etag) ? etag : `"${etag}"`;
  return /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(whole) ? whole : undefined;
}

/** An answer with an entity tag, or 304 in its place if the caller has what it says. */
export function unlessKnown(answer: Answer, ifNoneMatch: string | undefined): Answer {
  const { ETag: etag } = answer.headers;
  if (etag === undefined || !matches(ifNoneMatch, etag)) return answer;
  const { "Content-Type": _, ...headers } = answer.headers;
  return emptyAnswer(304, headers);
}

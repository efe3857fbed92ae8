/** Responses: pretty-printed JSON that keeps large integers, and bytes. */
import type { Context } from "hono";
import { type Json, print, printPieces } from "../../../core/project/json.ts";

type Headers = Readonly<Record<string, string>>;

/** Passwords and drafts must not be cached. A browser must not guess another type for an uploaded page. */
const always = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

export type Status = 200 | 201 | 400 | 401 | 404 | 409 | 500 | 503;

/** A JSON response. `c.json` would lose integers beyond 2^53 and print on one line. */
export const json = (value: Json, status: Status = 200): Response => jsonText(print(value), status);

export const jsonText = (text: string, status: Status): Response =>
  new Response(text, { status, headers: { "Content-Type": "application/json", ...always } });

/** A response of a step of a transaction. Its body is read only if the step fails, so it is printed when it is read. */
export const lazyJson = (value: () => Json, status: Status): Response => {
  const pull = (stream: ReadableStreamDefaultController): void => {
    for (const piece of printPieces(value())) stream.enqueue(piece);
    stream.close();
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status });
};

export const bytes = (content: Uint8Array | ReadableStream<Uint8Array>, headers: Headers): Response =>
  new Response(content as Uint8Array<ArrayBuffer>, { headers: { ...always, ...headers } });

const entityTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g;

/** True if an If-None-Match header names the tag, weakly compared, or is `*` (RFC 9110, 13.1.2). */
function matches(header: string, etag: string): boolean {
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return [...header.matchAll(entityTag)].some(([, tag]) => tag === opaque);
}

/**
 * Bytes with an entity tag, or 304 if the client has them. `hono/etag` does not know `*`, and makes tags for responses
 * without one.
 */
export function cacheable(c: Context, content: Uint8Array, etag: string, headers: Headers): Response {
  const known = matches(c.req.header("if-none-match") ?? "", etag);
  if (!known) return bytes(content, { ETag: etag, ...headers });
  const { "Content-Type": _, ...rest } = headers;
  return new Response(null, { status: 304, headers: { ...always, ETag: etag, ...rest } });
}

/** A stored tag in quotes for a header; undefined if a header cannot have it. */
export function quotedTag(etag: string): string | undefined {
  const whole = /^(?:W\/)?"/.test(etag) ? etag : `"${etag}"`;
  return /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(whole) ? whole : undefined;
}

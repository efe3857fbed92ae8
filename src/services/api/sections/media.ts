/** Media: files kept inside the project as base64, with their metadata. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { decodeBase64, encodeBase64 } from "../../../core/project/base64.ts";
import { sha256Hex } from "../../../core/project/digest.ts";
import type { Entry } from "../../../core/project/document.ts";
import { needEntry } from "../../../core/project/entries.ts";
import { isObject, type JsonObject, own, without } from "../../../core/project/json.ts";
import { malformedProject, Refusal } from "../../../core/project/refusal.ts";
import { memoize } from "../../../core/util/memoize.ts";
import { bytes, cacheable, quotedTag } from "../http/responses.ts";
import { addDelete, addList, type SectionApp, sectionEndpoint } from "./section.ts";

const family = "media";
const anyContent = "application/octet-stream";
const path = "/media/{name}";

/** The body over HTTP is the raw bytes; in a step of a transaction it is their base64 with metadata. */
type MediaBody =
  | Uint8Array
  | { readonly data: string; readonly metadata?: { readonly contentType?: string | null } | null };

const mediaBody = z.looseObject({
  data: z.unknown().refine((data) => typeof data === "string", "expected base64"),
  metadata: z.looseObject({ contentType: z.string().nullish() }).nullish(),
}) as unknown as z.ZodType<MediaBody>;

const mediaResponse = z.looseObject({
  name: z.string(),
  metadata: z.looseObject({ contentType: z.string(), size: z.int(), etag: z.string() }),
});

/** A media entry as lists show it. */
export const withoutData = (entry: Entry): JsonObject => without(entry, "data");

/** Memoized for the steps of a transaction. */
const contentOf = memoize((entry: Entry): Uint8Array => {
  const data = own(entry, "data");
  const content = typeof data === "string" ? decodeBase64(data) : undefined;
  if (content === undefined) throw malformedProject();
  return content;
});

/** The content type is sent back in a header, so it has to be printable ASCII. */
const contentTypeOf = (text: unknown): string =>
  typeof text === "string" && /^[\x20-\x7e]{1,255}$/.test(text) ? text : anyContent;

export const media: SectionApp = new OpenAPIHono();

addList(media, "media", { show: withoutData });

sectionEndpoint(
  media,
  { family, method: "get", path, summary: "Read the bytes of one media entry", errors: [304] },
  (c) => {
    const entry = needEntry(c.get("draft"), "media", c.req.valid("param").name);
    const content = contentOf(entry);
    const stored = own(entry, "metadata");
    const metadata = isObject(stored) ? stored : {};
    const etag = own(metadata, "etag");
    const headers = {
      "Content-Type": contentTypeOf(own(metadata, "contentType")),
      "Cache-Control": "max-age=60, no-cache",
      // An uploaded picture or page must not act with the origin of the boat's own pages.
      "Content-Security-Policy": "sandbox",
    };
    const tag = typeof etag === "string" ? quotedTag(etag) : undefined;
    return tag === undefined ? bytes(content, headers) : cacheable(c, content, tag, headers);
  },
);

sectionEndpoint(
  media,
  {
    family,
    method: "put",
    path,
    summary: "Store the body as one media entry",
    body: { schema: mediaBody, raw: "bytes" },
    response: mediaResponse,
  },
  async (c) => {
    const body = c.req.valid("json");
    const isRaw = body instanceof Uint8Array;
    const content = isRaw ? body : decodeBase64(body.data);
    if (content === undefined) throw new Refusal(400, "invalid data: expected base64");
    const metadata = isRaw ? { contentType: c.req.header("content-type") } : (body.metadata ?? {});
    const { name } = c.req.valid("param");
    const entry = {
      name,
      metadata: {
        ...metadata,
        contentType: contentTypeOf(metadata.contentType),
        size: content.length,
        etag: await sha256Hex(content),
      },
      data: isRaw ? encodeBase64(body) : body.data,
    };
    c.get("draft").put("media", entry);
    return withoutData(entry);
  },
);

addDelete(media, "media");

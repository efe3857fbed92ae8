/** Media: files kept inside the project as base64, beside what is known about them. */
import * as z from "zod";
import { decodeBase64, encodeBase64 } from "../base64.ts";
import { sha256Hex } from "../digest.ts";
import type { Entry } from "../document.ts";
import { entries, needEntry, storeEntry } from "../entries.ts";
import { isObject, type JsonObject, own, without } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { malformedProject, Refusal } from "../refusal.ts";

const feature = "media";
const anyContent = "application/octet-stream";

/** What a media body is to an operation: over HTTP the bytes that came, in a transaction step their base64. */
export interface MediaBody {
  readonly data: string | Uint8Array;
  readonly metadata?: { readonly contentType?: string };
}

const mediaBody = z.looseObject({
  data: z.custom<string | Uint8Array>(
    (data) => typeof data === "string" || data instanceof Uint8Array,
    "expected base64",
  ),
  metadata: z.looseObject({ contentType: z.string().optional() }).optional(),
});

const mediaAnswer = z.looseObject({
  name: z.string(),
  metadata: z.looseObject({ contentType: z.string(), size: z.int(), etag: z.string() }),
});

/** A media entry as lists show it. */
export const withoutData = (entry: Entry): JsonObject => without(entry, "data");

/** A content type goes back into a header, so it has to be able to stand in one. */
const contentTypeOf = (text: unknown): string =>
  typeof text === "string" && /^[\x20-\x7e]{1,255}$/.test(text) ? text : anyContent;

const [list, , , remove] = entries(feature, { show: withoutData });

const read = operation({
  feature,
  method: "GET",
  path: "/project/{id}/media/{name}",
  summary: "Read the bytes of one media entry",
  success: 200,
  refusals: [304],
  run(draft, { name }) {
    const entry = needEntry(draft, "media", "name", name);
    const data = own(entry, "data");
    const bytes = typeof data === "string" ? decodeBase64(data) : undefined;
    if (bytes === undefined) throw malformedProject();
    const stored = own(entry, "metadata");
    const metadata = isObject(stored) ? stored : {};
    const etag = own(metadata, "etag");
    const contentType = contentTypeOf(own(metadata, "contentType"));
    return typeof etag === "string" ? { bytes, contentType, etag } : { bytes, contentType };
  },
});

const put = operation({
  feature,
  method: "PUT",
  path: "/project/{id}/media/{name}",
  summary: "Store the body as one media entry",
  success: 201,
  body: { schema: mediaBody as unknown as z.ZodType<MediaBody>, raw: true },
  answer: mediaAnswer,
  async run(draft, { name }, { data, metadata }) {
    const bytes = typeof data === "string" ? decodeBase64(data) : data;
    if (bytes === undefined) throw new Refusal(400, "invalid data: expected base64");
    const entry = {
      name,
      metadata: {
        ...metadata,
        contentType: contentTypeOf(metadata?.contentType),
        size: bytes.length,
        etag: await sha256Hex(bytes),
      },
      data: typeof data === "string" ? data : encodeBase64(data),
    };
    storeEntry(draft, "media", "name", entry);
    return { json: withoutData(entry) };
  },
});

export const media: readonly Operation[] = [list!, read, put, remove!];

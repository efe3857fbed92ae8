/** Bodies and responses over HTTP. */
import type { Context } from "hono";
import { NestingError, parseBytes, print } from "../../../core/project/json.ts";
import { nestedTooDeeply, Refusal } from "../../../core/project/refusal.ts";
import { TooMuchWork } from "../../../core/util/work.ts";
import type { ApiEnv } from "./env.ts";
import type { Exchange, Raw, Sent } from "./exchange.ts";
import { jsonText } from "./responses.ts";

/** A response up to this length is not counted as held until the client has read it. */
const SHORT_RESPONSE = 1 << 20;

export const httpExchange = (c: Context<ApiEnv>): Exchange => ({
  body: (raw) => (raw === "stream" ? streamOf(c) : wholeBody(c, raw)),
  respond(value, status) {
    const text = print(value());
    // Only a GET can still be served elsewhere: the changes of other requests are already saved.
    if (c.req.method === "GET" && text.length > SHORT_RESPONSE) c.get("work").hold(text.length);
    return jsonText(text, status);
  },
});

async function wholeBody(c: Context<ApiEnv>, raw: Raw): Promise<Sent> {
  const work = c.get("work");
  const isChunked = c.req.header("transfer-encoding") !== undefined;
  const length = isChunked ? undefined : Number(c.req.header("content-length") ?? 0);
  const content = await work.bytesOf(c.req.raw, length).catch(cutShort);
  if (content.length === 0) return undefined;
  if (raw === "bytes") return content;
  try {
    return parseBytes(content, work);
  } catch (error) {
    if (error instanceof NestingError) throw nestedTooDeeply();
    if (error instanceof SyntaxError) throw new Refusal(400, "body is not valid JSON");
    throw error;
  }
}

/** The client has closed the connection before the announced length. */
function cutShort(cause: unknown): never {
  throw cause instanceof TooMuchWork ? cause : new Refusal(400, "missing body", { cause });
}

/** The chunks of a body, whose first one has been read; undefined for an empty body. */
async function streamOf(c: Context): Promise<AsyncIterable<Uint8Array> | undefined> {
  const reader = c.req.raw.body?.getReader();
  const first = await reader?.read().catch(cutShort);
  if (reader === undefined || first?.value === undefined) return undefined;
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    for (let { value } = first; value !== undefined; { value } = await reader.read().catch(cutShort)) yield value;
  };
  return rest();
}

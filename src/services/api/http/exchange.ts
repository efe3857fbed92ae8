/**
 * The transport of a request's body and of its response: over HTTP, or within the process for a step of a transaction,
 * which is a request to the same routes.
 */
import type { Json } from "../../../core/project/json.ts";
import { lazyJson, type Status } from "./responses.ts";

/** A body as it was read. */
export type Sent = Json | Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** Bodies that are not JSON: bytes, whole or as a stream. */
export type Raw = "bytes" | "stream" | undefined;

export interface Exchange {
  /** Reads the body; undefined if there is none. */
  body(raw: Raw): Promise<Sent>;
  respond(value: () => Json, status: Status): Response;
}

/**
 * Steps run before the transaction is saved. The body of a step is a value, and its response is read only if it fails.
 */
export const stepExchange = (body: Json | undefined): Exchange => ({ body: async () => body, respond: lazyJson });

/**
 * How the body of a request comes and its response goes: over HTTP, or within the process for a step of a transaction,
 * which is a request to the same routes.
 */
import type { Json } from "../../project/json.ts";
import { lazyJson, type Status } from "./responses.ts";

/** A body as it was read. */
export type Sent = Json | Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** Bodies that are no JSON: bytes, whole or as a stream. */
export type Raw = "bytes" | "stream" | undefined;

export interface Exchange {
  /** Reads the body; undefined where there is none. */
  body(raw: Raw): Promise<Sent>;
  respond(value: () => Json, status: Status): Response;
}

/**
 * Steps that run before the transaction is saved; the body of a step is a value, and its response is read only where it
 * fails.
 */
export const stepExchange = (body: Json | undefined): Exchange => ({ body: async () => body, respond: lazyJson });

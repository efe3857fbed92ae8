/**
 * Requests that would delay all others are served elsewhere. Their work is known only while it is done: it is counted
 * where JSON is read and where steps run, and a request that exceeds the limit, before it has changed anything, begins
 * anew elsewhere.
 */
import { joined } from "../../../core/util/bytes.ts";
import { TooMuchWork, Work } from "../../../core/util/work.ts";

/** Another process that serves the same application, for one request. */
export interface Elsewhere {
  /** Counts bytes that are held until the request has been answered; false if all requests together hold too many. */
  hold(bytes: number): boolean;
  /** Passes the request on, with its body if some of it has been read, and passes the response to the client. */
  pass(body?: AsyncIterable<Uint8Array>): Promise<Response>;
}

/** Some ten milliseconds, and four times as many on a Raspberry Pi. */
const TOKENS = 1 << 16;

/** The longest body and the longest project. */
const MAX_BYTES = 16 << 20;

/** Bodies up to this length are not counted as held. */
const SHORT_BODY = 1 << 16;

export class RequestWork extends Work {
  readonly #elsewhere: Elsewhere | undefined;
  #body: AsyncIterable<Uint8Array> | undefined;

  constructor(elsewhere: Elsewhere | undefined) {
    super(elsewhere && TOKENS);
    this.#elsewhere = elsewhere;
  }

  /** To be called before that many bytes are read; undefined if their number is not known. */
  admit(bytes: number | undefined): void {
    if (this.#elsewhere !== undefined && (bytes ?? 0) > MAX_BYTES) throw new TooMuchWork("too many bytes");
  }

  /** Counts bytes that are kept until the request has been answered. */
  hold(bytes: number): void {
    if (this.#elsewhere?.hold(bytes) === false) throw new TooMuchWork("too many bytes in all");
  }

  /** Reads a whole body; `length` is the announced one. */
  async bytesOf(request: Request, length: number | undefined): Promise<Uint8Array> {
    this.admit(length);
    if (this.#elsewhere === undefined || (length !== undefined && length <= SHORT_BODY)) {
      const bytes = new Uint8Array(await request.arrayBuffer());
      this.#body = once([bytes]);
      return bytes;
    }
    const reader = request.body?.getReader();
    const chunks: Uint8Array[] = [];
    this.#body = once(chunks, reader);
    let size = 0;
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      chunks.push(next.value);
      size += next.value.length;
      this.admit(size);
      this.hold(next.value.length);
    }
    return joined(chunks);
  }

  /** Has the request served elsewhere. */
  pass(): Promise<Response> {
    return this.#elsewhere!.pass(this.#body);
  }
}

/** The chunks of a body that have been read, and the rest of it. */
async function* once(
  chunks: readonly Uint8Array[],
  reader?: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* chunks;
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) yield next.value;
}

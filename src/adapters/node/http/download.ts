/**
 * Downloads a file of a web server if it has changed: a GET with If-None-Match and limits of time and size. Redirects
 * are not followed, because each address would need the checks of the address given by the operator.
 */
import { get as getPlain, type IncomingMessage } from "node:http";
import { Agent, get as getTls } from "node:https";
import type { SecureContext } from "node:tls";
import { FetchFailure, reasonOf } from "./fetch-failure.ts";

export interface DownloadOptions {
  readonly url: URL;
  /** Validator of the known file. */
  readonly etag?: string | undefined;
  readonly maxBytes: number;
  /** Time for the whole download, from the lookup of the host to the last byte. */
  readonly timeoutMs: number;
  /** Certificates; without it the authorities of Node count. */
  readonly secureContext?: SecureContext;
}

/** A file with its validator; undefined: the file has not changed. */
export type Download = { readonly bytes: Uint8Array; readonly etag?: string | undefined } | undefined;

/** Throws FetchFailure if the server is away, slow or not the expected one, or if its file is missing or too large. */
export async function download(options: DownloadOptions): Promise<Download> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await responseTo(options, signal);
    try {
      const file = await fileOf(response, options);
      // The end of a connection counts as the end of a file, even if the deadline has caused it.
      signal.throwIfAborted();
      return file;
    } finally {
      response.destroy();
    }
  } catch (error) {
    if (error instanceof FetchFailure) throw error;
    const reason = signal.aborted ? `no whole answer within ${options.timeoutMs / 1000} s` : reasonOf(error);
    throw new FetchFailure("failed", `the server is away: ${reason}`, { cause: error });
  }
}

function responseTo({ url, etag, secureContext }: DownloadOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { accept: "*/*", ...(etag !== undefined && { "if-none-match": etag }) };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:"
        ? getTls(url, {
            agent: new Agent({ rejectUnauthorized: true, ...(secureContext !== undefined && { secureContext }) }),
            headers,
            signal,
          })
        : getPlain(url, { headers, signal });
    request.on("response", resolve).on("error", reject);
  });
}

const redirects = [301, 302, 303, 307, 308];

async function fileOf(response: IncomingMessage, { etag, maxBytes }: DownloadOptions): Promise<Download> {
  const { statusCode = 0, headers } = response;
  if (statusCode === 304 && etag !== undefined) return undefined;
  if (redirects.includes(statusCode))
    throw new FetchFailure("failed", `the server answers ${statusCode}; redirects are not followed`);
  if (statusCode !== 200) throw new FetchFailure("failed", `the server answers ${statusCode}`);
  const tooLarge = (bytes: number): FetchFailure =>
    new FetchFailure("refused", `the file is too large: ${bytes} bytes or more, ${maxBytes} at most`);
  const announced = Number(headers["content-length"] ?? 0);
  if (announced > maxBytes) throw tooLarge(announced);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(length);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), etag: headers.etag };
}

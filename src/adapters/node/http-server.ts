/**
 * The service over HTTP/1.1 on the loopback address.
 *
 * Framing is the contract's: every answer ends with its connection, with neither a length nor chunks, so the end of the
 * connection is the end of the body. Node frames by itself what it is not told not to; `removeHeader` on the two framing
 * headers before `writeHead` is what tells it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { constants } from "node:os";
import type { Answer, Answerer, Call } from "../../ports/exchange.ts";
import { SystemError } from "../../ports/system-error.ts";

const LOOPBACK = "127.0.0.1";

export interface HttpServer {
  readonly port: number;
  /** Stops accepting and lets requests under way end, for at most that long. */
  close(patienceMs: number): Promise<void>;
}

/** Starts listening; rejects with Node's error if it cannot, such as EADDRINUSE. Port 0 takes any. */
export async function serveHttp(port: number, answer: Answerer): Promise<HttpServer> {
  // An answer is one write and the end of its connection, for which nothing is held back; so there is nothing to tell the socket.
  const options = { keepAlive: false, noDelay: false };
  const server = createServer(options, (request, response) => void respond(request, response));
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = isMisled(request.headers.host, ownPort) ? misled : await answer(callOf(request));
    // A connection closed on unread bytes is reset, and the answer may be lost with it.
    if (!request.complete && !request.destroyed) await drain(request);
    send(request, response, reply);
  };
  /** How a browser ends the name it knows us by; to ask the socket for its port would be a system call a request. */
  let ownPort = `:${port}`;
  // One request a connection: a second one sent behind the first would be carried out and never answered.
  server.maxRequestsPerSocket = 1;
  server.on("clientError", refuseUnreadable);
  server.on("connect", (_request: IncomingMessage, socket: Socket) => socket.end(noSuchRoute));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  ownPort = `:${bound}`;
  return { port: bound, close: (patienceMs) => close(server, patienceMs) };
}

/**
 * Whether a browser was misled to here: a page of `evil.example` whose name was pointed at this machine behind its back may
 * read and write as if we were its own server (DNS rebinding). Then its name and our port are in the header. Who comes here
 * rightly calls us by an address or by a name without dots; through a proxy any name comes, with the proxy's port or none.
 */
function isMisled(host: string | undefined, ownPort: string): boolean {
  if (!host?.endsWith(ownPort)) return false;
  const name = host.slice(0, -ownPort.length);
  return name.includes(".") && !name.includes(":") && !/^[\d.]+$/.test(name);
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  response.shouldKeepAlive = false;
  response.removeHeader("Content-Length");
  response.removeHeader("Transfer-Encoding");
  response.writeHead(status, headers);
  if (body === undefined || request.method === "HEAD") response.end();
  else response.end(body);
}

const callOf = (request: IncomingMessage): Call => ({
  method: request.method!,
  // A client may send the whole URL; the path in it is as raw as one sent alone.
  target: request.url!.startsWith("/") ? request.url! : request.url!.replace(/^https?:\/\/[^/?]*/i, ""),
  header(name) {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  },
  body: () => readBody(request),
});

/** Reads into one buffer of the announced length: each chunk is copied once, and the whole is never there twice. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const length = Number(request.headers["content-length"] ?? 0);
  if (length === 0) return undefined;
  const body = Buffer.allocUnsafeSlow(length);
  let at = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunk.copy(body, at);
      at += chunk.length;
    }
  } catch (error) {
    throw new SystemError(constants.errno.ECONNRESET, "ECONNRESET", "connection reset by peer", { cause: error });
  }
  return body;
}

/** Reads and drops what is left of a request; resolves also when the client has gone. */
function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    request
      .once("end", resolve)
      .once("close", resolve)
      .once("error", () => resolve());
    request.resume();
  });
}

const errorHeaders = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
} as const;

const errorBody = (error: string): string => `{\n  "error": "${error}"\n}\n`;

const rawError = (status: number, error: string): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
  Object.entries(errorHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("") +
  `Connection: close\r\n\r\n${errorBody(error)}`;

const misled: Answer = { status: 401, headers: errorHeaders, body: errorBody("request for another host refused") };

const noSuchRoute = rawError(404, "no such route");

/** What Node cannot read as a request. A method it does not know is one that no path has. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(error.code === "HPE_INVALID_METHOD" ? noSuchRoute : rawError(400, "malformed request"));
}

async function close(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearTimeout(impatience);
}

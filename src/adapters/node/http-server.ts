/**
 * A fetch handler over HTTP/1.1 on the loopback address, by `@hono/node-server`.
 *
 * Framing is the contract's: neither a length nor chunks, the connection is closed after each response. Requests that Node
 * answers by itself, or hands over as bare sockets, get the same JSON errors.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../../ports/log.ts";

const LOOPBACK = "127.0.0.1";

/** `target` is the request target as it was sent; the URL of a Request is resolved. */
export type Fetch = (request: Request, bindings: { target: string; port: number }) => Response | Promise<Response>;

/** Takes over some of the requests, such as those for a second process. */
export interface RequestForwarder {
  /** `length` is that of the body, undefined if it is not announced. */
  takes(target: string, length: number | undefined): Promise<boolean>;
  /** Answers a request on its socket; rejects if it cannot. */
  forward(request: IncomingMessage): Promise<void>;
}

export interface ServeOptions {
  readonly forwarder?: RequestForwarder;
  /** Listens on a Unix socket in place of the loopback address; the port is told to the handler all the same. */
  readonly path?: string;
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, closes connections without a request in flight, and those in flight after the grace period. */
  close(graceMs: number): Promise<void>;
}

/** Starts listening; rejects with Node's error if it cannot, such as EADDRINUSE. Port 0 takes any. */
export async function serveHttp(
  port: number,
  fetch: Fetch,
  log: Log,
  { forwarder, path }: ServeOptions = {},
): Promise<HttpServer> {
  const server = createServer({ keepAlive: false, requireHostHeader: false });
  const connections = new Connections(log);
  let boundPort = port;
  /** Begun when the port is open: a client that comes before it is loaded waits in place of being refused. */
  let listener: Promise<RequestListener>;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const takes = forwarder?.takes(request.url!, lengthOf(request)).catch(() => false);
    if (takes === undefined || !(await takes)) return (await listener)(request, response);
    // The response is written by the other side, as bytes. This one keeps the socket, so that Node holds back its answer to a
    // second request on the connection.
    try {
      await forwarder!.forward(request);
    } catch {
      request.resume();
      connections.refuse(request.socket, 500, "not enough memory", request);
    }
  };
  server.on("connection", (socket) => connections.open(socket));
  server.on("request", (request, response) => {
    connections.begin(request.socket);
    closeDelimited(response);
    if (request.httpVersion === "1.1" && request.headers.host === undefined) {
      connections.refuse(request.socket, 400, "malformed request", request);
    } else if (!/^(?:\/|https?:\/\/)/i.test(request.url!)) {
      connections.refuse(request.socket, 404, "no such route", request);
    } else {
      void answer(request, response);
    }
  });
  refuseOthers(server, connections);
  await listening(server, port, path);
  if (path === undefined) boundPort = (server.address() as AddressInfo).port;
  listener = requestListener(fetch, log, boundPort);
  await listener;
  return { port: boundPort, close: (graceMs) => closeServer(server, connections, graceMs) };
}

/** Web-standard requests for Node's. Loads `@hono/node-server`, and with it Node's own fetch: a fifth of the start of a daemon. */
async function requestListener(fetch: Fetch, log: Log, port: number): Promise<RequestListener> {
  const { getRequestListener } = await import("@hono/node-server");
  return getRequestListener(
    async (request, { incoming }) => {
      const response = await fetch(request, { target: (incoming as IncomingMessage).url!, port });
      await drain(incoming as IncomingMessage);
      return response;
    },
    {
      errorHandler() {
        log.debug("malformed request 400 0 ms");
        return errorResponse(400, "malformed request");
      },
      hostname: LOOPBACK,
    },
  );
}

/** The open connections of a server, and the answers to requests that do not reach the application. */
class Connections {
  /** Whether a request is in flight on it. */
  readonly #inFlight = new Map<Duplex, boolean>();
  readonly #refused = new WeakSet<Duplex>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  open(socket: Duplex): void {
    this.#inFlight.set(socket, false);
    socket.once("close", () => this.#inFlight.delete(socket));
  }

  /** A request has come on the connection. */
  begin(socket: Duplex): void {
    this.#inFlight.set(socket, true);
  }

  /** Answers a request without the application, which therefore cannot log it, and closes the connection. */
  refuse(socket: Duplex, status: number, error: string, request?: IncomingMessage): void {
    // Node reports more than one error of a connection, such as one for each chunk of an endless header.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const line = request === undefined ? "malformed request" : `${request.method} ${request.url}`;
    // A body that turns out malformed belongs to a request that the application logs.
    if (!this.#inFlight.get(socket) || request !== undefined) this.#log.debug(`${line} ${status} 0 ms`);
    socket.on("error", () => socket.destroy());
    if (socket.writable) socket.end(rawError(status, error, request?.method), () => socket.destroy());
    else socket.destroy();
  }

  destroyIdle(): void {
    for (const [socket, isInFlight] of this.#inFlight) if (!isInFlight) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#inFlight.keys()) socket.destroy();
  }
}

/** Requests that Node would answer by itself, or hand over as bare sockets. */
function refuseOthers(server: Server, connections: Connections): void {
  // One request a connection: a second one sent behind the first would be carried out and never answered.
  server.maxRequestsPerSocket = 1;
  server.on("checkExpectation", (request) => connections.refuse(request.socket, 400, "unknown expectation", request));
  server.on("connect", (request, socket) => connections.refuse(socket, 404, "no such route", request));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A method that Node does not know is one that no path has.
    if (error.code === "HPE_INVALID_METHOD") connections.refuse(socket, 404, "no such route");
    else connections.refuse(socket, 400, "malformed request");
  });
}

const listening = (server: Server, port: number, path: string | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    if (path === undefined) server.listen(port, LOOPBACK, resolve);
    else server.listen(path, resolve);
  });

async function closeServer(server: Server, connections: Connections, graceMs: number): Promise<void> {
  // The connections that http closes as idle include those whose response is ended but not yet sent.
  server.closeIdleConnections = () => {};
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.destroyIdle();
  const timer = setTimeout(() => connections.destroyAll(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** A client that reads nothing of its response for this long is disconnected. */
export const STALLED_MS = 60_000;

/** Takes the two framing headers out of what is written: the end of the connection is the end of the body. */
function closeDelimited(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.useChunkedEncodingByDefault = false;
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    headers: Record<string, string>,
  ) => ServerResponse;
  response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
    const rest = Object.entries(headers).filter(([name]) => !/^(?:content-length|transfer-encoding)$/i.test(name));
    response.removeHeader("Content-Length");
    response.removeHeader("Transfer-Encoding");
    response.socket?.setTimeout(STALLED_MS);
    return writeHead(status, Object.fromEntries(rest));
  }) as typeof response.writeHead;
}

/** The length of a body; undefined where it comes in chunks. */
const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : undefined;

/** A client that has announced a body and sends nothing is answered after this time. */
const SILENCE_MS = 1000;

/** Reads the rest of a request: a connection closed on unread bytes is reset, and the response may be lost with it. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, SILENCE_MS);
    request.on("data", () => timer.refresh());
    for (const event of ["end", "close", "error"]) {
      request.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
    }
  });
}

const errorHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

const errorBody = (error: string): string => `{\n  "error": "${error}"\n}\n`;

const errorResponse = (status: number, error: string): Response =>
  new Response(errorBody(error), { status, headers: errorHeaders });

const rawError = (status: number, error: string, method = "GET"): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
  Object.entries(errorHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("") +
  `connection: close\r\n\r\n${method === "HEAD" ? "" : errorBody(error)}`;

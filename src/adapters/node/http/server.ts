/**
 * A fetch handler over HTTP/1.1 on the loopback address, by `@hono/node-server`.
 *
 * Framing is the contract's: neither a length nor chunks, the connection is closed after each response. Requests that
 * Node answers itself, or passes on as bare sockets, get the same JSON errors.
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
import type { Log } from "../../../core/ports/log.ts";

const LOOPBACK = "127.0.0.1";

/** Given to the handler with each request. */
export interface ServerBindings {
  /** The raw request target; the URL of a Request is resolved. */
  readonly target: string;
  readonly port: number;
  /** Serves requests in another process. */
  readonly elsewhere?: {
    /** Counts bytes that are held until the connection is closed; false if all requests together hold too many. */
    hold(bytes: number): boolean;
    /** Forwards the request; `body` is given if the request's own has been read from. */
    pass(body?: AsyncIterable<Uint8Array>): Promise<Response>;
  };
}

export type Fetch = (request: Request, bindings: ServerBindings) => Response | Promise<Response>;

/** Answers a request on its socket from another process; rejects if it cannot. `body` replaces the request's own. */
export type Forward = (request: IncomingMessage, body?: AsyncIterable<Uint8Array>) => Promise<void>;

/** A response of JSON that does not need the application. */
export interface PlainResponse {
  readonly status: number;
  readonly json: object;
}

export interface ServeOptions {
  readonly forward?: Forward;
  /** Answers some requests before the handler is loaded. */
  readonly early?: (method: string, target: string) => PlainResponse | undefined;
  /** Default: `STALLED_MS`. */
  readonly stalledMs?: number;
  /** Listens on a Unix socket in place of the loopback address; the handler still gets the port. */
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
  { forward, early, path, stalledMs = STALLED_MS }: ServeOptions = {},
): Promise<HttpServer> {
  const server = createServer({
    keepAlive: false,
    requireHostHeader: false,
    // The upload of a large file over a slow link takes its time; `endStalled` ends those that do not go on.
    requestTimeout: 0,
    headersTimeout: 60_000,
  });
  const connections = new Connections(log);
  let boundPort = port;
  /** Loading begins when the port is open, so that clients that connect before its end wait and are not refused. */
  let listener: Promise<RequestListener>;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = early?.(request.method!, request.url!);
    if (answer === undefined) return (await listener)(request, response);
    await drain(request);
    connections.answer(request.socket, answer, request);
  };
  server.on("connection", (socket) => connections.open(socket));
  server.on("request", (request, response) => {
    connections.begin(request.socket);
    closeDelimited(response);
    endStalled(request, response, stalledMs);
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
  listener = requestListener(fetch, log, { port: boundPort, connections, ...(forward && { forward }) });
  await listener;
  return { port: boundPort, close: (graceMs) => closeServer(server, connections, graceMs) };
}

interface ListenerOptions {
  readonly port: number;
  readonly connections: Connections;
  readonly forward?: Forward;
}

/**
 * Web-standard requests for Node's. Loads `@hono/node-server`, and with it Node's own fetch: a fifth of the start of a
 * daemon.
 */
async function requestListener(
  fetch: Fetch,
  log: Log,
  { port, connections, forward }: ListenerOptions,
): Promise<RequestListener> {
  const { getRequestListener } = await import("@hono/node-server");
  const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");

  // The other process writes the response as bytes. This one keeps the socket, so that Node delays its answer to a
  // second request on the connection.
  const elsewhereFor = (request: IncomingMessage, forward: Forward): ServerBindings["elsewhere"] => ({
    hold: (bytes) => connections.hold(request.socket, bytes),
    async pass(body) {
      try {
        await forward(request, body);
      } catch {
        request.resume();
        connections.refuse(request.socket, 500, "not enough memory", request);
      }
      return RESPONSE_ALREADY_SENT;
    },
  });

  return getRequestListener(
    async (request, bindings) => {
      const incoming = bindings.incoming as IncomingMessage;
      const elsewhere = forward && elsewhereFor(incoming, forward);
      const response = await fetch(request, { target: incoming.url!, port, ...(elsewhere && { elsewhere }) });
      await drain(incoming);
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

/** Limit for all requests together. */
const MAX_HELD_BYTES = 64 << 20;

interface Connection {
  /** Whether it has a request. */
  isInFlight: boolean;
  heldBytes: number;
}

/** The open connections of a server, and the answers to requests that do not reach the application. */
class Connections {
  readonly #open = new Map<Duplex, Connection>();
  readonly #refused = new WeakSet<Duplex>();
  #heldBytes = 0;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  open(socket: Duplex): void {
    const connection: Connection = { isInFlight: false, heldBytes: 0 };
    this.#open.set(socket, connection);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#heldBytes -= connection.heldBytes;
    });
  }

  /** Called when a request has arrived on the connection. */
  begin(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.isInFlight = true;
  }

  /** Counts bytes that a response holds until its connection is closed; false, and not counted, beyond the limit. */
  hold(socket: Duplex, bytes: number): boolean {
    const connection = this.#open.get(socket);
    // The client has gone, so that the bytes are freed soon.
    if (connection === undefined) return true;
    if (this.#heldBytes + bytes > MAX_HELD_BYTES) return false;
    this.#heldBytes += bytes;
    connection.heldBytes += bytes;
    return true;
  }

  /** Answers a request while the application is loaded, and closes the connection. */
  answer(socket: Duplex, { status, json }: PlainResponse, { method, url }: IncomingMessage): void {
    this.#log.debug(`${method} ${url} ${status} 0 ms`);
    socket.end(rawResponse(status, `${JSON.stringify(json, null, 2)}\n`, method), () => socket.destroy());
  }

  /** Answers a request without the application, which therefore cannot log it, and closes the connection. */
  refuse(socket: Duplex, status: number, error: string, request?: IncomingMessage): void {
    // Node reports more than one error of a connection, such as one for each chunk of an endless header.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const line = request === undefined ? "malformed request" : `${request.method} ${request.url}`;
    // A malformed body belongs to a request that the application logs.
    if (!this.#open.get(socket)?.isInFlight || request !== undefined) this.#log.debug(`${line} ${status} 0 ms`);
    socket.on("error", () => socket.destroy());
    if (socket.writable) socket.end(rawError(status, error, request?.method), () => socket.destroy());
    else socket.destroy();
  }

  destroyIdle(): void {
    for (const [socket, { isInFlight }] of this.#open) if (!isInFlight) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

/** Refuses requests that Node would answer itself, or pass on as bare sockets. */
function refuseOthers(server: Server, connections: Connections): void {
  // A connection has one request: a second one sent after the first would be executed and never answered.
  server.maxRequestsPerSocket = 1;
  server.on("checkExpectation", (request) => connections.refuse(request.socket, 400, "unknown expectation", request));
  server.on("connect", (request, socket) => connections.refuse(socket, 404, "no such route", request));
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // No path has a method that Node does not know.
    const isRequest = error.code === "HPE_INVALID_METHOD" && beginsRequest(error.rawPacket ?? Buffer.alloc(0));
    if (isRequest) connections.refuse(socket, 404, "no such route");
    else connections.refuse(socket, 400, "malformed request");
  });
}

/** True for a request line of any method, or for the beginning of one. */
const beginsRequest = (packet: Buffer): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+(?:$| \S*(?:$| (?:$|H$|HT$|HTT$|HTTP$|HTTP\/[\d.]*$|HTTP\/1\.[01]\r?\n)))/.test(
    packet.subarray(0, MAX_REQUEST_LINE).toString("latin1"),
  );

const MAX_REQUEST_LINE = 16 << 10;

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

/** A client that sends nothing of its body, or reads nothing of its response, for this long is disconnected. */
const STALLED_MS = 60_000;

/** Disconnects a client for whose bytes the service waits in vain; the service itself may take its time. */
function endStalled(request: IncomingMessage, response: ServerResponse, stalledMs: number): void {
  const { socket } = request;
  /** The bytes of both directions when the service was last found waiting: it may have begun to wait just then. */
  let before: number | undefined;
  const halfMs = stalledMs / 2;
  socket.setTimeout(halfMs);
  response.on("timeout", () => {
    const isToRead = socket.writableLength > 0;
    const isToSend = !request.complete && request.readableLength === 0;
    const bytes = isToRead || isToSend ? socket.bytesRead + socket.bytesWritten : undefined;
    if (bytes !== undefined && bytes === before) socket.destroy();
    else socket.setTimeout(halfMs);
    before = bytes;
  });
}

/** Removes the two framing headers from the response: the end of the connection is the end of the body. */
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
    return writeHead(status, Object.fromEntries(rest));
  }) as typeof response.writeHead;
}

/** Time after which a client that has announced a body and sends nothing is answered. */
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

const rawError = (status: number, error: string, method?: string): string =>
  rawResponse(status, errorBody(error), method);

const rawResponse = (status: number, body: string, method = "GET"): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
  Object.entries(errorHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("") +
  `connection: close\r\n\r\n${method === "HEAD" ? "" : body}`;

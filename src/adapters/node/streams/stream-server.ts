/**
 * HTTP and WebSockets on one port: requests by `@hono/node-server`, WebSockets by `ws`.
 *
 * Everything that a client can make grow has a limit: connections, clients of a stream, the length of a message, and
 * the data that waits for a client that does not read. Pings detect clients that are gone without closing. The server
 * never waits for a client to close: refused and ended connections are destroyed.
 */
import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import type { Log } from "../../../core/ports/log.ts";
import type { SharedText, StreamListener, StreamRequest, TextStream } from "../../../core/ports/text-stream.ts";
import { memoize } from "../../../core/util/memoize.ts";
import { isLoopback, Places } from "../../../core/util/places.ts";
import { addressOf, Connections } from "./connections.ts";

const MAX_CLIENTS = 100;
/** Maximum connections: clients of the stream, and requests. */
const MAX_CONNECTIONS = 400;
/** Maximum length of a message: a subscription to hundreds of paths. */
const MAX_MESSAGE_BYTES = 64 << 10;
/** With the objects of a connection, a client that never reads costs less than 1 MB. */
const MAX_UNREAD_BYTES = 512 << 10;
const PING_MS = 30_000;
/** Time from the reason for the end of a stream to the end of its connection. */
const CLOSE_MS = 1000;
const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request, such as a file over a weak radio link. */
const REQUEST_TIMEOUT_MS = 120_000;
/** For a client that sends nothing of its request, or reads nothing of its response. */
const STALLED_MS = 10_000;
/** Node's default, 30 seconds, would be added to it. */
const TIMEOUT_CHECK_MS = 1000;

/** The port on which a request came, and the address of its client as in `StreamRequest`. */
export interface RequestBindings {
  readonly port: number;
  readonly address: string | undefined;
}

export interface StreamServerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly maxClients?: number;
  readonly maxConnections?: number;
  readonly stalledMs?: number;
  fetch(request: Request, bindings: RequestBindings): Response | Promise<Response>;
  /** A client requests a stream: returns its listener, or the HTTP status of the refusal. */
  open(request: StreamRequest, client: TextStream): StreamListener | number;
}

/** Clients of the stream since the start. */
export interface StreamServerCounters {
  readonly connected: number;
  /** Clients dropped because they read too slowly. */
  readonly slow: number;
  /** Connections refused, or ended for another one before their request, because there were too many. */
  readonly refused: number;
}

export interface StreamServer {
  /** The port it listens on, also if 0 was requested. */
  readonly port: number;
  counters(): StreamServerCounters;
  close(): Promise<void>;
}

/** Listens; rejects with the system's error. */
export async function streamServer(options: StreamServerOptions): Promise<StreamServer> {
  const { host, fetch } = options;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  });
  server.timeout = options.stalledMs ?? STALLED_MS;
  server.on("timeout", (socket) => {
    // The work for a request takes the time that it takes; its client waits for us.
    if (connections.isWorkingFor(socket)) socket.setTimeout(server.timeout);
    // Otherwise the kernel would keep the unsent data of the connection.
    else socket.resetAndDestroy();
  });
  let port = options.port;
  const connections = new Connections(options.maxConnections ?? MAX_CONNECTIONS, (count) =>
    clients.refused(port, count),
  );
  server.on("connection", (socket) => connections.admit(socket));
  const answer = getRequestListener(
    (request, { incoming }) => fetch(request, { port, address: hostOf(clientOf(incoming as IncomingMessage)) }),
    { hostname: host },
  );
  server.on("request", (request, response) => {
    if (connections.serve(request, response)) void answer(request, response);
  });
  const clients = new Clients(options);
  server.on("upgrade", (request, socket, head) => {
    clients.upgrade(request, socket, head, port, () => connections.serve(request));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    port,
    counters: () => clients.counters(),
    async close() {
      clients.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `closeTimeout` is missing in the types of `ws`. */
const webSocketOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  closeTimeout: CLOSE_MS,
};

class Clients {
  readonly #options: StreamServerOptions;
  readonly #sockets = new WebSocketServer(webSocketOptions);
  /** Whether each has answered the last ping. */
  readonly #alive = new Map<WebSocket, boolean>();
  readonly #counters = { slow: 0, refused: 0 };
  readonly #places: Places;
  readonly #frameOf = sharedFrames();
  readonly #timer = setInterval(() => this.#ping(), PING_MS);

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#places = new Places(options.maxClients ?? MAX_CLIENTS);
    this.#timer.unref();
  }

  counters(): StreamServerCounters {
    return { connected: this.#alive.size, ...this.#counters };
  }

  /** Counts and logs a refused connection. */
  refused(port: number, clients: number): void {
    this.#counters.refused += 1;
    this.#options.log.warn("too many clients, one more is refused", { code: "CLIENTS_REFUSED", port, clients });
  }

  /** `serve` is called for an accepted request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, port: number, serve: () => boolean): void {
    socket.on("error", () => socket.destroy());
    const address = clientOf(request);
    if (this.#places.lacking(address) !== undefined) {
      this.refused(port, this.#alive.size);
      return refuse(socket, 503);
    }
    const waiting = new WaitingStream();
    const header = (name: string): string | undefined => headerOf(request, name);
    const listener = this.#options.open({ target: request.url!, port, address: hostOf(address), header }, waiting);
    if (typeof listener === "number") return refuse(socket, listener);
    if (!serve()) return listener.closed();
    socket.once("close", this.#places.take(address));
    socket.once("close", () => listener.closed());
    // `ws` itself answers a request that is not for a WebSocket, and destroys its socket.
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#converse(client, listener);
      socket.on("data", ({ length }: Buffer) => listener.came(length));
      waiting.begin({ client, socket, frameOf: this.#frameOf, drop: () => this.#drop(client) });
    });
  }

  #converse(client: WebSocket, listener: StreamListener): void {
    this.#alive.set(client, true);
    client.on("pong", () => this.#alive.set(client, true));
    client.on("error", () => client.terminate());
    client.on("close", () => this.#alive.delete(client));
    client.on("message", (data: RawData, isBinary: boolean) => {
      if (client.readyState !== WebSocket.OPEN) return;
      if (isBinary) client.close(UNSUPPORTED_DATA, "texts only");
      else listener.receive(String(data));
    });
  }

  #drop(client: WebSocket): void {
    this.#counters.slow += 1;
    this.#alive.delete(client);
    client.terminate();
    this.#options.log.warn("a client reads too slowly and is dropped", {
      code: "CLIENT_SLOW",
      port: this.#options.port,
      dropped: this.#counters.slow,
    });
  }

  #ping(): void {
    for (const [client, isAlive] of this.#alive) {
      if (!isAlive) {
        client.terminate();
        continue;
      }
      this.#alive.set(client, false);
      client.ping();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const client of this.#alive.keys()) client.terminate();
  }
}

interface Conversation {
  readonly client: WebSocket;
  /** Socket of the client. Whole frames are written to it, so that frames of `ws` come between them. */
  readonly socket: Duplex;
  readonly frameOf: (text: string | SharedText) => Uint8Array;
  drop(): void;
}

/** The stream to a client, which keeps texts that are sent before the WebSocket is open. */
class WaitingStream implements TextStream {
  #conversation: Conversation | undefined;
  #early: (string | SharedText)[] = [];

  get unreadBytes(): number {
    return this.#conversation?.socket.writableLength ?? 0;
  }

  begin(conversation: Conversation): void {
    this.#conversation = conversation;
    for (const text of this.#early) this.send(text);
    this.#early = [];
  }

  send(text: string | SharedText): void {
    if (this.#conversation === undefined) {
      this.#early.push(text);
      return;
    }
    const { client, socket, frameOf, drop } = this.#conversation;
    if (client.readyState !== WebSocket.OPEN) return;
    socket.write(frameOf(text));
    if (socket.writableLength > MAX_UNREAD_BYTES) drop();
  }

  /** None of these is called before the WebSocket is open. */
  pause(): void {
    this.#conversation?.client.pause();
  }

  resume(): void {
    this.#conversation?.client.resume();
  }

  end(reason: string): void {
    this.#conversation?.client.close(POLICY_VIOLATION, reason);
    // Nothing more is read, not even the answer to the close frame.
    this.#conversation?.client.pause();
  }
}

/** Status codes of a close frame (RFC 6455, 7.4.1). */
const [UNSUPPORTED_DATA, POLICY_VIOLATION] = [1003, 1008];

/** First byte of a frame that is a whole text (RFC 6455, 5.2). */
const TEXT_FRAME = 0x81;

/**
 * Makes frames of texts, and one frame for a text that many clients share: `ws` would encode it for each client and
 * write head and text separately, which costs twice as much for each client.
 */
function sharedFrames(): (text: string | SharedText) => Uint8Array {
  const frameOfShared = memoize(({ text }: SharedText) => frameOf(text));
  return (text) => (typeof text === "string" ? frameOf(text) : frameOfShared(text));
}

/**
 *     81 ll …                      length up to 125
 *     81 7e ll ll …                up to 65 535
 *     81 7f 00 00 00 00 ll ll ll ll …
 */
function frameOf(text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.alloc(head + length);
  frame[0] = TEXT_FRAME;
  frame[1] = head === 2 ? length : head === 4 ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(length, 2);
  if (head === 10) frame.writeUInt32BE(length, 6);
  frame.write(text, head);
  return frame;
}

function refuse(socket: Duplex, status: number): void {
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(text, () => socket.destroy());
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The address of a client; a proxy counts only if it is on this machine. */
function clientOf(request: IncomingMessage): string {
  const address = addressOf(request.socket);
  return isLoopback(address) ? (headerOf(request, "x-real-ip") ?? address) : address;
}

/** A program of this machine has no address. */
const hostOf = (address: string): string | undefined => (isLoopback(address) ? undefined : address);

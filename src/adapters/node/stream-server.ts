/**
 * HTTP and WebSockets on one port: requests by `@hono/node-server`, WebSockets by `ws`.
 *
 * Everything that a client can make grow has a limit: connections, clients of a stream, the length of a message, and what waits for
 * a client that does not read. A client that has gone without a word is noticed by a ping.
 */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import type { Log } from "../../ports/log.ts";
import type { StreamListener, StreamRequest, TextStream } from "../../ports/text-stream.ts";

const MAX_CLIENTS = 100;
/** Clients of the stream, and requests. */
const MAX_CONNECTIONS = 400;
/** A subscription to hundreds of paths. */
const MAX_MESSAGE_BYTES = 64 << 10;
/** With the objects of a connection, a client that never reads costs less than 1 MB. */
const MAX_UNREAD_BYTES = 512 << 10;
const PING_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** The standard, 30 seconds, would add to it. */
const TIMEOUT_CHECK_MS = 1000;

export interface StreamServerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly maxClients?: number;
  readonly maxConnections?: number;
  fetch(request: Request, bindings: { readonly port: number }): Response | Promise<Response>;
  /** A client asks for a stream: what hears it, or the HTTP status of the refusal. */
  open(request: StreamRequest, client: TextStream): StreamListener | number;
}

/** Clients of the stream since the start. */
export interface StreamServerCounters {
  readonly connected: number;
  /** Dropped because they read too slowly. */
  readonly slow: number;
  /** Refused, or ended for another before their request had come, because there were too many. */
  readonly refused: number;
}

export interface StreamServer {
  /** The port it listens on, also where 0 was asked for. */
  readonly port: number;
  counters(): StreamServerCounters;
  close(): Promise<void>;
}

/** Listens; rejects with the system's error. */
export async function streamServer(options: StreamServerOptions): Promise<StreamServer> {
  const { host, fetch } = options;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  });
  let port = options.port;
  const connections = new Connections(options.maxConnections ?? MAX_CONNECTIONS, (count) =>
    clients.refused(port, count),
  );
  server.on("connection", (socket) => connections.admit(socket));
  server.on("request", (request, response) => connections.serve(request, response));
  server.on(
    "request",
    getRequestListener((request) => fetch(request, { port }), { hostname: host }),
  );
  const clients = new Clients(options);
  server.on("upgrade", (request, socket, head) => {
    connections.serve(request);
    clients.upgrade(request, socket, head, port);
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

/**
 * All connections. One too many takes the place of that which has had no request for the longest time, so that connections that say
 * nothing cannot lock out others; a connection is refused only while all others are being answered.
 */
class Connections {
  readonly #most: number;
  readonly #refused: (count: number) => void;
  readonly #all = new Set<Socket>();
  /** Those without a request, longest first. */
  readonly #silent = new Set<Socket>();

  /** `refused` is told the number of connections whenever one is ended. */
  constructor(most: number, refused: (count: number) => void) {
    this.#most = most;
    this.#refused = refused;
  }

  admit(socket: Socket): void {
    const isFull = this.#all.size >= this.#most;
    this.#add(socket);
    if (!isFull) return;
    const [longest = socket] = this.#silent;
    this.#remove(longest);
    longest.destroy();
    this.#refused(this.#all.size);
  }

  /** A request has come; without a response its connection is another protocol's from now on. */
  serve({ socket }: IncomingMessage, response?: ServerResponse): void {
    this.#silent.delete(socket);
    response?.once("close", () => {
      if (this.#all.has(socket)) this.#silent.add(socket);
    });
  }

  #add(socket: Socket): void {
    this.#all.add(socket);
    this.#silent.add(socket);
    socket.once("close", () => this.#remove(socket));
  }

  #remove(socket: Socket): void {
    this.#all.delete(socket);
    this.#silent.delete(socket);
  }
}

/** The clients of the stream. */
class Clients {
  readonly #options: StreamServerOptions;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  /** Whether each has answered the last ping. */
  readonly #alive = new Map<WebSocket, boolean>();
  readonly #counters = { slow: 0, refused: 0 };
  readonly #frameOf = sharedFrames();
  readonly #timer = setInterval(() => this.#ping(), PING_MS);

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#timer.unref();
  }

  counters(): StreamServerCounters {
    return { connected: this.#alive.size, ...this.#counters };
  }

  /** Counts and logs that one was too many. */
  refused(port: number, clients: number): void {
    this.#counters.refused += 1;
    this.#options.log.warn("too many clients, one more is refused", { code: "CLIENTS_REFUSED", port, clients });
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
    socket.on("error", () => socket.destroy());
    const { maxClients = MAX_CLIENTS } = this.#options;
    if (this.#alive.size >= maxClients) {
      this.refused(port, this.#alive.size);
      return refuse(socket, 503);
    }
    const header = (name: string): string | undefined => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    const waiting = new WaitingStream();
    const listener = this.#options.open({ target: request.url!, port, header }, waiting);
    if (typeof listener === "number") return refuse(socket, listener);
    // `ws` answers a request that is no WebSocket itself.
    socket.once("close", () => listener.closed());
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#converse(client, listener);
      waiting.begin({ client, socket, frameOf: this.#frameOf, drop: () => this.#drop(client) });
    });
  }

  #converse(client: WebSocket, listener: StreamListener): void {
    this.#alive.set(client, true);
    client.on("pong", () => this.#alive.set(client, true));
    client.on("error", () => client.terminate());
    client.on("close", () => this.#alive.delete(client));
    client.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) client.close(1003, "texts only");
      else if (!listener.receive(String(data))) client.close(1008, "too many messages");
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

/** An open WebSocket. */
interface Conversation {
  readonly client: WebSocket;
  /** Of the client. Frames are written to it whole, so that those of `ws` come between them. */
  readonly socket: Duplex;
  readonly frameOf: (text: string) => Uint8Array;
  drop(): void;
}

/** The stream to a client, which keeps what is sent before the WebSocket is open. */
class WaitingStream implements TextStream {
  #conversation: Conversation | undefined;
  #early: string[] = [];

  get unreadBytes(): number {
    return this.#conversation?.socket.writableLength ?? 0;
  }

  begin(conversation: Conversation): void {
    this.#conversation = conversation;
    for (const text of this.#early) this.send(text);
    this.#early = [];
  }

  send(text: string): void {
    if (this.#conversation === undefined) {
      this.#early.push(text);
      return;
    }
    const { client, socket, frameOf, drop } = this.#conversation;
    if (client.readyState !== WebSocket.OPEN) return;
    socket.write(frameOf(text));
    if (socket.writableLength > MAX_UNREAD_BYTES) drop();
  }
}

/** First byte of a frame that is a whole text (RFC 6455, 5.2). */
const TEXT_FRAME = 0x81;

/**
 * Makes frames of texts, and the same one for a text that is sent to many clients in turn: `ws` would encode it for each, and write
 * head and text apart, which costs a client twice as much.
 */
function sharedFrames(): (text: string) => Uint8Array {
  let last: { readonly text: string; readonly frame: Uint8Array } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, frame: frameOf(text) };
    return last.frame;
  };
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
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

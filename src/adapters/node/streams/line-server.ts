/**
 * Sends the same lines to any number of TCP clients; input from them is read, counted and dropped.
 *
 * No client waits for another: a client that does not read its lines is dropped, and a client beyond the limit, in all
 * or of its address, is refused.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { Log } from "../../../core/ports/log.ts";
import { Places } from "../../../core/util/places.ts";
import { connectionsWithUnsent } from "../kernel-sockets.ts";

/**
 * Maximum bytes queued for a client, in this process and in the kernel, which would keep four million: with the lists
 * of queued buffers a client costs less than 1 MB.
 */
const MAX_QUEUED_BYTES = 128 << 10;
const MAX_UNSENT_BYTES = 512 << 10;
/** Bytes sent between two questions to the kernel for its unsent bytes; a slow client is noticed at the next question. */
const CHECK_BYTES = 64 << 10;

const MAX_CLIENTS = 200;
/** Idle time after which the kernel sends keepalive probes. */
const KEEPALIVE_AFTER_MS = 10_000;
/** Time at the end for clients to read their queued lines. */
const DRAIN_MS = 1000;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface LineServerOptions extends ListenAddress {
  /** Limits the rate of its lines itself, because clients can cause them. */
  readonly log: Log;
  /** Lines that each client gets first. */
  readonly greeting?: string;
  readonly maxClients?: number;
}

/** Clients since the start. */
export interface LineServerCounters {
  /** Clients now. */
  readonly connected: number;
  /** Clients dropped because they read too slowly. */
  readonly slow: number;
  /** Clients refused because there were too many. */
  readonly refused: number;
  /** Bytes received from clients, which are dropped. */
  readonly receivedBytes: number;
}

/** Listens; rejects with the system's error. */
export async function lineServer(options: LineServerOptions): Promise<LineServer> {
  const { host, port, log, greeting = "", maxClients = MAX_CLIENTS } = options;
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEPALIVE_AFTER_MS });
  server.listen({ host, port });
  await once(server, "listening");
  return new LineServer(server, { log, greeting, maxClients });
}

export class LineServer {
  readonly #server: Server;
  readonly #log: Log;
  readonly #greeting: string;
  readonly #places: Places;
  readonly #clients = new Set<Socket>();
  #slow = 0;
  #refused = 0;
  #receivedBytes = 0;
  /** Bytes sent to each client since the kernel was asked. */
  #unchecked = 0;

  /** `server` is listening already. */
  constructor(
    server: Server,
    { log, greeting, maxClients }: { readonly log: Log; readonly greeting: string; readonly maxClients: number },
  ) {
    this.#server = server;
    this.#log = log;
    this.#greeting = greeting;
    this.#places = new Places(maxClients);
    server.on("connection", (socket) => this.#admit(socket));
    // A connection that cannot be accepted, for example without descriptors, concerns its client alone.
    server.on("error", () => {});
  }

  /** The port it listens on, also if 0 was requested. */
  get port(): number {
    const address = this.#server.address();
    return address === null || typeof address === "string" ? 0 : address.port;
  }

  get hasClients(): boolean {
    return this.#clients.size > 0;
  }

  counters(): LineServerCounters {
    return {
      connected: this.#clients.size,
      slow: this.#slow,
      refused: this.#refused,
      receivedBytes: this.#receivedBytes,
    };
  }

  /** Sends whole lines, with their line ends, to all clients. Never waits. */
  send(lines: string): void {
    if (!this.hasClients) return;
    // Bytes are written without a copy for each client.
    const bytes = Buffer.from(lines, "latin1");
    for (const client of this.#clients) {
      client.write(bytes);
      if (client.writableLength > MAX_QUEUED_BYTES) this.#drop(client);
    }
    this.#unchecked += bytes.length;
    if (this.#unchecked < CHECK_BYTES) return;
    this.#unchecked = 0;
    for (const { address, port } of connectionsWithUnsent(this.port, MAX_UNSENT_BYTES)) {
      // A link-local address ends with its interface.
      const isThis = (client: Socket): boolean =>
        client.remotePort === port && client.remoteAddress?.replace(/%.*/, "") === address;
      for (const client of this.#clients) if (isThis(client)) this.#drop(client);
    }
  }

  /** Ends all connections; clients get the queued lines if they read them soon. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const client of this.#clients) client.end();
    const late = setTimeout(() => {
      for (const client of this.#clients) client.resetAndDestroy();
    }, DRAIN_MS);
    await closed;
    clearTimeout(late);
  }

  #admit(socket: Socket): void {
    const { port } = this;
    const client = String(socket.remoteAddress);
    socket.on("error", () => {});
    if (this.#places.lacking(client) !== undefined) return this.#refuse(socket, client);
    socket.once("close", this.#places.take(client));
    this.#clients.add(socket);
    if (this.#greeting !== "") socket.write(this.#greeting);
    this.#log.debug("client connected", { port, client, clients: this.#clients.size });
    socket.on("data", (bytes) => {
      this.#receivedBytes += bytes.length;
    });
    socket.on("close", () => this.#clients.delete(socket));
  }

  #refuse(socket: Socket, client: string): void {
    socket.destroy();
    this.#refused++;
    this.#log.warn("too many clients, one more is refused", {
      code: "CLIENTS_REFUSED",
      port: this.port,
      client,
      clients: this.#clients.size,
    });
  }

  #drop(client: Socket): void {
    this.#slow++;
    this.#clients.delete(client);
    this.#log.warn("a client reads too slowly and is dropped", {
      code: "CLIENT_SLOW",
      port: this.port,
      client: String(client.remoteAddress),
      dropped: this.#slow,
    });
    // Otherwise the kernel would keep the unsent data of the connection.
    client.resetAndDestroy();
  }
}

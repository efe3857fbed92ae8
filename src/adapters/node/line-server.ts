/**
 * Sends the same lines to any number of TCP clients, which have nothing to say: what they send is read and dropped.
 *
 * A client that does not read its lines is dropped when more than `MAX_UNREAD_BYTES` wait for it, beyond what the kernel
 * keeps; the others are not held up, because nothing waits for a client.
 */
import { createServer, type Server, type Socket } from "node:net";
import type { Log } from "../../ports/log.ts";

/** Lines of some minutes. With the kernel's send buffer a client costs less than 1 MB. */
const MAX_UNREAD_BYTES = 256 << 10;

const MAX_CLIENTS = 200;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface LineServerOptions extends ListenAddress {
  readonly log: Log;
  readonly maxClients?: number;
}

/** Clients since the start. */
export interface LineServerCounters {
  readonly connected: number;
  /** Dropped because they read too slowly. */
  readonly slow: number;
  /** Refused because there were too many. */
  readonly refused: number;
}

export interface LineServer {
  /** The port it listens on, also where 0 was asked for. */
  readonly port: number;
  counters(): LineServerCounters;
  /** Sends whole lines, with their line ends, to all clients. */
  send(lines: string): void;
  close(): void;
}

/** Listens; rejects with the system's error. */
export async function lineServer(options: LineServerOptions): Promise<LineServer> {
  const { host, port, log, maxClients = MAX_CLIENTS } = options;
  const clients = new Set<Socket>();
  const counters = { slow: 0, refused: 0 };
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    socket.on("error", () => {});
    if (clients.size >= maxClients) {
      counters.refused += 1;
      log.warn("too many clients, one more is refused", { code: "CLIENTS_REFUSED", port, clients: clients.size });
      socket.destroy();
      return;
    }
    clients.add(socket);
    log.debug("client connected", { port, client: String(socket.remoteAddress), clients: clients.size });
    socket.resume();
    socket.on("close", () => clients.delete(socket));
  });
  await listening(server, { host, port });
  return {
    port: portOf(server),
    counters: () => ({ connected: clients.size, ...counters }),
    send(lines) {
      if (clients.size === 0) return;
      // Latin-1 is written without a copy of its own for each client.
      const bytes = Buffer.from(lines, "latin1");
      for (const socket of clients) {
        socket.write(bytes);
        if (socket.writableLength <= MAX_UNREAD_BYTES) continue;
        counters.slow += 1;
        clients.delete(socket);
        log.warn("a client reads too slowly and is dropped", {
          code: "CLIENT_SLOW",
          port,
          client: String(socket.remoteAddress),
          dropped: counters.slow,
        });
        // Without waiting for what it does not read.
        socket.resetAndDestroy();
      }
    },
    close() {
      server.close();
      for (const socket of clients) socket.destroy();
    },
  };
}

const listening = (server: Server, address: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve();
    });
  });

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

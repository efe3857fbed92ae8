/**
 * A small MQTT broker for development, on loopback only and without persistence. `node scripts/broker.mjs` runs it
 * alone. On a boat use Mosquitto.
 */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Aedes } from "aedes";
import { createWebSocketStream, WebSocketServer } from "ws";

const MAX_PORTS_TRIED = 100;

/** Listens on the first free port of 127.0.0.1 from `port` on. */
export async function listen(server, port) {
  for (let candidate = port; candidate < port + MAX_PORTS_TRIED; candidate += 1) {
    try {
      server.listen(candidate, "127.0.0.1");
      await once(server, "listening");
      return candidate;
    } catch (error) {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    }
  }
  throw new Error(`no free port from ${port} on`);
}

/** True for pages of this machine: browsers let any page open a WebSocket, and only these are accepted. */
export function isLocalPage(origin) {
  if (origin === undefined) return true;
  try {
    return ["127.0.0.1", "localhost", "[::1]"].includes(new URL(origin).hostname);
  } catch {
    return false;
  }
}

/** Starts a broker on these ports of 127.0.0.1 or the next free ones; returns the ports. */
export async function startBroker({ port = 1883, webSocketPort = 9001 } = {}) {
  const aedes = await Aedes.createBroker();
  const tcp = createServer(aedes.handle);
  const http = createHttpServer((_request, response) => response.writeHead(426).end("WebSocket only\n"));
  const webSockets = new WebSocketServer({
    server: http,
    verifyClient: ({ req }) => isLocalPage(req.headers.origin),
  });
  // Emitted for a port in use too, which listen() handles.
  webSockets.on("error", () => {});
  webSockets.on("connection", (socket, request) => {
    const stream = createWebSocketStream(socket);
    stream.on("error", () => socket.terminate());
    aedes.handle(stream, request);
  });
  const ports = { port: await listen(tcp, port), webSocketPort: await listen(http, webSocketPort) };
  return {
    ...ports,
    async close() {
      await new Promise((resolve) => aedes.close(() => resolve(undefined)));
      for (const socket of webSockets.clients) socket.terminate();
      http.close();
      tcp.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { port, webSocketPort } = await startBroker();
  console.error(`hub: broker on mqtt://127.0.0.1:${port} and ws://127.0.0.1:${webSocketPort}`);
}

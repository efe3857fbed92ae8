/**
 * A small MQTT broker for trying things out: on this machine only, nothing is kept when it ends.
 * `node scripts/broker.mjs` runs it alone. On a boat use Mosquitto.
 */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Aedes } from "aedes";

const require = createRequire(import.meta.url);
// MQTT.js brings it for its own WebSockets.
const { WebSocketServer, createWebSocketStream } = createRequire(require.resolve("mqtt"))("ws");

const PORTS_TRIED = 100;

/** Listens on the first free port of 127.0.0.1 from `port` on. */
export async function listen(server, port) {
  for (let candidate = port; candidate < port + PORTS_TRIED; candidate += 1) {
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

/** Any web page may open a WebSocket to this machine; only pages from this machine are let in. */
export function isLocalPage(origin) {
  if (origin === undefined) return true;
  try {
    return ["127.0.0.1", "localhost", "[::1]"].includes(new URL(origin).hostname);
  } catch {
    return false;
  }
}

/** Starts a broker on these ports of 127.0.0.1 or the next free ones, and says which it took. */
export async function startBroker({ port = 1883, webSocketPort = 9001 } = {}) {
  const aedes = await Aedes.createBroker();
  const tcp = createServer(aedes.handle);
  const http = createHttpServer((_request, response) => response.writeHead(426).end("WebSocket only\n"));
  const webSockets = new WebSocketServer({
    server: http,
    verifyClient: ({ req }) => isLocalPage(req.headers.origin),
  });
  // A port in use comes by here too; listen() deals with it.
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
      await new Promise((resolve) => aedes.close(resolve));
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

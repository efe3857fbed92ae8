/**
 * A link between a client and a server of this machine with a limited number of bytes a second to the client, or none
 * for a while.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

const PERIOD_MS = 20;
/** Bytes that wait here before the server notices, like the buffers of an access point. */
const BUFFER_BYTES = 65_536;

export interface SlowLink {
  readonly port: number;
  /** Bytes a second; 0 holds everything. */
  bytesPerSecond: number;
  close(): void;
}

export async function slowLink(serverPort: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const link: { bytesPerSecond: number } = { bytesPerSecond: Number.POSITIVE_INFINITY };
  const server = createServer((client) => {
    const onward = connect(serverPort, "127.0.0.1");
    let waiting = Buffer.alloc(0);
    let delivered = performance.now();
    const deliver = setInterval(() => {
      // By the time that has passed: on a busy machine some periods are left out.
      const now = performance.now();
      const size = Math.min(waiting.length, Math.round((link.bytesPerSecond * (now - delivered)) / 1000));
      delivered = now;
      if (size > 0) client.write(waiting.subarray(0, size));
      waiting = waiting.subarray(size);
      if (waiting.length < BUFFER_BYTES) onward.resume();
    }, PERIOD_MS);
    onward.on("data", (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      if (waiting.length >= BUFFER_BYTES) onward.pause();
    });
    client.pipe(onward);
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        clearInterval(deliver);
        client.destroy();
        onward.destroy();
        sockets.delete(socket);
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(link, {
    port: (server.address() as { port: number }).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}

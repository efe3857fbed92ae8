/** Ports for programs that have to be told theirs. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Below those that Linux takes for outgoing connections, of which tests that run beside this one make thousands. */
const [LOWEST, HIGHEST] = [10_000, 32_000];

/** Takes ports by chance until `bind` resolves for one, which it lets go again. */
async function freeBy(bind: (port: number) => Promise<unknown>): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    try {
      await bind(port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export const freePort = (): Promise<number> =>
  freeBy(async (port) => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
  });

/** A UDP port that was free a moment ago. */
export const freeUdpPort = (): Promise<number> =>
  freeBy(async (port) => {
    const socket = createSocket("udp4");
    socket.bind(port);
    await once(socket, "listening");
    socket.close();
    await once(socket, "close");
  });

/** A connection to a port of 127.0.0.1 as soon as something listens there; `check` throws if nothing ever will. */
export async function connected(port: number, check = () => {}): Promise<Socket> {
  for (; ; await setTimeout(10)) {
    check();
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((done) => {
      socket.once("connect", () => done(true)).once("error", () => done(false));
    });
    if (isOpen) return socket;
  }
}

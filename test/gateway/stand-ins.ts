/** Stand-ins for gateways, over real TCP, UDP and pseudo-terminals, which speak as their manuals and programs say. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface StandIn {
  readonly port: number;
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Connections so far. */
  count(): number;
  /** Ends with all connections. */
  close(): Promise<void>;
}

/** A TCP server; `serve` is called for each connection. Port 0 is a free one. */
export async function tcpStandIn(serve: (socket: Socket) => void, port = 0): Promise<StandIn> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    count: () => count,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A TCP port that nothing listens to. */
export async function freePort(): Promise<number> {
  const standIn = await tcpStandIn(() => {});
  await standIn.close();
  return standIn.port;
}

/** A UDP port that nothing listens to. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  socket.bind(0);
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await once(socket, "close");
  return port;
}

/** Pieces of a length that has nothing to do with that of lines. */
export function* piecesOf(bytes: Uint8Array, length = 997): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

export interface BusFrame {
  readonly id: number;
  readonly data: Uint8Array;
  /** Microseconds since 1970. */
  readonly wall: number;
}

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");

/** A frame as socketcand writes it. */
export const socketcandFrame = ({ id, data, wall }: BusFrame): string =>
  `< frame ${hex(id, 8)} ${(wall / 1e6).toFixed(6)} ${Buffer.from(data).toString("hex").toUpperCase()} >`;

/** The server of socketcand with one bus, which tells what is sent to the bus. */
export function serveSocketcand(
  socket: Socket,
  {
    bus,
    onRaw,
    onSend = () => {},
  }: { bus: string; onRaw: (socket: Socket) => void; onSend?: (words: string[]) => void },
): void {
  let text = "";
  let mode: "no bus" | "bcm" | "raw" = "no bus";
  socket.write("< hi >");
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    for (let end = text.indexOf(">"); end >= 0; end = text.indexOf(">")) {
      const [command, ...words] = text
        .slice(text.indexOf("<") + 1, end)
        .trim()
        .split(/\s+/);
      text = text.slice(end + 1);
      if (command === "echo") socket.write("< echo >");
      else if (mode === "no bus" && command === "open" && words[0] === bus) {
        mode = "bcm";
        socket.write("< ok >");
      } else if (mode === "no bus") socket.end("< error could not open bus >");
      else if (mode === "bcm" && command === "rawmode") {
        mode = "raw";
        socket.write("< ok >");
        onRaw(socket);
      } else if (mode === "raw" && command === "send") onSend(words);
      else socket.write("< error unknown command >");
    }
  });
}

/** Stand-ins for gateways, over real TCP, UDP and pseudo-terminals, which speak as their manuals and programs say. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Said } from "../recording/writing.ts";
import { bst, frameBst, messageBst } from "./bst.ts";

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

/** Why there are no pseudo-terminals to be tested with; in CI they have to be there. */
export const withoutSocat =
  process.env.CI === "true" || spawnSync("socat", ["-V"]).status === 0 ? undefined : "no socat";

/**
 * A serial port at `path` whose other end is a TCP stand-in; pulling it out is `unplug`. socat leaves its settings as
 * they are: it would change them a moment after the port is there, and overwrite those of the program that opens it.
 */
export function plugIn(path: string, port: number): { unplug(): Promise<void> } {
  const socat = spawn("socat", [`PTY,link=${path},wait-slave`, `TCP:127.0.0.1:${port}`], { stdio: "inherit" });
  const ended = once(socat, "exit");
  return {
    async unplug() {
      socat.kill();
      await ended;
    },
  };
}

export const bstMessage = (said: Said): Buffer => bst(messageBst(said));
export const bstCanFrame = (frame: BusFrame): Buffer => bst(frameBst(frame, 0x2001));

/** An NGT-1, which sends nothing before the command to receive all; the first command is lost. */
export function serveNgt(socket: Socket, onReceiveAll: (socket: Socket) => void): void {
  const command = Buffer.from("1002a103110200491003", "hex");
  let got = Buffer.alloc(0);
  let commands = 0;
  socket.on("data", (bytes) => {
    got = Buffer.concat([got, bytes]);
    for (let at = got.indexOf(command); at >= 0; at = got.indexOf(command)) {
      got = got.subarray(at + command.length);
      if (++commands !== 2) continue;
      socket.write(bst("A0 0E 11 01 0E 00 78 56 34 12 00 00 00 00 02 00"));
      onReceiveAll(socket);
    }
  });
}

/** An iKonvert: a status every tenth of a second, messages while it is on the bus. */
export function serveIkonvert(socket: Socket, onBus: (socket: Socket) => void): void {
  let isOnBus = true;
  let text = "";
  const timer = setInterval(() => {
    socket.write(isOnBus ? "$PDGY,000000,17,4,9,3600,23,0\r\n" : "$PDGY,000000,,,,,,\r\n");
  }, 100);
  socket.on("close", () => clearInterval(timer));
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
      const command = text.slice(0, end);
      text = text.slice(end + 2);
      if (command === "$PDGY,N2NET_OFFLINE") {
        isOnBus = false;
        socket.write("$PDGY,TEXT,Digital_Yacht_iKonvert_v2.22_#AB-181018-12345_Mode:15\r\n");
      } else if (command === "$PDGY,N2NET_INIT,ALL" && !isOnBus) {
        isOnBus = true;
        socket.write("$PDGY,ACK,N2NET_INIT,ALL\r\n");
        onBus(socket);
      }
    }
  });
}

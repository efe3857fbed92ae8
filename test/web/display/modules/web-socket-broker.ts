/** A broker of a test's own that is reached by WebSocket, in pieces of a size if it is given. */
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { scriptedBroker } from "../../../adapters/node/mqtt/scripted-broker.ts";

export async function webSocketBroker({ pieceBytes = Number.POSITIVE_INFINITY } = {}) {
  vi.stubGlobal("WebSocket", WebSocket);
  const { port, sessions } = await scriptedBroker();
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "mqtt" });
  await once(server, "listening");
  const protocols: string[] = [];
  server.on("connection", (socket, { headers }) => {
    protocols.push(headers["sec-websocket-protocol"] ?? "");
    const onward = connect(port, "127.0.0.1");
    socket.on("message", (bytes: Buffer) => onward.write(bytes));
    socket.on("close", () => onward.destroy());
    onward.on("data", (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += pieceBytes) socket.send(bytes.subarray(at, at + pieceBytes));
    });
    onward.on("close", () => socket.close());
    onward.on("error", () => {});
  });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
    vi.unstubAllGlobals();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions, protocols };
}

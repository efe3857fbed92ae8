/** The subscriptions of the display, without a browser: the topics of a page that was left are sent no more. */

import { once } from "node:events";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWebSocketStream, WebSocket, WebSocketServer } from "ws";
import { scriptedBroker } from "../../adapters/node/mqtt/scripted-broker.ts";

/** A scripted broker behind a WebSocket, which browsers have and this Node does not; it ends with the test. */
async function webSocketBroker() {
  const { port, sessions } = await scriptedBroker();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    const outer = createWebSocketStream(socket);
    const inner = connectTcp(port, "127.0.0.1");
    outer.on("error", () => inner.destroy());
    inner.on("error", () => socket.terminate());
    inner.on("close", () => socket.close());
    outer.pipe(inner).pipe(outer);
  });
  await once(server, "listening");
  vi.stubGlobal("WebSocket", WebSocket);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions };
}

/** Timers are the test's own. */
async function turns(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test("a page that follows another one unsubscribes from what only that one had, and asks for what is new alone", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.resetModules();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.resetModules();
  });
  const { url, sessions } = await webSocketBroker();
  const { connect, connectionState, subscribeTo } = await import("../../../src/display/data/connection.ts");
  subscribeTo(["navigation", "ais"]);
  connect(url, () => {});
  const requests = (): readonly (readonly string[])[] =>
    (sessions[0]?.packets ?? []).flatMap((packet): readonly (readonly string[])[] => {
      if (packet.cmd === "subscribe") return [["subscribe", ...packet.subscriptions.map(({ topic }) => topic)]];
      return packet.cmd === "unsubscribe" ? [["unsubscribe", ...packet.unsubscriptions]] : [];
    });
  await turns(() => requests().length > 0);
  subscribeTo(["navigation", "devices"]);
  subscribeTo(["navigation"]);
  subscribeTo(["navigation", "health"]);
  await turns(() => requests().flat().includes("health"));
  expect(requests()).toEqual([
    ["subscribe", "navigation", "ais"],
    ["unsubscribe", "ais"],
    ["subscribe", "devices"],
    ["unsubscribe", "devices"],
    ["subscribe", "health"],
  ]);
  sessions[0]!.end();
  await turns(() => connectionState.peek() === "lost");
});

test("a ping is answered with the time at which it was sent, a message has its topic, and a lost broker is tried again", async () => {
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { url, sessions } = await webSocketBroker();
  const { ask, connect, connectionState, publish } = await import("../../../src/display/data/connection.ts");
  const heard: unknown[] = [];
  const answers: number[] = [];
  connect(
    url,
    (topic, payload, isRetained) => heard.push([topic, Buffer.from(payload).toString(), isRetained]),
    (askedAt) => answers.push(askedAt),
  );
  await turns(() => connectionState.peek() === "connected");
  const session = () => sessions.at(-1)!;
  const before = performance.now();
  ask();
  publish("alarms/all/set", "silence");
  await turns(() => session().packets.some(({ cmd }) => cmd === "publish"));
  expect(session().packets.map(({ cmd }) => cmd)).toEqual(["connect", "pingreq", "publish"]);
  session().send({ cmd: "pingresp" });
  session().send({ cmd: "publish", topic: "depth", payload: "5", qos: 0, dup: false, retain: true });
  await turns(() => heard.length > 0);
  expect(heard).toEqual([["depth", "5", true]]);
  expect(answers.length).toBe(1);
  expect(answers[0]).toBeGreaterThanOrEqual(before);
  session().end();
  await turns(() => connectionState.peek() === "lost");
  await turns(() => connectionState.peek() === "connected");
  expect(sessions.length).toBe(2);
});

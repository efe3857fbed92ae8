/** The subscriptions of the display, without a browser: the topics of a page that was left are sent no more. */
import { type AddressInfo, createConnection } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWebSocketStream, WebSocket, WebSocketServer } from "ws";
import { scriptedBroker } from "../../../adapters/node/mqtt/scripted-broker.ts";

/** Timers are the test's own. */
async function turns(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** As in a browser, a failure that nobody listens to is no exception: pages try again after the end of their test. */
class QuietSocket extends WebSocket {
  constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
    super(...parameters);
    this.on("error", () => {});
  }
}

/** The URL of a scripted broker as a browser reaches it. */
async function webSocketOf(port: number): Promise<string> {
  vi.stubGlobal("WebSocket", QuietSocket);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    const [far, near] = [createConnection(port, "127.0.0.1"), createWebSocketStream(socket)];
    near.pipe(far).pipe(near);
    far.on("close", () => socket.terminate());
    for (const end of [far, near]) end.on("error", () => {});
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A page that is loaded now, a broker whose answers a script tells, and its URL. */
async function opened(...script: Parameters<typeof scriptedBroker>) {
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { port, sessions } = await scriptedBroker(...script);
  const page = await import("../../../../src/web/display/data/connection.ts");
  return { sessions, url: await webSocketOf(port), ...page };
}

/** Timers that only the test moves. */
function fakeTimers(...more: readonly "performance"[]): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", ...more] });
  onTestFinished(() => void vi.useRealTimers());
}

test("a page that follows another one unsubscribes from what only that one had, and asks for what is new alone", async () => {
  fakeTimers();
  const { sessions, url, connect, connectionState, subscribeTo } = await opened();
  subscribeTo(["navigation", "ais"]);
  connect(url, { onMessage() {} });
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

test("a connection that another one has replaced does not say that the boat is lost when it closes", async () => {
  const { sessions, url, connect, connectionState, renew } = await opened();
  const states: string[] = [];
  onTestFinished(connectionState.subscribe((state) => void states.push(state)));
  connect(url, { onMessage() {} });
  await turns(() => connectionState.peek() === "connected");
  renew();
  await turns(() => sessions.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(states).not.toContain("lost");
  sessions[1]!.end();
  await turns(() => connectionState.peek() === "lost");
});

test.each([
  ["the broker", ""],
  ["another address", "elsewhere"],
])("a socket of the first script of the page to %s is the first connection, or closed", async (_, path) => {
  const { sessions, url, connect, connectionState } = await opened();
  const { openFirstSocket } = await import("../../../../src/web/display/data/broker-address.ts");
  openFirstSocket(`${url}/${path}`);
  const first = globalThis.firstSocket!;
  connect(url, { onMessage() {} });
  await turns(() => connectionState.peek() === "connected");
  expect(first.readyState === WebSocket.OPEN && sessions.length === 1).toBe(path === "");
});

test("a broker that stops to answer is lost after its questions, and connected anew", async () => {
  fakeTimers("performance");
  const { sessions, url, connect, connectionState, publish } = await opened();
  const answered: number[] = [];
  connect(url.replace("//", "//crew:secret@"), {
    onMessage() {},
    onAnswer: (askedAt) => void answered.push(askedAt),
  });
  await turns(() => connectionState.peek() === "connected");
  expect(sessions[0]!.packets[0]).toMatchObject({ protocolVersion: 4, clean: true, keepalive: 15, username: "crew" });
  publish("a/set", "1");
  await turns(() => sessions[0]!.packets.some(({ cmd }) => cmd === "publish"));
  const asked = () => sessions[0]!.packets.filter(({ cmd }) => cmd === "pingreq").length;
  const askedAt = performance.now() + 5000;
  vi.advanceTimersByTime(5000);
  await turns(() => answered.length === 1);
  expect(answered).toEqual([askedAt]);
  sessions[0]!.answersPings = false;
  for (let more = 2; more <= 6; more++) {
    vi.advanceTimersByTime(5000);
    await turns(() => asked() === more);
    expect(connectionState.peek()).toBe("connected");
  }
  vi.advanceTimersByTime(5000);
  expect(connectionState.peek()).toBe("lost");
  vi.advanceTimersByTime(1000);
  await turns(() => connectionState.peek() === "connected");
  expect(sessions).toHaveLength(2);
});

test("all topics of the broker are listened to by MQTT 5, which leaves long packets out", async () => {
  const { sessions, url, connect, connectionState, listenToAll } = await opened();
  connect(url, { onMessage() {} });
  await turns(() => connectionState.peek() === "connected");
  const heard: unknown[] = [];
  const stop = listenToAll(
    65_536,
    (topic, payload, retained) => void heard.push([topic, payload.length, retained]),
    () => {},
  );
  await turns(() => sessions[1]?.packets.some(({ cmd }) => cmd === "subscribe") === true);
  expect(sessions[1]!.packets[0]).toMatchObject({ protocolVersion: 5, properties: { maximumPacketSize: 65_536 } });
  sessions[1]!.send({ cmd: "publish", topic: "a/b", payload: "12", qos: 0, dup: false, retain: true });
  await turns(() => heard.length === 1);
  expect(heard).toEqual([["a/b", 2, true]]);
  stop();
  await turns(() => sessions[1]!.isOver);
  expect(connectionState.peek()).toBe("connected");
});

test.each([
  ["an address that is none", "nonsense"],
  ["a broker that refuses", undefined],
])("%s is a loss, and is tried again", async (_, address) => {
  const { url, connect, connectionState } = await opened([], undefined, 5);
  const states: string[] = [];
  onTestFinished(connectionState.subscribe((state) => void states.push(state)));
  connect(address ?? url, { onMessage() {} });
  await turns(() => connectionState.peek() === "lost");
  expect(states).not.toContain("connected");
});

test.each([
  [[4, 5], undefined, { isHeard: true }, 5],
  [[4], undefined, { isHeard: true }, 4],
  [[], undefined, { isHeard: false, why: expect.stringContaining("unacceptable protocol version") }, 4],
  [[4, 5], "#", { isHeard: false, why: "it does not permit all topics" }, 5],
  [[4], "#", { isHeard: false, why: "it does not permit all topics" }, 4],
])(
  "all topics are listened to at a broker that takes MQTT %j and refuses %s",
  async (versions, refused, told, version) => {
    const refusals = refused === undefined ? [] : [refused];
    const { sessions, url, connect, listenToAll } = await opened(refusals, undefined, 0, versions);
    // The page's own connection has only to give the address.
    connect(url, { onMessage() {} });
    const states: unknown[] = [];
    const heard: string[] = [];
    onTestFinished(
      listenToAll(
        1000,
        (topic) => void heard.push(topic),
        (state) => void states.push(state),
      ),
    );
    await vi.waitFor(() => expect(states.length).toBeGreaterThan(0), { timeout: 60_000 });
    expect(states[0]).toEqual(told);
    const own = sessions.findLast(({ packets }) => packets.some(({ cmd }) => cmd === "subscribe"));
    if (own === undefined || !told.isHeard) return;
    expect(own.packets[0]).toMatchObject({ cmd: "connect", protocolVersion: version });
    own.send({ cmd: "publish", topic: "a/b", payload: "1", qos: 0, dup: false, retain: false });
    await vi.waitFor(() => expect(heard).toEqual(["a/b"]));
    // What ends the connection is told, and it is made again.
    own.end();
    await vi.waitFor(() => expect(states).toContainEqual({ isHeard: false, why: "it does not answer" }));
  },
);

/** The server of streams at its limits. */
import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { connectionsWithUnsent } from "../../../../src/adapters/node/kernel-sockets.ts";
import {
  type StreamServer,
  type StreamServerOptions,
  streamServer,
} from "../../../../src/adapters/node/streams/stream-server.ts";
import type { SharedText, TextStream } from "../../../../src/core/ports/text-stream.ts";
import { textOf } from "../../../formats/signalk/boats.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { until } from "../../../support/mosquitto.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function setUp(options: Partial<StreamServerOptions> = {}) {
  const clients: TextStream[] = [];
  let closed = 0;
  const server: StreamServer = await streamServer({
    host: "127.0.0.1",
    port: 0,
    log: memoryLog(),
    fetch: () => new Response("answer"),
    open(_request, client) {
      clients.push(client);
      client.send("hello");
      return {
        came: () => {},
        receive: (text) => {
          if (text === "end") client.end("too much");
        },
        closed: () => {
          closed += 1;
        },
      };
    },
    ...options,
  });
  opened.push(() => server.close());
  return { server, clients, closed: () => closed };
}

/** Connects and waits for the greeting. */
async function client(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  opened.push(() => socket.terminate());
  const [greeting] = await once(socket, "message");
  expect(String(greeting)).toBe("hello");
  return socket;
}

test("a client that does not read is dropped and counted before a megabyte waits; the others get everything", async () => {
  const { server, clients, closed } = await setUp();
  const slow = await client(server.port);
  const fast = await client(server.port);
  slow.pause();
  let received = 0;
  fast.on("message", (data) => {
    received += String(data).length;
  });
  const text = "x".repeat(16_384);
  let sent = 0;
  let most = 0;
  while (server.counters().slow === 0) {
    for (const one of clients) one.send(text);
    sent += text.length;
    most = Math.max(most, clients[0]!.unreadBytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBeLessThan(1 << 20);
  expect(server.counters()).toEqual({ connected: 1, slow: 1, refused: 0 });
  await until(() => received === sent);
  await until(() => closed() === 1);
});

test("a client that answers pings stays; one that has gone without a word is ended at the second ping", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  opened.push(() => vi.useRealTimers());
  const { server, closed } = await setUp();
  const answering = await client(server.port);
  const silent = new WebSocket(`ws://127.0.0.1:${server.port}/`, { autoPong: false });
  opened.push(() => silent.terminate());
  await once(silent, "message");
  const ended = once(silent, "close");
  for (let period = 0; period < 5; period++) {
    expect(server.counters().connected).toBe(period < 2 ? 2 : 1);
    const pinged = once(answering, "ping");
    vi.advanceTimersByTime(30_000);
    await pinged;
    // The answer to a ping of its own comes behind its answer to the server's.
    answering.ping();
    await once(answering, "pong");
    if (period === 1) await ended;
  }
  expect(answering.readyState).toBe(WebSocket.OPEN);
  expect(closed()).toBe(1);
});

test("no more is taken of a client while it is paused than has come, and nothing is lost", async () => {
  let heard = 0;
  const { server, clients } = await setUp({
    open: (_request, stream) => {
      clients.push(stream);
      stream.send("hello");
      return {
        came: () => {},
        receive: () => {
          heard += 1;
          stream.pause();
        },
        closed: () => {},
      };
    },
  });
  const socket = await client(server.port);
  for (let count = 0; count < 50; count++) socket.send("x".repeat(60_000));
  await until(() => heard > 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(heard).toBeLessThan(10);
  await until(() => {
    clients[0]!.resume();
    return heard === 50;
  });
});

test("of requests that do not wait for the answer to the last one is answered, and their connection ended", async () => {
  let asked = 0;
  const { server } = await setUp({
    fetch: async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return new Response("answer");
    },
  });
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {}).resume();
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(500));
  await once(socket, "close");
  expect(asked).toBe(1);
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("answer");
});

test("requests on one connection, each after the answer to the last, are all answered", async () => {
  const { server } = await setUp();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  opened.push(() => agent.destroy());
  const ports = new Set<unknown>();
  for (let count = 0; count < 50; count++) {
    const [response] = await once(get({ port: server.port, host: "127.0.0.1", agent }), "response");
    ports.add(response.socket.localPort);
    await once(response.resume(), "end");
    // The agent needs a turn to get its connection back.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ports.size).toBe(1);
});

test("bytes of a client count, also those of pings", async () => {
  let bytes = 0;
  const { server } = await setUp({
    open: (_request, stream) => {
      stream.send("hello");
      const came = (count: number): void => {
        bytes += count;
      };
      return { came, receive: () => {}, closed: () => {} };
    },
  });
  const socket = await client(server.port);
  // `ws` disconnects a client for which more answers wait.
  for (let count = 0; count < 50; count++) socket.ping();
  // On a slow machine the answer to a ping of the server may be among them; a poll names the bytes that it has seen.
  await expect.poll(() => bytes, { timeout: 60_000 }).toBeGreaterThanOrEqual(300);
  expect(bytes).toBeLessThan(330);
});

test("the address of a request is that which a proxy of this machine names; a program of this machine has none", async () => {
  const addresses: (string | undefined)[] = [];
  const { server } = await setUp({
    fetch: (_request, { address }) => {
      addresses.push(address);
      return new Response("answer");
    },
  });
  await (await fetch(`http://127.0.0.1:${server.port}/`)).text();
  await (await fetch(`http://127.0.0.1:${server.port}/`, { headers: { "X-Real-IP": "192.0.2.1" } })).text();
  expect(addresses).toEqual([undefined, "192.0.2.1"]);
});

test("texts of any length and script arrive whole, at all clients", async () => {
  const { server, clients } = await setUp();
  const [one, other] = [await client(server.port), await client(server.port)];
  const texts: (string | SharedText)[] = [0, 1, 125, 126, 65_535, 65_536, 100_000].map((length) => "x".repeat(length));
  texts.push("é€😀".repeat(20), "é".repeat(40_000), "x", { text: "é shared" }, "x");
  const received = [one, other].map((socket) => {
    const messages: string[] = [];
    socket.on("message", (data) => messages.push(String(data)));
    return messages;
  });
  for (const text of texts) for (const stream of clients) stream.send(text);
  await until(() => received.every(({ length }) => length === texts.length));
  const expected = texts.map(textOf);
  expect(received).toEqual([expected, expected]);
});

test("one client more than there may be is refused", async () => {
  const { server } = await setUp({ maxClients: 1 });
  await client(server.port);
  const refused = new WebSocket(`ws://127.0.0.1:${server.port}/`);
  refused.on("error", () => {});
  const [, response] = await once(refused, "unexpected-response");
  expect(response.statusCode).toBe(503);
  expect(server.counters()).toEqual({ connected: 1, slow: 0, refused: 1 });
});

test("silent connections do not lock out others, and those that are being answered stay", async () => {
  const log = memoryLog();
  const answers: ((answer: Response) => void)[] = [];
  const { server } = await setUp({
    maxConnections: 3,
    log,
    fetch: () => new Promise<Response>((resolve) => answers.push(resolve)),
  });
  const stream = await client(server.port);
  const held = fetch(`http://127.0.0.1:${server.port}/`);
  await until(() => answers.length === 1);
  for (let count = 1; count <= 5; count++) {
    const silent = connect(server.port, "127.0.0.1");
    opened.push(() => silent.destroy());
    silent.on("error", () => {});
    silent.write("GET / HTTP/1.1\r\nHost: a\r\nX-Unfinished: ");
    await until(() => server.counters().refused === count - 1);
  }
  const asked = fetch(`http://127.0.0.1:${server.port}/`);
  await until(() => answers.length === 2);
  expect(server.counters()).toEqual({ connected: 1, slow: 0, refused: 5 });
  expect(log.lines.map(({ fields }) => fields.code)).toContain("CLIENTS_REFUSED");
  // All three are busy now.
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  for (const answer of answers) answer(new Response("answer"));
  for (const response of [await held, await asked]) expect(await response.text()).toBe("answer");
  expect(stream.readyState).toBe(WebSocket.OPEN);
});

test("a listener ends a conversation; binary messages do too", async () => {
  const { server } = await setUp();
  const first = await client(server.port);
  first.send("end");
  expect((await once(first, "close")).map(String)).toEqual(["1008", "too much"]);
  const second = await client(server.port);
  second.send(Buffer.from([1]));
  expect((await once(second, "close"))[0]).toBe(1003);
});

const UPGRADE =
  "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
const KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
/** A close frame, masked with zeros. */
const CLOSE_FRAME = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);

/**
 * A client that never closes its side of the connection; resolves to what it was sent when the server has closed its
 * own.
 */
async function holding(port: number, text: string): Promise<{ readonly text: () => string; readonly socket: Socket }> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  opened.push(() => socket.destroy());
  socket.on("error", () => {});
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
  });
  socket.write(text, "latin1");
  await once(socket, "data");
  return { text: () => received, socket };
}

/** Connections of a server with bytes that are not sent or acknowledged, also those that it has closed. */
const waitingAt = (port: number): number => connectionsWithUnsent(port, 0).length;

test.each([
  ["a status", UPGRADE + KEY, { open: () => 404 }],
  ["no place", UPGRADE + KEY, { maxClients: 0 }],
  ["no key", UPGRADE, {}],
  ["a method of no WebSocket", `${UPGRADE}${KEY}`.replace("GET", "POST"), {}],
  ["what is no HTTP", "\0\0\0", {}],
])("connections refused by %s hold no place, though their clients never close them", async (_reason, text, options) => {
  const { server } = await setUp({ maxConnections: 4, ...options });
  for (let count = 0; count < 10; count++) {
    const { text: answer } = await holding(server.port, `${text}\r\n`);
    expect(answer()).toMatch(/^HTTP\/1\.1 4|^HTTP\/1\.1 503/);
  }
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("answer");
  expect(server.counters().refused).toBe("maxClients" in options ? 10 : 0);
});

test("a response that is not read does not keep its place", async () => {
  const { server } = await setUp({
    maxConnections: 2,
    stalledMs: 200,
    fetch: () => new Response("x".repeat(64 << 20)),
  });
  for (let count = 0; count < 2; count++) {
    const { socket } = await holding(server.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.pause();
  }
  await until(() => waitingAt(server.port) === 0);
  const { text } = await holding(server.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(text()).toMatch(/^HTTP\/1\.1 200/);
});

test("a stream that is ended is closed, whether or not its client answers", async () => {
  const { server, clients, closed } = await setUp();
  await holding(server.port, `${UPGRADE}${KEY}\r\n`);
  clients[0]!.end("too much");
  await until(() => closed() === 1);
  const { socket } = await holding(server.port, `${UPGRADE}${KEY}\r\n`);
  socket.write(CLOSE_FRAME);
  await until(() => closed() === 2);
});

test("the clients of one address have a quarter of the places, by the address that a proxy of this machine names", async () => {
  const { server } = await setUp({ maxClients: 4 });
  const ask = async (address: string): Promise<string> => {
    const { text } = await holding(server.port, `${UPGRADE}${KEY}X-Real-IP: ${address}\r\n\r\n`);
    return text().slice(9, 12);
  };
  expect(await ask("192.0.2.1")).toBe("101");
  expect(await ask("192.0.2.1")).toBe("503");
  expect(await ask("192.0.2.2")).toBe("101");
  expect(await ask("127.0.0.1")).toBe("101");
  expect(await ask("127.0.0.1")).toBe("101");
  expect(await ask("192.0.2.3")).toBe("503");
});

test("whatever is written to its port, it goes on", async () => {
  const { server } = await setUp();
  const attempts = [
    "\0\0\0",
    "GET / HTTP/1.1\r\n\r\n",
    `${UPGRADE}\r\n`,
    `${UPGRADE}Sec-WebSocket-Key: short\r\n\r\n`,
    `${UPGRADE}${KEY}\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff`,
    `${UPGRADE}${KEY}\r\n\x81\x05hello`,
    `${UPGRADE}${KEY}\r\n\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff`,
    "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ];
  for (const text of attempts) {
    const socket = connect(server.port, "127.0.0.1");
    opened.push(() => socket.destroy());
    socket.on("error", () => {});
    socket.write(text, "latin1");
    await Promise.race([once(socket, "data"), once(socket, "close")]);
    socket.destroy();
  }
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("answer");
  await client(server.port);
});

test("a response may take longer than a client that sends nothing, which is ended", async () => {
  const { server } = await setUp({
    stalledMs: 200,
    fetch: async (request) => {
      await request.text();
      await new Promise((resolve) => setTimeout(resolve, 900));
      return new Response("done");
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const half = connect({ port: server.port, host: "127.0.0.1" });
  opened.push(() => half.destroy());
  half.on("error", () => {});
  half.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1");
  const ended = new Promise((resolve) => half.on("close", resolve));
  expect(await (await fetch(url, { method: "POST", body: "text" })).text()).toBe("done");
  expect(await (await fetch(url)).text()).toBe("done");
  await ended;
});

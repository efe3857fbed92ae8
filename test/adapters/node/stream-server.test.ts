/** The server of streams at its limits. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { memoryLog } from "../../../src/adapters/memory/log.ts";
import { type StreamServer, type StreamServerOptions, streamServer } from "../../../src/adapters/node/stream-server.ts";
import type { TextStream } from "../../../src/ports/text-stream.ts";
import { until } from "../../mosquitto.ts";

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
        receive: (text) => text !== "end",
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

test("texts of any length and script arrive whole, at all clients", async () => {
  const { server, clients } = await setUp();
  const [one, other] = [await client(server.port), await client(server.port)];
  const texts = [0, 1, 125, 126, 65_535, 65_536, 100_000].map((length) => "x".repeat(length));
  texts.push("é€😀".repeat(20), "é".repeat(40_000), "x");
  const received = [one, other].map((socket) => {
    const messages: string[] = [];
    socket.on("message", (data) => messages.push(String(data)));
    return messages;
  });
  for (const text of texts) for (const stream of clients) stream.send(text);
  await until(() => received.every(({ length }) => length === texts.length));
  expect(received).toEqual([texts, texts]);
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

test("connections that say nothing lock nobody out, and those that are being answered stay", async () => {
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
  expect((await once(first, "close"))[0]).toBe(1008);
  const second = await client(server.port);
  second.send(Buffer.from([1]));
  expect((await once(second, "close"))[0]).toBe(1003);
});

test("whatever is written to its port, it goes on", async () => {
  const { server } = await setUp();
  const upgrade =
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  const attempts = [
    "\0\0\0",
    "GET / HTTP/1.1\r\n\r\n",
    `${upgrade}\r\n`,
    `${upgrade}Sec-WebSocket-Key: short\r\n\r\n`,
    `${upgrade}${key}\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff`,
    `${upgrade}${key}\r\n\x81\x05hello`,
    `${upgrade}${key}\r\n\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff`,
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

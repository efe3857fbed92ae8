import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { connectionsWithUnsent } from "../../../../src/adapters/node/kernel-sockets.ts";
import { type LineServer, lineServer } from "../../../../src/adapters/node/streams/line-server.ts";
import { type MemoryLog, memoryLog } from "../../../support/memory/log.ts";
import { until } from "../../../support/mosquitto.ts";

const endings: (() => unknown)[] = [];
afterEach(() => {
  for (const end of endings.splice(0).reverse()) end();
});

async function open(maxClients?: number, host = "127.0.0.1") {
  const log = memoryLog();
  const server = await lineServer({ host, port: 0, log, ...(maxClients && { maxClients }) });
  endings.push(() => server.close());
  return { server, log };
}

const warnings = ({ lines }: MemoryLog) => lines.filter(({ level }) => level === "warn");

async function client({ port }: LineServer, host = "127.0.0.1") {
  const socket: Socket = connect(port, host);
  endings.push(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  let text = "";
  return {
    socket,
    read: () => {
      socket.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
      });
    },
    text: () => text,
  };
}

/** Resolves when a connection has ended, in order or not. */
const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.resume().once("close", resolve));

test("all clients get the same lines, from when they are connected", async () => {
  const { server } = await open();
  server.send("$NOBODY\r\n");
  const clients = [await client(server), await client(server)];
  for (const { read } of clients) read();
  await until(() => server.counters().connected === 2);
  server.send("$ONE\r\n$TWO\r\n");
  for (const { text } of clients) await until(() => text() === "$ONE\r\n$TWO\r\n");
});

test("each client gets the greeting first, and once", async () => {
  const server = await lineServer({ host: "127.0.0.1", port: 0, log: memoryLog(), greeting: "$HELLO\r\n" });
  endings.push(() => server.close());
  const clients = [await client(server), await client(server)];
  for (const { read } of clients) read();
  await until(() => server.counters().connected === 2);
  server.send("$ONE\r\n");
  for (const { text } of clients) await until(() => text() === "$HELLO\r\n$ONE\r\n");
});

test("what a client says is dropped, and its end is noticed", async () => {
  const { server } = await open();
  const { socket, read, text } = await client(server);
  read();
  for (let count = 0; count < 50; count++) socket.write("x".repeat(100_000));
  await until(() => socket.writableLength === 0 && server.counters().connected === 1);
  server.send("$ONE\r\n");
  await until(() => text() === "$ONE\r\n");
  socket.destroy();
  await until(() => server.counters().connected === 0);
});

test.each(["127.0.0.1", "::1"])(
  "a client of %s that never reads is dropped with a count, before a megabyte waits for it; the other gets every line",
  async (host) => {
    const { server, log } = await open(undefined, host);
    const [idle, other] = [await client(server, host), await client(server, host)];
    idle.socket.pause();
    other.read();
    await until(() => server.counters().connected === 2);
    const line = `${"x".repeat(78)}\r\n`;
    let sent = 0;
    let waiting = 0;
    while (server.counters().slow === 0) {
      const block = line.repeat(800);
      server.send(block);
      sent += block.length;
      // Lines are sent as fast as the other client reads.
      await until(() => other.text().length === sent);
      waiting = Math.max(waiting, ...connectionsWithUnsent(server.port, 0).map(({ bytes }) => bytes));
    }
    expect(server.counters()).toMatchObject({ connected: 1, slow: 1 });
    expect(warnings(log)).toMatchObject([{ fields: { code: "CLIENT_SLOW", dropped: 1 } }]);
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(1 << 20);
    await closed(idle.socket);
    server.send("$LAST\r\n");
    await until(() => other.text().endsWith("$LAST\r\n"));
  },
);

test("one client too many is refused, and counted; a place that is left can be taken", async () => {
  const { server, log } = await open(1);
  const first = await client(server);
  await until(() => server.counters().connected === 1);
  const second = await client(server);
  await closed(second.socket);
  expect(server.counters()).toMatchObject({ connected: 1, slow: 0, refused: 1 });
  expect(warnings(log)).toMatchObject([{ fields: { code: "CLIENTS_REFUSED" } }]);
  first.socket.destroy();
  await until(() => server.counters().connected === 0);
  const third = await client(server);
  third.read();
  await until(() => server.counters().connected === 1);
  server.send("$ONE\r\n");
  await until(() => third.text() === "$ONE\r\n");
});

test("a port that is taken is an error of the system", async () => {
  const { server } = await open();
  await expect(lineServer({ host: "127.0.0.1", port: server.port, log: memoryLog() })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { memoryLog } from "../../../src/adapters/memory/log.ts";
import { type LineServer, lineServer } from "../../../src/adapters/node/line-server.ts";
import type { LogFields } from "../../../src/ports/log.ts";
import { tcpStandIn } from "../../gateway/stand-ins.ts";
import { until } from "../../mosquitto.ts";

async function setUp(host = "127.0.0.1") {
  const log = memoryLog();
  const server = await lineServer({ host, port: 0, log, maxClients: 64 });
  onTestFinished(() => server.close());
  const warnings = (): LogFields[] => log.lines.filter(({ level }) => level === "warn").map(({ fields }) => fields);
  return { server, port: server.port, warnings };
}

/** A client, whose text comes to an end with its connection. */
async function client(port: number, server: LineServer, host = "127.0.0.1") {
  const before = server.counters().connected;
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await until(() => server.counters().connected === before + 1);
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

test("all clients get what is written while they are there, in order, to the last byte before the end", async () => {
  const { server, port } = await setUp();
  server.send("before ");
  const first = textOf(await client(port, server));
  server.send("one ");
  const second = textOf(await client(port, server));
  const rest = Array.from({ length: 1000 }, (_, index) => `${index} `);
  for (const text of rest) server.send(text);
  await server.close();
  expect(await second).toBe(rest.join(""));
  expect(await first).toBe(`one ${rest.join("")}`);
});

test("what clients send is dropped and counted", async () => {
  const { server, port } = await setUp();
  const socket = await client(port, server);
  const text = textOf(socket);
  const garbage = Buffer.alloc(1_000_003, "\0\r\nGET / HTTP/1.1 19F51323 01 02 \x10\x02");
  socket.write(garbage);
  await until(() => server.counters().receivedBytes === garbage.length);
  server.send("still here");
  await server.close();
  expect(await text).toBe("still here");
  expect(server.counters()).toMatchObject({ slow: 0, refused: 0 });
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::1", "::1"],
  ["::", "127.0.0.1"],
])("a client of %s that never reads is dropped, and the others get everything meanwhile", async (host, from) => {
  const { server, port, warnings } = await setUp(host);
  const slow = await client(port, server, from);
  slow.pause();
  const text = textOf(await client(port, server, from));
  let written = "";
  const block = "x".repeat(8000);
  while (server.counters().slow === 0) {
    server.send(block);
    written += block;
    expect(written.length).toBeLessThan(1 << 20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(server.counters()).toMatchObject({ slow: 1, refused: 0 });
  await until(() => server.counters().connected === 1);
  expect(warnings()).toMatchObject([{ code: "CLIENT_SLOW", port, dropped: 1 }]);
  slow.resume();
  await until(() => slow.destroyed);
  await server.close();
  expect((await text) === written).toBe(true);
});

test("the 65th client is not let in, and a place that gets free is taken", async () => {
  const { server, port, warnings } = await setUp();
  const clients: Socket[] = [];
  for (let count = 0; count < 64; count++) clients.push(await client(port, server));
  const refused = connect(port, "127.0.0.1");
  refused.on("error", () => {});
  refused.resume();
  await once(refused, "close");
  expect(server.counters()).toMatchObject({ connected: 64, slow: 0, refused: 1 });
  expect(warnings()).toEqual([{ code: "CLIENTS_REFUSED", port, clients: 64 }]);
  clients[0]!.destroy();
  await until(() => server.counters().connected === 63);
  const text = textOf(await client(port, server));
  server.send("there");
  for (const each of clients) each.destroy();
  await server.close();
  expect(await text).toBe("there");
});

test("clients come and go by reset, and none is left", async () => {
  const { server, port } = await setUp();
  for (let round = 0; round < 100; round++) {
    const socket = await client(port, server);
    server.send("x".repeat(2000));
    socket.resetAndDestroy();
    server.send("y");
    await until(() => server.counters().connected === 0);
  }
  expect(server.counters()).toMatchObject({ slow: 0, refused: 0 });
});

test("a client that takes nothing does not hold up the end", async () => {
  const { server, port } = await setUp();
  const slow = await client(port, server);
  slow.pause();
  server.send("x".repeat(60_000));
  await server.close();
  await until(() => server.counters().connected === 0);
});

test("a port that is taken is told", async () => {
  const { port, close } = await tcpStandIn(() => {});
  onTestFinished(close);
  await expect(lineServer({ host: "127.0.0.1", port, log: memoryLog() })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

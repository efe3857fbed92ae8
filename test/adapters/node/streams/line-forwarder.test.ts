/**
 * The forwarder of the history: order, what is sent again, refusals, waits, the disk. The engine is a server that keeps
 * what it takes.
 */
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { segmentQueue } from "../../../../src/adapters/node/files/segment-queue.ts";
import { EngineClient } from "../../../../src/adapters/node/http/engine-client.ts";
import { LineBuffer } from "../../../../src/adapters/node/streams/line-buffer.ts";
import { LineForwarder } from "../../../../src/adapters/node/streams/line-forwarder.ts";
import { onDisk, withoutDisk } from "../../../support/disk.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const MAX_LENGTH = 4 << 20;

async function setUp({ authorization, disk }: { authorization?: string; disk?: string } = {}) {
  const folder = disk ?? temporaryFolder("forwarder");
  const engine = {
    status: 204,
    statusOf: undefined as ((body: string) => number) | undefined,
    headers: {},
    /** Longer ones are answered with 413. */
    maxBytes: Number.POSITIVE_INFINITY,
    /** The rest of an answer, after its head. */
    end: (response: ServerResponse): void => void response.end("a reason"),
    bodies: [] as string[],
    requests: [] as IncomingMessage[],
  };
  const server = createServer(async (request, response) => {
    engine.requests.push(request);
    let body = "";
    for await (const chunk of request) body += chunk;
    engine.bodies.push(body);
    response.writeHead(
      body.length > engine.maxBytes ? 413 : (engine.statusOf?.(body) ?? engine.status),
      engine.headers,
    );
    engine.end(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const [clock, log, buffer] = [memoryClock(), memoryLog(), new LineBuffer(MAX_LENGTH)];
  const queue = await segmentQueue({ folder, maxBytes: 1 << 30, log });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/write`;
  const client = new EngineClient({ url, authorization });
  const forwarder = new LineForwarder({ url, engine: client, buffer, queue, clock, log });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await queue.close();
    if (disk === undefined) rmSync(folder, { recursive: true });
  });
  /** The next tick of the daemon, which has heard these lines before. */
  const tick = async (seconds: number, ...lines: readonly string[]): Promise<void> => {
    clock.advance(1000 * seconds);
    for (const line of lines) buffer.add(line);
    await forwarder.advance();
  };
  /** The engine ends, and is there again before the next request; what it had in memory is lost. */
  const restartEngine = async (): Promise<void> => {
    server.closeAllConnections();
    await expect.poll(() => client.hasLost).toBe(true);
  };
  /** The lines on disk, file by file. */
  const files = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".lp"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
  const codes = (): unknown[] => log.lines.flatMap(({ fields: { code } }) => (code === undefined ? [] : [code]));
  return { engine, client, buffer, queue, forwarder, clock, tick, restartEngine, files, codes, log };
}

test("each second is sent once, in order, and written to no disk while the engine takes it", async () => {
  const { engine, files, buffer, tick } = await setUp();
  await tick(0, "a 1\n", "b 2\n");
  await tick(1, "c 3\n");
  await tick(1);
  expect(engine.bodies).toEqual(["a 1\nb 2\n", "c 3\n"]);
  expect(engine.requests[0]).toMatchObject({
    method: "POST",
    url: "/write",
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
  expect(buffer.length).toBe(12);
  await tick(268);
  expect(buffer.length).toBe(4);
  await tick(1);
  expect([buffer.length, files()]).toEqual([0, []]);
  expect(engine.bodies).toHaveLength(2);
});

test("what an engine took within 270 seconds before it failed is sent again, in order, from disk", async () => {
  const { engine, queue, files, tick, codes } = await setUp();
  await tick(0, "a 1\n");
  await tick(269, "b 2\n");
  engine.status = 503;
  await tick(2, "c 3\n");
  expect(files()).toEqual(["b 2\nc 3\n"]);
  engine.status = 204;
  await tick(1, "d 4\n");
  expect(engine.bodies).toEqual(["a 1\n", "b 2\n", "c 3\n", "b 2\nc 3\n", "d 4\n"]);
  expect(codes()).toEqual(["HISTORY_AWAY"]);
  engine.status = 503;
  await tick(1, "e 5\n");
  engine.status = 204;
  await tick(1);
  expect(engine.bodies.slice(5)).toEqual(["e 5\n", "b 2\nc 3\n", "d 4\n", "e 5\n"]);
  await tick(270);
  expect([queue.bytes, files()]).toEqual([0, []]);
});

test("a fault in the work with an answer is counted, and costs no point", async () => {
  const { engine, client, forwarder, files, tick, codes } = await setUp();
  const post = client.post.bind(client);
  client.post = async () => undefined as never;
  await tick(0, "a 1\n");
  await tick(60, "b 2\n");
  expect([forwarder.faults, forwarder.fault]).toEqual([2, expect.stringMatching(/^TypeError: /)]);
  expect([files(), codes()]).toEqual([["a 1\nb 2\n"], ["HISTORY_AWAY"]]);
  client.post = post;
  await tick(60, "c 3\n");
  expect(engine.bodies).toEqual(["a 1\nb 2\n", "c 3\n"]);
});

test("an engine that ended and is there again between two requests gets again what it has lost", async () => {
  const { engine, tick, restartEngine, codes } = await setUp();
  await tick(0, "a 1\n");
  await tick(269, "b 2\n");
  await restartEngine();
  await tick(2, "c 3\n");
  await tick(1, "d 4\n");
  expect(engine.bodies).toEqual(["a 1\n", "b 2\n", "b 2\n", "c 3\n", "d 4\n"]);
  expect(codes()).toEqual([]);
});

test.each([
  ["announced by the engine", { connection: "close" }, "done"],
  ["because its answer is long", {}, "x".repeat(1 << 20)],
])("a connection that ends %s is no end of the engine", async (_, headers, text) => {
  const { engine, client, tick } = await setUp();
  Object.assign(engine, { headers, status: 200, end: (response: ServerResponse) => void response.end(text) });
  await tick(0, "a 1\n");
  const { socket } = engine.requests[0]!;
  await expect.poll(() => socket.destroyed).toBe(true);
  await tick(1, "b 2\n");
  await tick(1, "c 3\n");
  expect([engine.bodies, client.hasLost]).toEqual([["a 1\n", "b 2\n", "c 3\n"], false]);
});

test("requests share a connection", async () => {
  const { engine, tick } = await setUp();
  for (const second of [0, 1, 2]) await tick(second, "a 1\n");
  expect(new Set(engine.requests.map(({ socket }) => socket)).size).toBe(1);
});

test("while the engine is away points go to disk at once, and then every minute", async () => {
  const { engine, files, tick } = await setUp();
  engine.status = 503;
  await tick(0, "a 1\n");
  expect(files()).toEqual(["a 1\n"]);
  for (let second = 1; second < 60; second++) await tick(1, `b ${second}\n`);
  expect(files()).toEqual(["a 1\n"]);
  await tick(1);
  const minute = Array.from({ length: 59 }, (_, index) => `b ${index + 1}\n`).join("");
  expect(files().join("")).toBe(`a 1\n${minute}`);
});

test("an engine that comes and goes costs the disk a file a minute", async () => {
  const { engine, files, tick } = await setUp();
  for (let second = 0; second < 60; second++) {
    engine.status = second % 4 < 2 ? 503 : 204;
    await tick(1, `a ${second}\n`);
  }
  expect(files()).toEqual(["a 0\n"]);
  expect(new Set(engine.bodies.flatMap((body) => body.split("\n"))).size).toBe(61);
});

test.each([401, 404, 429, 500, 503, 301])("points wait for an engine that answers %i", async (status) => {
  const { engine, queue, forwarder, tick, log } = await setUp();
  Object.assign(engine, { status, headers: { location: "/other" } });
  await tick(0, "a 1\n");
  expect(log.lines).toMatchObject([{ level: "warn", fields: { code: "HISTORY_AWAY", waitingBytes: 4 } }]);
  engine.status = 204;
  await tick(1);
  expect(engine.requests.map(({ url }) => url)).toEqual(["/write", "/write"]);
  expect([forwarder.sent, forwarder.refused, queue.bytes]).toEqual([1, 0, 4]);
});

test.each([400, 413, 422])(
  "points that an engine refuses by %i are dropped and counted, the next ones sent",
  async (status) => {
    const { engine, buffer, forwarder, tick } = await setUp();
    engine.status = status;
    await tick(0, "a 1\n");
    engine.status = 204;
    await tick(1, "b 2\n");
    expect(engine.bodies).toEqual(["a 1\n", "b 2\n"]);
    expect(forwarder.refusal).toEqual({ status, reason: "a reason" });
    expect([forwarder.sent, forwarder.refused]).toEqual([1, 1]);
    engine.status = 400;
    await tick(1, "c 3\n", "d 4\n");
    expect(forwarder.refused).toBe(3);
    await tick(270);
    expect(buffer.length).toBe(0);
  },
);

test("a body that is too large is sent in parts, a line that is too large is dropped", async () => {
  const { engine, buffer, forwarder, tick } = await setUp();
  engine.maxBytes = 10;
  await tick(0, "a 1\n", "b 2\n", "c 3\n", "d 4\n", "and one that is longer 5\n");
  expect(engine.bodies.filter((body) => body.length <= 10).join("")).toBe("a 1\nb 2\nc 3\nd 4\n");
  expect(forwarder.refused).toBe(1);
  await tick(270);
  expect(buffer.length).toBe(0);
});

const endless = (response: ServerResponse): void => {
  while (response.write("x".repeat(65_536)));
  response.once("drain", () => endless(response));
};

test.each([204, 200, 503])("of an answer %i without end only the beginning is read", async (status) => {
  const { engine, forwarder, tick, log } = await setUp();
  Object.assign(engine, { status, end: status === 204 ? engine.end : endless });
  await tick(0, "a 1\n");
  expect(forwarder.sent).toBe(status === 503 ? 0 : 1);
  if (status === 503) expect(String(log.lines[0]!.fields.reason)).toHaveLength("503 ".length + 200);
  await expect.poll(() => engine.requests[0]!.socket.destroyed).toBe(status !== 204);
});

test("an engine that does not answer for half a minute is away", async () => {
  const { engine, queue, clock, tick, log } = await setUp();
  engine.end = () => {};
  engine.status = 200;
  const sending = tick(0, "a 1\n");
  await expect.poll(() => engine.requests.length).toBe(1);
  clock.advance(29_999);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(log.lines).toEqual([]);
  clock.advance(1);
  await sending;
  expect(log.lines[0]).toMatchObject({
    fields: { code: "HISTORY_AWAY", reason: "no answer in time", waitingBytes: 4 },
  });
  expect(queue.bytes).toBe(4);
});

test("a page in place of an engine's answer takes no points", async () => {
  const { engine, forwarder, tick, log } = await setUp();
  Object.assign(engine, { status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
  await tick(0, "a 1\n");
  expect(forwarder.sent).toBe(0);
  expect(log.lines[0]).toMatchObject({ fields: { code: "HISTORY_AWAY" } });
  engine.headers = {};
  await tick(1);
  expect(forwarder.sent).toBe(1);
});

test("attempts become rarer, up to half a minute, and are frequent again after a success", async () => {
  const { engine, tick, codes } = await setUp();
  engine.status = 503;
  const waits = async (seconds: number): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let second = 1, before = engine.bodies.length, last = 0; second <= seconds; second++) {
      await tick(1);
      if (engine.bodies.length > before) found.push(second - last);
      if (engine.bodies.length > before) [before, last] = [engine.bodies.length, second];
    }
    return found;
  };
  await tick(0, "a 1\n");
  expect(await waits(121)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  expect(codes()).toEqual(["HISTORY_AWAY"]);
  engine.status = 204;
  await tick(30);
  engine.status = 503;
  await tick(1, "b 2\n");
  expect(codes()).toEqual(["HISTORY_AWAY", "HISTORY_AWAY"]);
  expect(await waits(7)).toEqual([1, 2, 4]);
});

test("a password is sent; at the end everything that the engine may not have is on disk, and sent again", async () => {
  const { engine, buffer, forwarder, files, tick } = await setUp({ authorization: "Token secret" });
  await tick(0, "a 1\n");
  expect(engine.requests[0]!.headers.authorization).toBe("Token secret");
  await tick(269, "b 2\n");
  await tick(2);
  buffer.add("c 3\n");
  await forwarder.close();
  await forwarder.advance();
  expect([engine.bodies, files()]).toEqual([["a 1\n", "b 2\n"], ["b 2\nc 3\n"]]);
});

test("a request that is under way is ended at the end, and its points are on disk", async () => {
  const { engine, forwarder, files, tick, codes } = await setUp();
  engine.end = () => {};
  const sending = tick(0, "a 1\n");
  await expect.poll(() => engine.bodies.length).toBe(1);
  await Promise.all([sending, forwarder.close()]);
  expect([files(), codes()]).toEqual([["a 1\n"], []]);
});

function newDisk(): string {
  const folder = temporaryFolder("forwarder");
  return join(folder, "disk");
}

test.skipIf(withoutDisk)(`a full disk costs nothing while the engine takes points ${withoutDisk ?? ""}`, () => {
  const disk = newDisk();
  return onDisk(disk, "64k", async () => {
    const { engine, buffer, tick, files, codes } = await setUp({ disk });
    writeFileSync(join(disk, "other"), Buffer.alloc(64 << 10));
    await tick(0, "a 1\n");
    engine.status = 503;
    await tick(1, "b 2\n");
    expect([files(), codes()]).toEqual([[], ["HISTORY_AWAY", "HISTORY_DISK"]]);
    // Lines that do not fit into memory then are lost.
    const line = `${"x".repeat(1023)}\n`;
    for (let count = 0; count < 5 << 10; count++) buffer.add(line);
    expect([buffer.dropped, buffer.length <= MAX_LENGTH]).toEqual([2 + (1 << 10), true]);
    engine.status = 204;
    await tick(1, "c 3\n");
    const sent = engine.bodies.slice(2).join("");
    expect([sent.length, sent.endsWith("x\nc 3\n"), buffer.waitingLength]).toEqual([(3 << 20) + 4, true, 0]);
  });
});

test.skipIf(withoutDisk)(`a read-only disk costs nothing while the engine takes points ${withoutDisk ?? ""}`, () => {
  const disk = newDisk();
  return onDisk(disk, "64k", async (remount) => {
    const { engine, buffer, forwarder, tick, files } = await setUp({ disk });
    engine.status = 503;
    await tick(0, "a 1\n");
    engine.status = 204;
    await tick(1, "b 2\n");
    remount("ro");
    await tick(270, "c 3\n");
    engine.status = 503;
    await tick(1, "d 4\n");
    engine.status = 204;
    await tick(1);
    // A file that could not be removed is not sent again.
    expect(engine.bodies).toEqual(["a 1\n", "a 1\n", "b 2\n", "c 3\n", "d 4\n", "c 3\n", "d 4\n"]);
    expect([buffer.dropped, files()]).toEqual([0, ["a 1\n"]]);
    remount("rw");
    await tick(1);
    expect(files()).toEqual([]);
    // At the end it is lost only if the engine does not have it.
    remount("ro");
    buffer.add("e 5\n");
    await forwarder.close();
    expect(buffer.dropped).toBe(1);
  });
});

test.each([
  ["a line", (body: string) => body.includes("bad ")],
  ["all lines of its time", (body: string) => /\ba=[0-4]\n/.test(body)],
])(
  "%s that the engine always answers with 500 are left out after some attempts, and the others go on",
  async (_what, isBad) => {
    const { tick, engine, forwarder } = await setUp();
    engine.statusOf = (body) => (isBad(body) ? 500 : 204);
    const taken = () => engine.bodies.filter((body) => !isBad(body)).join("");
    await tick(1, ...Array.from({ length: 5 }, (_, at) => `${at === 3 ? "bad " : ""}a=${at}\n`));
    for (let second = 0; second < 200; second++) await tick(1, `a=${100 + second}\n`);
    expect(taken()).toContain("a=299\n");
    expect(forwarder.refused).toBe(isBad("a=0\n") ? 5 : 1);
    if (!isBad("a=0\n")) for (const at of [0, 1, 2, 4]) expect(taken()).toContain(`a=${at}\n`);
  },
);

test("an engine that answers everything with 500 gets everything when it takes points again", async () => {
  const { tick, engine, forwarder } = await setUp();
  engine.statusOf = () => 500;
  for (let second = 0; second < 200; second++) await tick(1, `a=${second}\n`);
  engine.statusOf = () => 204;
  engine.bodies.length = 0;
  await tick(60);
  expect(forwarder.refused).toBe(0);
  for (let second = 0; second < 200; second++) expect(engine.bodies.join("")).toContain(`a=${second}\n`);
});

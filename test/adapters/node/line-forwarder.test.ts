/** The forwarder of the history: order, what is sent again, refusals, waits. The engine is a server that keeps what it takes. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { memoryClock } from "../../../src/adapters/memory/clock.ts";
import { memoryLog } from "../../../src/adapters/memory/log.ts";
import { LineForwarder } from "../../../src/adapters/node/line-forwarder.ts";
import { segmentQueue } from "../../../src/adapters/node/segment-queue.ts";

async function setUp(authorization?: string) {
  const folder = mkdtempSync(join(tmpdir(), "hub-forwarder-"));
  const engine = {
    status: 204,
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
    response.writeHead(body.length > engine.maxBytes ? 413 : engine.status, engine.headers);
    engine.end(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const [clock, log] = [memoryClock(), memoryLog()];
  const queue = await segmentQueue({ folder, maxBytes: 1 << 30, log });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/write`;
  const forwarder = new LineForwarder({ url, authorization, queue, clock, log });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await queue.close();
    rmSync(folder, { recursive: true });
  });
  /** The next tick of the daemon, which has heard these lines before. */
  const tick = async (seconds: number, ...lines: readonly string[]): Promise<void> => {
    clock.advance(1000 * seconds);
    for (const line of lines) queue.add(line);
    await queue.flush();
    await forwarder.advance();
  };
  const codes = (): unknown[] => log.lines.flatMap(({ fields: { code } }) => (code === undefined ? [] : [code]));
  return { engine, queue, forwarder, clock, tick, codes, log };
}

test("each second is sent once, in order, and stays on disk for ten seconds", async () => {
  const { engine, queue, tick } = await setUp();
  await tick(0, "a 1\n", "b 2\n");
  await tick(1, "c 3\n");
  await tick(1);
  expect(engine.bodies).toEqual(["a 1\nb 2\n", "c 3\n"]);
  expect(engine.requests[0]).toMatchObject({
    method: "POST",
    url: "/write",
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
  expect(queue.bytes).toBe(12);
  await tick(8);
  expect(queue.bytes).toBe(4);
  await tick(1);
  expect(queue.bytes).toBe(0);
  expect(engine.bodies).toHaveLength(2);
});

test("what an engine took within ten seconds before it failed is sent again, in order", async () => {
  const { engine, queue, tick, codes } = await setUp();
  await tick(0, "a 1\n");
  await tick(9, "b 2\n");
  engine.status = 503;
  await tick(2, "c 3\n");
  engine.status = 204;
  await tick(1);
  expect(engine.bodies).toEqual(["a 1\n", "b 2\n", "c 3\n", "b 2\n", "c 3\n"]);
  expect(codes()).toEqual(["HISTORY_AWAY"]);
  await tick(10);
  expect(queue.bytes).toBe(0);
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
    const { engine, queue, forwarder, tick } = await setUp();
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
    await tick(11);
    expect(queue.bytes).toBe(0);
  },
);

test("a body that is too large is sent in parts, a line that is too large is dropped", async () => {
  const { engine, queue, forwarder, tick } = await setUp();
  engine.maxBytes = 10;
  await tick(0, "a 1\n", "b 2\n", "c 3\n", "d 4\n", "and one that is longer 5\n");
  expect(engine.bodies.filter((body) => body.length <= 10).join("")).toBe("a 1\nb 2\nc 3\nd 4\n");
  expect(forwarder.refused).toBe(1);
  await tick(11);
  expect(queue.bytes).toBe(0);
});

const endless = (response: ServerResponse): void => {
  while (response.write("x".repeat(65_536)));
  response.once("drain", () => endless(response));
};

test.each([204, 200, 503])("of an answer %i without end only the beginning is read", async (status) => {
  const { engine, forwarder, tick, log } = await setUp();
  let received = 0;
  Object.assign(engine, { status, end: status === 204 ? engine.end : endless });
  await tick(0, "a 1\n");
  engine.requests[0]!.socket.on("close", () => received++);
  expect(forwarder.sent).toBe(status === 503 ? 0 : 1);
  if (status === 503) expect(String(log.lines[0]!.fields.reason)).toHaveLength("503 ".length + 200);
  await expect.poll(() => received).toBe(status === 204 ? 0 : 1);
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

test("a password is sent; at the end what was taken is removed, what was not stays", async () => {
  const { engine, queue, forwarder, tick } = await setUp("Token secret");
  await tick(0, "a 1\n");
  expect(engine.requests[0]!.headers.authorization).toBe("Token secret");
  queue.add("b 2\n");
  await queue.flush();
  await forwarder.close();
  await forwarder.advance();
  expect([engine.bodies.length, queue.bytes]).toEqual([1, 4]);
});

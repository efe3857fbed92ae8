/** Requests that a second process answers, which may run out of memory or end, with real processes. */

import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { SecondProcess } from "../../../../src/adapters/node/http/second-process.ts";
import { type Fetch, type Forward, type HttpServer, serveHttp } from "../../../../src/adapters/node/http/server.ts";
import { createExclusive } from "../../../../src/core/util/exclusive.ts";
import { environmentOfSecondProcess } from "../../../../src/daemons/second-process-environment.ts";
import { bundled } from "../../../support/bundled.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Answers with its process ID and the body's length; /fill runs out of memory, /locked holds the lock, /end ends. */
const program = `
import { serveHttp } from "./src/adapters/node/http/server.ts";
import { becomeSecondProcess, socketOfSecondProcess } from "./src/daemons/second-process-environment.ts";
const { lock, ready } = becomeSecondProcess();
const log = { error() {}, warn() {}, info() {}, debug() {} };
await serveHttp(0, async (request, { target }) => {
  const body = await request.arrayBuffer();
  if (target === "/large/fill") for (const all = []; ; ) all.push(new Array(1e6).fill(all.length));
  if (target === "/large/end") process.kill(process.pid, "SIGKILL");
  if (target === "/large/locked") {
    const unlock = await lock();
    process.once("SIGUSR2", unlock);
  }
  return new Response([process.pid, body.byteLength, request.headers.get("x-test"), target].join(" "));
}, log, { path: socketOfSecondProcess() });
ready();
`;

let folder: string;
let file: string;
beforeAll(async () => {
  folder = temporaryFolder("second");
  file = await bundled(folder, program);
});

async function serve({ memory = 1 << 30, idleMs = 10_000 } = {}) {
  const log = memoryLog();
  const exclusive = createExclusive();
  const second = new SecondProcess({
    program: file,
    args: () => [],
    environment: environmentOfSecondProcess,
    exclusive,
    log,
    idleMs,
    memory: () => memory,
  });
  const fetch: Fetch = async (request, { target, elsewhere }) => {
    if (!target.startsWith("/large")) return new Response("first");
    // Some have been read from by then.
    if (!target.startsWith("/large/read")) return elsewhere!.pass();
    return elsewhere!.pass(request.body!);
  };
  const forward: Forward = (request, body) => second.forward(request, body);
  const server = await serveHttp(0, fetch, log, { forward });
  onTestFinished(async () => {
    second.close();
    await server.close(0);
  });
  return { server, exclusive, log };
}

function call({ port }: HttpServer, path: string, body: Buffer | readonly Buffer[] = []): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers = { "X-Test": "t", ...(Buffer.isBuffer(body) && { "Content-Length": body.length }) };
    const outgoing = request({ port, host: "127.0.0.1", method: "PUT", path, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      incoming.on("end", () => resolve([incoming.statusCode!, text]));
    });
    outgoing.on("error", reject);
    if (Buffer.isBuffer(body)) outgoing.end(body);
    else {
      for (const chunk of body) outgoing.write(chunk);
      outgoing.end();
    }
  });
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const notEnough = [500, '{\n  "error": "not enough memory"\n}\n'];

test("large requests pass through whole, with a length and in chunks, to one process", async () => {
  const { server } = await serve();
  expect(await call(server, "/small")).toEqual([200, "first"]);
  const chunks = Array.from({ length: 40 }, () => Buffer.alloc(50_000));
  const answers = await Promise.all([
    call(server, "/large?q=%2F", Buffer.alloc(3_000_000)),
    call(server, "/large?q=%2F", chunks),
    call(server, "/large?q=%2F"),
    call(server, "/large/read?q=%2F", Buffer.alloc(3_000_000)),
    call(server, "/large/read?q=%2F", chunks),
  ]);
  const [pid] = answers[0]![1].split(" ");
  expect(Number(pid)).not.toBe(process.pid);
  const expected = [
    ...[3_000_000, 2_000_000, 0].map((length) => `${pid} ${length} t /large?q=%2F`),
    ...[3_000_000, 2_000_000].map((length) => `${pid} ${length} t /large/read?q=%2F`),
  ];
  expect(answers).toEqual(expected.map((text) => [200, text]));
});

/** All that comes back on one connection. */
function raw({ port }: HttpServer, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {}).on("close", () => resolve(received));
  });
}

const sized = (version: string, length: number): string =>
  `PUT /large HTTP/${version}\r\n${version === "1.0" ? "" : "Host: x\r\n"}Content-Length: ${length}\r\n\r\n${"x".repeat(length)}`;

test.each([
  ["HTTP/1.0 without a Host", sized("1.0", 3_000_000)],
  ["a second request behind it", `${sized("1.1", 3_000_000)}DELETE /small HTTP/1.1\r\nHost: x\r\n\r\n`],
  ["a second large request behind it", sized("1.1", 3_000_000) + sized("1.1", 300_000)],
])("a large request has one answer: %s", async (_, text) => {
  const { server } = await serve();
  const received = await raw(server, text);
  expect(received.match(/^HTTP\/1\.1 .*$/gm)).toEqual(["HTTP/1.1 200 OK"]);
  expect(received).toMatch(/\r\n\r\n\d+ 3000000 /);
  expect(await call(server, "/small")).toEqual([200, "first"]);
});

test.each(["/large/fill", "/large/end"])("%s is answered with 500, and the next has a new process", async (path) => {
  const { server, log } = await serve({ memory: 256 << 20 });
  const [, first] = await call(server, "/large");
  expect(await call(server, path)).toEqual(notEnough);
  expect(await call(server, "/small")).toEqual([200, "first"]);
  const [status, next] = await call(server, "/large");
  expect([status, next.split(" ")[0] === first.split(" ")[0]]).toEqual([200, false]);
  expect(log.lines.filter(({ level }) => level === "error").map(({ fields }) => fields.code)).toEqual([
    "OUT_OF_MEMORY",
  ]);
});

test("a length beyond the memory is refused at once, before the body, and so is a body that grows beyond it", async () => {
  const { server, log } = await serve({ memory: 2_000_000 });
  for (const head of [
    `Content-Length: ${2 ** 32}\r\n\r\n`,
    `Transfer-Encoding: chunked\r\n\r\nfffff\r\n${"x".repeat(0xfffff)}\r\nff\r\n`,
  ]) {
    const socket = connect(server.port, "127.0.0.1").setEncoding("latin1");
    let received = "";
    socket.on("data", (text: string) => {
      received += text;
    });
    socket.on("error", () => {});
    socket.write(`PUT /large HTTP/1.1\r\nHost: x\r\n${head}`);
    await once(socket, "close");
    expect(received).toMatch(/^HTTP\/1\.1 500 /);
    expect(received).toContain("not enough memory");
  }
  expect(log.lines.some(({ fields }) => "stack" in (fields ?? {}))).toBe(false);
  expect((await call(server, "/large", Buffer.alloc(500_000)))[0]).toBe(200);
});

test("both processes share the lock, also when the second ends with it", async () => {
  const { server, exclusive } = await serve();
  for (const signal of ["SIGUSR2", "SIGKILL"]) {
    const pid = Number((await call(server, "/large/locked"))[1].split(" ")[0]);
    let isLocked = true;
    const first = exclusive(async () => {
      isLocked = false;
    });
    await call(server, "/large");
    expect(isLocked).toBe(true);
    process.kill(pid, signal);
    await first;
  }
});

test("the second process ends when it has had nothing to do", async () => {
  const { server } = await serve({ idleMs: 50 });
  const pid = Number((await call(server, "/large"))[1].split(" ")[0]);
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await call(server, "/large"))[0]).toBe(200);
});

test("a client that goes leaves nothing behind", async () => {
  const { server, log } = await serve();
  await call(server, "/large");
  for (let n = 0; n < 20; n++) {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("PUT /large HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc");
    await once(socket, "connect");
    socket.resetAndDestroy();
  }
  expect((await call(server, "/large"))[0]).toBe(200);
  expect(log.lines).toEqual([]);
});

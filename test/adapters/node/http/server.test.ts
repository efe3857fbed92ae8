import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request, type Server } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  type Fetch,
  type HttpServer,
  type ServeOptions,
  serveHttp,
} from "../../../../src/adapters/node/http/server.ts";
import { newApp } from "../../../services/api/harness.ts";
import { memoryLog } from "../../../support/memory/log.ts";

async function serve(fetch: Fetch, log = memoryLog(), options: ServeOptions = {}): Promise<HttpServer> {
  const server = await serveHttp(0, fetch, log, options);
  onTestFinished(() => server.close(0));
  return server;
}

/** Sends bytes and gives back everything until the server closes. */
async function raw({ port }: HttpServer, text: string | Buffer): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return received;
}

const echo: Fetch = async (request, { target }) => {
  const body = await request.arrayBuffer();
  return new Response(body.byteLength === 0 ? "none" : body, { headers: { "X-Target": target } });
};

test.each(["HTTP/1.1", "HTTP/1.0"])(
  "an answer over %s ends with its connection, without length or chunks",
  async (version) => {
    const server = await serve(async () => new Response("hé", { headers: { "Content-Type": "text/plain" } }));
    const answer = await raw(server, `GET / ${version}\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`);
    const [head, body] = answer.split("\r\n\r\n");
    expect(head!.split("\r\n").map((line) => line.replace(/^Date: .*/, "Date"))).toEqual([
      "HTTP/1.1 200 OK",
      "Content-Type: text/plain",
      "Date",
      "Connection: close",
    ]);
    expect(body).toBe(Buffer.from("hé").toString("latin1"));
  },
);

test.each<[string, () => Response, number]>([
  ["an empty 304", () => new Response(null, { status: 304, headers: { ETag: '"x"' } }), 0],
  ["an empty body", () => new Response(""), 0],
  ["no bytes", () => new Response(new Uint8Array()), 0],
  ["many bytes", () => new Response(new Uint8Array(3_000_000).fill(97), { status: 201 }), 3_000_000],
  ["a stream", () => new Response(new Blob(["a".repeat(100_000)]).stream()), 100_000],
  ["an error", () => new Response("{}", { status: 500 }), 2],
])("%s is framed the same", async (_, response, length) => {
  const received = await raw(await serve(response), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const end = received.indexOf("\r\n\r\n");
  expect(received.slice(0, end).toLowerCase()).not.toMatch(/content-length|transfer-encoding|keep-alive/);
  expect(received.slice(0, end)).toMatch(/\r\nConnection: close/);
  expect(received.length - end - 4).toBe(length);
});

test.each(["/health", "/", "/deploy", "/none", "/project/a/media/m"])(
  "HEAD %s is answered as GET is, without a body",
  async (path) => {
    const app = newApp({ files: { "index.html": "<p>" } });
    app.place("a", { media: [{ name: "m", data: "AAE=" }] });
    const server = await serve(app.fetch);
    const [head, got] = await Promise.all(
      ["HEAD", "GET"].map((method) => raw(server, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)),
    );
    const [headers, body] = head!.split("\r\n\r\n");
    const sorted = (text: string): string[] =>
      text
        .replace(/\r\nDate: [^\r]*/, "")
        .toLowerCase()
        .split("\r\n")
        .sort();
    expect(sorted(headers!)).toEqual(sorted(got!.split("\r\n\r\n")[0]!));
    expect(body).toBe("");
  },
);

test.each([
  "/project/../health",
  "/project/%2e%2e/health",
  "/./health",
  "//health",
  "/health//",
  "/%zz?x=%zz",
  "/a?b#c",
  "/",
])("the target %s reaches the service as it was sent", async (target) => {
  const server = await serve(echo);
  expect(await raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(`X-Target: ${target}\r\n`);
});

test.each([
  ["/project/../health", 404],
  ["/project/..", 400],
  ["/project/%2e%2e/sensor", 400],
  ["/project/a/sensor/.", 400],
  ["/../health", 404],
  ["/%2e%2e/%2e%2e/etc/passwd", 404],
  ["/..%2f..%2fetc%2fpasswd", 404],
])("%s is not resolved but answered %i", async (target, status) => {
  const server = await serve(newApp({ files: { "etc/passwd": "root" } }).fetch);
  expect(await raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(`HTTP/1.1 ${status} `);
});

test.each([
  ["Content-Length: 3\r\n\r\nabc", "abc"],
  ["Content-Length: 0\r\n\r\n", "none"],
  ["\r\n", "none"],
  ["Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"],
  ["Content-Length: 3\r\nExpect: 100-continue\r\n\r\nabc", "abc"],
])("a body is read by its length or its chunks: %j", async (rest, body) => {
  const server = await serve(echo);
  const answer = await raw(server, `PUT / HTTP/1.1\r\nHost: x\r\n${rest}`);
  expect(answer.endsWith(`\r\n\r\n${body}`)).toBe(true);
});

test("a chunked body is read like any other, and an empty one is missing", async () => {
  const app = newApp();
  const server = await serve(app.fetch);
  const put = (chunks: string) =>
    raw(server, `PUT /apps/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  expect(await put("")).toMatch(/^HTTP\/1\.1 400 .*"missing body"/s);
  expect(app.blobs.size).toBe(0);
  expect(await put("3\r\nabc\r\n")).toMatch(/^HTTP\/1\.1 201 /);
  expect(Buffer.from(app.blobs.get("a")!).toString()).toBe("abc");
});

test("a large body of a refused request is read before the answer, which arrives whole", async () => {
  const server = await serve(newApp().fetch);
  const upload = Buffer.concat([
    Buffer.from("PUT /none HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n"),
    Buffer.alloc(20_000_000),
  ]);
  expect(await raw(server, upload)).toMatch(/^HTTP\/1\.1 404 .*"no such route"/s);
});

test("50 MB go in and come out", async () => {
  const app = newApp();
  const server = await serve(app.fetch);
  const bytes = Buffer.alloc(50 << 20, "0123456789abcdef");
  const put = request({
    port: server.port,
    method: "PUT",
    path: "/apps/big",
    headers: { "Content-Length": bytes.length },
  });
  put.end(bytes);
  const [response] = (await once(put, "response")) as [{ statusCode: number; resume(): void }];
  response.resume();
  expect(response.statusCode).toBe(201);
  expect(Buffer.compare(app.blobs.get("big")!, bytes)).toBe(0);
});

test("a body that ends too early changes nothing", async () => {
  const app = newApp();
  app.place("a", { uid: "u", sensor: [{ name: "x" }] });
  const before = app.file("a");
  const server = await serve(app.fetch);
  const socket = connect(server.port, "127.0.0.1");
  socket.write("PUT /project/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  await server.close(1000);
  expect(app.file("a")).toBe(before);
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a body may take any time, a head has a minute", async () => {
  let limits: unknown;
  const note = (message: unknown): void => {
    const { requestTimeout, headersTimeout } = (message as { server: Server }).server;
    limits = { requestTimeout, headersTimeout };
  };
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  await raw(await serve(echo), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(limits).toEqual({ requestTimeout: 0, headersTimeout: 60_000 });
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const stalledMs = 400;

test.each(["/apps/a", "/project/a", "/none"])(
  "a client that announces a body for %s and sends no more is disconnected, and nothing is stored",
  async (path) => {
    const app = newApp();
    const server = await serve(app.fetch, app.log, { stalledMs });
    const begun = performance.now();
    const over = raw(server, `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
    await over;
    // What is refused at once is answered sooner.
    if (path !== "/none") expect(performance.now() - begun).toBeGreaterThanOrEqual(stalledMs - 10);
    await server.close(1000);
    expect([app.blobs.size, app.memory.projects.size]).toEqual([0, 0]);
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  },
);

test("a client that sends a little now and then may take longer than it may be silent", async () => {
  const app = newApp();
  // So long that a busy machine is no client that has stopped.
  const longMs = 2000;
  const server = await serve(app.fetch, app.log, { stalledMs: longMs });
  const socket = connect(server.port, "127.0.0.1");
  const answer = once(socket, "data");
  socket.write("PUT /apps/a HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n");
  for (let sent = 0; sent < 12; sent++) {
    await pause(longMs / 10);
    socket.write("x");
  }
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 201 /);
});

test.each([
  ["that has been sent", 3],
  ["that it does not read yet", 1_000_000],
])("the service may take longer for a body %s than a client may be silent", async (_, length) => {
  const slow: Fetch = async (request) => {
    await pause(3 * stalledMs);
    return new Response(String((await request.arrayBuffer()).byteLength));
  };
  const server = await serve(slow, memoryLog(), { stalledMs });
  const head = `PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  expect(await raw(server, head + "x".repeat(length))).toMatch(new RegExp(`\r\n${length}$`));
});

test("a client that reads nothing of its response is disconnected", async () => {
  const app = newApp();
  app.blobs.set("big", new Uint8Array(30_000_000));
  const server = await serve(app.fetch, app.log, { stalledMs });
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET /apps/big HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "readable");
  await pause(3 * stalledMs);
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.on("error", () => {});
  await once(socket, "close");
  expect(received).toBeLessThan(30_000_000);
});

test("of two requests on one connection only the first is carried out", async () => {
  const app = newApp();
  const server = await serve(app.fetch);
  const put = (id: string): string => `PUT /project/${id} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const answer = await raw(server, put("a") + put("b"));
  expect(answer.match(/HTTP\/1\.1 201/g)).toHaveLength(1);
  expect([...app.memory.projects.keys()]).toEqual(["a"]);
});

test.each([
  ["FOO /health HTTP/1.1\r\nHost: x\r\n\r\n", 404, "no such route"],
  ["CONNECT boat:80 HTTP/1.1\r\nHost: x\r\n\r\n", 404, "no such route"],
  ["OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404, "no such route"],
  ["GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400, "malformed request"],
  ["FOO", 404, "no such route"],
  ["GARBAGE\r\n\r\n", 400, "malformed request"],
  ["FOO /health HTTP/2.0\r\nHost: x\r\n\r\n", 400, "malformed request"],
  ["\u0016\u0003\u0001", 400, "malformed request"],
  ["GET /health HTTP/1.1\r\n\r\n", 400, "malformed request"],
  ["PUT /project/a HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nContent-Length: 2\r\n\r\n{}", 400, "unknown expectation"],
  ["GET /health HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "malformed request"],
  [
    "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
    "malformed request",
  ],
  [`GET /health HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 400, "malformed request"],
])("what is hardly a request is answered all the same: %.40s", async (text, status, error) => {
  const app = newApp();
  const answer = await raw(await serve(app.fetch, app.log), text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain(`"error": "${error}"`);
  expect(answer.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
  expect(answer.toLowerCase()).toMatch(/content-type: application\/json\r\n/);
  expect(app.log.lines.map(({ message }) => message)).toEqual([expect.stringMatching(` ${status} 0 ms$`)]);
});

test("close lets a request under way end and takes no new one", async () => {
  let finish = (): void => {};
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const server = await serve(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
      arrive();
    });
    return new Response("done");
  });
  const idle = connect(server.port, "127.0.0.1");
  await once(idle, "connect");
  const answer = raw(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await arrived;
  const closed = server.close(5000);
  const refused = connect(server.port, "127.0.0.1");
  expect(((await once(refused, "error")) as [NodeJS.ErrnoException])[0].code).toBe("ECONNREFUSED");
  finish();
  expect(await answer).toMatch(/done$/);
  await closed;
});

test("close does not wait for ever", async () => {
  const server = await serveHttp(0, () => new Promise(() => {}), memoryLog());
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await server.close(10);
  await ended;
});

test("a port that is taken is told by Node's error", async () => {
  const server = await serve(echo);
  await expect(serveHttp(server.port, echo, memoryLog())).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("an upgrade is ignored, as HTTP/1.1 allows", async () => {
  const server = await serve(newApp().fetch);
  const request = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n";
  expect(await raw(server, request)).toMatch(/^HTTP\/1\.1 200 .*ready/s);
});

test("HEAD of what is no path is refused without a body", async () => {
  expect(await raw(await serve(newApp().fetch), "HEAD * HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(
    /^HTTP\/1\.1 404 .*\r\n\r\n$/s,
  );
});

test("close lets a slow client read a large response to its end", async () => {
  const app = newApp();
  app.blobs.set("big", new Uint8Array(30_000_000));
  const server = await serve(app.fetch);
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET /apps/big HTTP/1.1\r\nHost: x\r\n\r\n");
  let received = 0;
  await once(socket, "readable");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closed = server.close(20_000);
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  await once(socket, "close");
  expect(received).toBeGreaterThan(30_000_000);
  await closed;
});

test("held bytes are free again with their connections, also if a client has gone before they were counted", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));
  let [arrive, goOn] = [() => {}, () => {}];
  /** Holds most of what all requests may hold, in many parts. */
  const hold: Fetch = async (request, { elsewhere }) => {
    if (new URL(request.url).pathname === "/late") {
      arrive();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    const isHeld = Array.from({ length: 60 }, () => elsewhere!.hold(1 << 20)).every(Boolean);
    return new Response(isHeld ? "held" : "too many");
  };
  const server = await serveHttp(0, hold, memoryLog(), { forward: async () => {} });
  onTestFinished(() => server.close(0));
  for (let round = 0; round < 3; round++) {
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const gone = connect(server.port, "127.0.0.1").on("error", () => {});
    gone.write("GET /late HTTP/1.1\r\nHost: x\r\n\r\n");
    await arrived;
    gone.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    goOn();
    expect(await raw(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/\r\n\r\nheld$/);
  }
  expect(warnings).toEqual([]);
});

test("close waits for no connection without a request: silent, half a head, CONNECT, refused", async () => {
  const server = await serve(newApp().fetch);
  const open = async (text: string): Promise<void> => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(text);
  };
  await open("");
  await open("GET /health HTTP/1.1\r\nHo");
  await open("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n");
  await open("nonsense\r\n\r\n");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const begin = performance.now();
  await server.close(60_000);
  expect(performance.now() - begin).toBeLessThan(50_000);
});

test.each([
  "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
  "nonsense\r\n\r\n",
  "PUT /apps/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
])("a client that resets its connection ends nothing: %j", async (text) => {
  const server = await serve(newApp().fetch);
  for (let round = 0; round < 20; round++) {
    const socket = connect(server.port, "127.0.0.1").on("error", () => {});
    await once(socket, "connect");
    socket.write(text);
    if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.resetAndDestroy();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await raw(server, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n")).toContain("ready");
});

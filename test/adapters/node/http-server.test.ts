import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type HttpServer, serveHttp } from "../../../src/adapters/node/http-server.ts";
import type { Answer, Answerer, Call } from "../../../src/ports/exchange.ts";
import { newApp } from "../../api/harness.ts";

async function serve(answer: Answerer): Promise<HttpServer> {
  const server = await serveHttp(0, answer);
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

const echo = async (call: Call): Promise<Answer> => {
  const body = await call.body();
  return { status: 200, headers: { "X-Target": call.target }, body: body === undefined ? "none" : body };
};

test.each(["HTTP/1.1", "HTTP/1.0"])(
  "an answer over %s ends with its connection, without length or chunks",
  async (version) => {
    const server = await serve(async () => ({ status: 200, headers: { "Content-Type": "text/plain" }, body: "hé" }));
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

test.each<[string, Answer]>([
  ["an empty 304", { status: 304, headers: { ETag: '"x"' } }],
  ["an empty body", { status: 200, headers: {}, body: "" }],
  ["no bytes", { status: 200, headers: {}, body: new Uint8Array() }],
  ["many bytes", { status: 201, headers: {}, body: new Uint8Array(3_000_000).fill(97) }],
  ["an error", { status: 500, headers: {}, body: "{}" }],
])("%s is framed the same", async (_, answer) => {
  const received = await raw(await serve(async () => answer), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const end = received.indexOf("\r\n\r\n");
  expect(received.slice(0, end).toLowerCase()).not.toMatch(/content-length|transfer-encoding|keep-alive/);
  expect(received.slice(0, end)).toMatch(/\r\nConnection: close/);
  expect(received.length - end - 4).toBe(answer.body?.length ?? 0);
});

test("HEAD is answered without a body", async () => {
  const server = await serve(newApp().api.answer);
  const answer = await raw(server, "HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\n$/s);
  expect(answer.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
});

test.each([
  "/project/../health",
  "/project/%2e%2e/health",
  "/./health",
  "//health",
  "/health//",
  "/a\\b",
  "/%zz?x=%zz",
  "/a?b#c",
  "/",
])("the target %s reaches the service as it was sent", async (target) => {
  const server = await serve(echo);
  expect(await raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(`X-Target: ${target}\r\n`);
  expect(await raw(server, `GET http://boat:80${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(
    `X-Target: ${target}\r\n`,
  );
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
  const server = await serve(newApp({ files: { "etc/passwd": "root" } }).api.answer);
  expect(await raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(`HTTP/1.1 ${status} `);
});

test.each([
  ["Content-Length: 3\r\n\r\nabc", "abc"],
  ["Content-Length: 0\r\n\r\n", "none"],
  ["\r\n", "none"],
  ["Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "none"],
  ["Content-Length: 3\r\nExpect: 100-continue\r\n\r\nabc", "abc"],
])("a body is what Content-Length announces: %j", async (rest, body) => {
  const server = await serve(echo);
  const answer = await raw(server, `PUT / HTTP/1.1\r\nHost: x\r\n${rest}`);
  expect(answer.endsWith(`\r\n\r\n${body}`)).toBe(true);
});

test("a chunked body is a missing one, and blobs are never stored empty", async () => {
  const app = newApp();
  const server = await serve(app.api.answer);
  const chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
  expect(await raw(server, `PUT /apps/a HTTP/1.1\r\nHost: x\r\n${chunked}`)).toMatch(
    /^HTTP\/1\.1 400 .*"missing body"/s,
  );
  expect(app.blobs.size).toBe(0);
});

test("a large body of a refused request is read before the answer, which arrives whole", async () => {
  const server = await serve(newApp().api.answer);
  const upload = Buffer.concat([
    Buffer.from("PUT /none HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n"),
    Buffer.alloc(20_000_000),
  ]);
  expect(await raw(server, upload)).toMatch(/^HTTP\/1\.1 404 .*"no such route"/s);
});

test("50 MB go in and come out", async () => {
  const app = newApp();
  const server = await serve(app.api.answer);
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
  const server = await serve(app.api.answer);
  const socket = connect(server.port, "127.0.0.1");
  socket.write("PUT /project/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  await server.close(1000);
  expect(app.file("a")).toBe(before);
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("of two requests on one connection only the first is carried out", async () => {
  const app = newApp();
  const server = await serve(app.api.answer);
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
  ["nonsense\r\n\r\n", 404, "no such route"],
  [
    "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
    "malformed request",
  ],
  [`GET /health HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 400, "malformed request"],
])("what is hardly a request is answered all the same: %.40s", async (text, status, error) => {
  const answer = await raw(await serve(newApp().api.answer), text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain(`"error": "${error}"`);
});

test("close lets a request under way end and takes no new one", async () => {
  let finish = (): void => {};
  const server = await serveHttp(0, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { status: 200, headers: {}, body: "done" };
  });
  const idle = connect(server.port, "127.0.0.1");
  await once(idle, "connect");
  const answer = raw(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const closed = server.close(5000);
  const refused = connect(server.port, "127.0.0.1");
  expect(((await once(refused, "error")) as [NodeJS.ErrnoException])[0].code).toBe("ECONNREFUSED");
  finish();
  expect(await answer).toMatch(/done$/);
  await closed;
});

test("close does not wait for ever", async () => {
  const server = await serveHttp(0, () => new Promise(() => {}));
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const ended = once(socket, "close");
  await server.close(10);
  await ended;
});

test("a port that is taken is told by Node's error", async () => {
  const server = await serve(echo);
  await expect(serveHttp(server.port, echo)).rejects.toMatchObject({ code: "EADDRINUSE" });
});

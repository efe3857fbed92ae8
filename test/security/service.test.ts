/** Attacks of pages and hosts on the configuration service; `docs/security.md` has them in a table. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeBlobStore } from "../../src/adapters/node/files/blob-store.ts";
import { nodeProjectStore } from "../../src/adapters/node/files/project-store.ts";
import { type HttpServer, serveHttp } from "../../src/adapters/node/http/server.ts";
import { type App, newApp, secretHash } from "../services/api/harness.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function serve(app: App): Promise<HttpServer> {
  const server = await serveHttp(0, app.fetch, app.log);
  onTestFinished(() => server.close(0));
  return server;
}

/** Sends a request as it is and gives back status, headers and body in one text. */
function send({ port }: HttpServer, head: string, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`${head}\r\n${length}\r\n${body}`);
    });
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      received += chunk;
    });
    socket.on("error", reject).on("close", () => resolve(received));
  });
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

const step = JSON.stringify([{ url: "/project/a/sensor/evil", method: "PUT", data: {} }]);

test.each([
  ["a browser's own word, to this machine", "127.0.0.1:12000", { "Sec-Fetch-Site": "cross-site" }],
  ["the origin alone, over plain HTTP to a boat's address", "boat", { Origin: "http://evil.example" }],
  ["an origin that is kept secret", "boat", { Origin: "null" }],
  ["the boat's name with another port", "boat", { Origin: "http://boat:8080" }],
  ["the boat's name as the end of another", "boat", { Origin: "http://evil-boat" }],
])("a page of another site cannot post a transaction: %s", async (_, host, told) => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    "text/plain, application/json",
    "application/jsonp",
    "",
    undefined,
  ]) {
    const app = newApp();
    app.place("a", { uid: "a" });
    const before = app.file("a");
    const headers: Record<string, string> = { ...(told as Record<string, string>), Host: host };
    if (type !== undefined) headers["Content-Type"] = type;
    const answer = await send(
      await serve(app),
      `POST /project/a/transaction HTTP/1.1\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\r\n")}`,
      step,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*cross-site request refused/);
    expect(app.file("a")).toBe(before);
  }
});

test.each([
  ["no browser", "Host: boat"],
  ["the boat's own page", "Host: boat\r\nOrigin: http://boat"],
  ["the boat's own page on another port", "Host: boat:8080\r\nOrigin: http://BOAT:8080"],
  ["the boat's own page behind the proxy", "Host: 127.0.0.1:12000\r\nX-Forwarded-Host: boat\r\nOrigin: https://boat"],
  [
    "the console of this machine",
    "Host: 127.0.0.1:12000\r\nOrigin: http://127.0.0.1:12000\r\nSec-Fetch-Site: same-origin",
  ],
  [
    "JSON, for which a browser has to ask first",
    "Host: boat\r\nOrigin: http://x\r\nContent-Type: application/json; charset=utf-8",
  ],
])("who may post a transaction: %s", async (_, headers) => {
  const app = newApp();
  app.place("a", { uid: "a" });
  const answer = await send(await serve(app), `POST /project/a/transaction HTTP/1.1\r\n${headers}`, step);
  expect(statusOf(answer)).toBe(200);
  expect(app.file("a")).toContain("evil");
});

test("behind a proxy that does not tell the boat's name its own page may do all that a browser asks before", async () => {
  const app = newApp();
  app.place("a", { uid: "a" });
  const server = await serve(app);
  const page = "Host: 127.0.0.1:12000\r\nOrigin: http://boat\r\nSec-Fetch-Site: same-origin";
  const json = `${page}\r\nContent-Type: application/json`;
  expect(statusOf(await send(server, `PUT /apps/x HTTP/1.1\r\n${page}`, "raw"))).toBe(201);
  expect(statusOf(await send(server, `DELETE /apps/x HTTP/1.1\r\n${page}`))).toBe(200);
  expect(statusOf(await send(server, `POST /project/a/transaction HTTP/1.1\r\n${json}`, step))).toBe(200);
});

test("no request gets a WebSocket", async () => {
  const server = await serve(newApp());
  const upgrade = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13";
  for (const path of ["/", "/mqtt", "/project", "/health"]) {
    expect([200, 404]).toContain(statusOf(await send(server, `GET ${path} HTTP/1.1\r\n${upgrade}`)));
  }
});

test("no path leads out of the folders", async () => {
  const folder = temporaryFolder("security");
  mkdirSync(join(folder, "hub/configuration"), { recursive: true });
  mkdirSync(join(folder, "hub/apps"));
  const projects = nodeProjectStore({ folder: join(folder, "hub"), templates: join(folder, "templates") });
  const server = await serve(newApp({ projects, blobStore: nodeBlobStore(join(folder, "hub/apps")) }));
  writeFileSync(join(folder, "outside.json"), '{"uid": "outside"}');
  writeFileSync(join(folder, "outside"), "outside");
  symlinkSync(join(folder, "outside.json"), join(folder, "hub/configuration/link.json"));
  symlinkSync(join(folder, "outside"), join(folder, "hub/apps/link"));
  const before = readdirSync(folder);
  const names = ["../../outside", "..%2f..%2foutside", "%2e%2e/%2e%2e/outside", "..", ".", "%00", "outside%00", "a\\b"];
  for (const name of [...names, "link"]) {
    for (const [method, path] of [
      ["GET", `/project/${name}`],
      ["GET", `/apps/${name}`],
      ["GET", `/${name}`],
      ["DELETE", `/project/${name}`],
      ["PUT", `/project/${name}/rename/stolen`],
    ] as const) {
      const answer = await send(server, `${method} ${path} HTTP/1.1\r\nHost: x`);
      expect(answer, `${method} ${path}`).not.toMatch(/^HTTP\/1\.1 2|outside"/);
    }
  }
  for (const name of names) {
    for (const path of [`/project/${name}`, `/apps/${name}`, `/project/${name}/restore`]) {
      const status = statusOf(await send(server, `PUT ${path} HTTP/1.1\r\nHost: x`, '{"name": "x"}'));
      expect([400, 404], path).toContain(status);
    }
  }
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(join(folder, "outside.json"), "utf8")).toBe('{"uid": "outside"}');
});

test("no answer lets a page of another origin read it or ask for more", async () => {
  const app = newApp();
  app.place("a", { uid: "a" });
  const server = await serve(app);
  for (const line of [
    ...["GET /project", "GET /project/a", "GET /deploy", "GET /info", "GET /", "OPTIONS /project/a", "PUT /project/a"],
  ]) {
    const head = `${line} HTTP/1.1\r\nHost: boat\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: PUT`;
    const answer = await send(server, head);
    expect(answer.toLowerCase(), line).not.toContain("access-control-");
    if (line.startsWith("OPTIONS")) expect(statusOf(answer)).toBe(404);
  }
});

test("a name that was pointed at this machine behind the browser's back is refused, whatever it asks", async () => {
  const app = newApp();
  app.place("a", { uid: "a" });
  const before = app.file("a");
  const server = await serve(app);
  for (const host of [`evil.example:${server.port}`, `127.0.0.1.evil.example:${server.port}`, `evil.:${server.port}`]) {
    for (const line of ["GET /project/a", "GET /health", "PUT /project/a", "DELETE /project/a"]) {
      const answer = await send(server, `${line} HTTP/1.1\r\nHost: ${host}`);
      expect(answer, host).toMatch(/^HTTP\/1\.1 401 [\s\S]*request for another host refused/);
    }
  }
  expect(app.file("a")).toBe(before);
  // Addresses, local names and the machine's own name with our port; through a proxy any name.
  const names = ["127.0.0.1", "[::1]", "boat", "localhost", "localhost.localdomain", "boat.local", "boat.local."];
  const more = ["boat.lan", "boat.home.arpa", "boat.internal", "BOAT.LOCAL"];
  const own = [...names, ...more].map((name) => `${name}:${server.port}`);
  for (const host of [...own, "127.0.0.1", "boat.local", "boat.example.com", "boat.example.com:8443", "x"]) {
    expect(statusOf(await send(server, `GET /project/a HTTP/1.1\r\nHost: ${host}`)), host).toBe(200);
  }
});

test("browsers leave out port 80: a service there refuses public names without a port", async () => {
  const app = newApp();
  app.place("a", { uid: "a" });
  const ask = async (Host: string): Promise<number> =>
    (await app.request("/project/a", { headers: { Host }, bindings: { port: 80 } })).status;
  for (const host of ["evil.example", "evil.example:80", "EVIL.example"]) expect(await ask(host), host).toBe(401);
  for (const host of ["boat", "boat.local", "127.0.0.1", "[::1]", "evil.example:8080"])
    expect(await ask(host), host).toBe(200);
});

test("the console is in no frame of another site", async () => {
  const server = await serve(newApp({ files: { "index.html": "<p>" } }));
  for (const path of ["/", "/index.html"]) {
    const answer = await send(server, `GET ${path} HTTP/1.1\r\nHost: x`);
    expect(answer).toMatch(/\r\nContent-Security-Policy: frame-ancestors 'self'\r\n/i);
  }
});

test("an uploaded page is shut in, an application is no page", async () => {
  const app = newApp();
  const page = "<script>fetch('/project')</script>";
  app.place("a", { uid: "a" });
  const server = await serve(app);
  await send(server, "PUT /project/a/media/page HTTP/1.1\r\nHost: x\r\nContent-Type: text/html", page);
  const media = await send(server, "GET /project/a/media/page HTTP/1.1\r\nHost: x");
  expect(media).toMatch(/\r\nContent-Security-Policy: sandbox\r\n/i);
  expect(media).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/i);
  await send(server, "PUT /apps/page HTTP/1.1\r\nHost: x\r\nContent-Type: text/html", page);
  const application = await send(server, "GET /apps/page HTTP/1.1\r\nHost: x");
  expect(application).toMatch(/\r\nContent-Type: application\/octet-stream\r\n/i);
  expect(application).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/i);
});

test("a content type cannot smuggle in another header", async () => {
  const app = newApp();
  app.place("a", {
    uid: "a",
    media: [{ name: "x", data: "AP8=", metadata: { contentType: "a\r\nSet-Cookie: x=1", etag: 'x"\r\nX-Evil: 1' } }],
  });
  const answer = await send(await serve(app), "GET /project/a/media/x HTTP/1.1\r\nHost: x");
  expect(answer.toLowerCase()).not.toMatch(/\r\n(set-cookie|x-evil):/);
});

test("without the password nothing of a project is told or changed, in whatever way it is asked", async () => {
  const app = newApp();
  app.place("locked", {
    uid: "the-uid",
    name: "the-name",
    settings: [{ name: "password", hash: secretHash }],
    sensor: [{ name: "s" }],
  });
  app.place("open", { uid: "o" });
  const before = app.file("locked");
  const server = await serve(app);
  const wrong = [
    "",
    "Authorization: Bearer",
    "Authorization: Bearer x",
    `Authorization: ${secretHash}`,
    "Authorization: Bearer secret",
  ];
  for (const line of [
    "GET /project/locked",
    "GET /project/locked/backup",
    "GET /project/locked/settings",
    "PUT /project/locked/deploy",
    "DELETE /project/locked",
    "PUT /project/locked",
    "PUT /project/locked/rename/mine",
    "PUT /project/locked/duplicate/mine",
    ...["GET /project/locked?x", "GET http://x/project/locked"],
  ]) {
    for (const header of wrong) {
      const answer = await send(server, `${line} HTTP/1.1\r\nHost: x${header && `\r\n${header}`}`);
      expect(statusOf(answer), `${line} ${header}`).toBe(401);
      expect(answer).not.toContain("the-uid");
    }
  }
  // A transaction's steps work on its own project, whichever they name.
  const steps = JSON.stringify([{ url: "/project/locked/sensor/s", method: "DELETE" }]);
  await send(server, "POST /project/open/transaction HTTP/1.1\r\nHost: x", steps);
  expect(app.file("locked")).toBe(before);
  // A documented limit: every client can read the deployed configuration, and the hash in it opens the project.
  await send(server, `PUT /project/locked/deploy HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secretHash}`);
  expect(await send(server, "GET /deploy HTTP/1.1\r\nHost: x")).toContain(secretHash);
});

test("hundreds of connections that never finish a request do not block others", async () => {
  const app = newApp();
  const server = await serve(app);
  const held = await Promise.all(
    Array.from(
      { length: 400 },
      (_, index) =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(server.port, "127.0.0.1", () => {
            socket.write(
              index % 2 === 0 ? "GET /project HT" : "PUT /apps/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx",
            );
            resolve(socket);
          });
          socket.on("error", () => {});
        }),
    ),
  );
  expect(statusOf(await send(server, "GET /health HTTP/1.1\r\nHost: x"))).toBe(200);
  for (const socket of held) socket.destroy();
});

test.each(["99999999999999999999", "4294967297", "-1", "1e9", "0x10", "1, 2"])(
  "an impossible length (%s) is refused, and others are answered",
  async (length) => {
    const server = await serve(newApp());
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`PUT /apps/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\nx`);
    socket.end();
    const answer = await new Promise<string>((resolve) => {
      let received = "";
      socket.setEncoding("latin1").on("data", (chunk: string) => {
        received += chunk;
      });
      socket.on("close", () => resolve(received));
    });
    expect(answer).not.toMatch(/^HTTP\/1\.1 [25]/);
    expect(statusOf(await send(server, "GET /health HTTP/1.1\r\nHost: x"))).toBe(200);
  },
);

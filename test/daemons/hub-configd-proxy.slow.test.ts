import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../support/bundled.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { environment, withoutNginx } from "../support/nginx.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const options = { skip: (withoutNamespace ?? withoutNginx) !== undefined };

/** The boat's site with the two snippets of the package, on port 80 of the namespace. */
const site = (folder: string): string => `
daemon off; pid ${folder}/pid; error_log ${folder}/error.log; user root; events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((part) => `${part}_temp_path ${folder}/${part};`).join(" ")}
  server {
    listen 127.0.0.1:80;
    include ${resolve("packaging/nginx/hub-config-api.conf")};
    include ${resolve("packaging/nginx/hub-config-deploy.conf")};
  }
}
`;

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function send(
  inside: Namespace,
  method: string,
  path: string,
  body: string | Buffer = "",
  headers = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = "Transfer-Encoding" in headers ? {} : { "Content-Length": Buffer.byteLength(body) };
    const outgoing = request(
      {
        socketPath: inside.socket(80),
        method,
        path,
        maxHeaderSize: 1 << 20,
        headers: { Host: "boat", ...length, ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode!,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString("latin1"),
          }),
        );
        incoming.on("error", reject);
      },
    );
    outgoing.maxHeadersCount = 0;
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The head of the response to a POST; Node's own client takes no headers of megabytes. */
function headOf(inside: Namespace, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(inside.socket(80));
    socket.setEncoding("latin1").on("error", reject);
    socket.on("data", (chunk: string) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received.slice(0, received.indexOf("\r\n\r\n")).replaceAll("\r\n", "\n")));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: boat\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

test("behind nginx, with the snippets of the package", { ...options }, async () => {
  const folder = temporaryFolder("nginx");
  const program = await bundled(folder, 'import "./src/daemons/hub-configd.ts";');
  const inside = await openNamespace(80, 12000);
  onTestFinished(() => inside.close());
  inside.run("mkdir", "-p", "/usr/share/hub-config/swagger");
  writeFileSync(inside.file("/etc/passwd"), "root:x:0:0::/:/bin/sh\n");
  writeFileSync(inside.file("/etc/group"), "root:x:0:\n");
  writeFileSync(join(folder, "nginx.conf"), site(folder));
  const nginx = inside.spawn("nginx", ["-c", join(folder, "nginx.conf")], environment);
  onTestFinished(() => void nginx.kill());
  const daemon = inside.spawn(process.execPath, [program]);
  onTestFinished(() => void daemon.kill("SIGKILL"));
  for (;;) {
    const reply = await send(inside, "GET", "/api/config/health").catch(() => undefined);
    if (reply?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  expect((await send(inside, "PUT", "/api/config/project/hull-42", '{"name": "Hull 42"}')).status).toBe(201);
  expect((await send(inside, "PUT", "/api/config/project/hull-42/settings/a.b", "{}")).status).toBe(201);
  expect((await send(inside, "GET", "/api/config/project/hull%2042")).status).toBe(400);

  const large = Buffer.alloc(49 << 20, "0123456789");
  expect((await send(inside, "PUT", "/api/config/apps/large", large)).status).toBe(201);
  expect((await send(inside, "GET", "/api/config/apps/large")).body).toBe(large.toString("latin1"));
  expect((await send(inside, "PUT", "/api/config/apps/larger", Buffer.alloc((50 << 20) + 1))).status).toBe(413);
  // nginx reads a chunked body and adds its length.
  const chunked = { "Transfer-Encoding": "chunked" };
  expect((await send(inside, "PUT", "/api/config/project/hull-42/sensor/x", "{}", chunked)).status).toBe(201);

  // The maximum of steps, each with the longest URL for a header.
  const steps = Array.from({ length: 10_000 }, (_, n) => ({
    url: `/api/config/project/hull-42/sensor/s${String(n).padStart(5, "0")}?${"x".repeat(300)}`,
    method: "PUT",
    data: {},
  }));
  const transaction = await headOf(inside, "/api/config/project/hull-42/transaction", JSON.stringify(steps));
  expect(transaction).toMatch(/^HTTP\/1\.1 200 /);
  expect(/^X-Step-URL-10000: (.*)$/im.exec(transaction)?.[1]).toHaveLength(256);
  expect(transaction).toMatch(/^X-Step-Code-10000: 201$/im);
  const more = JSON.stringify([...steps, steps[0]]);
  const tooMany = await send(inside, "POST", "/api/config/project/hull-42/transaction", more);
  expect([tooMany.status, JSON.parse(tooMany.body)]).toEqual([400, { error: "invalid body: more than 10000 steps" }]);

  expect((await send(inside, "GET", "/api/deploy.json")).status).toBe(404);
  await send(inside, "PUT", "/api/config/project/hull-42/deploy");
  const deployed = await send(inside, "GET", "/api/deploy.json");
  expect([deployed.status, deployed.headers["cache-control"]]).toEqual([200, "max-age=0, no-cache"]);
  const etag = { "If-None-Match": deployed.headers.etag };
  expect((await send(inside, "GET", "/api/deploy.json", "", etag)).status).toBe(304);

  daemon.kill("SIGKILL");
  await new Promise((resolve) => daemon.once("exit", resolve));
  const fallback = await send(inside, "GET", "/api/deploy.json");
  expect([fallback.status, fallback.headers["content-type"], fallback.body]).toEqual([
    200,
    "application/json",
    deployed.body,
  ]);
  expect((await send(inside, "GET", "/api/config/health")).status).toBe(502);
});

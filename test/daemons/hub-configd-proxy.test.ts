import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../bundled.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../namespace.ts";

const isInstalled = spawnSync("nginx", ["-v"], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).error === undefined;
const options = { skip: withoutNamespace !== undefined || (!isInstalled && process.env.CI !== "true") };

/** The boat's site with the two snippets of the package, on port 80 of the namespace. */
const site = (folder: string): string => `
daemon off; pid ${folder}/pid; error_log ${folder}/error.log; user root; events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((part) => `${part}_temp_path ${folder}/${part};`).join(" ")}
  server {
    listen 127.0.0.1:80;
    location /api/config/ {
      proxy_pass http://127.0.0.1:12000/;
      proxy_http_version 1.1;
      proxy_set_header Connection close;
      client_max_body_size 50M;
      proxy_buffer_size 256k; proxy_buffers 4 256k; proxy_busy_buffers_size 512k;
    }
    location = /api/deploy.json {
      proxy_pass http://127.0.0.1:12000/deploy;
      proxy_http_version 1.1; proxy_set_header Connection close;
      proxy_connect_timeout 1s; proxy_intercept_errors on;
      error_page 502 503 504 = @hub_deploy_file;
    }
    location @hub_deploy_file {
      root /etc/hub; rewrite ^ /deploy.json break;
      default_type application/json; add_header Cache-Control "max-age=0, no-cache";
    }
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

test("behind nginx, with the snippets of the package", options, async () => {
  const folder = mkdtempSync(join(tmpdir(), "hub-nginx-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = await bundled(folder, 'import "./src/daemons/hub-configd.ts";');
  const inside = await openNamespace(80, 12000);
  onTestFinished(() => inside.close());
  inside.run("mkdir", "-p", "/usr/share/hub-config/swagger");
  writeFileSync(inside.file("/etc/passwd"), "root:x:0:0::/:/bin/sh\n");
  writeFileSync(inside.file("/etc/group"), "root:x:0:\n");
  writeFileSync(join(folder, "nginx.conf"), site(folder));
  const nginx = inside.spawn("nginx", ["-c", join(folder, "nginx.conf")], { PATH: `${process.env.PATH}:/usr/sbin` });
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

  const steps = Array.from({ length: 1000 }, (_, n) => ({
    url: `/api/config/project/hull-42/sensor/s${n}`,
    method: "PUT",
    data: { n },
  }));
  const transaction = await send(inside, "POST", "/api/config/project/hull-42/transaction", JSON.stringify(steps));
  expect([transaction.status, transaction.headers["x-step-code-1000"]]).toEqual([200, "201"]);

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

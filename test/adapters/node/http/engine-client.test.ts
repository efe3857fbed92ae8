/** Requests to an engine that has a certificate, or that closes a connection just then. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EngineClient } from "../../../../src/adapters/node/http/engine-client.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const never = new AbortController().signal;
const line = Buffer.from("a 1\n");

/** An engine that takes points and records the connection of each. */
function engine() {
  const sockets: Socket[] = [];
  const answer: RequestListener = (request, response) => {
    sockets.push(request.socket);
    request.resume().on("end", () => response.writeHead(204).end());
  };
  return { sockets, answer };
}

test("an engine behind TLS keeps one connection, too, and is trusted only with its certificate", async () => {
  const folder = temporaryFolder("engine");
  const [key, cert] = [join(folder, "key"), join(folder, "cert")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  spawnSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject]);
  const { sockets, answer } = engine();
  const port = await listening(createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer));
  const client = new EngineClient({ url: `https://localhost:${port}/write` });
  onTestFinished(() => client.close());
  await expect(client.post(line, never)).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  for (const _ of [1, 2]) expect(await client.post(line, never)).toMatchObject({ status: 204 });
  expect(new Set(sockets).size).toBe(1);
});

test("a request that meets a connection that the engine closes just then is made again", async () => {
  const { sockets, answer } = engine();
  const server = createServer((request, response) => {
    if (sockets.includes(request.socket)) request.socket.destroy();
    else answer(request, response);
  });
  const client = new EngineClient({ url: `http://127.0.0.1:${await listening(server)}/write` });
  onTestFinished(() => client.close());
  for (const _ of [1, 2]) expect(await client.post(line, never)).toMatchObject({ status: 204 });
  expect([sockets.length, client.hasLost]).toEqual([2, true]);
});

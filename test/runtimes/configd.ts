/** The daemon of the configuration service as a runtime starts it, checked byte by byte. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { textOf } from "../support/hub-cand.ts";
import { freePort } from "../support/ports.ts";

/**
 * Starts the daemon by `program` and `args`, which keep everything in `folder`, and expects the contract's framing, a
 * project in its file, and a clean end.
 */
export async function expectServing(
  program: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const port = await freePort();
  writeFileSync(join(folder, "index.html"), "<p>console");
  const child = spawn(program, [...args, "-p", String(port)], { env });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const errors = textOf(child.stderr);

  const raw = (text: string): Promise<string> =>
    new Promise((settle, reject) => {
      let answer = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text)).on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        answer += chunk;
      });
      socket.on("close", () => settle(answer));
    });
  const health = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
  while (!(await raw(health).catch(() => "")).includes("ready")) {
    expect(child.exitCode, errors()).toBeNull();
    await new Promise((settle) => setTimeout(settle, 50));
  }

  const [head, body] = (await raw("GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")).split("\r\n\r\n");
  expect(body).toBe("<p>console");
  expect(head).toContain("\r\nConnection: close");
  expect(head!.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
  const put = "PUT /project/hull-42/sensor/bilge HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
  expect(await raw(put)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await raw("PUT /project/hull-42 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 201 /);
  expect(await raw(put)).toMatch(/^HTTP\/1\.1 201 /);
  expect(await raw("GET /project/../health HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 /);
  expect(JSON.parse(readFileSync(join(folder, "configuration/hull-42.json"), "utf8"))).toMatchObject({
    sensor: [{ name: "bilge" }],
  });
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
}

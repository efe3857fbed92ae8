/**
 * The daemon on a medium that fails: each of its file calls in turn reports an I/O error, by a library loaded before
 * libc.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../support/bundled.ts";
import { textOf } from "../support/hub-cand.ts";

const large = JSON.stringify({ uid: "u", name: "n", data: "x".repeat(400_000) });

/** The files before each request. */
const prepared: Readonly<Record<string, string>> = {
  "configuration/a.json": '{"uid":"u","name":"n","sensor":[{"name":"x"}]}',
  "configuration/big.json": large,
  "deploy.json": "{}",
  "apps/one": "x".repeat(100_000),
};

const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
  ["PUT", "/project/new"],
  ["PUT", "/project/a/sensor/x", '{"n": 1}'],
  ["GET", "/project/a"],
  ["GET", "/project"],
  ["PUT", "/project/a/deploy"],
  ["GET", "/deploy"],
  ["PUT", "/apps/two", "y".repeat(100_000)],
  ["GET", "/apps/one"],
  ["DELETE", "/apps/one"],
  ["PUT", "/project/a/rename/b"],
  ["PUT", "/project/a/duplicate/c"],
  ["DELETE", "/project/a"],
  ["GET", "/project/big"],
  ["PUT", "/project/big/sensor/x", "{}"],
];

const namesIn = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: "utf8" });

test("an I/O error at any file call is told, and leaves the old state or the new one", {}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "hub-io-errors-"));
  const library = join(folder, "io-errors.so");
  const built = spawnSync("gcc", ["-shared", "-fPIC", "-o", library, "test/crash/io-errors.c", "-ldl"], {
    encoding: "utf8",
  });
  expect(built.stderr).toBe("");
  const program = await bundled(folder, 'import "./src/daemons/hub-configd.ts";');
  const [config, control] = [join(folder, "etc"), join(folder, "control")];
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  mkdirSync(config);
  writeFileSync(control, Buffer.alloc(4096));
  /** Makes the `call`th call from now on fail; 0: none. */
  const failAt = (call: number): void => {
    const bytes = Buffer.alloc(64);
    bytes.writeInt32LE(call, 0);
    const file = openSync(control, "r+");
    writeSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  };
  const failed = (): string => readFileSync(control).subarray(8, 64).toString().replace(/\0.*/s, "");
  const child = spawn(process.execPath, [program, "-p", String(port), "-c", config, "-s", folder], {
    env: { ...process.env, LD_PRELOAD: library, IO_ERRORS_CONTROL: control, IO_ERRORS_FOLDER: config },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log = textOf(child.stderr);
  onTestFinished(() => void child.kill("SIGKILL"));
  const call = (method: string, path: string, body = ""): Promise<[number, string]> =>
    new Promise((resolve) => {
      const headers = { Host: "x", "Content-Length": Buffer.byteLength(body) };
      const outgoing = request({ port, host: "127.0.0.1", method, path, headers, agent: false }, (incoming) => {
        let text = "";
        incoming.on("data", (chunk: Buffer) => {
          text += chunk;
        });
        incoming.on("error", () => resolve([0, "cut short"]));
        incoming.on("end", () => resolve([incoming.statusCode!, text]));
      });
      outgoing.on("error", ({ message }) => resolve([0, message])).end(body);
    });
  while ((await call("GET", "/health"))[0] !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  const state = (): string =>
    JSON.stringify(
      namesIn(config)
        .filter((name) => /json$|apps\//.test(name))
        .sort()
        .map((name) => [name, readFileSync(join(config, name), "latin1").replace(/"uid": "[^"]*"/, "")]),
    );
  const lay = (): void => {
    for (const name of readdirSync(config)) rmSync(join(config, name), { recursive: true });
    for (const name of ["configuration", "apps"]) mkdirSync(join(config, name));
    for (const [name, content] of Object.entries(prepared)) writeFileSync(join(config, name), content);
  };
  const calls = new Set<string>();
  for (const [method, path, body] of requests) {
    lay();
    const before = state();
    expect((await call(method, path, body))[0], path).toBeLessThan(300);
    const after = state();
    for (let at = 1; ; at++) {
      lay();
      failAt(at);
      const [status, answer] = await call(method, path, body);
      const name = failed();
      failAt(0);
      if (name === "") break;
      calls.add(name);
      const where = `${method} ${path}, call ${at}, ${name}: ${status} ${answer.slice(0, 200)}`;
      if (status === 500) expect(answer, where).toContain('"EIO"');
      else if (status === 0) expect(method, where).toBe("GET");
      else expect([status < 300, method === "GET" || state() === after], where).toEqual([true, true]);
      expect([before, after], where).toContain(state());
      // A file that cannot be removed stays until the next start; the copy of what was deployed is there by then.
      const stays = name === "unlink" ? /^(?:backup|deployments)\// : undefined;
      expect(
        namesIn(config).filter((left) => left.endsWith(".tmp") && !stays?.test(left)),
        where,
      ).toEqual([]);
    }
  }
  expect([...calls]).toEqual(expect.arrayContaining(["open", "read", "write", "fsync", "rename", "unlink"]));
  expect((await call("GET", "/health"))[0]).toBe(200);
  expect(log()).not.toContain("stack=");
});

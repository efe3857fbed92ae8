/** The configuration service on Deno: types, the portable tests, and the daemon with the permissions of deno.json and no more. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../mosquitto.ts";

// The package's own command is a script of Node around the program, which would keep signals to itself.
const packages = resolve("node_modules/@deno");
const program = existsSync(packages)
  ? readdirSync(packages)
      .map((name) => join(packages, name, "deno"))
      .find(existsSync)
  : undefined;
const options = { skip: program === undefined && process.env.CI !== "true", timeout: 120_000 };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hub-deno-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DENO_DIR: join(folder, "deno"),
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
  // Enough to see that nothing is another here; the many are Node's.
  HUB_REQUESTS: "10000",
});

test.each(["check", "test"])("deno task %s passes", options, (task) => {
  const { status, stdout, stderr } = spawnSync(program!, ["task", task], {
    env: environmentIn(newFolder()),
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const failures = stdout.slice(Math.max(0, stdout.indexOf(" ERRORS ")));
  expect(status, `${failures}\n${stderr}`).toBe(0);
  // A filter that finds nothing would pass too.
  if (task === "test") expect(Number(/(\d+) passed \| 0 failed/.exec(stdout)?.[1])).toBeGreaterThan(600);
});

interface Tasks {
  readonly tasks: { readonly start: string };
}

test(
  "the daemon starts with the permissions of its task, serves with the contract's framing and stops",
  options,
  async () => {
    const folder = newFolder();
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8")) as Tasks;
    const port = await freePort();
    const args = tasks.start
      .slice(tasks.start.indexOf("run "))
      .replaceAll(".hub", folder)
      .replace("dist/swagger", folder);
    writeFileSync(join(folder, "index.html"), "<p>console");
    const child = spawn(program!, [...args.split(" "), "-p", String(port)], { env: environmentIn(folder) });
    const ended = once(child, "close");
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk;
    });

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
      expect(child.exitCode, errors).toBeNull();
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
  },
);

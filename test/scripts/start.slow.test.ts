import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { connectAsync } from "mqtt";
import { afterEach, expect, test } from "vitest";
import { endsWithTest } from "../support/ends-with-test.ts";
import { subscriber, until } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("npm start tells its ports and starts nothing where help is asked for, or an option that it has not", () => {
  const told = (option: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/start.mjs", option], { encoding: "utf8" });
    return [status, stdout.includes("10110"), stderr.split("\n")[0]];
  };
  expect(told("--help")).toEqual([0, true, ""]);
  expect(told("--port")).toEqual([2, false, "npm start has no option --port"]);
});

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Started {
  readonly child: ChildProcess;
  /** The output so far. */
  said(): string;
  /** Exit code. */
  readonly ended: Promise<number | null>;
}

/** Takes the place of a daemon: publishes once, then runs until it is asked to end, and publishes its end. */
const daemon = `
  const { connectAsync } = await import("mqtt");
  const client = await connectAsync(process.argv[1]);
  await client.publishAsync("stand/in", "here", { retain: true, qos: 1 });
  process.on("SIGTERM", async () => {
    await client.publishAsync("stand/in", "gone", { qos: 1 });
    process.exit(0);
  });
  console.error("runs");
`;

/** Runs start() with programs in place of the daemons. */
function startWith(programs: readonly string[], ports: { port: number; webSocketPort: number }): Started {
  const script = `
    import { start } from "./scripts/start.mjs";
    const list = async () => ${JSON.stringify(programs)}.map((program, index) => ({
      name: "service-" + index,
      says: "a stand-in",
      args: (broker) => ["--input-type=module", "-e", program, broker],
    }));
    process.exit(await start({ list, ...${JSON.stringify(ports)} }));
  `;
  return startScript(script);
}

function startScript(script: string): Started {
  const args = ["--input-type=module", "-e", script];
  const child = endsWithTest(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] }));
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  endings.push(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return { child, said: () => text, ended };
}

const twoPorts = async (): Promise<{ port: number; webSocketPort: number }> => ({
  port: await freePort(),
  webSocketPort: await freePort(),
});

test("start brings a broker for TCP and WebSocket, says how to look, and ends all after a goodbye", async () => {
  const ports = await twoPorts();
  const started = startWith([daemon, daemon], ports);
  await until(() => started.said().includes("service-0: runs") && started.said().includes("service-1: runs"));
  expect(started.said()).toContain(`hub: broker on mqtt://127.0.0.1:${ports.port} and ws://127.0.0.1:`);
  expect(started.said()).toMatch(/look at it with: .*can\/can0\/#.*/);
  expect(started.said()).toContain(String(ports.port));

  const seen = await subscriber(ports.port, { reconnectPeriod: 0 });
  expect(await seen.until(() => true)).toMatchObject({ topic: "stand/in", payload: "here", retain: true });
  const page = await connectAsync(`ws://127.0.0.1:${ports.webSocketPort}`, { reconnectPeriod: 0 });
  await page.publishAsync("from/a/page", "hello", { qos: 1 });
  await seen.until(({ payload }) => payload === "hello");
  await page.endAsync(true);
  const elsewhere = connectAsync(
    `ws://127.0.0.1:${ports.webSocketPort}`,
    { reconnectPeriod: 0, wsOptions: { headers: { Origin: "https://elsewhere.example" } } },
    false,
  );
  await expect(elsewhere).rejects.toThrow();

  started.child.kill("SIGINT");
  await seen.until(({ payload }) => payload === "gone");
  expect(await started.ended).toBe(0);
  await seen.close();
});

test("look prints what is published", async () => {
  const ports = await twoPorts();
  const started = startWith([daemon], ports);
  await until(() => started.said().includes("runs"));
  const look = spawn(process.execPath, ["scripts/look.mjs", "stand/#", String(ports.port)]);
  endings.push(() => look.kill());
  const [text] = await once(look.stdout, "data");
  expect(String(text)).toBe("stand/in here\n");
});

test("a service that ends by itself is reported and ends all with its code", async () => {
  const started = startWith([daemon, 'console.log("oh no"); process.exit(7);'], await twoPorts());
  expect(await started.ended).toBe(7);
  expect(started.said()).toContain("service-1: oh no");
  expect(started.said()).toContain("hub: service-1 ended with code 7, so everything ends");
});

test("a service that does not end when asked is killed", async () => {
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("stays");';
  const started = startWith([stubborn], await twoPorts());
  await until(() => started.said().includes("stays"));
  started.child.kill("SIGINT");
  expect(await started.ended).toBe(0);
});

test("the engine is a program of its own, whose history the display reads, and its folder goes at the end", async () => {
  const ports = await twoPorts();
  const [historyPort, displayPort] = [await freePort(), await freePort()];
  const folder = temporaryFolder("engine");
  const engine = `require("node:http").createServer((request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*").end(request.url);
  }).listen(${historyPort}, "127.0.0.1", () => console.log("runs"));`;
  const script = `
    import { rmSync } from "node:fs";
    import { start } from "./scripts/start.mjs";
    const list = async () => [{
      name: "engine",
      says: "a stand-in",
      command: "/usr/bin/env",
      args: () => ["node", "-e", ${JSON.stringify(engine)}],
      historyPort: ${historyPort},
      close: () => rmSync(${JSON.stringify(folder)}, { recursive: true }),
    }];
    process.exit(await start({ list, displayPort: ${displayPort}, ...${JSON.stringify(ports)} }));
  `;
  const started = startScript(script);
  await until(() => started.said().includes("engine: runs"));
  const url = `http://127.0.0.1:${displayPort}/api/history/query_range?query=x&start=-1h&step=10s`;
  const response = await fetch(url);
  expect(await response.text()).toMatch(/^\/api\/v1\/query_range\?query=x&start=-1h&step=10s&/);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
  expect((await fetch(url.replace("query_range", "export"))).status).toBe(404);
  started.child.kill("SIGINT");
  expect(await started.ended).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

test("a broker that is there is used", async () => {
  const ports = await twoPorts();
  const first = startWith([daemon], ports);
  await until(() => first.said().includes("runs"));
  const second = startWith([daemon], ports);
  await until(() => second.said().includes("runs"));
  expect(second.said()).toContain(`using the broker that is there: mqtt://127.0.0.1:${ports.port}`);
});

test("where the port belongs to something else, the next free one is taken and said", async () => {
  const other = createServer((socket) => socket.on("error", () => {}).destroy()).listen(0, "127.0.0.1");
  await once(other, "listening");
  endings.push(() => other.close());
  const { port } = other.address() as { port: number };
  const started = startWith([daemon], { port, webSocketPort: port });
  await until(() => started.said().includes("runs"));
  expect(started.said()).toMatch(
    new RegExp(
      `broker on mqtt://127.0.0.1:\\d+ \\(port ${port} is taken by something else\\) and ws://127.0.0.1:(?!${port}$)\\d+$`,
      "m",
    ),
  );
});

test("the display is served to pages of this machine alone, whatever their name points at", async () => {
  const folder = temporaryFolder("display");
  writeFileSync(join(folder, "index.html"), "the display");
  const { serveDisplay } = await import("../../scripts/serve-display.mjs" as string);
  const [port, none] = [await freePort(), await freePort()];
  const served = await serveDisplay({ folder, brokerPort: none, configPort: none, port });
  endings.push(() => served.close());
  const status = async (path: string, host: string): Promise<number | undefined> => {
    const [response] = await once(request({ port, path, headers: { host } }).end(), "response");
    return response.resume().statusCode;
  };
  expect(await status("/display/", `localhost:${port}`)).toBe(200);
  expect(await status("/display/", `[::1]:${port}`)).toBe(200);
  for (const path of ["/display/", "/api/config/project"]) {
    expect(await status(path, `evil.example:${port}`), path).toBe(403);
    expect(await status(path, "evil.example"), path).toBe(403);
  }
  expect(await status("/api/config/project", `127.0.0.1:${port}`)).toBe(502);
});

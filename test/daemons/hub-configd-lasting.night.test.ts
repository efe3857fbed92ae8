/** The service under stress: many writers, SIGKILL, large files. The real daemon on a real medium. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { bundled } from "../support/bundled.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";

const options = { skip: withoutNamespace !== undefined };

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hub-lasting-"));
  program = await bundled(folder, 'import "./src/daemons/hub-configd.ts";');
});

interface Service {
  readonly pid: number;
  /** Rejects when the daemon goes before the answer is whole. */
  call(
    method: string,
    path: string,
    body?: string | Buffer,
  ): Promise<{ readonly status: number; readonly body: Buffer }>;
  /** Ends it as the kernel does when memory is short. */
  kill(): Promise<void>;
}

/** The daemon in a namespace, where port and broker are its own, with its files on the machine's medium. */
async function service(inside: Namespace, config: string): Promise<Service> {
  const args = [program, "-c", config, "-s", folder];
  const child = inside.spawn(process.execPath, args);
  child.stdout!.resume();
  child.stderr!.resume();
  const ended = once(child, "close");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const call: Service["call"] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { Host: "x", "Content-Length": body === undefined ? 0 : Buffer.byteLength(body) };
      const outgoing = request(
        { socketPath: inside.socket(12000), method, path, headers, agent: false, maxHeaderSize: 16 << 20 },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => resolve({ status: incoming.statusCode!, body: Buffer.concat(chunks) }));
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  for (;;) {
    const health = await call("GET", "/health").catch(() => undefined);
    if (health?.status === 200) return { pid: child.pid!, call, kill };
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function open(): Promise<{ readonly inside: Namespace; readonly config: string }> {
  const inside = await openNamespace(12000);
  onTestFinished(() => inside.close());
  return { inside, config: mkdtempSync(join(folder, "config-")) };
}

test("fifty writers of one project lose nothing, and readers see it whole", options, async () => {
  const { inside, config } = await open();
  const { call } = await service(inside, config);
  await call("PUT", "/project/a");
  const file = join(config, "configuration/a.json");
  const each = 10;
  let isWriting = true;
  const writers = Array.from({ length: 50 }, async (_, writer) => {
    for (let n = 0; n < each; n++) {
      const { status } = await call(
        "PUT",
        `/project/a/sensor/w${writer}-${n}`,
        JSON.stringify({ text: "x".repeat(100) }),
      );
      expect(status).toBe(201);
    }
  });
  let least = 0;
  const reader = async (read: () => Promise<string>): Promise<void> => {
    while (isWriting) {
      const { sensor } = JSON.parse(await read()) as { sensor: readonly unknown[] };
      least = Math.max(least, sensor.length);
      // Some of them fall into each write.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const readers = [
    reader(async () => (await call("GET", "/project/a")).body.toString()),
    reader(async () => (await call("GET", "/project/a/backup")).body.toString()),
    reader(async () => readFileSync(file, "utf8")),
  ];
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(readers);
  expect(least).toBeGreaterThan(0);
  const { sensor } = JSON.parse(readFileSync(file, "utf8")) as { sensor: readonly { name: string }[] };
  expect(new Set(sensor.map(({ name }) => name)).size).toBe(50 * each);
  expect(readdirSync(join(config, "configuration"))).toEqual(["a.json"]);
});

test("killed at any moment of hundreds of writes, it holds the last one it acknowledged", options, async () => {
  const { inside, config } = await open();
  const configuration = join(config, "configuration");
  const writers = ["one", "two", "three", "four"].map((name) => ({ name, acknowledged: -1, sent: -1 }));
  const deployed = { acknowledged: -1, sent: -1 };
  let writes = 0;
  let cut = 0;
  const first = await service(inside, config);
  await first.call("PUT", "/project/a");
  await first.kill();

  while (writes < 400) {
    const running = await service(inside, config);
    expect(readdirSync(configuration)).toEqual(["a.json"]);
    expect(readdirSync(config).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    let left = 66;
    const until = Math.floor(Math.random() * 66);
    let reach = (): void => {};
    const isReached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    // Each writer counts up in an entry of its own; the project is padded so that a write takes its time.
    const work = writers.map(async (writer) => {
      while (left-- > 0) {
        if (left <= until) reach();
        writer.sent += 1;
        const body = JSON.stringify({ n: writer.sent, padding: "x".repeat(20_000) });
        const { status } = await running.call("PUT", `/project/a/sensor/${writer.name}`, body);
        expect(status).toBe(201);
        writer.acknowledged = writer.sent;
        writes += 1;
        if (writer.name !== "one") continue;
        deployed.sent = writer.sent;
        await running.call("PUT", "/project/a/deploy");
        deployed.acknowledged = writer.sent;
      }
    });
    const over = Promise.allSettled(work);
    // A write that fails before ends its writer, and says so below.
    await Promise.race([isReached, over]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    await running.kill();
    for (const result of await over) {
      // Only what the kill has cut off may fail.
      if (result.status === "fulfilled") continue;
      cut += 1;
      expect((result.reason as NodeJS.ErrnoException).code).toMatch(/ECONN|EPIPE/);
    }

    const { sensor } = JSON.parse(readFileSync(join(configuration, "a.json"), "utf8")) as {
      sensor: readonly { name: string; n: number }[];
    };
    for (const writer of writers) {
      const stored = sensor.find(({ name }) => name === writer.name)?.n ?? -1;
      expect(stored).toBeGreaterThanOrEqual(writer.acknowledged);
      expect(stored).toBeLessThanOrEqual(writer.sent);
      writer.acknowledged = stored;
      writer.sent = stored;
    }
    if (deployed.acknowledged >= 0) {
      const copy = JSON.parse(readFileSync(join(config, "deploy.json"), "utf8")) as {
        sensor: readonly { name: string; n: number }[];
      };
      expect(copy.sensor.find(({ name }) => name === "one")!.n).toBeGreaterThanOrEqual(deployed.acknowledged);
    }
  }
  await service(inside, config);
  expect(readdirSync(configuration)).toEqual(["a.json"]);
  expect(cut).toBeGreaterThan(4);
});

/** Resident memory in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

test("20 MB of media come back as they went, and their memory is given back", options, async () => {
  const { inside, config } = await open();
  const { call, pid } = await service(inside, config);
  await call("PUT", "/project/a");
  await call("PUT", "/project/small");
  const bytes = Buffer.allocUnsafe(20_000_000);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * at) % 251;
  for (let round = 0; round < 3; round++) {
    bytes[round] = 255;
    expect((await call("PUT", "/project/a/media/film", bytes)).status).toBe(201);
    const { status, body } = await call("GET", "/project/a/media/film");
    expect(status).toBe(200);
    expect(Buffer.compare(body, bytes)).toBe(0);
  }
  // The engine decides when it collects garbage, but ordinary requests are enough to cause it.
  for (let n = 0; n < 20_000 && memoryOf(pid) > 200; n++) await call("GET", "/project/small");
  expect(memoryOf(pid)).toBeLessThanOrEqual(200);
});

test("others are answered while a large transaction runs, and each change is kept", options, async () => {
  const { inside, config } = await open();
  const { call } = await service(inside, config);
  await call("PUT", "/project/a");
  const steps = Array.from({ length: 10_000 }, (_, n) => ({ method: "PUT", url: `/project/a/sensor/s${n}`, data: {} }));
  let isRunning = true;
  const transaction = call("POST", "/project/a/transaction", JSON.stringify(steps)).finally(() => {
    isRunning = false;
  });
  let answered = 0;
  transaction.catch(() => {});
  while (isRunning) {
    expect((await call("GET", "/health")).status).toBe(200);
    if (isRunning) answered++;
  }
  expect((await transaction).status).toBe(200);
  // In one process, the ten thousand steps would leave room for at most a hundred.
  expect(answered).toBeGreaterThan(100);
  // A change in the first process and one in the second, at the same time.
  const large = JSON.stringify({ data: "x".repeat(400_000) });
  const changes = await Promise.all([
    call("PUT", "/project/b").then(() => call("PUT", "/project/b/sensor/small", "{}")),
    ...Array.from({ length: 8 }, (_, n) => call("PUT", `/project/a/view/v${n}`, n % 2 === 0 ? large : "{}")),
  ]);
  expect(changes.map(({ status }) => status)).toEqual(changes.map(() => 201));
  const { sensor, view } = JSON.parse(readFileSync(join(config, "configuration/a.json"), "utf8"));
  expect([sensor.length, view.length]).toEqual([10_000, 8]);
});

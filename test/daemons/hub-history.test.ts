/** hub-history between a real broker and a real engine: what was published is what is found. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { memoryPublisher } from "../../src/adapters/memory/publisher.ts";
import { LineForwarder } from "../../src/adapters/node/line-forwarder.ts";
import { ReassembledSource } from "../../src/adapters/node/reassembled-source.ts";
import { segmentQueue } from "../../src/adapters/node/segment-queue.ts";
import { systemClock } from "../../src/adapters/node/system-clock.ts";
import { Bridge } from "../../src/bridge/bridge.ts";
import { History } from "../../src/history/history.ts";
import { FrameCounter } from "../../src/recording/frame-counter.ts";
import { simulated } from "../../src/simulation/traffic.ts";
import { startHubCand } from "../hub-cand.ts";
import { freePort, mosquitto, type Subscriber, subscriber, until, withoutMosquitto } from "../mosquitto.ts";

const isInstalled = spawnSync("victoria-metrics", ["-version"]).error === undefined;
const obstacle =
  withoutMosquitto ?? (isInstalled || process.env.CI === "true" ? undefined : "victoria-metrics is not installed");

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function killed(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

const folderOf = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `hub-${name}-`));
  endings.push(() => rmSync(folder, { recursive: true }));
  return folder;
};

/** VictoriaMetrics on a port of its own; `start` may be called again after `stop`. */
async function engine() {
  const [port, folder] = [await freePort(), folderOf("engine")];
  let child: ChildProcess | undefined;
  const url = `http://127.0.0.1:${port}`;
  endings.push(() => child && killed(child));
  return {
    url,
    async start(): Promise<void> {
      const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, "-retentionPeriod=100y"];
      child = spawn("victoria-metrics", [...args, "-dedup.minScrapeInterval=1ms"], { stdio: "ignore" });
      for (;;) {
        const answer = await fetch(`${url}/health`).catch(() => undefined);
        if (answer?.ok) return;
        await new Promise((next) => setTimeout(next, 50));
      }
    },
    /** Not by SIGKILL, which costs it what it has acknowledged within a few seconds. */
    stop: () => killed(child!, "SIGTERM"),
    /** Values by time of a series; all of them once the engine has written them. */
    async values(match: string): Promise<ReadonlyMap<number, number>> {
      await fetch(`${url}/internal/force_flush`);
      const answer = await fetch(`${url}/api/v1/export?reduce_mem_usage=0&match[]=${encodeURIComponent(match)}`);
      const rows = (await answer.text()).split("\n").filter((row) => row !== "");
      return new Map(
        rows.flatMap((row) => {
          const { timestamps, values } = JSON.parse(row) as { timestamps: number[]; values: number[] };
          return timestamps.map((time, index) => [time, values[index]!] as const);
        }),
      );
    },
  };
}

function history(port: number, url: string, queue: string): { child: ChildProcess; log: () => string } {
  const args = ["--broker", `mqtt://127.0.0.1:${port}`, "--lane", "1", "--url", `${url}/write`, "--queue", queue];
  const child = spawn(process.execPath, [resolve("dist/hub-history.mjs"), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  endings.push(() => killed(child));
  return { child, log: () => log };
}

/** What was published of a number, by time. */
function published(seen: Subscriber, topic: string, read: (data: never) => number | undefined): Map<number, number> {
  const found = seen.messages
    .filter((message) => message.topic === topic && !message.retain)
    .map(({ payload }) => JSON.parse(payload) as { data: never; metadata: { rxDate: string } });
  return new Map(
    found.flatMap(({ data, metadata }) => {
      const value = read(data);
      return value === undefined ? [] : [[Date.parse(metadata.rxDate), value] as const];
    }),
  );
}

const depth = "can/can0/every/1/navigation";
const depthOf = (data: { depth_water?: { depth?: number } }): number | undefined => data.depth_water?.depth;
const depthSeries = 'navigation_depth_water_depth{bus="can/can0"}';

test.skipIf(obstacle)(
  `what was published is in the engine, though that was away and the daemon was killed ${obstacle ?? ""}`,
  { timeout: 120_000 },
  async () => {
    const broker = await mosquitto();
    endings.push(() => broker.stop());
    const [database, queue] = [await engine(), folderOf("queue")];
    const seen = await subscriber(broker.port);
    endings.push(() => seen.close());
    const first = history(broker.port, database.url, queue);
    await until(() => first.log().includes("connected to the broker"));
    const boat = startHubCand(["--simulate", "--lanes", "1", "--broker", `mqtt://127.0.0.1:${broker.port}`]);
    endings.push(() => killed(boat));
    // The engine is away: points wait on disk.
    await until(() => published(seen, depth, depthOf).size >= 4 && first.log().includes("HISTORY_AWAY"));
    expect(readdirSync(queue).length).toBeGreaterThan(0);
    // SIGKILL costs what was heard since the last second that was made durable.
    await killed(first.child);
    const atDeath = Math.max(...published(seen, depth, depthOf).keys());
    await database.start();
    const second = history(broker.port, database.url, queue);
    await until(() => second.log().includes("the engine takes points"));
    await until(() => second.log().includes("connected to the broker"));
    const restarted = Math.max(...published(seen, depth, depthOf).keys());
    await until(() => published(seen, depth, depthOf).size >= 10);
    // The engine is killed, and starts again.
    await database.stop();
    await until(() => second.log().includes("HISTORY_AWAY"));
    await database.start();
    await until(() => (second.log().match(/the engine takes points/g) ?? []).length === 2);
    await killed(boat, "SIGTERM");
    const said = published(seen, depth, depthOf);
    const last = Math.max(...said.keys());
    let found = await database.values(depthSeries);
    while (!found.has(last)) {
      await new Promise((next) => setTimeout(next, 200));
      found = await database.values(depthSeries);
    }
    expect(await killed(second.child, "SIGTERM")).toBe(0);
    expect(readdirSync(queue)).toEqual([]);
    for (const [time, value] of found) expect(said.get(time), String(time)).toBe(value);
    const missing = [...said.keys()].filter((time) => !found.has(time));
    // Two messages of the lane lie in the last second before SIGKILL, others in the time without the daemon.
    expect(missing.filter((time) => time < atDeath - 2100 || time > restarted + 1100)).toEqual([]);
    const battery = published(
      seen,
      "can/can0/every/1/device/20/pgn/127508/0",
      (data: { voltageV?: number }) => data.voltageV,
    );
    const volts = await database.values('battery_status_voltageV{source="20",instance="0"}');
    expect(volts.size).toBeGreaterThan(0);
    for (const [time, value] of volts) expect(battery.get(time), String(time)).toBe(value);
  },
);

test.skipIf(obstacle)(
  `half an hour of the voyage, written at speed, is found point by point, also when the clock was set back ${obstacle ?? ""}`,
  { timeout: 120_000 },
  async () => {
    const database = await engine();
    await database.start();
    const log = memoryLog();
    const queue = await segmentQueue({ folder: folderOf("queue"), maxBytes: 1 << 28, log });
    const forwarder = new LineForwarder({
      url: `${database.url}/write`,
      queue,
      clock: systemClock,
      log,
      limitedLog: log,
    });
    const heard = new History({ prefix: "boat", lane: 10, onLine: (line) => queue.add(line) });
    const said = new Map<number, number>();
    const start = Date.UTC(2026, 10, 21);
    // The second half begins five minutes before the end of the first one.
    for (const begin of [start, start + 10 * 60_000]) {
      const publisher = memoryPublisher();
      const monitor = new FrameCounter("simulation");
      const bridge = new Bridge({ prefix: "boat", monitor, publisher, log: memoryLog(), lanes: [10] });
      const batches = (async function* () {
        yield* simulated(15 * 60_000, begin);
      })();
      const source = new ReassembledSource({ name: "simulation", batches });
      for await (const batch of source.packets(bridge.fastPacketTable)) {
        bridge.take(batch);
        for (const { topic, payload } of publisher.messages) {
          heard.hear(topic, Buffer.from(payload ?? ""), false);
          if (topic !== "boat/every/10/navigation") continue;
          const { data, metadata } = JSON.parse(payload!);
          if (data.depth_water !== undefined) said.set(Date.parse(metadata.rxDate), data.depth_water.depth);
        }
        publisher.clear();
        await queue.flush();
      }
    }
    await forwarder.advance();
    expect([queue.bytes, queue.dropped, heard.malformed, forwarder.refused]).toEqual([0, 0, 0, 0]);
    expect(said.size).toBeGreaterThan(100);
    expect(await database.values('navigation_depth_water_depth{bus="boat"}')).toEqual(new Map([...said].sort()));
    await queue.close();
  },
);

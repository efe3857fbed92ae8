/** hub-history between a real broker and a real engine: what was published is what is found. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Engine, openEngine, withoutEngine } from "../services/history/engine.ts";
import { killed } from "../support/ends-with-test.ts";
import { startHubCand, textOf } from "../support/hub-cand.ts";
import { mosquitto, type Subscriber, subscriber, until, withoutMosquitto } from "../support/mosquitto.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const obstacle = withoutMosquitto ?? withoutEngine;

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function engine(): Promise<Engine> {
  const opened = await openEngine();
  endings.push(() => opened.close());
  return opened;
}

function history(port: number, url: string, queue: string): { child: ChildProcess; log: () => string } {
  const args = ["--broker", `mqtt://127.0.0.1:${port}`, "--lane", "1", "--url", `${url}/write`, "--queue", queue];
  const child = spawn(process.execPath, [resolve("dist/hub-history.mjs"), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log = textOf(child.stderr!);
  endings.push(() => killed(child));
  return { child, log };
}

/** The published values of a number, by time. */
function published(seen: Subscriber, topic: string, read: (data: never) => number | undefined): Map<number, number> {
  // At its end the simulation removes what it has retained.
  const found = seen.messages
    .filter((message) => message.topic === topic && !message.retain && message.payload !== "")
    .map(({ payload }) => JSON.parse(payload) as { data: never; metadata: { rxDate: string } });
  return new Map(
    found.flatMap(({ data, metadata }) => {
      const value = read(data);
      return value === undefined ? [] : [[Date.parse(metadata.rxDate), value] as const];
    }),
  );
}

/** Points in a folder of the queue, and their time in milliseconds. */
const linesOn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1));
/** Without the digits below a millisecond, with which it is no exact number. */
const timeOf = (line: string): number => Number(line.slice(line.lastIndexOf(" "), -6));

const depth = "can/can0/every/1/navigation";
const depthOf = (data: { depth_water?: { depth?: number } }): number | undefined => data.depth_water?.depth;
const depthSeries = 'navigation_depth_water_depth{bus="can/can0"}';

test.skipIf(obstacle)(
  `what was published is in the engine, though that was away and the daemon was killed ${obstacle ?? ""}`,
  async () => {
    const broker = await mosquitto();
    endings.push(() => broker.stop());
    const [database, queue] = [await engine(), temporaryFolder("queue")];
    const seen = await subscriber(broker.port);
    endings.push(() => seen.close());
    const first = history(broker.port, database.url, queue);
    await until(() => first.log().includes("connected to the broker"));
    const boat = startHubCand(["--simulate", "--lanes", "1", "--broker", `mqtt://127.0.0.1:${broker.port}`]);
    endings.push(() => killed(boat));
    // The engine is away: points wait on disk, those of the first minute in memory.
    await until(() => published(seen, depth, depthOf).size >= 2 && linesOn(queue).length > 0);
    expect(first.log()).toContain("HISTORY_AWAY");
    await killed(first.child);
    const onDisk = linesOn(queue).map(timeOf);
    await database.start();
    const second = history(broker.port, database.url, queue);
    await until(() => second.log().includes("the engine takes points"));
    await until(() => second.log().includes("connected to the broker"));
    const restarted = Math.max(...published(seen, depth, depthOf).keys());
    await until(() => published(seen, depth, depthOf).size >= 10);
    // The engine is killed, loses what it had in memory, and starts again.
    await database.kill();
    await until(() => second.log().includes("HISTORY_AWAY"));
    await database.start();
    const takes = (): number => (second.log().match(/the engine takes points/g) ?? []).length;
    await until(() => takes() === 2);
    const count = published(seen, depth, depthOf).size;
    await until(() => published(seen, depth, depthOf).size >= count + 4);
    // The engine is killed again, between two requests.
    second.child.kill("SIGSTOP");
    await database.kill();
    await database.start();
    second.child.kill("SIGCONT");
    await until(() => published(seen, depth, depthOf).size >= count + 8);
    await killed(boat, "SIGTERM");
    const said = published(seen, depth, depthOf);
    const last = Math.max(...said.keys());
    let found = await database.values(depthSeries);
    while (!found.has(last)) {
      await new Promise((next) => setTimeout(next, 200));
      found = await database.values(depthSeries);
    }
    expect([await killed(second.child, "SIGTERM"), takes()]).toEqual([0, 2]);
    // Lines that the engine may not have on disk yet are kept for the next start.
    expect(linesOn(queue).map(timeOf)).toContain(last);
    for (const [time, value] of found) expect(said.get(time), String(time)).toBe(value);
    const missing = [...said.keys()].filter((time) => !found.has(time));
    // SIGKILL costs the lines from the time without the engine that were not on disk.
    expect(missing.filter((time) => time > restarted + 1100)).toEqual([]);
    expect(missing.filter((time) => onDisk.includes(time))).toEqual([]);
    const battery = published(
      seen,
      "can/can0/every/1/device/20/pgn/127508/0",
      (data: { voltageV?: number }) => data.voltageV,
    );
    // The series has the NAME of the simulated battery monitor.
    const volts = await database.values(
      'battery_status_voltageV{address="20",instance="0",device="13854948221379412976"}',
    );
    expect(volts.size).toBeGreaterThan(0);
    for (const [time, value] of volts) expect(battery.get(time), String(time)).toBe(value);
  },
);

/** A real VictoriaMetrics for tests: on a free loopback port, with a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { killed } from "../../support/ends-with-test.ts";
import { freePort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const isInstalled = spawnSync("victoria-metrics", ["-version"]).error === undefined;

/** Why tests with the engine are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export const withoutEngine: string | undefined =
  isInstalled || process.env.CI === "true" ? undefined : "victoria-metrics is not installed";

export interface Engine {
  readonly port: number;
  readonly url: string;
  /** May be called again after `stop`. */
  start(options?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
  /** Ends the engine by SIGKILL, which loses points that it acknowledged in the last seconds. */
  kill(): Promise<void>;
  /** Makes what it has taken visible to queries. */
  flush(): Promise<void>;
  /** Values by time, milliseconds since 1970, of the series that a selector names. */
  values(match: string): Promise<ReadonlyMap<number, number>>;
  /** Ends the process and removes the folder. */
  close(): Promise<void>;
}

/** An engine that is not running yet; its folder is made unless one is given. */
export async function openEngine(given?: string): Promise<Engine> {
  const port = await freePort();
  const folder = given ?? temporaryFolder("engine");
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child !== undefined) await killed(child, signal);
  };
  const flush = async (): Promise<void> => {
    await fetch(`${url}/internal/force_flush`);
  };
  return {
    port,
    url,
    flush,
    async start(options = []) {
      const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, "-retentionPeriod=100y"];
      child = spawn("victoria-metrics", [...args, "-dedup.minScrapeInterval=1ms", ...options], { stdio: "ignore" });
      for (;;) {
        if (child.exitCode !== null) throw new Error(`victoria-metrics ended with ${child.exitCode}`);
        const answer = await fetch(`${url}/health`).catch(() => undefined);
        if (answer?.ok) return;
        await new Promise((next) => setTimeout(next, 50));
      }
    },
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    async values(match) {
      await flush();
      const answer = await fetch(`${url}/api/v1/export?reduce_mem_usage=0&match[]=${encodeURIComponent(match)}`);
      const rows = (await answer.text()).split("\n").filter((row) => row !== "");
      return new Map(
        rows.flatMap((row) => {
          const { timestamps, values } = JSON.parse(row) as { timestamps: number[]; values: number[] };
          return timestamps.map((time, index) => [time, values[index]!] as const);
        }),
      );
    },
    async close() {
      await end("SIGKILL");
      if (given === undefined) rmSync(folder, { recursive: true });
    },
  };
}

/** Programs that start and end together. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { endsWithTest } from "../support/ends-with-test.ts";
import { until } from "../support/mosquitto.ts";

/** As a daemon, it outlives the reader of its log. */
const service = `process.stderr.on("error", () => {}); process.on("SIGTERM", () => process.exit(0)); setInterval(() => console.error("runs " + process.pid), 50);`;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL", "a terminal that is gone", "an npm that is killed"])(
  "they end with %s",
  async (end) => {
    const script = `
    import { runServices } from "./scripts/services.mjs";
    const args = ["-e", ${JSON.stringify(service)}];
    process.exit(await runServices([{ name: "one", args }, { name: "two", args }]));
  `;
    const isOfNpm = end.includes("npm");
    const [command, ...before] = isOfNpm ? ["sh", "-c", '"$@" & wait', "sh", process.execPath] : [process.execPath];
    const args = [...before, "--input-type=module", "-e", script];
    const env = { ...process.env, npm_lifecycle_event: isOfNpm ? "start" : undefined };
    const child = endsWithTest(spawn(command!, args, { stdio: ["ignore", "ignore", "pipe"], env }));
    const pids = new Set<number>();
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      for (const [, pid] of text.matchAll(/runs (\d+)/g)) pids.add(Number(pid));
    });
    await until(() => pids.size === 2);
    if (end.startsWith("SIG")) child.kill(end as NodeJS.Signals);
    else if (isOfNpm) child.kill("SIGKILL");
    else {
      child.stderr.destroy();
      child.kill("SIGHUP");
    }
    await until(() => ![...pids, child.pid!].some(isThere));
    expect(pids.size).toBe(2);
  },
);

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { Closers } from "../../src/daemons/program/closers.ts";
import { bundled } from "../support/bundled.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Runs a program that begins by importing `stop`. */
async function run(program: string): Promise<{ status: number | null; stdout: string }> {
  const folder = temporaryFolder("stop");
  const script = await bundled(folder, `import { stop } from "./src/daemons/program/stop.ts";\n${program}`);
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  return { status, stdout };
}

test("Stop is asked by a signal, once, and after lets the process end sooner", async () => {
  const { status, stdout } = await run(`
    console.log(stop.isAsked, stop.exitCode);
    void stop.after(600_000).then(() => console.log("never"));
    void stop.after(1).then(() => console.log("after"));
    setTimeout(() => {}, 100);
    process.kill(process.pid, "SIGTERM");
    await stop.asked;
    stop.ask(7);
    console.log(stop.isAsked, stop.exitCode);`);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "false 0\ntrue 0\nafter\n" });
});

test("Stop ends a process that goes on, with the exit code of the first call", async () => {
  const { status, stdout } = await run(`
    setInterval(() => {}, 1000);
    process.on("exit", () => console.log("exit"));
    stop.ask(3);
    stop.ask(4);`);
  expect({ status, stdout }).toEqual({ status: 3, stdout: "exit\n" });
});

test("Stop.until resolves with its event, with being asked, and at once afterwards; it keeps no call", async () => {
  const { stdout } = await run(`
    const never = new Promise(() => {});
    await stop.until(Promise.resolve());
    console.log("event");
    // A million calls of a race would be a million functions that wait.
    const before = process.memoryUsage().heapUsed;
    for (let call = 0; call < 1_000_000; call++) await stop.until(Promise.resolve());
    console.log(process.memoryUsage().heapUsed - before < 50 << 20);
    setTimeout(() => stop.ask(), 10);
    await stop.until(never);
    console.log("asked");
    await stop.until(never);
    console.log("still asked");`);
  expect(stdout).toBe("event\ntrue\nasked\nstill asked\n");
});

test("Closers closes the last first, each when the one before it has been closed, and once", async () => {
  const events: string[] = [];
  const closers = new Closers();
  const slow = { close: () => new Promise<void>((resolve) => setTimeout(() => resolve(void events.push("slow")), 10)) };
  const quick = { close: () => void events.push("quick") };
  expect(closers.add(quick)).toBe(quick);
  closers.add(slow);
  expect(closers.add(undefined)).toBe(undefined);
  await Promise.all([closers.close(), closers.close()]);
  await closers.close();
  expect(events.toSorted()).toEqual(["quick", "slow"]);

  const inOrder = new Closers();
  events.length = 0;
  inOrder.add(quick);
  inOrder.add(slow);
  await inOrder.close();
  expect(events).toEqual(["slow", "quick"]);
});

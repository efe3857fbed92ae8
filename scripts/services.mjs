/** Runs several programs, which start and end together. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";

/** Time between SIGTERM and SIGKILL. */
const SHUTDOWN_GRACE_MS = 3000;

/** Interval at which a program of npm looks whether npm is still there: killed, it passes no signal on. */
const PARENT_MS = 500;

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * A shell that ends the programs of the numbers in its input when that ends: with this process, also one that was
 * killed. It is in a group of its own, which no signal of a terminal reaches.
 */
const WATCH = 'all=; while read -r pid; do all="$all $pid"; done; kill $all; sleep 3; kill -9 $all';

/**
 * Starts each service (`{ name, args, command }`, by default arguments of Node) and resolves with an exit code when all
 * have ended: 0 after a signal, else that of the first that ended by itself. Their output goes to stderr, each line
 * prefixed by the name.
 */
export async function runServices(services) {
  let code;
  const children = new Set();

  const endAll = (exitCode) => {
    if (code !== undefined) return;
    code = exitCode;
    for (const child of children) child.kill("SIGTERM");
    // unref: the timer must not keep the process alive after the children.
    setTimeout(() => {
      for (const child of children) child.kill("SIGKILL");
    }, SHUTDOWN_GRACE_MS).unref();
  };
  const onSignal = () => endAll(0);
  for (const signal of signals) process.on(signal, onSignal);
  const { ppid } = process;
  const parent = setInterval(() => process.ppid === ppid || onSignal(), PARENT_MS);
  if (process.env.npm_lifecycle_event === undefined) clearInterval(parent);
  // A terminal that is gone reads nothing.
  process.stderr.on("error", onSignal);
  const watch = spawn("sh", ["-c", WATCH], { stdio: ["pipe", "ignore", "ignore"], detached: true });

  await Promise.all(
    services.map(({ name, args, command = process.execPath }) => {
      const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
      children.add(child);
      if (child.pid !== undefined) watch.stdin.write(`${child.pid}\n`);
      for (const output of [child.stdout, child.stderr]) {
        createInterface({ input: output }).on("line", (line) => console.error(`${name}: ${line}`));
      }
      return new Promise((resolve) => {
        child.on("error", (error) => console.error(`hub: ${name} did not start: ${error.message}`));
        child.on("close", (status, signal) => {
          children.delete(child);
          if (code === undefined) {
            console.error(`hub: ${name} ended with ${signal ?? `code ${status}`}, so everything ends`);
            endAll(signal === null ? status : 128 + constants.signals[signal]);
          }
          resolve(undefined);
        });
      });
    }),
  );
  clearInterval(parent);
  // Not by the end of its input: another program may have one of the numbers.
  watch.kill("SIGKILL");
  process.stderr.off("error", onSignal);
  for (const signal of signals) process.off(signal, onSignal);
  return code ?? 0;
}

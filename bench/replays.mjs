/** Shared by the benchmarks of hub-cand: recordings of any length, and processes whose resource usage is measured. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, createReadStream, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ownFlags } from "./own-flags.mjs";
import { root } from "./rounds.mjs";

export const hub = join(root, "dist/hub-cand.mjs");

/** Starts Node on a script; it writes its resource usage to descriptor 3 at the end. */
export const start = (script, args, stdio) =>
  spawn(process.execPath, [...ownFlags(script), "--import", join(root, "bench/usage.mjs"), script, ...args], {
    cwd: root,
    stdio,
  });

/**
 * Runs Node on a script that reads `file`; resolves with CPU microseconds, peak memory in MB, and the lines and bytes that it
 * printed. The file is read once before, because the page cache may have dropped it, at the expense of the next reader.
 */
export async function measure(script, args, file) {
  for await (const _chunk of createReadStream(file));
  return new Promise((resolve, reject) => {
    const child = start(script, args, ["ignore", "pipe", "pipe", "pipe"]);
    let bytes = 0;
    let messages = 0;
    let usage = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) messages++;
    });
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.stdio[3]?.on("data", (chunk) => (usage += chunk));
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`${script} ended with ${code}: ${errors}`));
      const { user, system, memory } = JSON.parse(usage);
      resolve({ cpu: user + system, memory: memory / 2 ** 20, messages, bytes });
    });
  });
}

/**
 * Runs a command of a shell that reads the file `$0`; resolves with the CPU microseconds of all its processes, and the lines and
 * bytes that it printed.
 */
export async function measureCommand(command, file) {
  for await (const _chunk of createReadStream(file));
  const child = spawn("bash", ["-c", `${command}; times >&3`, file], { stdio: ["ignore", "pipe", "ignore", "pipe"] });
  let bytes = 0;
  let messages = 0;
  let told = "";
  child.stdout?.on("data", (chunk) => {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) messages++;
  });
  child.stdio[3]?.on("data", (chunk) => (told += chunk));
  const [code] = await once(child, "close");
  if (code !== 0 || messages === 0) throw new Error(`${command} ended with ${code} after ${messages} lines`);
  // User and system time of the shell, and in the second line of its children: 0m1.234s 0m0.567s.
  const times = told.split("\n")[1].matchAll(/(\d+)m([\d.]+)s/g);
  const cpu = [...times].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1e6, 0);
  return { cpu, memory: 0, messages, bytes };
}

/** The lines of the recordings; without recordings those of a simulated voyage, written to `folder`. */
export async function recording(folder) {
  const files = ["2", "3"].map((number) => join(root, `../shared/recordings/can0-${number}.candump.log.gz`));
  const given = process.env.BENCH_RECORDING;
  if (given !== undefined) return { lines: readFileSync(given, "latin1").trimEnd().split("\n"), from: given };
  if (files.every(existsSync)) {
    const lines = files.flatMap((path) => gunzipSync(readFileSync(path)).toString("latin1").trimEnd().split("\n"));
    return { lines, from: "can0-2 and can0-3" };
  }
  const { writeCandump } = await import("../scripts/simulate.mjs");
  const file = join(folder, "voyage.log");
  await writeCandump(file, 100_000);
  return { lines: readFileSync(file, "latin1").trimEnd().split("\n"), from: "a simulated voyage" };
}

/** Writes the lines to a file, repeated until there are `minFrames`. */
export function repeated(file, lines, minFrames) {
  const text = `${lines.join("\n")}\n`;
  const times = Math.ceil(minFrames / lines.length);
  const out = openSync(file, "w");
  for (let time = 0; time < times; time++) writeSync(out, text);
  closeSync(out);
  return { file, count: lines.length * times };
}

/**
 * `npm run bench`: hub-cand beside canboatjs on the same frames, in turn within one run, several rounds.
 *
 * Times are CPU times of whole processes (user and system), start included. What both sides print is read and counted.
 * Frames: the recordings can0-2 and can0-3 beside the checkout, repeated; else the simulated voyage.
 */
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { ownFlags } from "./own-flags.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const leastFrames = Number(process.env.BENCH_FRAMES ?? 500_000);
const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
const hub = join(root, "dist/hub-cand.mjs");

/** Runs Node on a script; resolves with CPU microseconds, peak memory, and what it printed, counted. */
function measure(script, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...ownFlags(script), "--import", join(root, "bench/usage.mjs"), script, ...args],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      },
    );
    let bytes = 0;
    let lines = 0;
    let usage = "";
    let errors = "";
    let last = "";
    child.stdout.on("data", (chunk) => {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
      last = chunk.subarray(-200).toString();
    });
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.stdio[3].on("data", (chunk) => (usage += chunk));
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`${script} ended with ${code}: ${errors}`));
      const { user, system, memory } = JSON.parse(usage);
      resolve({ cpu: user + system, memory, bytes, lines, errors, last });
    });
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Both sides in turn, one warm-up each. */
async function beside(title, sides, per) {
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const result = await side();
      if (round >= 0) results[name].push(result);
    }
  }
  console.log(`\n${title}, ${rounds} rounds, medians`);
  const rows = Object.entries(results).map(([name, runs]) => ({
    name,
    cpu: median(runs.map((run) => run.cpu / per(run))),
    memory: median(runs.map((run) => run.memory)),
    run: runs.at(-1),
  }));
  for (const { name, cpu, memory, run } of rows) {
    const counted = `${run.messages ?? run.lines} messages${run.bytes > 100 ? `, ${run.bytes} bytes` : ""}`;
    console.log(
      `  ${name.padEnd(12)} ${cpu.toFixed(3).padStart(8)} µs  ${(memory / 2 ** 20).toFixed(0).padStart(4)} MB  ${counted}`,
    );
  }
  const ratios = results[rows[1].name].map((other, round) => {
    const own = results[rows[0].name][round];
    return other.cpu / per(other) / (own.cpu / per(own));
  });
  console.log(
    `  ratio        ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
}

async function frames() {
  const file = join(folder, "frames.log");
  const recordings = ["2", "3"].map((number) => join(root, `../shared/recordings/can0-${number}.candump.log.gz`));
  if (!recordings.every(existsSync)) {
    const { writeCandump } = await import("../scripts/simulate.mjs");
    return { file, count: await writeCandump(file, leastFrames), from: "simulated voyage" };
  }
  const texts = recordings.map((path) => gunzipSync(readFileSync(path)));
  const once = texts.reduce((sum, text) => sum + text.toString("latin1").split("\n").length - 1, 0);
  const times = Math.ceil(leastFrames / once);
  const out = createWriteStream(file);
  for (let time = 0; time < times; time++) for (const text of texts) out.write(text);
  await new Promise((resolve) => out.end(resolve));
  return { file, count: once * times, from: `can0-2 and can0-3, ${times} times` };
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function mosquitto() {
  const port = await freePort();
  const config = join(folder, "mosquitto.conf");
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const child = spawn("mosquitto", ["-c", config], { stdio: "ignore" });
  if (await new Promise((resolve) => child.on("error", () => resolve(true)).on("spawn", () => resolve(false)))) return;
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { url: `mqtt://127.0.0.1:${port}`, stop: () => child.kill() };
}

try {
  const { file, count, from } = await frames();
  console.log(`${count} frames (${from}), Node ${process.version}`);
  await beside(
    "CPU per frame, candump -L to JSON lines on stdout",
    {
      "hub-cand": () => measure(hub, ["--replay", file, "--speed", "0", "--stdout"]),
      canboatjs: () => measure(join(root, "bench/peers/canboatjs-stdout.mjs"), [file]),
    },
    () => count,
  );
  const broker = await mosquitto();
  if (broker === undefined) console.log("\nno Mosquitto installed: the figure for MQTT is left out");
  else {
    const publishedBy = (text) => Number(/published=(\d+)/.exec(text)?.[1]);
    await beside(
      "CPU per message to Mosquitto, topic per source and PGN, QoS 0",
      {
        "hub-cand": async () => {
          const run = await measure(hub, ["--replay", file, "--speed", "0", "--broker", broker.url]);
          return { ...run, messages: publishedBy(run.errors) };
        },
        canboatjs: async () => {
          const run = await measure(join(root, "bench/peers/canboatjs-mqtt.mjs"), [file, broker.url]);
          return { ...run, messages: Number(run.last) };
        },
      },
      (run) => run.messages,
    );
    broker.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}

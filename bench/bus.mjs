/**
 * `npm run bench:bus`: hub-cand and canboatjs on a full NMEA 2000 bus, each by its own addon for SocketCAN, both to Mosquitto: CPU
 * time of each, and the delay from a frame to its message at a subscriber.
 *
 * On vcan0, or in the guest without it, whose emulated processor executes 500 million instructions a second: the figures compare
 * the two programs and do not hold for a real machine. Frames have the kernel's time stamps, printed by candump, messages those
 * of mosquitto_sub; for a PGN of single frames the n-th message belongs to the n-th frame.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeGypArguments } from "../scripts/setup.mjs";
import { candumpText } from "../scripts/simulate.mjs";
import { ownFlags } from "./own-flags.mjs";
import { megabytesOf } from "./process.mjs";
import { compare, root } from "./rounds.mjs";

const INTERFACE = "vcan0";
const PORT = 1884;
const BROKER = `mqtt://127.0.0.1:${PORT}`;
/** Frames of eight bytes a second at 250 kbit/s. */
const FULL_BUS = 1910;
/** Seconds until V8 has compiled the frequent functions, on both sides. */
const WARM_UP_SECONDS = 15;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Vessel Heading, of the simulated compass. */
const WATCHED = { frame: /^\((\d+\.\d+)\) \S+ 09F11204#/gm, topic: "can/+/device/4/pgn/127250" };

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A recording of some seconds of a full bus: two seconds of the voyage, repeated. */
async function traffic(file, seconds) {
  const { simulatedCandump } = await candumpText();
  const piece = [];
  for (const text of simulatedCandump(Number.POSITIVE_INFINITY, 0)) {
    piece.push(...text.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(line.lastIndexOf(" ") + 1)])));
    if (piece.length >= FULL_BUS * 2) break;
  }
  const count = FULL_BUS * seconds;
  const line = (at) => `(${(at / FULL_BUS).toFixed(6)}) ${INTERFACE} ${piece[at % piece.length]}\n`;
  writeFileSync(file, Array.from({ length: count }, (_, at) => line(at)).join(""));
}

const play = (file) => once(spawn("canplayer", ["-I", file], { stdio: ["ignore", "ignore", "inherit"] }), "close");

/** A program whose standard output is a file. */
function into(file, command, ...args) {
  const output = openSync(file, "w");
  const child = spawn(command, args, { stdio: ["ignore", output, "inherit"] });
  closeSync(output);
  return child;
}

async function end(...children) {
  for (const child of children) {
    const ended = once(child, "close");
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  }
}

/** User and system time of a process so far, seconds. */
function used({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const megabytes = ({ pid }) => megabytesOf(pid, "VmHWM");

function hubCand() {
  const hub = join(root, "dist/hub-cand.mjs");
  const args = [...ownFlags(hub), hub, "-i", INTERFACE, "-c", "/nonexistent", "-b", BROKER];
  return [spawn(process.execPath, args, { stdio: "ignore" })];
}

/** Builds the addon of canboatjs, as its users' `npm install` does; this checkout installs packages without their scripts. */
function buildPeer() {
  const folder = join(root, "node_modules/@canboat/canboatjs");
  if (existsSync(join(folder, "build/Release/canSocket.node"))) return;
  const { status, stdout, stderr } = spawnSync(process.execPath, nodeGypArguments(), { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`the addon of canboatjs cannot be built:\n${stdout}${stderr}`);
}

function canboatjs() {
  const peer = join(root, "bench/peers/canboatjs-bus.mjs");
  return [spawn(process.execPath, [peer, INTERFACE, BROKER], { stdio: ["ignore", "ignore", "inherit"] })];
}

async function measure(start, folder) {
  const taken = join(folder, "taken");
  const seen = join(folder, "seen");
  const take = into(taken, "mosquitto_sub", "-p", String(PORT), "-F", "%U", "-t", WATCHED.topic);
  const children = start();
  // Played until a message proves that it listens and is connected, and once more for its compiler.
  const warm = join(folder, "warm.log");
  while (readFileSync(taken).length === 0) await play(join(folder, "probe.log")).then(() => pause(200));
  await play(warm);
  await pause(2000);
  const before = readFileSync(taken, "latin1").split("\n").length - 1;
  const dump = into(seen, "candump", "-L", INTERFACE);
  await pause(500);
  const began = children.map(used);
  await play(join(folder, "load.log"));
  await pause(1000);
  const processor = children.map((child, at) => used(child) - began[at]);
  const memory = megabytes(children[0]);
  await end(dump, take, ...children);
  const messages = readFileSync(taken, "latin1").trim().split("\n").slice(before).map(Number);
  const frames = [...readFileSync(seen, "latin1").matchAll(WATCHED.frame)].map(([, stamp]) => Number(stamp));
  const delays = messages.map((at, index) => (at - frames[index]) * 1000).toSorted((a, b) => a - b);
  const part = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
  return { processor, memory, frames: frames.length, messages: messages.length, p50: part(0.5), p99: part(0.99) };
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "hub-bench-bus-"));
  writeFileSync(join(folder, "mosquitto.conf"), `listener ${PORT} 127.0.0.1\nallow_anonymous true\n`);
  const broker = spawn("mosquitto", ["-c", join(folder, "mosquitto.conf")], { stdio: "ignore" });
  await once(broker, "spawn");
  await pause(1000);
  await traffic(join(folder, "probe.log"), 1);
  await traffic(join(folder, "warm.log"), WARM_UP_SECONDS);
  await traffic(join(folder, "load.log"), SECONDS);
  const side = (start) => async () => {
    const { processor, memory, frames, messages, p50, p99 } = await measure(start, folder);
    return {
      value: (100 * processor.reduce((sum, one) => sum + one, 0)) / SECONDS,
      "frame to subscriber, median µs": p50 * 1000,
      "99 % µs": p99 * 1000,
      "MB at most": memory,
      "watched frames": frames,
      messages,
    };
  };
  await compare(
    `${FULL_BUS} frames a second for ${SECONDS} s, Node ${process.version}`,
    { "hub-cand": side(hubCand), canboatjs: side(canboatjs) },
    {
      rounds: ROUNDS,
      warmUps: 0,
      unit: "% of the processor",
      goal: "more is better",
      ratio: (own, other) => other / own,
    },
  );
  await end(broker);
  rmSync(folder, { recursive: true });
}

// In the guest the checkout cannot be written to.
buildPeer();
if (existsSync(`/sys/class/net/${INTERFACE}`)) await main();
else {
  const { runInGuest } = await import("../test/guest/run.mjs");
  const command = ["sh", "-c", 'kill -STOP "$HUB_IDLE_PID"; exec node bench/bus.mjs'];
  const environment = { BENCH_SECONDS: String(SECONDS), BENCH_ROUNDS: String(ROUNDS) };
  process.exitCode = await runInGuest(command, { timeout: 7200, environment });
}

/**
 * hub-cand and canboatjs on a full NMEA 2000 bus, each by its own addon for SocketCAN, both to Mosquitto: CPU time of
 * each, and the delay from a frame to its message at a subscriber.
 *
 * On vcan0, or in the guest without it, whose emulated processor executes 500 million instructions a second: the
 * figures compare the two programs and do not hold for a real machine. Frames have the kernel's time stamps, printed by
 * candump, messages those of mosquitto_sub; for a PGN of single frames the n-th message belongs to the n-th frame.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sourceModule } from "../scripts/bundle.mjs";
import { dist, end, megabytesOf, startMosquitto, startNode, usageOf } from "./process.mjs";
import { quantile, root } from "./rounds.mjs";

const INTERFACE = "vcan0";
/** Frames of eight bytes a second at 250 kbit/s. */
export const FULL_BUS = 1910;
/** Seconds until V8 has compiled the frequent functions, on both sides. */
const WARM_UP_SECONDS = 15;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** Vessel Heading, of the simulated compass. */
const WATCHED = { frame: /^\((\d+\.\d+)\) \S+ 09F11204#/gm, topic: "can/+/device/4/pgn/127250" };

/** A recording of some seconds of a full bus: two seconds of the voyage, repeated. */
async function traffic(file, seconds) {
  const { simulatedCandump } = await sourceModule("src/services/simulation/candump-text.ts");
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

/**
 * Builds the addon of canboatjs, as its users' `npm install` does; this checkout installs packages without their
 * scripts.
 */
function buildPeer() {
  const folder = join(root, "node_modules/@canboat/canboatjs");
  if (existsSync(join(folder, "build/Release/canSocket.node"))) return;
  const { status, stdout, stderr } = spawnSync("npm", ["rebuild", "@canboat/canboatjs"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the addon of canboatjs cannot be built:\n${stdout}${stderr}`);
}

const startHub = (broker) =>
  startNode(dist("hub-cand"), ["-i", INTERFACE, "-c", "/nonexistent", "-b", broker.url], "ignore");
const startPeer = (broker) =>
  startNode(join(root, "bench/peers/canboatjs-bus.mjs"), [INTERFACE, broker.url], ["ignore", "ignore", "inherit"]);

async function measure(start, broker, folder) {
  const [taken, seen] = [join(folder, "taken"), join(folder, "seen")];
  const take = into(taken, "mosquitto_sub", "-p", String(broker.port), "-F", "%U", "-t", WATCHED.topic);
  const child = start(broker);
  // Frames are sent until a message proves that the program listens and is connected, and again for its compiler.
  while (readFileSync(taken).length === 0) await play(join(folder, "probe.log")).then(() => delay(200));
  await play(join(folder, "warm.log"));
  await delay(2000);
  const before = readFileSync(taken, "latin1").split("\n").length - 1;
  const dump = into(seen, "candump", "-L", INTERFACE);
  await delay(500);
  const began = usageOf(child.pid).seconds;
  await play(join(folder, "load.log"));
  await delay(1000);
  const used = usageOf(child.pid).seconds - began;
  const memory = megabytesOf(child.pid, "VmHWM");
  await end(dump, take, child);
  const messages = readFileSync(taken, "latin1").trim().split("\n").slice(before).map(Number);
  const frames = [...readFileSync(seen, "latin1").matchAll(WATCHED.frame)].map(([, stamp]) => Number(stamp));
  const delays = messages.map((at, index) => (at - frames[index]) * 1e6).toSorted((a, b) => a - b);
  const part = (share) => quantile(delays, share);
  return {
    "% of the processor": (100 * used) / SECONDS,
    "frame to subscriber, median µs": part(0.5),
    "99 % µs": part(0.99),
    "MB at most": memory,
    "watched frames": frames.length,
    messages: messages.length,
  };
}

export async function openBus(folder) {
  // The guest cannot write to the checkout.
  buildPeer();
  if (!existsSync(`/sys/class/net/${INTERFACE}`)) {
    const { runInGuest } = await import("../test/guest/run.mjs");
    const command = ["sh", "-c", 'kill -STOP "$HUB_IDLE_PID"; exec node bench/run.mjs bus'];
    const environment = { BENCH_SECONDS: String(SECONDS), BENCH_ROUNDS: process.env.BENCH_ROUNDS ?? "5" };
    process.exitCode = await runInGuest(command, { timeout: 7200, environment });
    return;
  }
  const broker = await startMosquitto(folder);
  if (broker === undefined) throw new Error("no Mosquitto installed");
  await delay(1000);
  await traffic(join(folder, "probe.log"), 1);
  await traffic(join(folder, "warm.log"), WARM_UP_SECONDS);
  await traffic(join(folder, "load.log"), SECONDS);
  return {
    inputs: [{ name: `${FULL_BUS} frames a second for ${SECONDS} s` }],
    programs: {
      "hub-cand": () => measure(startHub, broker, folder),
      canboatjs: () => measure(startPeer, broker, folder),
    },
    close: () => broker.close(),
  };
}

/**
 * `node bench/link.mjs`: what hub-link costs while the simulated voyage goes on and its clients read: share of one core, peak of
 * memory, and what it sends. Needs Mosquitto. BENCH_SECONDS is the length of a run (30), BENCH_CLIENTS are numbers of clients of NMEA
 * 0183 and of Signal K (0+0,100+0,0+20,100+20).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { megabytesOf } from "./process.mjs";

const seconds = Number(process.env.BENCH_SECONDS ?? 30);
const counts = (process.env.BENCH_CLIENTS ?? "0+0,100+0,0+20,100+20")
  .split(",")
  .map((text) => /** @type {[number, number]} */ (text.split("+").map(Number)));
/** After the start, which takes as much as minutes of the rest. */
const WARM_UP_MS = 5000;
const TICKS_A_SECOND = 100;

const dist = (name) => fileURLToPath(new URL(`../dist/${name}.mjs`, import.meta.url));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Seconds of CPU time of a process so far. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function connected(port) {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      await delay(50);
    }
  }
}

/** Starts hub-link with the flags of its first line, as a boat does. */
function startLink(brokerPort, nmea0183, signalK) {
  const [, flags] = /^#!\/usr\/bin\/env -S node (.*)\n/.exec(readFileSync(dist("hub-link"), "utf8")) ?? [];
  const outlets = ["--nmea0183", String(nmea0183), "--signalk", String(signalK)];
  return spawn(
    process.execPath,
    [...(flags ?? "").split(" "), dist("hub-link"), "--broker", `mqtt://127.0.0.1:${brokerPort}`, ...outlets],
    { stdio: "ignore" },
  );
}

/** The bytes that the clients of a kind received, and the function that ends them. */
async function openClients(count, open) {
  const counter = { bytes: 0 };
  const closers = [];
  for (let opened = 0; opened < count; opened++) closers.push(await open((bytes) => (counter.bytes += bytes)));
  return { counter, close: () => void closers.map((close) => close()) };
}

async function lineClient(port, onBytes) {
  const socket = await connected(port);
  socket.on("data", ({ length }) => onBytes(length));
  return () => socket.destroy();
}

async function signalKClient(port, onBytes) {
  (await connected(port)).destroy();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?subscribe=all`);
  socket.on("message", (/** @type {Buffer} */ { length }) => onBytes(length));
  await once(socket, "open");
  return () => socket.terminate();
}

async function measure(brokerPort, [lines, streams]) {
  const [nmea0183, signalK] = [await freePort(), await freePort()];
  const link = startLink(brokerPort, nmea0183, signalK);
  const lineClients = await openClients(lines, (onBytes) => lineClient(nmea0183, onBytes));
  const streamClients = await openClients(streams, (onBytes) => signalKClient(signalK, onBytes));
  await delay(WARM_UP_MS);
  const [cpu, begin] = [cpuOf(link.pid), performance.now()];
  for (const { counter } of [lineClients, streamClients]) counter.bytes = 0;
  await delay(seconds * 1000);
  const elapsed = (performance.now() - begin) / 1000;
  const share = (100 * (cpuOf(link.pid) - cpu)) / elapsed;
  const peak = megabytesOf(link.pid, "VmHWM");
  const rateOf = ({ counter }, clients) => (counter.bytes / elapsed / Math.max(1, clients)).toFixed(0);
  for (const { close } of [lineClients, streamClients]) close();
  link.kill();
  await once(link, "exit");
  return [share.toFixed(2), peak.toFixed(1), rateOf(lineClients, lines), rateOf(streamClients, streams)];
}

const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
const brokerPort = await freePort();
writeFileSync(join(folder, "conf"), `listener ${brokerPort} 127.0.0.1\nallow_anonymous true\nuser root\n`);
const environment = { PATH: `${process.env.PATH}:/usr/sbin` };
const broker = spawn("mosquitto", ["-c", join(folder, "conf")], { env: environment, stdio: "ignore" });
const boat = spawn(process.execPath, [dist("hub-cand"), "--simulate", "--broker", `mqtt://127.0.0.1:${brokerPort}`], {
  stdio: "ignore",
});
const columns = ["clients", "% of a core", "peak MB", "NMEA 0183, bytes/s", "Signal K, bytes/s a client"];
console.log(columns.join("   "));
for (const count of counts) {
  const cells = [count.join("+"), ...(await measure(brokerPort, count))];
  console.log(cells.map((cell, index) => cell.padStart(columns[index]?.length ?? 0)).join("   "));
}
boat.kill();
broker.kill();
rmSync(folder, { recursive: true });

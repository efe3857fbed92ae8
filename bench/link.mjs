/**
 * `node bench/link.mjs`: what hub-link costs while the simulated voyage goes on and its clients read: share of one core, peak of
 * memory, and what it sends. Needs Mosquitto. BENCH_SECONDS is the length of a run (30), BENCH_CLIENTS their numbers (0,1,100).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { megabytesOf } from "./process.mjs";

const seconds = Number(process.env.BENCH_SECONDS ?? 30);
const counts = (process.env.BENCH_CLIENTS ?? "0,1,100").split(",").map(Number);
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
function startLink(brokerPort, port) {
  const [, flags] = /^#!\/usr\/bin\/env -S node (.*)\n/.exec(readFileSync(dist("hub-link"), "utf8")) ?? [];
  const options = ["--broker", `mqtt://127.0.0.1:${brokerPort}`, "--nmea0183", String(port)];
  return spawn(process.execPath, [...(flags ?? "").split(" "), dist("hub-link"), ...options], { stdio: "ignore" });
}

async function measure(brokerPort, clients) {
  const port = await freePort();
  const link = startLink(brokerPort, port);
  let received = 0;
  const sockets = [await connected(port)];
  if (clients === 0) sockets.pop()?.destroy();
  while (sockets.length < clients) sockets.push(await connected(port));
  for (const socket of sockets) socket.on("data", ({ length }) => (received += length));
  await delay(WARM_UP_MS);
  const [cpu, bytes, begin] = [cpuOf(link.pid), received, performance.now()];
  await delay(seconds * 1000);
  const elapsed = (performance.now() - begin) / 1000;
  const share = (100 * (cpuOf(link.pid) - cpu)) / elapsed;
  const peak = megabytesOf(link.pid, "VmHWM");
  for (const socket of sockets) socket.destroy();
  link.kill();
  await once(link, "exit");
  return { clients, share, peak, rate: (received - bytes) / elapsed / Math.max(1, clients) };
}

const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
const brokerPort = await freePort();
writeFileSync(join(folder, "conf"), `listener ${brokerPort} 127.0.0.1\nallow_anonymous true\nuser root\n`);
const environment = { PATH: `${process.env.PATH}:/usr/sbin` };
const broker = spawn("mosquitto", ["-c", join(folder, "conf")], { env: environment, stdio: "ignore" });
const boat = spawn(process.execPath, [dist("hub-cand"), "--simulate", "--broker", `mqtt://127.0.0.1:${brokerPort}`], {
  stdio: "ignore",
});
console.log("clients   % of a core   peak MB   bytes/s a client");
for (const count of counts) {
  const { clients, share, peak, rate } = await measure(brokerPort, count);
  console.log(
    [
      String(clients).padStart(7),
      share.toFixed(2).padStart(13),
      peak.toFixed(1).padStart(9),
      rate.toFixed(0).padStart(18),
    ].join(""),
  );
}
boat.kill();
broker.kill();
rmSync(folder, { recursive: true });

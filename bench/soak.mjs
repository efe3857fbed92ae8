/**
 * 24 hours of bus time, compressed: does hub-cand grow? `npm run soak`; HUB_SOAK_HOURS for another number of hours.
 *
 *     node bench/soak.mjs            through --replay, then through a socket: of vcan0, or in the guest where there is none
 *     node bench/soak.mjs replay     only the first
 *     node bench/soak.mjs socket     only the second
 *
 * The bus carries ten minutes of the simulated voyage, over and over, with a clock that goes on. A replay takes them at full
 * speed; into the socket they go twenty times as fast as on a bus, or a ring would overflow. Several times an hour of bus time
 * the daemon's memory is read; what counts is the slope of a line through these readings, without the first quarter, in which
 * caches fill. Ends with 1 if it grows by 1 MB an hour of bus time or more.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { candumpText } from "../scripts/simulate.mjs";
import { ownFlags } from "./own-flags.mjs";
import { slope } from "./slope.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const hub = join(root, "dist/hub-cand.mjs");
const HOUR = 3600;
const BEGINNING = Date.UTC(2026, 10, 21) / 1000;
/** Length of what is repeated, seconds. */
const PIECE = 600;
/** How much faster than on a bus frames go into a socket. */
const COMPRESSION = 20;

/**
 * Left alone, V8 collects its old generation for the first time after hours of a bus, and garbage looks like growth. So it is
 * made to, again and again, and says what is left.
 */
const collecting = `data:text/javascript,
  setInterval(() => { gc(); console.error("heap", process.memoryUsage().heapUsed); }, 250).unref()`;

/** Megabytes an hour by which the readings grow, `resident` or `heap`, without their first quarter. */
export const growth = (readings, which) =>
  slope(readings.slice(readings.length >> 2).map((reading) => [reading.hour, reading[which]]));

/**
 * The bus second by second, for so many seconds: `{ second, count, text }`, text as `candump -L` writes it, its stamps
 * `compression` times as close.
 */
async function* seconds(count, compression = 1) {
  const { simulatedCandump } = await candumpText();
  const piece = Array.from({ length: PIECE }, () => []);
  for (const text of simulatedCandump(PIECE * 1000, 0, "vcan0")) {
    for (const line of text.split("\n")) {
      const stamp = /^\((\d+)\.(\d{6})\)(.*)$/.exec(line);
      if (stamp !== null) piece[Number(stamp[1])]?.push({ fraction: Number(stamp[2]) / 1e6, rest: stamp[3] });
    }
  }
  for (let second = 0; second < count; second++) {
    const frames = piece[second % PIECE];
    const stampOf = ({ fraction }) => (BEGINNING + (second + fraction) / compression).toFixed(6);
    yield {
      second,
      count: frames.length,
      text: frames.map((frame) => `(${stampOf(frame)})${frame.rest}\n`).join(""),
    };
  }
}

/** Megabytes of a daemon: what it has of the machine, and what its heap had when it was last collected. */
const memoryOf = ({ pid, heap }) => ({
  resident: Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024,
  heap: heap / 2 ** 20,
});

function startHub(args) {
  const child = spawn(
    process.execPath,
    [...ownFlags(hub), "--expose-gc", "--import", collecting, hub, ...args, "--stdout"],
    {
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  child.log = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("heap ")) child.heap = Number(line.slice(5));
    else child.log += `${line}\n`;
  });
  child.stdout.resume();
  return child;
}

/** Writes so many hours to `into`; gives how many frames that were, and the memory of `child`, `perHour` times an hour. */
async function pour(into, child, { hours, perHour, compression }) {
  const readings = [];
  const every = HOUR / perHour;
  let frames = 0;
  for await (const { second, count, text } of seconds(hours * HOUR, compression)) {
    frames += count;
    if (!into.write(text)) await once(into, "drain");
    if ((second + 1) % every === 0) readings.push({ hour: (second + 1) / HOUR, ...memoryOf(child) });
  }
  into.end();
  return { frames, readings };
}

/** What it has counted, by the last line of its log. */
const countedBy = (child) =>
  Object.fromEntries(
    [...(/ counted .*/.exec(child.log)?.[0] ?? "").matchAll(/(\w+)=(\d+)/g)].map(([, name, count]) => [
      name,
      Number(count),
    ]),
  );

/** So many hours of bus time through a replay. */
export async function replaySoak(hours, perHour = 6) {
  const child = startHub(["--replay", "-", "--speed", "0"]);
  const poured = await pour(child.stdin, child, { hours, perHour });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`hub-cand ended with ${code}: ${child.log}`);
  return { ...poured, counted: countedBy(child) };
}

/** So many hours of bus time through vcan0. */
export async function socketSoak(hours, perHour = 6) {
  const child = startHub(["-i", "vcan0", "-c", "/nonexistent"]);
  while (!child.log.includes("listening")) await once(child.stderr, "data");
  const player = spawn("canplayer", [], { stdio: ["pipe", "ignore", "inherit"] });
  const played = once(player, "close");
  const poured = await pour(player.stdin, child, { hours, perHour, compression: COMPRESSION });
  await played;
  // What is on its way gets there.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  child.kill("SIGTERM");
  await once(child, "close");
  return { ...poured, counted: countedBy(child) };
}

function tell(name, hours, { frames, counted, readings }) {
  const column = (megabytes) => `${megabytes.toFixed(1).padStart(7)} MB`;
  for (const { hour, resident, heap } of readings.filter(({ hour }) => Number.isInteger(hour))) {
    console.log(`${String(hour).padStart(4)} h ${column(resident)} resident ${column(heap)} heap`);
  }
  const lost = frames - counted.frames;
  console.log(
    `${name}: ${hours} h of bus time, ${frames} frames, ${lost} lost, ${counted.published} messages, ` +
      `${growth(readings, "resident").toFixed(3)} MB an hour resident, ${growth(readings, "heap").toFixed(3)} heap`,
  );
  if (lost > 0 || !(growth(readings, "resident") < 1)) process.exitCode = 1;
}

async function inGuest(hours) {
  const { runInGuest } = await import("../test/guest/run.mjs");
  const environment = { HUB_SOAK_HOURS: String(hours) };
  const command = ["sh", "-c", 'kill -STOP "$HUB_IDLE_PID"; exec node bench/soak.mjs socket'];
  process.exitCode ||= await runInGuest(command, { timeout: 24 * 3600, environment });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const hours = Number(process.env.HUB_SOAK_HOURS ?? 24);
  const which = process.argv[2];
  if (which !== "socket") tell("replay", hours, await replaySoak(hours));
  if (which !== "replay") {
    if (existsSync("/sys/class/net/vcan0")) tell("socket", hours, await socketSoak(hours));
    else await inGuest(hours);
  }
}

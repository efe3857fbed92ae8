/**
 * 24 hours of bus time, compressed, to see whether hub-cand grows: `npm run soak`; HUB_SOAK_HOURS sets another number
 * of hours.
 *
 *     node bench/soak.mjs            by --replay, then on a socket of vcan0, in a guest if there is none
 *     node bench/soak.mjs replay     only the first
 *     node bench/soak.mjs socket     only the second
 *
 * The bus repeats ten minutes of the simulated voyage, with continuous time stamps. A replay takes them at full speed;
 * on the socket they are sent as fast as the daemon follows. Several times an hour of bus time the memory and the
 * descriptors of the daemon are read; the result is the slope of a line through these readings, without the first
 * quarter, in which caches fill. Ends with 1 if a frame is lost, if descriptors increase, or if memory grows by 1 MB an
 * hour of bus time or more, which takes at least three hours to measure.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sourceModule } from "../scripts/bundle.mjs";
import { descriptorsOf, dist, megabytesOf, ownFlags } from "./process.mjs";
import { root, slope } from "./rounds.mjs";

const hub = dist("hub-cand");
const HOUR = 3600;
const BEGINNING = Date.UTC(2026, 10, 21) / 1000;
/** Length of the repeated part of the voyage, seconds. */
const PIECE_SECONDS = 600;
/** A frame that no other device sends, PGN 127501 of address 250, and its published message. */
const MARKER = { id: 0x0df20dfa, data: Buffer.from("00ffffffffffffff", "hex"), published: "/device/250/pgn/127501" };
/** Seconds of the bus that may be in transit: some 2500 frames, a quarter of what the socket buffer holds. */
const AHEAD_SECONDS = 8;

/**
 * V8 collects its old generation for the first time after hours of a bus, and until then garbage looks like growth. So
 * this module forces collections and reports the heap that remains.
 */
const collecting = `data:text/javascript,
  setInterval(() => { gc(); console.error("heap", process.memoryUsage().heapUsed); }, 250).unref()`;

/** Growth of a member of the readings per hour (`resident`, `heap`, `descriptors`), without their first part. */
export const growth = (readings, which, without = 1 / 4) =>
  slope(readings.slice(Math.floor(readings.length * without)).map((reading) => [reading.hour, reading[which]]));

/**
 * The frames of the voyage, or of its first `seconds` if it takes no more: a list per second of `{ fraction, rest, id,
 * data }`; `rest` is the line after its stamp.
 */
async function voyage(seconds) {
  const { simulatedCandump } = await sourceModule("src/services/simulation/candump-text.ts");
  const length = Math.ceil(Math.min(PIECE_SECONDS, seconds));
  const piece = Array.from({ length }, () => /** @type {object[]} */ ([]));
  for (const text of simulatedCandump(length * 1000, 0, "vcan0")) {
    for (const [, second, fraction, rest, id, data] of text.matchAll(/^\((\d+)(\.\d+)\)( \S+ (\w+)#(\w*))$/gm)) {
      const frame = { id: Number.parseInt(id, 16), data: Buffer.from(data, "hex") };
      piece[Number(second)]?.push({ fraction: Number(fraction), rest, ...frame });
    }
  }
  return piece;
}

/** State of a daemon: resident memory and heap after the last collection, megabytes; open descriptors. */
const stateOf = ({ pid, heap }) => ({
  resident: megabytesOf(pid, "VmRSS"),
  heap: heap / 2 ** 20,
  descriptors: descriptorsOf(pid),
});

function startHub(args) {
  const flags = [...ownFlags(hub), "--expose-gc", "--import", collecting];
  const child = Object.assign(
    spawn(process.execPath, [...flags, hub, ...args, "--stdout"], { stdio: ["pipe", "pipe", "pipe"] }),
    { log: "", collections: 0, heap: 0 },
  );
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("heap ")) [child.heap, child.collections] = [Number(line.slice(5)), child.collections + 1];
    else child.log += `${line}\n`;
  });
  return child;
}

/** Waits until the output is complete and garbage collected; otherwise the readings differ by tens of megabytes. */
async function atRest(child) {
  for (const enough = child.collections + 3; child.collections < enough; ) await once(child.stderr, "data");
}

/**
 * Runs a bus for a number of hours: `send` gets each second and its frames, and resolves when the next may be sent.
 * Resolves with the number of frames and the states of `child`, `perHour` times an hour.
 */
async function sail(send, child, { hours, perHour }) {
  const piece = await voyage(hours * HOUR);
  const readings = [];
  const every = HOUR / perHour;
  let frames = 0;
  for (let second = 0; second < hours * HOUR; second++) {
    const sent = piece[second % piece.length];
    frames += sent.length;
    await send(second, sent);
    if ((second + 1) % every !== 0) continue;
    await atRest(child);
    readings.push({ hour: (second + 1) / HOUR, ...stateOf(child) });
  }
  return { frames, readings };
}

/** The counters in the last line of its log. */
const countedBy = (child) =>
  Object.fromEntries(
    [...(/ counted .*/.exec(child.log)?.[0] ?? "").matchAll(/(\w+)=(\d+)/g)].map(([, name, count]) => [
      name,
      Number(count),
    ]),
  );

/** A number of hours of bus time by a replay. */
export async function replaySoak(hours, perHour = 6) {
  const child = startHub(["--replay", "-", "--speed", "0"]);
  child.stdout.resume();
  const write = async (second, frames) => {
    const stampOf = ({ fraction }) => (BEGINNING + second + fraction).toFixed(6);
    const text = frames.map((frame) => `(${stampOf(frame)})${frame.rest}\n`).join("");
    if (!child.stdin.write(text)) await once(child.stdin, "drain");
  };
  const sailed = await sail(write, child, { hours, perHour });
  child.stdin.end();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`hub-cand ended with ${code}: ${child.log}`);
  return { ...sailed, counted: countedBy(child) };
}

/** A sender on vcan0: the addon, opened to transmit. */
function sender() {
  const { CanBus } = createRequire(import.meta.url)(join(root, "build/Release/hub_can.node"));
  const bus = new CanBus({ fastPacketTable: new Uint32Array() });
  bus.open("vcan0", { wake() {}, transmit: true });
  return bus;
}

/** Counts the occurrences of a text in the output of the daemon; `passed` resolves at a number of them. */
function counterOf(stream, text) {
  const needle = Buffer.from(text);
  let [rest, count, wanted] = [Buffer.alloc(0), 0, 0];
  let tell = (_value) => {};
  stream.on("data", (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length)) count++;
    rest = bytes.subarray(Math.max(0, bytes.length - needle.length + 1));
    if (count >= wanted) tell(undefined);
  });
  return {
    passed: (number) =>
      new Promise((resolve) => {
        [wanted, tell] = [number, resolve];
        if (count >= wanted) resolve(undefined);
      }),
  };
}

/** A number of hours of bus time on vcan0. */
async function socketSoak(hours, perHour = Math.max(6, Math.ceil(3 / hours))) {
  const child = startHub(["-i", "vcan0", "-c", "/nonexistent"]);
  const markers = counterOf(child.stdout, MARKER.published);
  while (!child.log.includes("listening")) await once(child.stderr, "data");
  const bus = sender();
  while (bus.status().state !== "up") await new Promise((resolve) => setTimeout(resolve, 10));
  const send = (second, frames) => {
    for (const { id, data } of [...frames, MARKER]) {
      if (!bus.send(id, data)) throw new Error("vcan0 has gone");
    }
    return markers.passed(second + 1 - AHEAD_SECONDS);
  };
  const { frames, readings } = await sail(send, child, { hours, perHour });
  await markers.passed(hours * HOUR);
  bus.close();
  child.kill("SIGTERM");
  await once(child, "close");
  return { frames: frames + hours * HOUR, readings, counted: countedBy(child) };
}

function tell(name, hours, { frames, counted, readings }) {
  const column = (megabytes) => `${megabytes.toFixed(1).padStart(7)} MB`;
  for (const { hour, resident, heap, descriptors } of readings.filter(({ hour }) => Number.isInteger(hour))) {
    const [of, kept] = [column(resident), column(heap)];
    console.log(`${String(hour).padStart(4)} h ${of} resident ${kept} heap ${descriptors} descriptors`);
  }
  const lost = frames - counted.frames;
  const slopes = [0, 1 / 4, 1 / 2].map((without) =>
    ["resident", "heap", "descriptors"].map((which) => growth(readings, which, without).toFixed(3)).join(", "),
  );
  console.log(
    `${name}: ${hours} h of bus time, ${frames} frames, ${lost} lost, ${counted.published} messages; MB resident, MB heap,` +
      ` and descriptors an hour: ${slopes[0]}; without the first quarter ${slopes[1]}; second half ${slopes[2]}`,
  );
  const grows = hours >= 3 && !(growth(readings, "resident") < 1);
  if (lost !== 0 || grows || !(growth(readings, "descriptors") < 0.5)) process.exitCode = 1;
}

async function inGuest(hours) {
  const { runInGuest } = await import("../test/guest/run.mjs");
  const environment = { HUB_SOAK_HOURS: String(hours) };
  const command = ["node", "bench/soak.mjs", "socket"];
  process.exitCode ||= await runInGuest(command, { kind: "uml", timeout: 24 * 3600, environment });
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

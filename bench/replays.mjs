/**
 * Recordings through hub-cand, canboatjs and, where CANBOAT_BIN is the folder of canboat's C programs, those. Times are
 * CPU times of whole processes (user and system), start included. All output is read and counted, published messages
 * are counted by the broker.
 *
 * Frames are those of BENCH_RECORDING, or of the recordings can0-2 and can0-3 beside the checkout, repeated; without
 * them those of the simulated voyage. BENCH_LENGTHS changes the lengths, BENCH_FRAMES the frames of runs of one length.
 * BENCH_OTHER is another checkout, such as that of an older version, in which `npm run build` has run.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, createReadStream, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { dist, ownFlags, startMosquitto } from "./process.mjs";
import { exportsOf, root } from "./rounds.mjs";

/** Almost an hour of a full bus, so that the cost of the start does not hide that of a frame. */
const leastFrames = Number(process.env.BENCH_FRAMES ?? 6_000_000);
const lengths = (process.env.BENCH_LENGTHS ?? "20000,100000,500000,1000000,6000000").split(",").map(Number);

const replayBy = (program, file, ...output) => node(program, "--replay", file, "--speed", "0", ...output);
const hubCand = (file, ...output) => replayBy(dist("hub-cand"), file, ...output);
const canboatjs = (output, ...args) => node(join(root, `bench/peers/canboatjs-${output}.mjs`), ...args);

/**
 * The command of a script that writes its resource usage to descriptor 3.
 *
 * @returns {[string, string[]]}
 */
const node = (script, ...args) => [
  process.execPath,
  [...ownFlags(script), "--import", join(root, "bench/usage.mjs"), script, ...args],
];
/**
 * A command that reports the time of a shell and its children.
 *
 * @returns {[string, string[]]}
 */
const shell = (command, ...args) => ["bash", ["-c", `${command}; times >&3`, ...args]];

/**
 * CPU microseconds and megabytes: JSON of `usage.mjs`, or minutes and seconds of `times`, whose second line is of the
 * children.
 */
function usageIn(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const times = [...text.split("\n")[1].matchAll(/(\d+)m([\d.]+)s/g)];
  return { cpu: times.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1e6, 0) };
}

/**
 * Runs a program that reads `file`: CPU microseconds, peak memory in megabytes, lines and bytes that it printed, and
 * the texts in it that match. The file is read once before, because the page cache may have dropped it, at the expense
 * of the next reader.
 */
async function measure([command, args], file, pattern) {
  for await (const _chunk of createReadStream(file));
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const counted = { messages: 0, bytes: 0, found: new Set() };
  let [usage, errors, rest] = ["", "", ""];
  child.stdout?.on("data", (chunk) => {
    counted.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) counted.messages++;
    if (pattern === undefined) return;
    rest += chunk.toString("latin1");
    for (const [, found] of rest.matchAll(pattern)) counted.found.add(Number(found));
    rest = rest.slice(rest.lastIndexOf("\n") + 1);
  });
  child.stderr?.on("data", (chunk) => (errors += chunk));
  child.stdio[3]?.on("data", (chunk) => (usage += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${errors}`);
  return { ...usageIn(usage), ...counted };
}

/** The lines of the recordings, or of a simulated voyage that is written to `folder`. */
async function recording(folder) {
  const given = process.env.BENCH_RECORDING;
  const beside = ["2", "3"].map((number) => join(root, `../shared/recordings/can0-${number}.candump.log.gz`));
  const files = given === undefined ? beside : [given];
  const textOf = (file) =>
    (file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString("latin1");
  if (!files.every(existsSync)) {
    const { writeCandump } = await import("../scripts/simulate.mjs");
    files.splice(0, files.length, join(folder, "voyage.log"));
    await writeCandump(files[0], 100_000);
  }
  return files.flatMap((file) => textOf(file).trimEnd().split("\n"));
}

/** An input: the lines in a file, repeated until there are `minFrames`. */
function repeated(folder, name, lines, minFrames) {
  const file = join(folder, `${name}.log`);
  const text = `${lines.join("\n")}\n`;
  const times = Math.ceil(minFrames / lines.length);
  const out = openSync(file, "w");
  for (let time = 0; time < times; time++) writeSync(out, text);
  closeSync(out);
  const count = lines.length * times;
  return { name: `${name}, ${count} frames`, file, count };
}

/** The recording cut or repeated to about this many frames. */
function lengthened(folder, lines, frames) {
  const piece = lines.slice(0, frames);
  const input = repeated(folder, String(frames), piece, Math.round(frames / piece.length) * piece.length);
  return { ...input, name: `${input.count} frames` };
}

/** Inputs for equal work: the lines of PGNs that both print, and of these of those that feed no report of hub. */
async function equalWork(lines, folder) {
  const { aisPgns, fromCanId, navigatorDefinitions } = await exportsOf(`
    export { fromCanId } from "./src/core/can/can-id.ts";
    export { aisPgns } from "./src/core/nav/ais-messages.ts";
    export { navigatorDefinitions } from "./src/core/nav/messages.ts";`);
  const { file } = repeated(folder, "once", lines, 1);
  const own = await measure(hubCand(file, "--stdout"), file, /\/pgn\/(\d+)"/g);
  const theirs = await measure(canboatjs("stdout", file), file, /"pgn":(\d+)/g);
  const pgnOf = (line) => fromCanId(Number.parseInt(/ ([0-9A-F]+)#/i.exec(line)?.[1] ?? "0", 16)).pgn;
  const reported = new Set([...aisPgns, ...navigatorDefinitions].map(({ pgn }) => pgn));
  const ofBoth = lines.filter((line) => own.found.has(pgnOf(line)) && theirs.found.has(pgnOf(line)));
  return { ofBoth, ofNone: ofBoth.filter((line) => !reported.has(pgnOf(line))) };
}

const printing =
  (command) =>
  async ({ file, count }) => {
    const { cpu, memory = Number.NaN, messages, bytes } = await measure(command(file), file);
    return { "µs a frame": cpu / count, "MB at most": memory, messages, bytes };
  };
const printers = {
  "hub-cand": printing((file) => hubCand(file, "--stdout")),
  canboatjs: printing((file) => canboatjs("stdout", file)),
  ...(process.env.CANBOAT_BIN !== undefined && {
    "canboat in C": printing((file) =>
      shell('"$CANBOAT_BIN/candump2analyzer" <"$0" | "$CANBOAT_BIN/analyzer" -json', file),
    ),
  }),
};

export async function openLengths(folder) {
  const lines = await recording(folder);
  return { inputs: lengths.map((frames) => lengthened(folder, lines, frames)), programs: printers };
}

/** The decoder's package, made and unpacked as for its users, beside canboatjs; neither makes reports. */
export async function openDecoder(folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/decoder.mjs"), folder]);
  if (status !== 0) return console.log(`\nno package of the decoder: ${stderr}`);
  execFileSync("tar", ["-xzf", String(stdout).trim(), "-C", folder]);
  const decoder = join(root, "bench/peers/decoder-stdout.mjs");
  const lines = await recording(folder);
  return {
    inputs: [20_000, 1_000_000].map((frames) => lengthened(folder, lines, frames)),
    programs: {
      "hub-decoder": printing((file) => node(decoder, file, join(folder, "package/index.js"))),
      canboatjs: printers.canboatjs,
    },
  };
}

/** This checkout beside another one: the same frames to stdout, in turns. */
export async function openVersions(folder) {
  const other = process.env.BENCH_OTHER;
  if (other === undefined) return console.log("\nBENCH_OTHER names no other checkout: there is nothing to compare");
  const lines = await recording(folder);
  const program = join(resolve(other), "dist/hub-cand.mjs");
  return {
    inputs: [lengthened(folder, lines, Number(process.env.BENCH_FRAMES ?? 1_000_000))],
    programs: {
      "the other checkout": printing((file) => replayBy(program, file, "--stdout")),
      "this one": printers["hub-cand"],
    },
  };
}

export async function openEqual(folder) {
  const lines = await recording(folder);
  const { ofBoth, ofNone } = await equalWork(lines, folder);
  const inputs = [
    repeated(folder, "all", lines, leastFrames),
    repeated(folder, "PGNs of both", ofBoth, leastFrames / 2),
    repeated(folder, "PGNs of both that feed no report", ofNone, leastFrames / 2),
  ];
  return { inputs, programs: printers };
}

export async function openBroker(folder) {
  const broker = await startMosquitto(folder);
  if (broker === undefined) return console.log("\nno Mosquitto installed: the figures for MQTT are left out");
  const { default: mqtt } = await import("mqtt");
  const client = await mqtt.connectAsync(broker.url);
  const told = {};
  client.on("message", (topic, payload) => (told[topic.split("/")[3]] = Number(payload)));
  await client.subscribeAsync("$SYS/broker/publish/+/received");
  /** Messages and bytes of payload received so far. The broker publishes them every second if they have changed. */
  const received = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return { messages: told.messages ?? 0, bytes: told.bytes ?? 0 };
  };
  const publishing =
    (command) =>
    async ({ file }) => {
      const before = await received();
      const { cpu, memory } = await measure(command(file), file);
      const after = await received();
      const messages = after.messages - before.messages;
      return { "µs a message": cpu / messages, "MB at most": memory, messages, bytes: after.bytes - before.bytes };
    };
  const lines = await recording(folder);
  const { ofNone } = await equalWork(lines, folder);
  return {
    inputs: [
      repeated(folder, "all", lines, leastFrames / 2),
      repeated(folder, "PGNs of both that feed no report", ofNone, leastFrames / 2),
    ],
    programs: {
      "hub-cand": publishing((file) => hubCand(file, "--broker", broker.url)),
      canboatjs: publishing((file) => canboatjs("mqtt", file, broker.url)),
    },
    async close() {
      client.end(true);
      await broker.close();
    },
  };
}

/** A thousand times more: with linear growth each frame costs the same, apart from the start. */
export async function openFrames(folder) {
  const lines = await recording(folder);
  const print = async (input) => {
    const { "µs a frame": cost, ...more } = await printers["hub-cand"](input);
    return { "CPU µs": cost * input.count, ...more };
  };
  const inputs = [1e3, 1e4, 1e5, 1e6].map((frames) => lengthened(folder, lines, frames));
  return { inputs, programs: { "hub-cand": print }, growth: "µs each frame more" };
}

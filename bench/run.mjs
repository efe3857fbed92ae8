/**
 * `npm run bench`: hub-cand and canboatjs on the same frames, in turn within one run, several rounds.
 *
 * Times are CPU times of whole processes (user and system), start included. Output of both sides is read and counted, published
 * messages are counted by the broker. Frames: the recordings can0-2 and can0-3 beside the checkout, repeated; without them the
 * simulated voyage. Runs with fewer frames compare equal work: only PGNs that both sides publish, and of these only those that
 * no report of hub uses.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hub, measure, recording, repeated, start } from "./replays.mjs";
import { compare, exportsOf, freePort, root } from "./rounds.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Almost an hour of a full bus, so that the cost of the start does not hide that of a frame. */
const leastFrames = Number(process.env.BENCH_FRAMES ?? 6_000_000);
/** `stdout` or `broker`: only that part. */
const isWanted = (part) => (process.env.BENCH_ONLY ?? part) === part;
const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
const peer = (name) => join(root, `bench/peers/canboatjs-${name}.mjs`);

const { aisPgns, fromCanId, navigatorDefinitions } = await exportsOf(`
  export { fromCanId } from "./src/n2k/can-id.ts";
  export { aisPgns } from "./src/nav/ais-messages.ts";
  export { navigatorDefinitions } from "./src/nav/messages.ts";`);

/** The PGNs in the output of a script for a file; `pgnOf` matches one in a line. */
async function pgnsOf(script, args, pgnOf) {
  const child = start(script, args, ["ignore", "pipe", "ignore", "ignore"]);
  const pgns = new Set();
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pgnOf.exec(line);
    if (found !== null) pgns.add(Number(found[1]));
  }
  return pgns;
}

const pgnOfLine = (line) => fromCanId(Number.parseInt(/ ([0-9A-F]+)#/i.exec(line)?.[1] ?? "0", 16)).pgn;

const onStdout = (what, { file, count }, goal) => {
  const perFrame = async (run) => {
    const { cpu, memory, messages, bytes } = await run;
    return { value: cpu / count, "MB at most": memory, messages, bytes };
  };
  return compare(
    `CPU per frame, candump -L to JSON lines on stdout: ${what}, ${count} frames`,
    {
      "hub-cand": () => perFrame(measure(hub, ["--replay", file, "--speed", "0", "--stdout"], file)),
      canboatjs: () => perFrame(measure(peer("stdout"), [file], file)),
    },
    { rounds, unit: "µs", goal, ratio: (own, other) => other / own },
  );
};

/** Mosquitto on a port of its own, with counters of published messages; undefined if it is not installed. */
async function mosquitto() {
  const port = await freePort();
  const config = join(folder, "mosquitto.conf");
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\nsys_interval 1\n`);
  const child = spawn("mosquitto", ["-c", config], { stdio: "ignore" });
  if (await new Promise((resolve) => child.on("error", () => resolve(true)).on("spawn", () => resolve(false)))) return;
  const { default: mqtt } = await import("mqtt");
  const url = `mqtt://127.0.0.1:${port}`;
  const client = await mqtt.connectAsync(url);
  const told = {};
  client.on("message", (topic, payload) => (told[topic.split("/")[3]] = Number(payload)));
  await client.subscribeAsync("$SYS/broker/publish/+/received");
  return {
    url,
    /** Messages and bytes of payload received so far. The broker publishes them every second if they have changed. */
    async received() {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      return { messages: told.messages ?? 0, bytes: told.bytes ?? 0 };
    },
    stop() {
      client.end(true);
      child.kill();
    },
  };
}

const onBroker = (what, { file, count }, broker, goal) => {
  const perMessage = async (run) => {
    const before = await broker.received();
    const { cpu, memory } = await run();
    const after = await broker.received();
    const messages = after.messages - before.messages;
    return { value: cpu / messages, "MB at most": memory, messages, bytes: after.bytes - before.bytes };
  };
  return compare(
    `CPU per message to Mosquitto, topic per source and PGN, QoS 0: ${what}, ${count} frames`,
    {
      "hub-cand": () =>
        perMessage(() => measure(hub, ["--replay", file, "--speed", "0", "--broker", broker.url], file)),
      canboatjs: () => perMessage(() => measure(peer("mqtt"), [file, broker.url], file)),
    },
    { rounds, unit: "µs", goal, ratio: (own, other) => other / own },
  );
};

try {
  const { lines, from } = await recording(folder);
  const once = repeated(join(folder, "once.log"), lines, 1);
  const [own, others] = await Promise.all([
    pgnsOf(hub, ["--replay", once.file, "--speed", "0", "--stdout"], /\/pgn\/(\d+)"/),
    pgnsOf(peer("stdout"), [once.file], /"pgn":(\d+)/),
  ]);
  const reported = new Set([...aisPgns, ...navigatorDefinitions].map(({ pgn }) => pgn));
  const ofBoth = lines.filter((line) => own.has(pgnOfLine(line)) && others.has(pgnOfLine(line)));
  const ofNone = ofBoth.filter((line) => !reported.has(pgnOfLine(line)));
  console.log(`${from}, Node ${process.version}; PGNs published: hub ${own.size}, canboatjs ${others.size}`);

  const all = repeated(join(folder, "all.log"), lines, leastFrames);
  const both = repeated(join(folder, "both.log"), ofBoth, leastFrames / 2);
  const plain = repeated(join(folder, "plain.log"), ofNone, leastFrames / 2);
  if (isWanted("stdout")) {
    await onStdout("all frames", all, "goal 10 times less");
    await onStdout("PGNs of both", both, "the same messages, and the reports");
    await onStdout("PGNs of both that feed no report", plain, "the same messages");
  }
  const broker = isWanted("broker") ? await mosquitto() : undefined;
  if (broker === undefined) {
    if (isWanted("broker")) console.log("\nno Mosquitto installed: the figures for MQTT are left out");
  } else {
    await onBroker(
      "all frames",
      repeated(join(folder, "broker.log"), lines, leastFrames / 2),
      broker,
      "goal 6 times less",
    );
    await onBroker("PGNs of both that feed no report", plain, broker, "the same messages");
    broker.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}

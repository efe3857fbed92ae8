/**
 * `npm run bench`: hub-cand and canboatjs on the same frames, in turn within one run, several rounds; where CANBOAT_BIN is the folder
 * of canboat's C programs, those too.
 *
 * Times are CPU times of whole processes (user and system), start included, so the first table has runs of several lengths.
 * Output of both sides is read and counted, published messages are counted by the broker. Frames: the recordings can0-2 and
 * can0-3 beside the checkout, repeated; without them the simulated voyage. Two more runs compare equal work: only PGNs that both
 * sides publish, and of these only those that no report of hub uses.
 *
 * BENCH_ONLY (`lengths`, `equal` or `broker`) runs a part alone, BENCH_LENGTHS changes the lengths, BENCH_FRAMES the frames of
 * the other parts, BENCH_ROUNDS the rounds.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hub, measure, measureCommand, recording, repeated, start } from "./replays.mjs";
import { compare, exportsOf, freePort, inTurns, median, printTable, root } from "./rounds.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Almost an hour of a full bus, so that the cost of the start does not hide that of a frame. */
const leastFrames = Number(process.env.BENCH_FRAMES ?? 6_000_000);
const lengths = (process.env.BENCH_LENGTHS ?? "20000,100000,500000,1000000,6000000").split(",").map(Number);
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

/** The programs that print what a recording says, each on standard output; canboat's in C only where they are. */
const printers = {
  "hub-cand": (file) => measure(hub, ["--replay", file, "--speed", "0", "--stdout"], file),
  canboatjs: (file) => measure(peer("stdout"), [file], file),
  ...(process.env.CANBOAT_BIN !== undefined && {
    "canboat in C": (file) =>
      measureCommand('"$CANBOAT_BIN/candump2analyzer" <"$0" | "$CANBOAT_BIN/analyzer" -json', file),
  }),
};

/** The factor by which hub-cand takes less than the others, for recordings of several lengths, all within one run. */
async function ofLengths(lines) {
  const [own, ...others] = Object.keys(printers);
  const files = lengths.map((wanted) => {
    const piece = lines.slice(0, wanted);
    return repeated(join(folder, `${wanted}.log`), piece, Math.round(wanted / piece.length) * piece.length);
  });
  const sides = files.flatMap((recorded) => Object.keys(printers).map((name) => ({ name, ...recorded })));
  const results = await inTurns(
    sides,
    { rounds },
    async ({ name, file, count }) => (await printers[name](file)).cpu / count,
  );
  console.log(
    `\nCPU a frame, candump -L to JSON lines on stdout, ${rounds} rounds, medians; goal 6 times at a million, 10 at six`,
  );
  const resultsOf = (program, recorded) =>
    results[sides.findIndex(({ name, file }) => name === program && file === recorded)];
  printTable(
    files.map(({ file, count }) => {
      const mine = resultsOf(own, file);
      const row = { frames: String(count), [own]: `${median(mine).toFixed(2)} µs` };
      for (const name of others) {
        const theirs = resultsOf(name, file);
        const ratios = theirs.map((value, round) => value / mine[round]);
        const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(1));
        row[name] = `${median(theirs).toFixed(2)} µs`;
        row[`${name}: times`] = `${median(ratios).toFixed(1)} (${least} to ${most})`;
      }
      return row;
    }),
  );
}

const onStdout = (what, { file, count }, goal) => {
  const perFrame = async (run) => {
    const { cpu, memory, messages, bytes } = await run;
    return { value: cpu / count, "MB at most": memory, messages, bytes };
  };
  return compare(
    `CPU per frame, candump -L to JSON lines on stdout: ${what}, ${count} frames`,
    {
      "hub-cand": () => perFrame(printers["hub-cand"](file)),
      canboatjs: () => perFrame(printers.canboatjs(file)),
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

  if (isWanted("lengths")) await ofLengths(lines);
  const both = repeated(join(folder, "both.log"), ofBoth, leastFrames / 2);
  const plain = repeated(join(folder, "plain.log"), ofNone, leastFrames / 2);
  if (isWanted("equal")) {
    await onStdout("all frames", repeated(join(folder, "all.log"), lines, leastFrames), "goal 10 times less");
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

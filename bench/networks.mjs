/**
 * hub-cand on a full NMEA 2000 bus, alone and with an AIS receiver beside it that uses the whole of 38,400 baud: share
 * of one core, and messages lost. Both come by TCP from this process: frames as Yacht Devices RAW, sentences of position
 * reports (ITU-R M.1371, message 1) of as many ships as fit. Needs Mosquitto. BENCH_SECONDS is the length of a run (30).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { sourceModule } from "../scripts/bundle.mjs";
import { FULL_BUS } from "./bus.mjs";
import { dist, end, megabytesOf, startMosquitto, startNode, usageOf } from "./process.mjs";
import { exportsOf, freePort } from "./rounds.mjs";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const WARM_UP_SECONDS = 15;
/** Characters a second at 38,400 baud, of ten bits each. */
const CHARACTERS = 3840;
/** Time between two pieces that are sent. */
const STEP_MS = 20;
const POSITION_REPORT = 129038;

/** Serves lines to one client, `perSecond` of them, until it is stopped. */
async function serve(lines, perSecond) {
  const port = await freePort();
  let sent = 0;
  let timer;
  const server = createServer((socket) => {
    const began = performance.now();
    timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
      let text = "";
      for (; sent < due; sent++) text += lines[sent % lines.length];
      socket.write(text);
    }, STEP_MS);
    socket.on("error", () => {});
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port,
    /** Stops, and returns the number of lines sent. */
    stop() {
      clearInterval(timer);
      server.close();
      return sent;
    },
  };
}

/** Two seconds of the voyage as lines of Yacht Devices RAW. */
export async function fullBus() {
  const { simulatedCandump } = await sourceModule("src/services/simulation/candump-text.ts");
  const lines = [];
  for (const text of simulatedCandump(Number.POSITIVE_INFINITY, 0)) {
    for (const [, identifier, data] of text.matchAll(/ (\w{8})#(\w*)$/gm))
      lines.push(`00:00:00.000 R ${identifier} ${data.match(/../g)?.join(" ") ?? ""}\r\n`);
    if (lines.length >= FULL_BUS * 2) break;
  }
  return lines;
}

/** Position reports of 300 ships, a sentence each. */
async function sentences() {
  const { VdmEncoder } = await exportsOf(`export { VdmEncoder } from "./src/formats/nmea0183/vdm.ts";`);
  const encoder = new VdmEncoder();
  return Array.from({ length: 300 }, (_, ship) => {
    const [latitude, longitude] = [52 + ship / 1000, 4 + ship / 1000];
    const report = { messageId: 1, mmsi: 244_000_000 + ship, latitude, longitude, cogDeg: ship, sogMs: 5 };
    return encoder.encode(POSITION_REPORT, report, 0);
  });
}

async function measure(broker, buses) {
  // The ships of the voyage have addresses below 256.
  const reports = spawn("mosquitto_sub", [
    "-p",
    String(broker.port),
    "-F",
    "%t",
    "-t",
    `can/+/device/+/pgn/${POSITION_REPORT}`,
  ]);
  let heard = 0;
  createInterface({ input: reports.stdout }).on("line", (topic) => {
    if (Number(topic.split("/")[3]) >= 256) heard++;
  });
  const servers = await Promise.all(buses.map(({ lines, perSecond }) => serve(lines, perSecond)));
  const [first, ...also] = buses.map(({ scheme }, index) => `${scheme}://127.0.0.1:${servers[index].port}`);
  const networks = ["-s", first, ...also.flatMap((url) => ["--also", url])];
  const args = ["-i", "boat", "-c", "/nonexistent", "-b", broker.url, ...networks];
  const child = startNode(dist("hub-cand"), args, "ignore");
  await delay(WARM_UP_SECONDS * 1000);
  const began = usageOf(child.pid).seconds;
  await delay(SECONDS * 1000);
  const used = usageOf(child.pid).seconds - began;
  const [, sent] = servers.map((server) => server.stop());
  await delay(1000);
  const memory = megabytesOf(child.pid, "VmHWM");
  await end(child, reports);
  return {
    "% of a core": (100 * used) / SECONDS,
    "reports sent": sent ?? 0,
    "of them lost": (sent ?? 0) - heard,
    "MB at most": memory,
  };
}

export async function openNetworks(folder) {
  const broker = await startMosquitto(folder);
  if (broker === undefined) throw new Error("no Mosquitto installed");
  const bus = { scheme: "yd-raw+tcp", lines: await fullBus(), perSecond: FULL_BUS };
  const reports = await sentences();
  const characters = reports.reduce((sum, { length }) => sum + length, 0);
  const receiver = { scheme: "nmea0183+tcp", lines: reports, perSecond: (CHARACTERS * reports.length) / characters };
  return {
    inputs: [{ name: `${SECONDS} s` }],
    programs: {
      "a full bus": () => measure(broker, [bus]),
      "with an AIS receiver": () => measure(broker, [bus, receiver]),
    },
    close: () => broker.close(),
  };
}

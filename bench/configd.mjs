/**
 * `node bench/configd.mjs`: hub-configd and a bare Node server that does the same, in turn within one run, several
 * rounds.
 *
 * The bare server, started with the V8 flags of hub-configd, sends the same headers and body, kept in memory or read
 * for each request, and closes the connection. For GET the server's CPU time counts, in many short rounds, so that
 * other load falls on both sides alike. Wall clock times are measured in this process, which is part of every figure on
 * both sides; load on the machine makes them longer.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { megabytesOf } from "./process.mjs";
import { compare } from "./rounds.mjs";
import { cpuOf, durableWrite, each, get, headersOf, mediaOf, put, raw, startBare, startConfigd } from "./servers.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Requests in a round of GET, and before the first one, for the compiler. */
const requests = Number(process.env.BENCH_REQUESTS ?? 1000);
const warmUp = 5000;
const folder = mkdtempSync(join(tmpdir(), "hub-bench-configd-"));

/** An HTTP server that writes the text of its argument for each PUT. */
const bareWriter = `
const { open, rename } = require("node:fs/promises");
const [, port, folder, text] = process.argv;
${durableWrite}
require("node:http").createServer((request, response) => {
  request.resume().on("end", async () => {
    if (request.method === "PUT") await durableWrite(folder, folder + "/bare-server.json", text);
    response.shouldKeepAlive = false;
    response.end("ok");
  });
}).listen(Number(port), "127.0.0.1");
`;

const bare = `
const { readFileSync } = require("node:fs");
const [, port, file, headers = "[]", isReadEachTime] = process.argv;
const bytes = file ? readFileSync(file) : Buffer.from("ok");
const list = JSON.parse(headers);
require("node:http").createServer((request, response) => {
  response.shouldKeepAlive = false;
  response.removeHeader("Content-Length");
  response.removeHeader("Transfer-Encoding");
  response.writeHead(200, list);
  response.end(isReadEachTime ? readFileSync(file) : bytes);
}).listen(Number(port), "127.0.0.1");
`;

const startDaemon = () => startConfigd(folder);
const startReader = (...args) => startBare(bare, ...args);
const startWriter = (text) => startBare(bareWriter, folder, text);

const memoryOf = ({ child }) => megabytesOf(child.pid, "VmRSS");

/** Compares sides that return a number, or one as `value` and more by name. */
const beside = (title, unit, sides, goal, times = rounds) => {
  const measured = (side) => async () => {
    const value = await side();
    return typeof value === "number" ? { value } : value;
  };
  return compare(title, Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, measured(side)])), {
    rounds: times,
    unit,
    goal,
  });
};

/** Requests per second of the server's CPU time, eight at a time: its rate on a core of its own. */
async function rate(server, text, requests) {
  const begin = cpuOf(server);
  let left = requests;
  const client = async () => {
    while (left-- > 0) if ((await raw(server.port, text)) === 0) throw new Error("no answer");
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return requests / (cpuOf(server) - begin);
}

const entry = (n) => ({ name: `sensor-${n}`, unit: "cm", min: 0, max: 100 + n, comment: "between tank and keel" });
const boat = { uid: "u", name: "Hull 42", sensor: Array.from({ length: 40 }, (_, n) => entry(n)) };
try {
  console.log(`Node ${process.version}`);
  mkdirSync(join(folder, "configuration"));
  const small = join(folder, "configuration/small.json");
  const large = join(folder, "configuration/large.json");
  writeFileSync(small, `${JSON.stringify(boat, null, 2)}\n`);
  writeFileSync(join(folder, "deploy.json"), readFileSync(small));
  writeFileSync(large, `${JSON.stringify({ ...boat, media: [mediaOf(50_000_000)] }, null, 2)}\n`);

  const starting = (launch, figure) => async () => {
    const server = await launch();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const value = figure(server);
    await server.stop();
    return value;
  };
  const milliseconds = ({ listening, answered, cpu }) => ({
    value: listening,
    "to the first answer": answered,
    "of CPU": cpu * 1000,
  });
  const sides = (figure) => ({ "hub-configd": starting(startDaemon, figure), bare: starting(startReader, figure) });
  await beside("start to listening", "ms", sides(milliseconds), "less is better, goal 2");
  await beside("resident memory, idle", "MB", sides(memoryOf), "less is better, goal 65 MB");

  const configd = await startDaemon();
  for (const path of ["/deploy", "/project/small"]) {
    const text = get(path);
    const headers = JSON.stringify(await headersOf(configd.port, text));
    const sides = {
      "hub-configd": configd,
      bare: await startReader(small, headers),
      "bare, reading": await startReader(small, headers, "each time"),
    };
    const lengths = new Set(await Promise.all(Object.values(sides).map(({ port }) => raw(port, text))));
    if (lengths.size !== 1) throw new Error(`answers of different lengths: ${[...lengths]}`);
    for (const server of Object.values(sides)) await rate(server, text, warmUp);
    await beside(
      `GET ${path}, ${[...lengths]} bytes`,
      "requests/s of CPU",
      Object.fromEntries(
        Object.entries(sides).map(([name, server]) => [
          name,
          async () => {
            const value = await rate(server, text, requests);
            return { value, "µs each": 1e6 / value };
          },
        ]),
      ),
      "more is better, goal 0.4",
      rounds * 5,
    );
    await sides.bare.stop();
    await sides["bare, reading"].stop();
  }
  const text = JSON.stringify(boat, null, 2);
  const writer = await startWriter(text);
  await each(500, (n) => raw(configd.port, put("/project/small/sensor/x", `{"n": ${n}}`)));
  await beside(
    "durable PUT of one sensor",
    "ms",
    {
      "hub-configd": () =>
        each(200, (n) =>
          raw(configd.port, put("/project/small/sensor/x", JSON.stringify({ n, t: performance.now() }))),
        ),
      "system calls": () => each(200, () => durableWrite(folder, join(folder, "bare.json"), text)),
      "bare server": () => each(200, () => raw(writer.port, put("/", "{}"))),
    },
    "less is better, goal 2",
  );
  await writer.stop();
  await beside(
    "GET of one sensor beside 50 MB of media",
    "ms",
    {
      "hub-configd": () => each(3, () => raw(configd.port, get("/project/large/sensor/sensor-1"))),
      "reading and parsing it": () => each(3, () => JSON.parse(readFileSync(large, "utf8")).sensor.length),
      "reading it": () => each(3, () => readFileSync(large).length),
    },
    "less is better, goal 2",
  );
  await configd.stop();
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * `node bench/configd.mjs`: hub-configd beside bare Node doing the same, in turn within one run, several rounds.
 *
 * The bare server answers the same bytes, headers and body, kept or, as a service without memory has to, read anew each time,
 * and closes the connection. Of GET the server's CPU time counts, of many short rounds, so that what else the machine does falls
 * on both sides alike. Times of the wall clock are from this process, which is part of every figure; both sides carry it alike,
 * but a machine that is busy with something else makes them long.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare, freePort } from "./rounds.mjs";
import { cpuOf, each, get, headersOf, put, raw, start, startConfigd } from "./servers.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Requests a round of GET, and before the first one, so that what runs often is machine code. */
const requests = Number(process.env.BENCH_REQUESTS ?? 1000);
const warmUp = 5000;
const folder = mkdtempSync(join(tmpdir(), "hub-bench-configd-"));

/** The least that is durable: temporary file, its sync, rename, the folder's sync. */
const durableWrite = `async function durableWrite(folder, path, bytes) {
  const file = await open(path + ".tmp", "w", 0o644);
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(path + ".tmp", path);
  const directory = await open(folder, "r");
  await directory.sync();
  await directory.close();
}`;

/** What writes: an HTTP server that does so for each request, with what it was started with. */
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
const startBare = async (...args) => {
  const port = await freePort();
  return start(["-e", bare, String(port), ...args], port);
};

const startWriter = async (text) => {
  const port = await freePort();
  return start(["-e", bareWriter, String(port), folder, text], port);
};

const memoryOf = ({ child }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;

/** Sides that each give one number, or one as `value` and more by their names. */
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

/** Requests per second of the server's CPU, eight at a time: what it could answer if it had a core for itself. */
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
const film = { name: "film", metadata: {}, data: Buffer.alloc(50_000_000, "media").toString("base64") };

try {
  console.log(`Node ${process.version}`);
  mkdirSync(join(folder, "configuration"));
  const small = join(folder, "configuration/small.json");
  const large = join(folder, "configuration/large.json");
  writeFileSync(small, `${JSON.stringify(boat, null, 2)}\n`);
  writeFileSync(join(folder, "deploy.json"), readFileSync(small));
  writeFileSync(large, `${JSON.stringify({ ...boat, media: [film] }, null, 2)}\n`);

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
  const sides = (figure) => ({ "hub-configd": starting(startDaemon, figure), bare: starting(startBare, figure) });
  await beside("start to listening", "ms", sides(milliseconds), "less is better, goal 150 ms");
  await beside("resident memory, idle", "MB", sides(memoryOf), "less is better, goal 60 MB");

  const configd = await startDaemon();
  for (const path of ["/deploy", "/project/small"]) {
    const text = get(path);
    const headers = JSON.stringify(await headersOf(configd.port, text));
    const sides = {
      "hub-configd": configd,
      bare: await startBare(small, headers),
      "bare, reading": await startBare(small, headers, "each time"),
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
      "more is better, goal 0.8",
      rounds * 5,
    );
    await sides.bare.stop();
    await sides["bare, reading"].stop();
  }
  const text = JSON.stringify(boat, null, 2);
  const writer = await startWriter(text);
  const systemCalls = new Function("open", "rename", `return ${durableWrite}`)(open, rename);
  await each(500, (n) => raw(configd.port, put("/project/small/sensor/x", `{"n": ${n}}`)));
  await beside(
    "durable PUT of one sensor",
    "ms",
    {
      "hub-configd": () =>
        each(200, (n) =>
          raw(configd.port, put("/project/small/sensor/x", JSON.stringify({ n, t: performance.now() }))),
        ),
      "system calls": () => each(200, () => systemCalls(folder, join(folder, "bare.json"), text)),
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

/**
 * `node bench/fleet.mjs`: the cost of a boat for the cluster of a fleet. Three nodes with the packaged configuration on
 * loopback, TLS both ways, a program that reads all with QoS 1 and a session, and boats: connections of MQTT by QoS 1
 * with a session each, as Mosquitto's bridge makes them, with the messages of a real hub-cand.
 *
 * Printed are, by number of boats, the memory of each node and its CPU time at the pace of the lane of 60 seconds, and
 * the time to an acknowledgement; in the end the most messages a second, when 1000 boats send the next one as soon as
 * one is acknowledged. Generator and nodes share the machine. BENCH_BOATS are the numbers of boats, BENCH_SECONDS the
 * time of each measurement.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import mqtt from "mqtt";
import { descriptorsOf, megabytesOf, usageOf } from "./process.mjs";
import { printTable, root } from "./rounds.mjs";

const sizes = (process.env.BENCH_BOATS ?? "500 1000 2000").split(" ").map(Number);
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const NODES = 3;
/** Handshakes at a time. */
const AT_ONCE = 20;
/** Topics that the bridge publishes in a minute: one navigation report, health and devices twice. */
const LIST = ["navigation", "health", "devices", "health", "devices"];
const PACE_MS = 60_000 / LIST.length;
const [MQTT, CLIENTS, ROUTES, MONITOR, WEB] = [18830, 14220, 16220, 18220, 19000];

const folder = mkdtempSync(join(tmpdir(), "hub-bench-fleet-"));
const packaged = join(root, "packaging/fleet");
process.chdir(folder);

function certificates(...args) {
  const { status, stderr } = spawnSync("sh", [join(packaged, "certificates"), ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
const names = Array.from({ length: NODES }, (_, index) => `nats-${index + 1}.fleet.example`);
for (const name of names) certificates("node", name);
certificates("operators");
// All boats of the generator are one boat for the cluster, so that it may publish all topics below boats/load/.
certificates("boat", "load");
certificates("users");

/** The packaged file, with ports of loopback in place of names. */
function startNode(name, index) {
  const own = join(folder, `node-${index}`);
  mkdirSync(own);
  for (const file of readdirSync(join(folder, "nodes", name)))
    cpSync(join(folder, "nodes", name, file), join(own, file));
  cpSync("users.conf", join(own, "users.conf"));
  const routes = names.map((_, other) => `"tls://127.0.0.1:${ROUTES + other}"`).join("\n");
  const text = readFileSync(join(packaged, "nats-server.conf"), "utf8")
    .replaceAll("/etc/nats", own)
    .replaceAll("/var/lib/nats", join(own, "store"))
    .replaceAll("0.0.0.0:", "127.0.0.1:")
    .replace(/routes: \[[^\]]*\]/, `routes: [${routes}]`)
    .replace("advertise: $FLEET_NODE", "")
    .replace("verify_cert_and_check_known_urls: true", "")
    .replace(":4222", `:${CLIENTS + index}`)
    .replace(":6222", `:${ROUTES + index}`)
    .replace(":8222", `:${MONITOR + index}`)
    .replace(":8883", `:${MQTT + index}`)
    .replace(":9002", `:${WEB + index}`);
  writeFileSync(join(own, "nats-server.conf"), text);
  const child = spawn("nats-server", ["-c", join(own, "nats-server.conf")], {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, FLEET_NODE: name },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const node = { child, log: "" };
  child.stderr.on("data", (chunk) => {
    node.log += chunk;
  });
  return node;
}

/** The messages of a boat under way, from hub-cand itself. */
async function messagesOfBoat() {
  const bridge = spawn(process.execPath, [join(root, "dist/hub-cand.mjs"), "--simulate", "--lanes", "1", "--stdout"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  /** @type {Record<string, string>} */
  const found = {};
  let rest = "";
  for await (const chunk of bridge.stdout) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { topic, payload } = JSON.parse(line);
      // The first reports have no values yet.
      if (
        topic.endsWith("every/1/navigation") &&
        payload.data.position !== undefined &&
        payload.data.wind_true !== undefined
      )
        found.navigation = JSON.stringify(payload);
      if (topic.endsWith("can0/health")) found.health = JSON.stringify(payload);
      if (topic.endsWith("can0/devices") && payload.data.count > 10) found.devices = JSON.stringify(payload);
    }
    if (LIST.every((name) => found[name] !== undefined)) break;
  }
  bridge.kill("SIGKILL");
  return found;
}

const tls = {
  ca: readFileSync("ca.crt"),
  cert: readFileSync("boats/load/boat.crt"),
  key: readFileSync("boats/load/boat.key"),
  checkServerIdentity: () => undefined,
};

/** A length of MQTT: seven bits a byte. */
function lengthOf(bytes) {
  const digits = [];
  for (let left = bytes; ; ) {
    const digit = left & 127;
    left >>= 7;
    digits.push(left > 0 ? digit | 128 : digit);
    if (left === 0) return Buffer.from(digits);
  }
}
const text = (string) => Buffer.concat([Buffer.from([string.length >> 8, string.length & 255]), Buffer.from(string)]);
const packet = (type, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type]), lengthOf(body.length), body]);
};
/** A publication is retained and by QoS 1. */
const [CONNECT, PUBLISH] = [0x10, 0x33];

const times = [];
let acknowledged = 0;

/** A boat: a connection whose session is kept; `publish` resolves with the acknowledgement. */
async function openBoat(number, messages) {
  /** Handlers of answers, by the identifier of the packet; 0: the connection is accepted. */
  const answers = new Map();
  let [rest, next] = [Buffer.alloc(0), 1];
  const answerTo = (id) => new Promise((resolve) => answers.set(id, resolve));
  const socket = connectTls({ host: "127.0.0.1", port: MQTT + (number % NODES), ...tls });
  socket.on("error", (error) => console.error(`boat ${number}: ${error.message}`));
  socket.on("close", () => {
    throw new Error("a node has closed the connection of a boat");
  });
  // CONNACK without a session and code 0, and PUBACK: four bytes each, of which the last two are 0 or the identifier.
  socket.on("data", (chunk) => {
    for (rest = Buffer.concat([rest, chunk]); rest.length >= 4; rest = rest.subarray(4)) {
      const answer = answers.get(rest.readUInt16BE(2));
      if (answer === undefined) throw new Error(`packet ${rest.toString("hex")}`);
      answer();
    }
  });
  const accepted = answerTo(0);
  // Protocol level 4 is MQTT 3.1.1; no flag: the session is kept; a keepalive that outlasts the measurement.
  socket.write(packet(CONNECT, text("MQTT"), Buffer.from([4, 0, 0xff, 0xff]), text(`load-${number}`)));
  await accepted;
  return {
    async publish(name) {
      const id = next;
      next = (id % 65_535) + 1;
      const begin = performance.now();
      const done = answerTo(id);
      const topic = text(`boats/load/${number}/can/can0/${name}`);
      socket.write(packet(PUBLISH, topic, Buffer.from([id >> 8, id & 255]), Buffer.from(messages[name])));
      await done;
      acknowledged++;
      times.push(performance.now() - begin);
    },
    close: () =>
      socket
        .removeAllListeners()
        .on("error", () => {})
        .destroy(),
  };
}

const cpuOf = (pid) => usageOf(pid).seconds;
const average = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;
const atQuantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];

const nodes = names.map(startNode);
process.on("exit", () => {
  for (const { child } of nodes) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
while (!nodes.some(({ log }) => log.includes("JetStream cluster new metadata leader"))) await delay(100);
let reader;
let received = 0;
const operators = { cert: readFileSync("operators/operators.crt"), key: readFileSync("operators/operators.key") };
for (let isReading = false; !isReading; ) {
  reader = mqtt.connect({
    ...{ host: "127.0.0.1", port: MQTT, protocol: "mqtts", ...tls, ...operators },
    ...{ clientId: "reader", clean: false, reconnectPeriod: 0 },
  });
  reader.on("error", () => {});
  isReading = await new Promise((resolve) => {
    reader.on("close", () => resolve(false));
    reader.on("connect", () => reader.subscribe("boats/#", { qos: 1 }, (error) => resolve(error === null)));
  });
  if (!isReading) await delay(300);
}
reader.on("message", () => received++);
const messages = await messagesOfBoat();
console.log(
  Object.entries(messages)
    .map(([name, { length }]) => `${name} has ${length} bytes`)
    .join(", "),
);
const inNodes = (read) => nodes.map(({ child }) => read(child.pid));
const idle = average(inNodes((pid) => megabytesOf(pid, "VmRSS")));
const idleCpu = inNodes(cpuOf);
await delay(5000);
const idlePercent = inNodes(cpuOf).map((after, index) => (100 * (after - idleCpu[index])) / 5);
console.log(`idle, a node has ${idle.toFixed(0)} MB and takes ${average(idlePercent).toFixed(1)} % of a core`);
const boats = [];
const rows = [];
/** Sends for a time and returns its cost; `send` runs for each boat until `end`, monotonic milliseconds. */
async function measure(send, senders = boats) {
  times.length = 0;
  const [count, had, cpu, begin] = [acknowledged, received, inNodes(cpuOf), performance.now()];
  const end = begin + 1000 * seconds;
  await Promise.all(senders.map((boat) => send(boat, end)));
  const took = (performance.now() - begin) / 1000;
  const rate = (acknowledged - count) / took;
  const cores = inNodes(cpuOf).map((after, index) => (after - cpu[index]) / took);
  return {
    boats: String(boats.length),
    "MB a node": average(inNodes((pid) => megabytesOf(pid, "VmRSS"))).toFixed(0),
    "kB a boat and node": (
      (1024 * (average(inNodes((pid) => megabytesOf(pid, "VmRSS"))) - idle)) /
      boats.length
    ).toFixed(0),
    "files a node": average(inNodes(descriptorsOf)).toFixed(0),
    "messages/s": rate.toFixed(0),
    "received/s": ((received - had) / took).toFixed(0),
    "CPU of 3 nodes": `${(100 * cores.reduce((sum, one) => sum + one, 0)).toFixed(0)} %`,
    "CPU ms/message": ((1000 * cores.reduce((sum, one) => sum + one, 0)) / rate).toFixed(2),
    "ack ms": `${atQuantile(times, 0.5).toFixed(0)}, 99 %: ${atQuantile(times, 0.99).toFixed(0)}`,
  };
}
for (const size of sizes) {
  const [begin, cpu, had] = [performance.now(), inNodes(cpuOf), boats.length];
  const queue = Array.from({ length: size - had }, (_, index) => had + index);
  const work = async () => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      const boat = await openBoat(number, messages);
      for (const name of new Set(LIST)) await boat.publish(name);
      boats.push(boat);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const took = (performance.now() - begin) / 1000;
  const spent = inNodes(cpuOf).reduce((sum, after, index) => sum + after - cpu[index], 0);
  console.log(
    `${size - had} boats more: ${((size - had) / took).toFixed(0)} a second, ${((1000 * spent) / (size - had)).toFixed(1)} ms of the nodes each`,
  );
  rows.push(
    await measure(async (boat, end) => {
      await delay(Math.random() * Math.min(PACE_MS, 1000 * seconds));
      for (let turn = 0; performance.now() < end; turn++) {
        await boat.publish(LIST[turn % LIST.length]);
        await delay(Math.min(PACE_MS, Math.max(0, end - performance.now())));
      }
    }),
  );
}
console.log("\nat the pace of the list, five messages a minute and boat");
printTable(rows);
console.log("\nas fast as they are acknowledged");
printTable([
  await measure(
    async (boat, end) => {
      for (let turn = 0; performance.now() < end; turn++) await boat.publish(LIST[turn % LIST.length]);
    },
    boats.slice(0, 1000),
  ),
]);
for (const boat of boats) boat.close();
reader?.end(true);
process.exit();

/**
 * `npm start`, after the set-up: a broker unless one is running, the daemons connected to it, and the display. Ctrl-C
 * ends all.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectAsync } from "mqtt";
import { listen, startBroker } from "./broker.mjs";
import { serveDisplay } from "./serve-display.mjs";
import { runServices } from "./services.mjs";
import { root } from "./setup.mjs";

/** Folder of the projects of hub-configd. */
const folder = join(root, ".hub");
/** Folder of the boat's own charts. */
const charts = join(folder, "charts");

/**
 * The services: `args` of Node, or of `command`, for the URL of the broker; `says` describes it to the user, `close`
 * cleans up after it.
 */
async function services() {
  const [nmea0183, signalK] = [await firstFree(10110), await firstFree(3000)];
  const history = await historyServices();
  return [
    {
      name: "hub-cand",
      says: "a simulated voyage as can/can0/…",
      args: (broker) => [
        join(root, "dist/hub-cand.mjs"),
        ...["--simulate", "--broker", broker, "--config", join(folder, "deploy.json")],
        ...(history.length > 1 ? ["--lanes", "10"] : []),
      ],
    },
    {
      name: "hub-configd",
      says: "the configuration service; its console is http://127.0.0.1:12000",
      // hub-configd always uses the broker on port 1883.
      args: () => [
        join(root, "dist/hub-configd.mjs"),
        "-c",
        folder,
        "-s",
        join(root, "dist/swagger"),
        "--charts",
        charts,
      ],
    },
    {
      name: "hub-link",
      says: `NMEA 0183 on 127.0.0.1:${nmea0183} (TCP), Signal K on http://127.0.0.1:${signalK}/signalk`,
      args: (broker) => [
        join(root, "dist/hub-link.mjs"),
        ...["--broker", broker, "--nmea0183", String(nmea0183), "--signalk", String(signalK)],
        ...["--state", join(folder, "link"), "--voyages", `http://127.0.0.1:${history.at(-1)?.voyagesPort}`],
      ],
    },
    ...history,
  ];
}

/** hub-history with the voyages, and VictoriaMetrics with a temporary folder if it is installed. */
async function historyServices() {
  const voyagesPort = await firstFree(12010);
  const keeper = (says, args) => ({
    name: "hub-history",
    says: `${says}the voyages, on the page Voyages after a minute`,
    args: (broker) => [
      join(root, "dist/hub-history.mjs"),
      ...["--broker", broker, "--voyages", join(root, ".hub", "voyages"), "--voyages-port", String(voyagesPort)],
      ...["--voyages-interval", "5", ...args],
    ],
    voyagesPort,
  });
  if (spawnSync("victoria-metrics", ["-version"], { stdio: "ignore" }).error !== undefined) {
    say("no history, trends begin with the page: apt install victoria-metrics, and start again");
    return [keeper("keeps ", ["--url", "none"])];
  }
  const port = await firstFree(8428);
  const folder = mkdtempSync(join(tmpdir(), "hub-history-"));
  const limits = ["-memory.allowedBytes=64MiB", "-retentionPeriod=1y", "-dedup.minScrapeInterval=1ms"];
  return [
    {
      name: "victoria-metrics",
      says: "the history, until all ends: tap a value, or the chart of an engine, battery or tank",
      command: "victoria-metrics",
      args: () => [
        ...[`-storageDataPath=${join(folder, "data")}`, `-httpListenAddr=127.0.0.1:${port}`, "-loggerLevel=ERROR"],
        ...limits,
      ],
      historyPort: port,
      close: () => rmSync(folder, { recursive: true, force: true }),
    },
    keeper(`writes can/can0/every/10/… to http://127.0.0.1:${port}, and keeps `, [
      ...["--url", `http://127.0.0.1:${port}/write`, "--queue", join(folder, "queue")],
    ]),
  ];
}

/** The first free port of 127.0.0.1 from `port` on: 3000 is in use on many machines of developers. */
async function firstFree(port) {
  const server = createServer();
  const free = await listen(server, port);
  server.close();
  await once(server, "close");
  return free;
}

const say = (sentence) => console.error(`hub: ${sentence}`);

/** Whether a broker on this port of 127.0.0.1 accepts a client without credentials. */
async function isBroker(port) {
  try {
    const client = await connectAsync(
      `mqtt://127.0.0.1:${port}`,
      { reconnectPeriod: 0, connectTimeout: 2000, clientId: `hub-start-${process.pid}` },
      false,
    );
    await client.endAsync();
    return true;
  } catch {
    return false;
  }
}

async function brokerOn(port, webSocketPort) {
  if (await isBroker(port)) {
    say(`using the broker that is there: mqtt://127.0.0.1:${port}`);
    return { port, close: async () => {} };
  }
  const broker = await startBroker({ port, webSocketPort });
  const instead = broker.port === port ? "" : ` (port ${port} is taken by something else)`;
  say(`broker on mqtt://127.0.0.1:${broker.port}${instead} and ws://127.0.0.1:${broker.webSocketPort}`);
  return broker;
}

function howToLook(port) {
  const isThere = spawnSync("mosquitto_sub", ["--help"], { stdio: "ignore" }).error === undefined;
  if (isThere) return `mosquitto_sub -h 127.0.0.1 -p ${port} -t 'can/can0/#' -v`;
  return `node scripts/look.mjs 'can/can0/#'${port === 1883 ? "" : ` ${port}`}`;
}

/** Runs a broker unless one is running, and the services; resolves with the exit code when all have ended. */
export async function start({ list = services, port = 1883, webSocketPort = 9001, displayPort = 8080 } = {}) {
  const broker = await brokerOn(port, webSocketPort);
  const folder = join(root, "dist/display");
  const programs = await list();
  const historyPort = programs.find((program) => program.historyPort !== undefined)?.historyPort;
  const voyagesPort = programs.find((program) => program.voyagesPort !== undefined)?.voyagesPort;
  const ports = { brokerPort: broker.port, historyPort, voyagesPort, port: displayPort };
  const display = await serveDisplay({ folder, charts, ...ports });
  say(`see the boat at  ${display.url}`);
  const url = `mqtt://127.0.0.1:${broker.port}`;
  for (const { name, says } of programs) say(`${name}: ${says}`);
  say(`look at it with:  ${howToLook(broker.port)}`);
  say("Ctrl-C ends all");
  const code = await runServices(programs.map(({ name, command, args }) => ({ name, command, args: args(url) })));
  for (const { close } of programs) close?.();
  await display.close();
  // The broker is closed last, so that the services can publish that they are offline.
  await broker.close();
  return code;
}

const HELP = `npm start: a simulated boat with all services, and its display; Ctrl-C ends all.

It uses these ports of 127.0.0.1, or the next free ones: 1883 and 9001 (broker, unless one is running), 8080 (display),
10110 (NMEA 0183), 3000 (Signal K), 12010 (voyages), 8428 (victoria-metrics, if it is installed); and 12000
(hub-configd). Projects, voyages and charts are in .hub. It has no options; each program has its own:
node dist/hub-cand.mjs --help.`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option] = process.argv.slice(2);
  if (option !== undefined) {
    const isHelp = option === "--help" || option === "-h";
    (isHelp ? console.log : console.error)(isHelp ? HELP : `npm start has no option ${option}\n\n${HELP}`);
    process.exit(isHelp ? 0 : 2);
  }
  for (const path of [charts, join(folder, "link")]) mkdirSync(path, { recursive: true });
  process.exit(await start());
}

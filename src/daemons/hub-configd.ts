#!/usr/bin/env -S node --optimize-for-size --max-semi-space-size=4 --v8-pool-size=1 --no-sparkplug
/**
 * hub-configd: the boat's configuration service on 127.0.0.1.
 *
 * Flags of the first line: V8 prefers memory to speed, has a young generation of 4 MB a half in place of 16, starts one
 * helper thread, because each keeps memory of its own, and keeps no code of its baseline compiler.
 *
 * Exit codes: 0 help, version, clean stop on SIGINT or SIGTERM; 1 a folder that is missing or not writable, a port that
 * is not a number or not available, a route that does not compile. It continues without a broker, without templates,
 * and with broken project files.
 */
import "./program/stop.ts";
import { accessSync, constants, statSync } from "node:fs";
import { request } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeBlobStore, sweepBlobs } from "../adapters/node/files/blob-store.ts";
import { nodeChartStore } from "../adapters/node/files/chart-store.ts";
import { nodeProjectStore, sweepProjects } from "../adapters/node/files/project-store.ts";
import { reportReader } from "../adapters/node/files/report-reader.ts";
import { nodeUpdateDesk } from "../adapters/node/files/update-desk.ts";
import { SecondProcess } from "../adapters/node/http/second-process.ts";
import { type Fetch, type HttpServer, type ServeOptions, serveHttp } from "../adapters/node/http/server.ts";
import { nodeStaticFiles } from "../adapters/node/http/static-files.ts";
import { mqttPublisher } from "../adapters/node/mqtt/publisher.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Publisher } from "../core/ports/publisher.ts";
import { appTopics } from "../core/topics/topics.ts";
import { attempt } from "../core/util/attempt.ts";
import { createExclusive, type Exclusive } from "../core/util/exclusive.ts";
import type { Services } from "../services/api/http/services.ts";
import { startingResponse } from "../services/api/starting.ts";
import { configLog } from "./config-log.ts";
import { type HubConfigdSettings, hubConfigdCommand } from "./hub-configd-options.ts";
import { StartupError } from "./program/errors.ts";
import { announceReady } from "./program/service-manager.ts";
import { stop } from "./program/stop.ts";
import { version } from "./program/version.ts";
import {
  becomeSecondProcess,
  environmentOfSecondProcess,
  socketOfSecondProcess,
} from "./second-process-environment.ts";

const templates = "/usr/share/hub-config/templates";
const fetchReportFile = "/var/lib/hub-config-fetch/report.json";
/** The card of a boat's computer has a program for these; nothing is there elsewhere. */
const updateReportFile = "/var/lib/hub-update/report.json";
const updateRequestFolder = "/run/hub-update";
const MAX_REPORT_BYTES = 64 << 10;
/** Time for an answer of `/health` to the watchdog, whose period is as long. */
const HEALTH_MS = 60_000;
const broker = { secure: false, host: "127.0.0.1", port: 1883 };
const RECONNECT_MS = 10_000;
/** Grace period of the requests in flight after SIGTERM. */
const SHUTDOWN_GRACE_MS = 5000;
/** Time for all of a clean end. */
const DEADLINE_MS = SHUTDOWN_GRACE_MS + 2000;

/** False too for what cannot be looked at, such as a path through a file. */
const isFolder = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false;

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function checkFolders({ configFolder, swaggerFolder }: HubConfigdSettings): void {
  if (!isFolder(swaggerFolder)) throw new StartupError(`swagger folder ${swaggerFolder}: not a directory`);
  if (!isFolder(configFolder)) throw new StartupError(`configuration folder ${configFolder}: not a directory`);
  if (!isWritable(configFolder)) throw new StartupError(`configuration folder ${configFolder}: not writable`);
}

function printSummary({ verbose, port, configFolder, swaggerFolder }: HubConfigdSettings): void {
  process.stdout.write(
    `config: verbose = ${verbose ? 1 : 0}\n` +
      `config: wsPort = ${port}\n` +
      `config: configFolder = ${configFolder}\n` +
      `config: swaggerFolder = ${swaggerFolder}\n`,
  );
}

/** Removes the temporary files of interrupted runs; a failure is logged. */
async function sweep(folder: string, log: Log): Promise<void> {
  const logged = (error: Error): void =>
    log.warn("cannot remove left-over files", { code: "LEFTOVER_FILES", reason: error.message });
  await Promise.all([sweepProjects(folder).catch(logged), sweepBlobs(join(folder, "apps")).catch(logged)]);
}

async function listen(port: number, fetch: Fetch, log: Log, options: ServeOptions): Promise<HttpServer> {
  try {
    return await serveHttp(port, fetch, log, options);
  } catch (error) {
    throw new StartupError(`cannot listen on 127.0.0.1:${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

const servicesOf = ({ configFolder, swaggerFolder, chartFolder }: HubConfigdSettings, log: Log): Services => ({
  projects: nodeProjectStore({ folder: configFolder, templates }),
  blobs: nodeBlobStore(join(configFolder, "apps")),
  charts: nodeChartStore(chartFolder),
  console: nodeStaticFiles(swaggerFolder),
  clock: systemClock,
  log,
  name: "hub-configd",
  version,
  hostname,
  fetchReport: reportReader(fetchReportFile, MAX_REPORT_BYTES),
  updates: nodeUpdateDesk(updateReportFile, updateRequestFolder),
});

interface Application {
  readonly fetch: Fetch;
  /** The message that the broker retains while the daemon is online, and afterwards. */
  readonly identity: { readonly topic: string; readonly payload: (online: boolean) => string };
  /** Publishes the reports of hub-config-fetch; the returned function ends that. */
  readonly publishFetchReports: (publisher: Publisher) => () => void;
}

/** Whether a request for `/health` is answered as a client's is. HEAD: what hub-config-fetch reports does not count. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(HEALTH_MS);
    request({ method: "HEAD", host: "127.0.0.1", port, path: "/health", signal })
      .on("response", (response) => resolve(response.resume().statusCode === 200))
      .on("error", () => resolve(false))
      .end();
  });

/** Waits for the turns of the event loop in which a connection is accepted, a request read, and `/health` answered. */
async function clientsAnswered(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Loads and makes the application. It takes most of the daemon's start, so it begins when the port is open. */
async function loadApplication(services: Services, exclusive: Exclusive): Promise<Application> {
  await clientsAnswered();
  const { compileRoutes, configApi, identityOf } = await import("../services/api/app.ts");
  await clientsAnswered();
  const { identityPayload } = await import("../services/api/identity.ts");
  const { publishFetchReports } = await import("../services/api/fetch-report.ts");
  const app = configApi(services, exclusive);
  try {
    compileRoutes(app);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
  const payload = (online: boolean): string => identityPayload(identityOf(services), online, systemClock.wall());
  return {
    fetch: app.fetch,
    identity: { topic: appTopics.configInfo, payload },
    publishFetchReports: (publisher) => publishFetchReports(services, publisher),
  };
}

const argumentsOf = ({
  port,
  configFolder,
  swaggerFolder,
  chartFolder,
  verbose,
}: HubConfigdSettings): readonly string[] => [
  ...["-p", String(port), "-c", configFolder, "-s", swaggerFolder, "--charts", chartFolder],
  ...(verbose ? ["-v"] : []),
];

/**
 * Deno needs a permission to start processes, and Bun has another engine with other limits: they serve all in one
 * process.
 */
const isNode = !("deno" in process.versions || "bun" in process.versions);

/**
 * Serves the requests that the first process forwards. A terminal and systemd send signals to both; the first process
 * decides.
 */
async function runSecond(settings: HubConfigdSettings, path: string): Promise<void> {
  const log = configLog(settings.verbose);
  const { lock, ready } = becomeSecondProcess();
  const exclusive = createExclusive();
  const { fetch } = await loadApplication(servicesOf(settings, log), (work) =>
    exclusive(async () => {
      const unlock = await lock();
      return work().finally(unlock);
    }),
  );
  await serveHttp(settings.port, fetch, log, { path });
  ready();
  await new Promise(() => {});
}

async function run(settings: HubConfigdSettings): Promise<void> {
  checkFolders(settings);
  printSummary(settings);
  const log = configLog(settings.verbose);
  process.on("SIGUSR1", () => log.setVerbose(true));
  process.on("SIGUSR2", () => log.setVerbose(false));
  const { configFolder, port } = settings;
  await sweep(configFolder, log);
  let isReady = false;
  const services = servicesOf(settings, log);
  const exclusive = createExclusive();
  const second = new SecondProcess({
    program: fileURLToPath(import.meta.url),
    environment: environmentOfSecondProcess,
    args: () => argumentsOf({ ...settings, port: server.port, verbose: log.isVerbose() }),
    exclusive,
    log,
  });
  let loading: Promise<Application> | undefined;
  const application = (): Promise<Application> => {
    loading ??= loadApplication(services, exclusive).finally(() => {
      isReady = true;
    });
    return loading;
  };
  const answer: Fetch = async (...request) => (await application()).fetch(...request);
  const server: HttpServer = await listen(port, answer, log, {
    early: (method, target) => (isReady ? undefined : startingResponse(method, target)),
    ...(isNode && { forward: (request, body) => second.forward(request, body) }),
  });
  if (server.port !== port) process.stdout.write(`config: listening on 127.0.0.1:${server.port}\n`);
  const { identity, publishFetchReports } = await application();
  const publisher: Publisher = await mqttPublisher({
    broker,
    clientId: "hub-config",
    identity,
    reconnectMs: RECONNECT_MS,
    clock: systemClock,
    log,
  });
  const endReports = publishFetchReports(publisher);
  const watchdog = await announceReady(() => answers(server.port), log);
  await stop.asked;
  watchdog.close();
  endReports();
  await server.close(SHUTDOWN_GRACE_MS);
  second.close();
  await publisher.close();
}

async function main(): Promise<number> {
  // EPIPE, or a full disk of the log: only its lines are lost.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  const command = hubConfigdCommand(process.argv.slice(2));
  switch (command.kind) {
    case "help":
      if (command.problem !== undefined) process.stderr.write(`${command.problem}\n`);
      process.stdout.write(command.text);
      return 0;
    case "version":
      process.stdout.write(`${version}\n`);
      return 0;
    case "usage-error":
      process.stderr.write(`${command.message}\n`);
      return 1;
    case "run":
      stop.deadlineMs = DEADLINE_MS;
      try {
        const path = socketOfSecondProcess();
        await (path === undefined ? run(command.settings) : runSecond(command.settings, path));
        return 0;
      } catch (error) {
        if (!(error instanceof StartupError)) throw error;
        process.stderr.write(`config: ${error.message}\n`);
        return 1;
      }
  }
}

// The process does not end by an empty event loop: Node would restore the default action of signals shortly before the
// end, and a second SIGTERM would turn a clean stop into a kill. On Linux no output to a pipe, a file or a terminal is
// lost. The module does not wait, see `endWith`.
void main().then((code) => process.exit(code));

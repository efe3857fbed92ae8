#!/usr/bin/env -S node --max-semi-space-size=4 --v8-pool-size=1
/**
 * hub-configd: the boat's configuration service on 127.0.0.1.
 *
 * The first line says how it is started: with a young generation of 4 MB a half in place of 16, of which a service that is
 * asked now and then has no use, and with one helper thread of V8, each of which keeps memory of its own.
 *
 * Exit codes: 0 help, version, clean stop on SIGINT or SIGTERM; 1 a folder that is not there or not writable, a port that is no
 * number or not to be had, a route that does not compile. Nothing else is a reason to end: no broker, no templates, broken
 * project files.
 */
import { accessSync, constants, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { nodeBlobStore, sweepBlobs } from "../adapters/node/blob-store.ts";
import { type HttpServer, serveHttp } from "../adapters/node/http-server.ts";
import { mqttPublisher } from "../adapters/node/mqtt-publisher.ts";
import { nodeProjectStore, sweepProjects } from "../adapters/node/project-store.ts";
import { nodeStaticFiles } from "../adapters/node/static-files.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { createApi } from "../api/app.ts";
import { identityPayload, identityTopic } from "../api/identity.ts";
import type { Log } from "../ports/log.ts";
import type { Publisher } from "../ports/publisher.ts";
import { configLog } from "./config-log.ts";
import { type HubConfigdSettings, hubConfigdCommand } from "./hub-configd-options.ts";
import { version } from "./version.ts";

const templates = "/usr/share/hub-config/templates";
const broker = { secure: false, host: "127.0.0.1", port: 1883 };
const RECONNECT_MS = 10_000;
/** How long requests under way may take once somebody wants the service to end. */
const PATIENCE_MS = 5000;

/** A reason not to start, as the line that says so. */
class NoStart extends Error {}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function checkFolders({ configFolder, swaggerFolder }: HubConfigdSettings): void {
  if (!isFolder(swaggerFolder)) throw new NoStart(`swagger folder ${swaggerFolder}: not a directory`);
  if (!isFolder(configFolder)) throw new NoStart(`configuration folder ${configFolder}: not a directory`);
  if (!isWritable(configFolder)) throw new NoStart(`configuration folder ${configFolder}: not writable`);
}

function printSummary({ verbose, port, configFolder, swaggerFolder }: HubConfigdSettings): void {
  process.stdout.write(
    `config: verbose = ${verbose ? 1 : 0}\n` +
      `config: wsPort = ${port}\n` +
      `config: configFolder = ${configFolder}\n` +
      `config: swaggerFolder = ${swaggerFolder}\n`,
  );
}

/** Resolves once somebody wants the service to end; later signals change nothing. */
const stopWanted = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  });

/** What an interrupted run has left lies about and costs space; that it cannot be removed is no reason not to start. */
async function sweep(folder: string, log: Log): Promise<void> {
  const now = systemClock.wall();
  for (const sweeping of [sweepProjects(folder, now), sweepBlobs(join(folder, "apps"), now)]) {
    await sweeping.catch((error: Error) => log.warn("cannot remove left-over files", { reason: error.message }));
  }
}

async function listen(port: number, answer: Parameters<typeof serveHttp>[1]): Promise<HttpServer> {
  try {
    return await serveHttp(port, answer);
  } catch (error) {
    throw new NoStart(`cannot listen on 127.0.0.1:${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function run(settings: HubConfigdSettings): Promise<void> {
  checkFolders(settings);
  printSummary(settings);
  const log = configLog(settings.verbose);
  process.on("SIGUSR1", () => log.setVerbose(true));
  process.on("SIGUSR2", () => log.setVerbose(false));
  const stop = stopWanted();
  const { configFolder, swaggerFolder, port } = settings;
  await sweep(configFolder, log);
  const api = createApi({
    projects: nodeProjectStore({ folder: configFolder, templates }),
    blobs: nodeBlobStore(join(configFolder, "apps")),
    console: nodeStaticFiles(swaggerFolder),
    clock: systemClock,
    log,
    name: "hub-configd",
    version,
    hostname,
  });
  const server = await listen(port, api.answer);
  try {
    api.start();
  } catch (error) {
    throw new NoStart((error as Error).message);
  }
  const publisher: Publisher = await mqttPublisher({
    broker,
    clientId: "hub-config",
    identity: {
      topic: identityTopic,
      payload: (online) => identityPayload(api.identity(), online, systemClock.wall()),
    },
    reconnectMs: RECONNECT_MS,
    clock: systemClock,
    log,
  });
  await stop;
  await server.close(PATIENCE_MS);
  await publisher.close();
}

async function main(): Promise<number> {
  // Whoever reads our lines may go before us.
  process.stdout.on("error", () => {});
  const command = hubConfigdCommand(process.argv.slice(2));
  switch (command.kind) {
    case "help":
      process.stdout.write(command.text);
      return 0;
    case "version":
      process.stdout.write(`${version}\n`);
      return 0;
    case "refused":
      process.stderr.write(`${command.message}\n`);
      return 1;
    case "run":
      try {
        await run(command.settings);
        return 0;
      } catch (error) {
        if (!(error instanceof NoStart)) throw error;
        process.stderr.write(`config: ${error.message}\n`);
        return 1;
      }
  }
}

// Not by running out of things to do: Node then gives signals back their default action a moment before the end, and a second
// SIGTERM would make a clean stop look like a killing. On Linux nothing written to a pipe, a file or a terminal is lost by this.
process.exit(await main());

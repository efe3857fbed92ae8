/** A worker in workerd as a child process: bundled, configured, and reached through a port of the loopback address. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { programOf } from "../runtimes/programs.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const program = programOf("@cloudflare", "bin/workerd");

export interface WorkerOptions {
  /** TypeScript of the worker; imports are relative to the checkout. */
  readonly source: string;
  /** A class of the worker of which the binding `services` makes objects. */
  readonly objects?: string;
  /** The parts of Node that the worker may use; none by default. */
  readonly flags?: readonly string[];
}

const configuration = (port: number, { objects, flags = [] }: WorkerOptions): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ${JSON.stringify(flags)},
  ${
    objects === undefined
      ? ""
      : `durableObjectNamespaces = [(className = "${objects}", uniqueKey = "hub")],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "services", durableObjectNamespace = "${objects}")],`
  }
);
`;

/** A worker that is served; `address` has no slash at its end. */
export interface ServedWorker {
  readonly address: string;
  end(): Promise<void>;
}

/** Serves a worker until it is asked to end. */
export async function serveWorker(worker: WorkerOptions): Promise<ServedWorker> {
  const folder = temporaryFolder("worker");
  await build({
    stdin: { contents: worker.source, loader: "ts", resolveDir: process.cwd() },
    outfile: join(folder, "worker.mjs"),
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["workerd", "worker"],
    target: "es2023",
    logLevel: "error",
    alias: { vitest: resolve("test/workerd/vitest.ts") },
    // A worker without the flag for them does not even start.
    external: ["node:*"],
  });
  const port = await freePort();
  writeFileSync(join(folder, "config.capnp"), configuration(port, worker));
  const child = spawn(program!, ["serve", join(folder, "config.capnp")], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true });
  };
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  }
  const address = `http://127.0.0.1:${port}`;
  while ((await fetch(address).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}: ${said}`);
    await new Promise((settle) => setTimeout(settle, 50));
  }
  return { address, end };
}

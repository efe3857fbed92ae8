/**
 * A network and mount namespace of its own for programs whose ports and paths are fixed: `127.0.0.1:1883` and
 * `/etc/hub` are then theirs alone. Needs root. Tests reach the ports through sockets in a folder and the files through
 * /proc.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

const path = `${process.env.PATH}:/usr/sbin:/sbin`;

const isPossible =
  spawnSync("unshare", ["-n", "-m", "ip", "link", "set", "lo", "up"], { env: { PATH: path } }).status === 0;

/** Why tests in a namespace are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export const withoutNamespace: string | undefined =
  isPossible || process.env.CI === "true" ? undefined : "namespaces need root, unshare and ip";

export interface Namespace {
  /** Connects, as a path for node:net, to a port of 127.0.0.1 in the namespace. */
  socket(port: number): string;
  /** A path of the namespace as the test sees it. */
  file(path: string): string;
  /** Starts a program in the namespace. */
  spawn(command: string, args: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
  /** Runs a command to its end; throws if it fails. */
  run(command: string, ...args: readonly string[]): void;
  /** Ends what runs in it by its own handle first; the namespace goes with its last program. */
  close(): Promise<void>;
}

/** The program that runs inside: connects each socket of the folder to the port it is named after. */
const insider = `
const net = require("node:net");
const [folder, ...ports] = process.argv.slice(1);
for (const port of ports) {
  net.createServer({ allowHalfOpen: true }, (outer) => {
    const inner = net.connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    inner.on("error", () => outer.destroy());
    outer.on("error", () => inner.destroy());
    outer.pipe(inner).pipe(outer);
  }).listen(folder + "/" + port);
}
setInterval(() => {}, 1e9);
console.log("ready");
`;

/** Opens a namespace; `/etc` and `/usr/share` are empty in it, except `/etc/hub`. */
export async function openNamespace(...ports: readonly number[]): Promise<Namespace> {
  const folder = temporaryFolder("namespace");
  const prepare =
    'ip link set lo up && mount -t tmpfs none /etc && mount -t tmpfs none /usr/share && mkdir /etc/hub && exec "$@"';
  const child = spawn(
    "unshare",
    ["-n", "-m", "sh", "-c", prepare, "sh", process.execPath, "-e", insider, folder, ...ports.map(String)],
    { env: { PATH: path }, stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(child.stdout!, "data");
  const enter = ["-t", String(child.pid), "-n", "-m"];
  const programs: ChildProcess[] = [];
  return {
    socket: (port) => join(folder, String(port)),
    file: (inside) => `/proc/${child.pid}/root${inside}`,
    spawn(command, args, environment = {}) {
      const env = { PATH: path, ...environment };
      const program = spawn("nsenter", [...enter, command, ...args], { env, stdio: "pipe" });
      programs.push(program);
      return program;
    },
    run(command, ...args) {
      const { status, stderr } = spawnSync("nsenter", [...enter, command, ...args], { env: { PATH: path } });
      if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
    },
    async close() {
      const ended = once(child, "exit");
      for (const program of programs) program.kill("SIGKILL");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * A boat's computer for tests: Debian 13 with systemd booted in a container (systemd-nspawn), without network. Its root is
 * made once by debootstrap and kept in the user's cache; each container writes to a layer of its own. Needs root.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const CI = process.env.CI === "true";

const missing = ["debootstrap", "systemd-nspawn"].filter(
  (command) => spawnSync(command, ["--version"], { env: { PATH } }).error !== undefined,
);

/** Why there is no container, or undefined; where everything has to run (CI=true) tests fail instead. */
export const withoutContainer: string | undefined =
  CI || (process.getuid?.() === 0 && missing.length === 0)
    ? undefined
    : `a container needs root${missing.map((command) => ` and ${command}`).join("")}`;

/** What a boat has beside hub. Installed with the root, so that installing hub needs no network. */
const INCLUDED = "systemd,systemd-sysv,nodejs,nginx-light,mosquitto,mosquitto-clients,curl,ca-certificates,iproute2";

/** The folder of things that are dear to get. */
export function cacheFolder(name: string): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "hub-tests", name);
}

/** A fresh Debian 13, made once. */
export async function debianRoot(): Promise<string> {
  const root = cacheFolder(`trixie-${createHash("sha256").update(INCLUDED).digest("hex").slice(0, 12)}`);
  if (existsSync(root)) return root;
  mkdirSync(cacheFolder(""), { recursive: true });
  const unfinished = mkdtempSync(`${root}.`);
  const args = ["--variant=minbase", `--include=${INCLUDED}`, "trixie", unfinished, "http://deb.debian.org/debian"];
  const child = spawn("debootstrap", args, { env: { PATH }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(output);
  rmSync(join(unfinished, "var/cache/apt/archives"), { recursive: true });
  mkdirSync(join(unfinished, "var/cache/apt/archives/partial"), { recursive: true });
  renameSync(unfinished, root);
  return root;
}

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Container {
  /** A path of the container as the test sees it, whether it runs or not. */
  file(path: string): string;
  /** Runs a command (of sh) in it, to whatever end. */
  attempt(command: string): Promise<Outcome>;
  /** Runs a command (of sh) in it and returns what it printed; throws if it fails. */
  run(command: string): Promise<string>;
  /** Repeats a command until it succeeds; the test's own time limit is the only one. */
  until(command: string): Promise<string>;
  /** Starts a command that may never end. */
  spawn(command: string): ChildProcess;
  /** Everything in it ends at once, as when the power is cut. */
  cutPower(): Promise<void>;
  /** Starts it (again) and waits until its services have been started. */
  boot(): Promise<void>;
  /** Ends it and forgets what it wrote. */
  close(): Promise<void>;
}

export async function openContainer(): Promise<Container> {
  const lower = await debianRoot();
  const folder = mkdtempSync(join(tmpdir(), "hub-boat-"));
  const [upper, work, root] = ["upper", "work", "root"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [upper, work, root]) mkdirSync(path);
  must("mount", "-t", "overlay", "overlay", "-o", `lowerdir=${lower},upperdir=${upper},workdir=${work}`, root);

  let nspawn: ChildProcess | undefined;
  let leader = "";
  let console = "";

  const enter = (command: string): string[] => ["-t", leader, "-a", "--", "/bin/sh", "-c", command];
  const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" };

  const container: Container = {
    file: (path) => join(root, path),
    spawn: (command) => spawn("nsenter", enter(command), { env: environment, stdio: "ignore" }),
    async attempt(command) {
      const child = spawn("nsenter", enter(command), { env: environment, stdio: ["ignore", "pipe", "pipe"] });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk;
      });
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk;
      });
      const [status] = await once(child, "close");
      return { status, stdout, stderr };
    },
    async run(command) {
      const { status, stdout, stderr } = await container.attempt(command);
      if (status !== 0) throw new Error(`${command}: ${status}\n${stdout}${stderr}`);
      return stdout;
    },
    async until(command) {
      for (;;) {
        const { status, stdout } = await container.attempt(command);
        if (status === 0) return stdout;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async cutPower() {
      const ended = once(nspawn!, "close");
      process.kill(Number(leader), "SIGKILL");
      await ended;
      nspawn = undefined;
    },
    async boot() {
      nspawn = spawn(
        "systemd-nspawn",
        [
          ...["--quiet", "--directory", root, "--boot", "--register=no", "--keep-unit", "--private-network"],
          ...["--hostname=boat", "--link-journal=no", "--resolv-conf=off", "--timezone=off"],
        ],
        { env: { PATH }, stdio: ["ignore", "pipe", "pipe"] },
      );
      for (const stream of [nspawn.stdout!, nspawn.stderr!]) {
        stream.on("data", (chunk: Buffer) => {
          console += chunk;
        });
      }
      // Before the one that stays, nspawn has a child that only prepares; the state tells which it was.
      for (;;) {
        if (nspawn.exitCode !== null) throw new Error(`the container does not start\n${console}`);
        leader = readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, "utf8").trim();
        const { stdout } = leader === "" ? { stdout: "" } : await container.attempt("systemctl is-system-running");
        if (/^(running|degraded)$/m.test(stdout)) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      if (nspawn !== undefined) await container.cutPower();
      must("umount", root);
      rmSync(folder, { recursive: true });
    },
  };
  return container;
}

function must(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { env: { PATH }, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr ?? error}`);
}

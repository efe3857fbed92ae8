/**
 * A boat's computer for tests: Debian 13 with systemd booted in a container (systemd-nspawn), with no network. Each
 * container writes to a layer of its own. Needs root.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { boatRoot, PATH } from "./roots.ts";

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Container {
  /** A path of the container as the test sees it, whether it runs or not. */
  file(path: string): string;
  /** Runs a command (of sh) in it, which may fail. */
  attempt(command: string): Promise<Outcome>;
  /** Runs a command (of sh) in it and returns what it printed; throws if it fails. */
  run(command: string): Promise<string>;
  /** Repeats a command until it succeeds, and returns what it printed; throws when it still fails after four minutes. */
  until(command: string): Promise<string>;
  /** Starts a command that may never end. */
  spawn(command: string): ChildProcess;
  /** Starts a program of this machine in its network. */
  spawnOutside(command: string, ...args: readonly string[]): ChildProcess;
  /** Moves a network interface into it, which has only its loopback otherwise. */
  connect(name: string): void;
  /** Everything in it ends at once, as when the power is cut. */
  cutPower(): Promise<void>;
  /** Starts it (again), with further options of systemd-nspawn, and waits until its services have been started. */
  boot(...options: readonly string[]): Promise<void>;
  /** Ends it and forgets what it wrote. */
  close(): Promise<void>;
}

/** Above a root that is not written to; what it writes lies in a folder below `place`. */
export async function openContainer(lower?: string, place: string = tmpdir()): Promise<Container> {
  lower ??= await boatRoot();
  const folder = mkdtempSync(join(place, "hub-boat-"));
  const [upper, work, root] = ["upper", "work", "root"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [upper, work, root]) mkdirSync(path);
  must("mount", "-t", "overlay", "overlay", "-o", `lowerdir=${lower},upperdir=${upper},workdir=${work}`, root);
  return containerOf(root, () => {
    must("umount", root);
    rmSync(folder, { recursive: true });
  });
}

/** A container of a root that is mounted; `forget` unmounts it. */
export function containerOf(root: string, forget: () => void): Container {
  const groups = controlGroups().map((group) => join(group, basename(dirname(root))));
  for (const group of groups) mkdirSync(group);

  let nspawn: ChildProcess | undefined;
  let leader = "";
  let console = "";

  const enter = (command: string): string[] => ["-t", leader, "-a", "--", "/bin/sh", "-c", command];
  const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" };

  const container: Container = {
    file: (path) => join(root, path),
    spawn: (command) => spawn("nsenter", enter(command), { env: environment, stdio: "ignore" }),
    spawnOutside: (command, ...args) =>
      spawn("nsenter", ["-t", leader, "-n", "--", command, ...args], { stdio: ["ignore", "pipe", "inherit"] }),
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
      for (const end = Date.now() + 240_000; ; ) {
        const { status, stdout, stderr } = await container.attempt(command);
        if (status === 0) return stdout;
        if (Date.now() > end) throw new Error(`${command}: still ${status}\n${stdout}${stderr}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    connect: (name) => must("ip", "link", "set", name, "netns", leader),
    async cutPower() {
      const ended = once(nspawn!, "close");
      process.kill(Number(leader), "SIGKILL");
      await ended;
      nspawn = undefined;
    },
    async boot(...options) {
      nspawn = spawn(
        "sh",
        [
          ...[
            "-c",
            'for group in $CONTROL_GROUPS; do echo $$ >$group/cgroup.procs; done; exec "$@"',
            "sh",
            "systemd-nspawn",
          ],
          ...["--quiet", "--directory", root, "--boot", "--register=no", "--keep-unit", "--private-network"],
          ...["--link-journal=no", "--resolv-conf=off", "--timezone=off", ...options],
        ],
        { env: { PATH, CONTROL_GROUPS: groups.join(" ") }, stdio: ["ignore", "pipe", "pipe"] },
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
        const { stdout } =
          leader === "" ? { stdout: "" } : await container.attempt("systemctl is-system-running --wait");
        if (/^(running|degraded)$/m.test(stdout)) break;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    async close() {
      if (nspawn !== undefined) await container.cutPower();
      for (const group of groups) must("find", group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";");
      forget();
    },
  };
  return container;
}

/** Runs the commands that stand indented in the comment at the top of an installed example. */
export async function asWritten(boat: Container, example: string): Promise<void> {
  const lines = (await boat.run(`cat ${example}`)).matchAll(/^(?:#| {4}) {5}(\S.*)$/gm);
  await boat.run(["set -e", ...[...lines].map(([, command]) => command)].join("\n"));
}

/** A message of the boat's broker that has these words. */
export async function message(boat: Container, topic: string, words = ""): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await boat.until(`mosquitto_sub -t '${topic}' -C 1 -W 5 | grep '${words}'`));
}

/**
 * The control group of this process in the hierarchy of cgroup 2, and in systemd's own where both versions are mounted.
 * A container removes the groups below the one it starts in when it ends, so containers that run at once need one each.
 */
const controlGroups = (): string[] =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => / - cgroup2 |,name=systemd\b/.test(line))
    .map((line) => line.split(" ")[4]!);

/** Runs a command and returns what it printed; throws if it fails. */
export function must(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { env: { PATH }, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr ?? error}`);
  return stdout;
}

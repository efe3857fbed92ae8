/**
 * Computers on a network of the test's own: each has its network and mount namespace, an address and a link that can be
 * cut. `/etc` and `/var/lib` of each are its own, so that configurations are used as they are packaged. Needs root.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { killed } from "../support/ends-with-test.ts";

const path = `${process.env.PATH}:/usr/sbin:/sbin`;

export interface Computer {
  readonly name: string;
  readonly address: string;
  /** A path of the computer as the test sees it. */
  file(path: string): string;
  /** Starts a program; its process is the one that is returned. */
  spawn(command: string, args: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
  /** Runs a command of the shell to its end and returns its output; throws if it fails. */
  run(command: string): string;
  /** Cuts its link: packets are lost without an error. */
  cut(): void;
  join(): void;
  /** Options of nsenter that lead into it. */
  readonly enter: readonly string[];
}

export interface Network {
  /** Adds a computer; names of all that were added before it, and its own, lead to their addresses. */
  add(name: string): Promise<Computer>;
  /** The processes in it end first; the namespaces go with the last one. */
  close(): Promise<void>;
}

async function holder(...command: readonly string[]): Promise<ChildProcess> {
  const child = spawn("unshare", [...command], { env: { PATH: path }, stdio: ["ignore", "pipe", "inherit"] });
  const [ready] = await Promise.race([once(child.stdout!, "data"), once(child, "exit")]);
  if (!Buffer.isBuffer(ready)) throw new Error(`unshare ended with ${ready}`);
  return child;
}

export async function openNetwork(): Promise<Network> {
  const sea = await holder(
    "-n",
    "sh",
    "-c",
    "ip link add sea type bridge && ip link set sea up && echo && exec sleep infinity",
  );
  const holders = [sea];
  const hosts: string[] = ["127.0.0.1 localhost"];
  const inSea = (command: string): void => {
    const { status, stderr } = spawnSync("nsenter", ["-t", String(sea.pid), "-n", "sh", "-ec", command], {
      env: { PATH: path },
    });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };

  return {
    async add(name) {
      const number = holders.length;
      const address = `10.77.${number >> 8}.${number & 255}`;
      hosts.push(`${address} ${name}`);
      const child = await holder(
        ...["-n", "-m", "sh", "-ec"],
        "ip link set lo up; mount -t tmpfs none /etc; mount -t tmpfs none /var/lib; echo; exec sleep infinity",
      );
      holders.push(child);
      const { pid } = child;
      const enter = ["-t", String(pid), "-n", "-m"];
      const computer: Computer = {
        name,
        address,
        enter,
        file: (inside) => `/proc/${pid}/root${inside}`,
        spawn: (command, args, environment = {}) =>
          spawn("nsenter", [...enter, command, ...args], { env: { PATH: path, ...environment }, stdio: "pipe" }),
        run(command) {
          const { status, stdout, stderr } = spawnSync("nsenter", [...enter, "sh", "-ec", command], {
            env: { PATH: path },
            encoding: "utf8",
          });
          if (status !== 0) throw new Error(`${name}: ${command}: ${status} ${stderr}${stdout}`);
          return stdout;
        },
        cut: () => inSea(`ip link set link${number} down`),
        join: () => inSea(`ip link set link${number} up`),
      };
      inSea(`ip link add link${number} type veth peer name eth0 netns ${pid}; ip link set link${number} master sea up`);
      computer.run(
        `ip addr add ${address}/16 dev eth0; ip link set eth0 up; printf '%s\\n' '${hosts.join("' '")}' >/etc/hosts`,
      );
      return computer;
    },
    async close() {
      for (const child of holders) await killed(child);
    },
  };
}

/** Where the tests of a CAN bus can run: here, if the kernel has CAN, or in a guest. */
import { spawnSync } from "node:child_process";

const path = `${process.env.PATH}:/usr/sbin:/sbin`;
const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { env: { PATH: path } }).status === 0;

/** This kernel has virtual CAN interfaces, and we may make them. */
export const hasVcan: boolean = ((): boolean => {
  const name = `hub${process.pid}`;
  const made = runs("ip", "link", "add", "dev", name, "type", "vcan");
  if (made) runs("ip", "link", "delete", name);
  return made && runs("which", "candump");
})();

/** These tests run in the guest. */
export const isGuest: boolean = process.env.HUB_GUEST !== undefined;

const emulators = { amd64: "qemu-system-x86_64", arm64: "qemu-system-aarch64" } as const;

/** Why a guest cannot run here, or undefined; where everything has to run (CI=true) its tests fail instead. */
export function withoutGuest(architecture: keyof typeof emulators): string | undefined {
  if (process.env.CI === "true") return undefined;
  const tools = [
    emulators[architecture],
    "candump",
    "apt-get",
    "xz",
    ...(architecture === "amd64" ? [] : ["npm", "aarch64-linux-gnu-g++"]),
  ];
  const missing = tools.filter((tool) => !runs("which", tool));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  return process.arch === "x64" ? undefined : "the guest is made on amd64";
}

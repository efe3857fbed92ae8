/** Whether tests of a CAN bus can run here, if the kernel has CAN, or in a guest. */
import { spawnSync } from "node:child_process";
import { withoutEmulation } from "../support/size.ts";

const path = `${process.env.PATH}:/usr/sbin:/sbin`;
const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { env: { PATH: path } }).status === 0;

/** This kernel has virtual CAN interfaces, and this process may make them. */
export const hasVcan: boolean = ((): boolean => {
  const name = `hub${process.pid}`;
  const made = runs("ip", "link", "add", "dev", name, "type", "vcan");
  if (made) runs("ip", "link", "delete", name);
  return made && runs("which", "candump");
})();

/** These tests run in the guest. */
export const isGuest: boolean = process.env.HUB_GUEST !== undefined;

/** A machine that QEMU emulates, or a kernel that runs as a program of this machine. */
export type GuestKind = "amd64" | "arm64" | "uml";

/** Why a guest cannot run here, or undefined; with CI=true its tests fail instead. */
export function withoutGuest(kind: GuestKind): string | undefined {
  if (process.env.CI === "true") return undefined;
  if (kind !== "uml") return withoutEmulation;
  const missing = ["candump", "apt-get", "xz"].filter((tool) => !runs("which", tool));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  return process.arch === "x64" ? undefined : "the guest is made on amd64";
}

/** A disk of a given size for tests, that can be made read-only: a tmpfs. Needs root. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Why there is none, or undefined; where everything has to run (CI=true) tests fail instead. */
export const withoutDisk: string | undefined =
  spawnSync("unshare", ["--mount", "true"]).status === 0 || process.env.CI === "true" ? undefined : "no right to mount";

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("mount", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`mount ${args.join(" ")}: ${stderr}`);
}

/** Makes a folder, which is a disk while `use` runs. */
export async function onDisk(
  folder: string,
  size: string,
  use: (remount: (how: "ro" | "rw") => void) => Promise<void>,
): Promise<void> {
  mkdirSync(folder);
  mount("-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder);
  try {
    await use((how) => mount("-o", `remount,${how}`, folder));
  } finally {
    spawnSync("umount", [folder]);
  }
}

/** The packages of the release before this version, built from the history of git. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { buildPackages, type Packages, packagesIn } from "./packages.ts";
import { cache } from "./roots.ts";

const git = (...args: readonly string[]): Buffer =>
  spawnSync("git", args, { maxBuffer: 1 << 28 }).stdout ?? Buffer.alloc(0);

/** The lines of versions in a changelog, newest first: `## 1.0.0 (2026-11-21)`. */
const headsOf = (changelog: string): readonly string[] => changelog.match(/^## .*$/gm) ?? [];

const head = headsOf(readFileSync("CHANGELOG.md", "utf8"))[1]!;

export const releasedVersion: string = head.split(" ")[1]!;

/** The last commit with that version at the head of its changelog. */
function releasedCommit(): string | undefined {
  const changes = git("log", "--first-parent", "--format=%H", "--", "CHANGELOG.md").toString().trim().split("\n");
  const index = changes.findIndex((commit) => headsOf(git("show", `${commit}:CHANGELOG.md`).toString())[0] === head);
  return (
    git("rev-parse", "--quiet", "--verify", `${changes[index - 1]}^`)
      .toString()
      .trim() || undefined
  );
}

const commit = releasedCommit();

/**
 * Why they cannot be built, or undefined. A checkout without its history is no fault, even where everything has to run.
 */
export const withoutReleased: string | undefined =
  commit === undefined ? `the history of git does not reach back to ${releasedVersion}` : undefined;

/** A file of that release; undefined: it had none. */
export function releasedFile(path: string): Buffer | undefined {
  const bytes = git("show", `${commit}:${path}`);
  return bytes.length === 0 ? undefined : bytes;
}

/** The packages for amd64, built once, with the lock file of their time, and kept in the user's cache. */
export async function releasedPackages(): Promise<Packages> {
  const folder = join(cache, `packages-${commit}`);
  if (existsSync(folder)) return packagesIn(folder);
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  const checkout = temporaryFolder("released");
  try {
    const { status } = spawnSync("tar", ["-x", "-C", checkout], { input: git("archive", commit!) });
    if (status !== 0) throw new Error(`the files of ${commit} cannot be unpacked`);
    const environment = { SOURCE_DATE_EPOCH: git("show", "-s", "--format=%ct", commit!).toString().trim() };
    await buildPackages(unfinished, { checkout, architectures: "amd64", environment });
    // Another process may have built them meanwhile.
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    for (const path of [unfinished, checkout]) rmSync(path, { recursive: true, force: true });
  }
  return packagesIn(folder);
}

/** Facts about the source that packages, bills of materials and the image state: its last change, and where it is. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { root } from "./setup.mjs";

const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";

/** Seconds since 1970 of the last change to the source. */
export function sourceSeconds() {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? git("log", "-1", "--format=%ct");
  if (!/^\d+$/.test(seconds))
    throw new Failure("neither a git checkout nor SOURCE_DATE_EPOCH says when the source was last changed");
  return Number(seconds);
}

/** The commit, or undefined where git does not know one. */
export const sourceCommit = () => git("rev-parse", "HEAD") || undefined;

/** Version, and addresses of the project and of its repository, as package.json has them: nowhere else are they written. */
export function project() {
  const { version, description, license, homepage, repository } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return { version, description, license, homepage, repository: repository.url };
}

/** The time of the source, which stands in everything that is built of it. */
import { spawnSync } from "node:child_process";
import { Failure } from "./failure.mjs";
import { root } from "./setup.mjs";

/** Seconds since 1970 of the last change to the source. Throws `Failure`. */
export function sourceSeconds() {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  const seconds = process.env.SOURCE_DATE_EPOCH ?? stdout?.trim() ?? "";
  if (!/^\d+$/.test(seconds))
    throw new Failure("neither a git checkout nor SOURCE_DATE_EPOCH says when the source was last changed");
  return Number(seconds);
}

/** A copy of the checkout, in which sources may be changed. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.mjs";

/**
 * The folder of a copy of the files that git tracks or would track, and of those that the build writes into `src`; it
 * is removed at the end of the process.
 */
export function copyOfCheckout() {
  const copy = mkdtempSync(join(tmpdir(), "hub-checkout-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  for (const path of [...stdout.split("\n").filter(Boolean), "src"])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  return copy;
}

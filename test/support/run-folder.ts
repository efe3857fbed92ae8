/** Set-up of a run: the temporary folders of its tests lie in one, which is removed at the end, also if a test fails. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names the folder for runs within this one; workers inherit both variables from the process of the run. */
const VARIABLE = "HUB_RUN_FOLDER";

/** Called by Vitest before the first file, once for each of its projects, of which the first one sets up. */
export function setup(): (() => void) | undefined {
  if (process.env[VARIABLE] !== undefined) return undefined;
  const { TMPDIR: before } = process.env;
  const folder = mkdtempSync(join(tmpdir(), "hub-run-"));
  // As /tmp, because programs of other users read and write in it.
  chmodSync(folder, 0o1777);
  process.env[VARIABLE] = process.env.TMPDIR = folder;
  return () => {
    delete process.env[VARIABLE];
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    // Below a mount that a test has left are files of others.
    if (!readFileSync("/proc/self/mountinfo", "utf8").includes(` ${folder}/`))
      rmSync(folder, { recursive: true, maxRetries: 10 });
  };
}

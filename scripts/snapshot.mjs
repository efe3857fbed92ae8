/** Rewrites the snapshots of test/snapshots: runs every test file that compares with one. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const folder = join(root, "test");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter(
    (name) => name.endsWith(".test.ts") && readFileSync(join(folder, name), "utf8").includes("toMatchFileSnapshot("),
  )
  .map((name) => join("test", name));
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files, "-u"], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

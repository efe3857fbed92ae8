/** Checks the format of the C++ by .clang-format. Without clang-format it prints that, and fails if CI=true. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const files = readdirSync(join(root, "native"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(cc|h)$/.test(name))
  .map((name) => join("native", name));
const { status, error } = spawnSync("clang-format", ["--dry-run", "--Werror", ...files], {
  cwd: root,
  stdio: "inherit",
});
if (error !== undefined) console.error("hub: clang-format is not installed, the C++ is not checked");
process.exit(error === undefined ? status : process.env.CI === "true" ? 1 : 0);

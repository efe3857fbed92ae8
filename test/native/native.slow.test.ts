/** The C++ of the addon without Node: its cases, compiled as the addon is, and its format. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allCases, nativeCases } from "./cases.ts";

nativeCases([{ name: "plain", files: allCases, flags: ["-O2"] }]);

const hasFormatter = spawnSync("clang-format", ["--version"]).status === 0 || process.env.CI === "true";

test.skipIf(!hasFormatter)(
  hasFormatter ? "native/ is formatted" : "native/ is formatted (skipped: no clang-format)",
  () => {
    const files = ["native", "native/node", "native/test", "native/fuzz"].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /\.(cc|h)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const { stderr } = spawnSync("clang-format", ["--dry-run", "--Werror", ...files], { encoding: "utf8" });
    expect(stderr).toBe("");
  },
);

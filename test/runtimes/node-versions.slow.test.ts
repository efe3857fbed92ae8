/**
 * Node.js versions beside Debian's, from npm: the addon that was built once, and the daemons. At night all short tests
 * run on each; with CI=true, on one of them those of the addon and of the daemons.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { atNight, isNight, titled, withoutRuntimes } from "../support/size.ts";

const versions = ["22.23.5", "24.22.3", "26.12.1"] as const;

const daemons = ["cand", "configd", "link", "history", "alarm"].map((name) => `test/daemons/hub-${name}.`);
const own = ["test/adapters/node/can", ...daemons];
/** Runs of vitest; at night the short tests too. */
const runs = atNight([own], [own, ["--config", "vitest.quick.config.ts"]]);

/** The folder of a program `node` of this version. */
function installed(version: string): string {
  const place = resolve("build/node", version);
  if (!existsSync(place)) {
    const unfinished = `${place}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const name = `node-linux-${process.arch}@${version}`;
    const { status, stderr } = spawnSync("npm", ["pack", "--silent", name], { cwd: unfinished, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    spawnSync("sh", ["-c", "tar -xzf *.tgz && rm *.tgz"], { cwd: unfinished });
    renameSync(unfinished, place);
    rmSync(unfinished, { recursive: true, force: true });
  }
  return join(place, "package/bin");
}

const obstacle = isNight ? undefined : withoutRuntimes;

describe.skipIf(obstacle !== undefined)(titled("Node.js from npm", obstacle), () => {
  test.each(atNight(versions.slice(1, 2), versions.slice()))(
    "%s: the addon, the daemons, short tests",
    (version) => {
      const folder = installed(version);
      const { CI: _, HUB_NIGHT: __, ...environment } = process.env;
      const env = { ...environment, NO_COLOR: "1", PATH: `${folder}${delimiter}${process.env.PATH}` };
      for (const args of runs) {
        const { status, stdout, stderr } = spawnSync(
          join(folder, "node"),
          ["node_modules/vitest/vitest.mjs", "run", ...args],
          { env, encoding: "utf8", maxBuffer: 1 << 28 },
        );
        expect(status, `${stdout.slice(-20_000)}${stderr.slice(-5000)}`).toBe(0);
        expect(Number(/Tests +(\d+) passed/.exec(stdout)?.[1])).toBeGreaterThan(60);
      }
    },
    3_600_000,
  );
});

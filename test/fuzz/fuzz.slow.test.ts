/** Fuzzing of all targets goes on for some seconds. What it found is in seeds, which other tests repeat. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { titled, withoutFuzzing } from "../support/size.ts";

const seconds = 10;

test.skipIf(withoutFuzzing !== undefined)(
  titled(`fuzzing for ${seconds} s finds nothing`, withoutFuzzing),
  {
    timeout: 600_000,
  },
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/fuzz.mjs", String(seconds)], {
      encoding: "utf8",
    });
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toMatch(/decode: \d+ executions/);
  },
);

import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { hasVcan, isGuest } from "./test/guest/possible.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { isNight, size } from "./test/support/size.ts";

/** Tests of a bus run if there is one; otherwise `test/bus/guest*.test.ts` run them in a guest. */
const elsewhere = isGuest
  ? ["test/bus/guest*.test.ts"]
  : [
      ...(hasVcan ? ["test/bus/guest-vcan.test.ts"] : ["test/bus/vcan/**"]),
      ...(process.env.HUB_CAN ? [] : ["test/bus/controller/**"]),
    ];

/**
 * Tests that change or measure their own process, or occupy it for long; each has one of its own. The others share
 * processes, so that modules imported by many are loaded once.
 */
const isolated = [
  "*.test.ts",
  "{bun,bus,charts,deno,fleet,fuzz,mutation,native,runtimes,workerd,world}/**/*.test.ts",
  "{adapters/*,packaging,security,web/decoder}/*.{night,slow}.test.ts",
  "adapters/node/{stdout-publisher,stores}.test.ts",
  "adapters/node/files/{cached-files,regular-file}.test.ts",
  "adapters/node/http/{engine-client,second-process.slow,server}.test.ts",
  "daemons/hub-link-lasting.slow.test.ts",
].map((files) => `test/${files}`);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "isolated", include: isolated } },
      { extends: true, test: { name: "shared", include: ["test/**/*.test.ts"], exclude: isolated, isolate: false } },
    ],
    exclude: [...configDefaults.exclude, ...elsewhere, ...(isNight ? [] : ["test/**/*.night.test.ts"])],
    setupFiles: ["test/support/as-before.ts", ...(isNight ? ["test/support/night.ts"] : [])],
    // There are more workers than processors, because many tests wait most of the time; guests and compilers do not.
    maxWorkers: isGuest ? 1 : availableParallelism() + size(4, 2),
    globalSetup: ["test/support/run-folder.ts", "test/support/shared-chromium.ts"],
    sequence: { sequencer: LongestFirst },
    // The time-out only ends a test that hangs; the time of the others depends on the machine and its other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Programs, browsers and machines of many tests share the processors: one that fails has a second try, and is named
    // at the end of the run.
    retry: process.env.CI === "true" ? 1 : 0,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // These run only in a browser or in child processes, which are not counted.
      exclude: ["src/web/display/**", "src/web/console/**", "src/web/docs/**", "src/daemons/hub-*.ts"],
      reporter: [["text", { skipFull: true, maxCols: 110 }]],
      thresholds: { lines: 90, branches: 85 },
    },
    reporters: process.env.CI === "true" && !isGuest ? ["default", "./test/support/tally.ts"] : ["default"],
  },
});

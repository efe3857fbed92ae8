import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { hasVcan, isGuest } from "./test/guest/possible.ts";
import { LongestFirst } from "./test/longest-first.ts";

/** Tests of a bus run where there is one: `test/bus/guest*.test.ts` run in a guest what is left out here. */
const elsewhere = isGuest
  ? ["test/bus/guest*.test.ts"]
  : [
      ...(hasVcan ? ["test/bus/guest-load.test.ts", "test/bus/guest-vcan.test.ts"] : ["test/bus/vcan/**"]),
      ...(process.env.HUB_CAN ? [] : ["test/bus/controller/**"]),
    ];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...elsewhere],
    // Many wait for something most of the time: Vitest's own choice, one less than there are processors, is one on two.
    maxWorkers: isGuest ? 1 : availableParallelism(),
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // Run in a browser, or in child processes only, which are not counted.
      exclude: ["src/display/**", "src/console/**", "src/docs/**", "src/daemons/hub-*.ts"],
      reporter: [["text", { skipFull: true, maxCols: 110 }]],
      thresholds: { lines: 90, branches: 85 },
    },
    reporters: process.env.CI === "true" && !isGuest ? ["default", "./test/tally.ts"] : ["default"],
  },
});

import { configDefaults, defineConfig } from "vitest/config";
import { hasVcan, isGuest } from "./test/guest/possible.ts";

/** Tests of a bus run where there is one: `test/bus/guest*.test.ts` run in a guest what is left out here. */
const elsewhere = isGuest
  ? ["test/bus/guest*.test.ts"]
  : [...(hasVcan ? [] : ["test/bus/vcan/**"]), ...(process.env.HUB_CAN ? [] : ["test/bus/controller/**"])];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...elsewhere],
    setupFiles: isGuest ? ["test/guest/setup.ts"] : [],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env.CI === "true" && !isGuest ? ["default", "./test/tally.ts"] : ["default"],
  },
});

/**
 * `npm run test:quick`: the tests to run while working. Without those that start guests, containers, browsers or many
 * programs, or compute for seconds: files named `.slow.test.ts` and some folders. There are fewer random cases.
 */
import { availableParallelism } from "node:os";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const slow = ["test/**/*.slow.test.ts", "test/{bus,mutation}/**", "test/architecture.test.ts"];

export default mergeConfig(
  base,
  defineConfig({
    test: {
      exclude: slow,
      setupFiles: ["test/support/quick.ts"],
      // These compute, and each worker loads all modules for itself.
      maxWorkers: availableParallelism(),
    },
  }),
);

/** `npm run test:quick`: the tests to run while working. Without guests, containers, browsers and fuzzing, and without long runs. */
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const slow = [
  "bus/**",
  "packaging/{boat,bus,emulated,packages}.test.ts",
  "fuzz/fuzz.test.ts",
  "display/display.test.ts",
  "docs/display.test.ts",
  "docs/site.test.ts",
];

export default mergeConfig(base, defineConfig({ test: { exclude: slow.map((path) => `test/${path}`) } }));

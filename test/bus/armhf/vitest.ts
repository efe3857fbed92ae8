/** The functions of Vitest on Node's own test runner, for tests that are bundles. */
import { test as nodeTest } from "node:test";
import { vitestOver } from "../../runtimes/vitest.ts";

export const { expect, onTestFinished, test } = vitestOver(({ name, ignore, fn }) =>
  nodeTest(name, { skip: ignore }, fn),
);

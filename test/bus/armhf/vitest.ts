/** Vitest's words on Node's own test runner, which a test that is a bundle of its own brings along. */
import { test as nodeTest } from "node:test";
import { vitestOver } from "../../runtimes/vitest.ts";

export const { expect, onTestFinished, test } = vitestOver(({ name, ignore, fn }) =>
  nodeTest(name, { skip: ignore }, fn),
);

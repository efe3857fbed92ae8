/** hub on Bun: the portable tests on its own test runner, and both daemons from the sources. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectServing } from "../runtimes/configd.ts";
import { portableTests } from "../runtimes/portable.ts";
import { programOf } from "../runtimes/programs.ts";
import { nodeReading, outputOf, readingArguments, slowlyReadOutputOf, writeRecording } from "../runtimes/recorded.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const program = programOf("@oven", "bin/bun");
const env = { ...process.env, NO_COLOR: "1" };

test("the portable tests pass", () => {
  const files = ["test/bun/service.ts", ...portableTests()].map((path) => `./${path}`);
  const { status, stderr } = spawnSync(program!, ["test", "--timeout=30000", ...files], {
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  expect(status, stderr).toBe(0);
  expect(Number(/^\s*(\d+) pass$/m.exec(stderr)?.[1])).toBeGreaterThan(600);
});

test("hub-configd serves with the contract's framing and stops", async () => {
  const folder = temporaryFolder("runtime");
  mkdirSync(join(folder, "configuration"));
  await expectServing(program!, ["src/daemons/hub-configd.ts", "-c", folder, "-s", folder], folder, env);
});

test("hub-cand says of a recording what it says on Node", async () => {
  const folder = temporaryFolder("runtime");
  const recording = writeRecording(folder);
  const args = ["src/daemons/hub-cand.ts", ...readingArguments(recording, folder)];
  const output = outputOf(program!, args, env);
  expect(output.split("\n").length).toBeGreaterThan(1000);
  expect(output).toBe(await nodeReading(recording, folder));
  expect(slowlyReadOutputOf(program!, args, env)).toBe(output);
});

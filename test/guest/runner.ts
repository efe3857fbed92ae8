/** Runs files of tests in a guest, and writes the outcome of each test to $HUB_REPORT, for `tests.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTests, type Task, type VitestRunner } from "@vitest/runner";
import { keepIdleTime } from "./idle-time.ts";

/** The outcome of a test; its name begins with those of its suites. */
export interface Outcome {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** Of its failures; of one that has passed, those of its first try. */
  readonly messages: readonly string[];
}

const messagesOf = ({ result }: Task): string[] =>
  (result?.errors ?? []).map(({ stack, message, diff }) => [stack ?? message, diff].filter(Boolean).join("\n\n"));

/** The outcomes of a suite or file; an error outside of its tests is a failure of its own. */
function outcomesOf(task: Task, within: readonly string[]): Outcome[] {
  const isFile = "filepath" in task;
  const path = isFile ? within : [...within, task.name];
  const messages = messagesOf(task);
  const state = task.result?.state === "pass" ? "passed" : "skipped";
  if (task.type === "test" && state === "passed") return [{ name: path.join(" > "), state, messages }];
  const failed: Outcome[] =
    messages.length > 0 ? [{ name: path.join(" > ") || task.name, state: "failed", messages }] : [];
  if (task.type === "suite") return [...failed, ...task.tasks.flatMap((inner) => outcomesOf(inner, path))];
  if (failed.length > 0) return failed;
  return [{ name: path.join(" > "), state, messages }];
}

/**
 * Imports and runs files one after the other, without the tests whose name matches `without`; `files` are functions that
 * import, by the paths of the files.
 */
export async function runTests(
  files: Readonly<Record<string, () => Promise<unknown>>>,
  without = /^(?!)/,
): Promise<void> {
  const runner: VitestRunner = {
    config: {
      root: process.cwd(),
      setupFiles: [],
      name: undefined,
      passWithNoTests: false,
      testNamePattern: new RegExp(`^(?!.*(${without.source}))`),
      allowOnly: false,
      sequence: { seed: 0, hooks: "stack", setupFiles: "list" },
      chaiConfig: undefined,
      maxConcurrency: 1,
      // An emulated processor is slow.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // As outside of the guest.
      retry: process.env.CI === "true" ? 1 : 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: (path) => files[path]!(),
    // All files are read; from here on idle time takes time.
    onBeforeRunFiles: keepIdleTime,
    onAfterRunTask: (test) =>
      console.log(`${test.result?.state} ${test.name} (${test.result?.duration?.toFixed()} ms)`),
  };
  const outcomes = (await startTests(Object.keys(files), runner))
    .flatMap((file) => outcomesOf(file, []))
    .filter(({ name, state }) => state === "failed" || !without.test(name));
  writeFileSync(join(process.env.HUB_REPORT!, "outcomes.json"), JSON.stringify(outcomes));
  // Without waiting for programs that a failed test has left running.
  process.exit();
}

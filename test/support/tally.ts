/**
 * Reporter that closes a run with two plain lines: what the tests were, and how many passed, failed and were skipped.
 * Before them it names each test that failed, and each that failed at its first try only: its race is to be mended.
 */
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** True for a case of `test.each`, or of a `describe.each` around it. */
function isRow(test: TestCase): boolean {
  if (test.options.each) return true;
  for (let suite = test.parent; suite.type === "suite"; suite = suite.parent) if (suite.options.each) return true;
  return false;
}

/** The test, and the first line of the failure of its first try. */
const named = (test: TestCase): string =>
  `${test.module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message.split("\n")[0] ?? ""}`;

export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be read, or whose preparation fails: none of its tests has.
    const broken = modules.filter(
      (module) => module.state() === "failed" && [...module.children.allTests("failed")].length === 0,
    );
    for (const test of tests.filter((each) => each.diagnostic()?.flaky))
      console.log(`passed at the second try only: ${named(test)}`);
    for (const module of broken) console.log(`failed: ${module.relativeModuleId}`);
    for (const test of tests.filter((each) => each.result().state === "failed")) console.log(`failed: ${named(test)}`);
    const rows = tests.filter(isRow).length;
    console.log(
      `${tests.length} tests: ${rows} rows of tables, ${tests.length - rows} others, in ${modules.length} files`,
    );
    console.log(`${count("passed")} passed, ${count("failed") + broken.length} failed, ${count("skipped")} skipped`);
  }
}

/** Reporter that closes a run with one plain line: how many tests passed, failed and were skipped. */
import type { Reporter, TestModule } from "vitest/node";

export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be read, or whose preparation fails: none of its tests has.
    const broken = modules.filter(
      (module) => module.state() === "failed" && [...module.children.allTests("failed")].length === 0,
    );
    console.log(`${count("passed")} passed, ${count("failed") + broken.length} failed, ${count("skipped")} skipped`);
  }
}

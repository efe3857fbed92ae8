/** Programs that tests start end with the test, also with one that fails or runs out of time. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, TestRunner } from "vitest";

/**
 * Returns the program. One that a hook has started for all tests of a file is that file's to end, and so is one of tests
 * that run at once, which Vitest does not tell apart.
 */
export function endsWithTest<Child extends ChildProcess>(child: Child): Child {
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Ends a program, unless it has ended by itself or by another signal, and returns its exit code. */
export async function killed(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

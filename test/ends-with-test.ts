/** Programs that tests start end with the test, also with one that fails or runs out of time. */
import type { ChildProcess } from "node:child_process";
import { onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";

/** Returns the program. One that a hook has started for all tests of a file is that file's to end. */
export function endsWithTest<Child extends ChildProcess>(child: Child): Child {
  if (getCurrentTest() !== undefined) onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

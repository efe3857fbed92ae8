/**
 * The functions of Vitest in a guest: its runner and its comparisons, without the rest, which an emulated processor
 * would read and compile for a minute.
 */

import { getCurrentTest } from "@vitest/runner";
import { expect as compare } from "../runtimes/expect.ts";

export { afterAll, afterEach, beforeAll, beforeEach, describe, onTestFinished, test } from "@vitest/runner";
export const TestRunner = { getCurrentTest };

/** Milliseconds. */
interface Patience {
  readonly timeout: number;
  readonly interval: number;
}

/** The chain of properties behind `expect(…)`, called at its end. */
interface Words {
  (...values: readonly unknown[]): unknown;
  readonly [word: string]: Words;
}

/** Reads a value until it meets an expectation; rejects with the last failure. */
function poll(read: () => unknown, { timeout, interval }: Patience): unknown {
  const until = async (words: readonly string[], values: readonly unknown[]): Promise<void> => {
    const end = Date.now() + timeout;
    for (;;) {
      try {
        let assertion: Words = compare(await read()) as unknown as Words;
        for (const word of words.slice(0, -1)) assertion = assertion[word]!;
        await assertion[words.at(-1)!]!(...values);
        return;
      } catch (error) {
        if (Date.now() >= end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  };
  const said = (words: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, word) => said([...words, String(word)]),
      apply: (_, __, values) => until(words, values),
    });
  return said([]);
}

export const expect = Object.assign(compare, { poll });

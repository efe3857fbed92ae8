/**
 * What of Vitest the portable tests use, on Deno's own test runner: deno.json puts it in Vitest's place, so that the files run
 * here are the same ones.
 */
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

declare const Deno: {
  test(definition: { name: string; ignore: boolean; fn: () => Promise<void> }): void;
};

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = chai.expect;

type Work<Values extends readonly unknown[]> = (...values: Values) => unknown;
interface Options {
  readonly skip?: boolean;
}

/** What is to be done after the test that runs; Deno runs one at a time. */
let cleanups: (() => unknown)[] = [];

export function onTestFinished(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

export function test(name: string, ...rest: readonly [Work<[]>] | readonly [Options, Work<[]>]): void {
  const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
  Deno.test({
    name,
    ignore: options.skip ?? false,
    async fn() {
      try {
        await work();
      } finally {
        for (const cleanup of cleanups.reverse()) await cleanup();
        cleanups = [];
      }
    },
  });
}

/** A test a row; `%s` and its like in the name stand for its values, `$key` for those of an object. */
test.each =
  (rows: readonly unknown[]) =>
  (name: string, ...rest: readonly [Work<never[]>] | readonly [Options, Work<never[]>]): void => {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      test(named(name, values), options, () => work(...(values as never[])));
    }
  };

function named(name: string, values: readonly unknown[]): string {
  const rest = [...values];
  return name
    .replace(/%[sij]|%\.\d+s/g, () => {
      const value = rest.shift();
      return typeof value === "string" ? value : JSON.stringify(value);
    })
    .replace(/\$(\w+)/g, (_, key: string) => String((values[0] as Record<string, unknown>)[key]));
}

/**
 * The part of Vitest that the portable tests use, over the test runner of another runtime. Each runtime resolves
 * `vitest` to its own adapter, so that the same files run there, with the same comparisons.
 */
import { expect } from "./expect.ts";

/** A test as it is passed to its runtime. */
export interface PortableTest {
  readonly name: string;
  readonly ignore: boolean;
  readonly fn: () => Promise<void>;
}

type Work<Values extends readonly unknown[]> = (...values: Values) => unknown;
interface Options {
  readonly skip?: boolean;
}

interface Test {
  (name: string, ...rest: readonly [Work<[]>] | readonly [Options, Work<[]>]): void;
  /** A test a row; `%s` and its like in the name stand for its values, `$key` for those of an object. */
  each(
    rows: readonly unknown[],
  ): (name: string, ...rest: readonly [Work<never[]>] | readonly [Options, Work<never[]>]) => void;
}

export interface PortableVitest {
  readonly expect: typeof expect;
  readonly onTestFinished: (cleanup: () => unknown) => void;
  readonly test: Test;
}

/** Vitest's words over `register`, of a runtime that runs one test at a time. */
export function vitestOver(register: (test: PortableTest) => void): PortableVitest {
  /** Callbacks for the end of the running test. */
  let cleanups: (() => unknown)[] = [];

  const test = (name: string, ...rest: readonly [Work<[]>] | readonly [Options, Work<[]>]): void => {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
    register({
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
  };

  const each: Test["each"] =
    (rows) =>
    (name, ...rest) => {
      const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row];
        test(named(name, values), options, () => work(...(values as never[])));
      }
    };

  return { expect, onTestFinished: (cleanup) => void cleanups.push(cleanup), test: Object.assign(test, { each }) };
}

function named(name: string, values: readonly unknown[]): string {
  const rest = [...values];
  return name
    .replace(/%[sij]|%\.\d+s/g, () => {
      const value = rest.shift();
      return typeof value === "string" ? value : JSON.stringify(value);
    })
    .replace(/\$(\w+)/g, (_, key: string) => String((values[0] as Record<string, unknown>)[key]));
}

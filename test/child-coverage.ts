/** Coverage of programs that tests start: `scripts/coverage.mjs` names a folder, and they write into it what ran of them. */

/** The folder, or undefined where nobody asks. */
export const coverageFolder: string | undefined = process.env.HUB_V8_COVERAGE;

/** What to add to the environment of a Node program. */
export const childCoverage: Readonly<Record<string, string>> =
  coverageFolder === undefined ? {} : { NODE_V8_COVERAGE: coverageFolder };

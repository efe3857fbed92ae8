/**
 * How much the tests do that could go on for ever (soaks, fuzzing, random operations), and the parts that cost most. A developer's
 * `npm test` does enough of each to find what it is for; CI=true, which `.ci/run` exports, does all.
 */

const isFull: boolean = process.env.CI === "true";

/** A number of rounds, hours or cases: `short`, or `full` with CI=true. */
export const size = (short: number, full: number): number => (isFull ? full : short);

/** Why other processors are not emulated, or undefined. */
export const withoutEmulation: string | undefined = isFull
  ? undefined
  : "other processors are emulated in CI: CI=true npm test";

/** Why the source is not built on a bare Debian, or undefined. */
export const withoutBareDebian: string | undefined = isFull
  ? undefined
  : "a bare Debian is set up in CI: CI=true npm test";

/** Why the packages are not built a second time to compare them, or undefined. */
export const withoutSecondBuild: string | undefined = isFull
  ? undefined
  : "packages are built twice in CI: CI=true npm test";

/**
 * The size of tests that could run without end (soaks, random operations), and of the most expensive parts: a developer's
 * `npm test` runs enough of each to detect its faults. What takes other systems runs with CI=true, which `.ci/run`
 * exports, and at night.
 */

/** Set by `npm run night`, which runs what would take long each day: `*.night.test.ts`, and other tests at full length. */
export const isNight: boolean = process.env.HUB_NIGHT === "true";

const isFull: boolean = process.env.CI === "true" || isNight;

/** A number of rounds, hours or cases, or a list of them: `short`, or `full` with CI=true. */
export const size = <Size>(short: Size, full: Size): Size => (isFull ? full : short);

/** A number of rounds, hours or cases, or a list of them: `daily`, or `long` at night. */
export const atNight = <Size>(daily: Size, long: Size): Size => (isNight ? long : daily);

/** Why a test is skipped that runs with CI=true alone; undefined where it runs. */
const inCi = (what: string): string | undefined => (isFull ? undefined : `${what} in CI: CI=true npm test`);

/** The name of a group of tests, with the reason why they are skipped if they are. */
export const titled = (title: string, obstacle: string | undefined): string =>
  obstacle === undefined ? title : `${title} (skipped: ${obstacle})`;

export const withoutEmulation = inCi("machines are emulated");
export const withoutRuntimes = inCi("runtimes other than Node are run");
export const withoutDebian = inCi("systems of Debian are set up");
export const withoutPackaging = inCi("packages are built");

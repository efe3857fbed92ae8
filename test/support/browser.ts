/** Debian's Chromium for tests of pages. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/**
 * Without windows, which take half of the processor time of these tests, where it is installed; pages are drawn by the
 * same engine.
 */
const [shell, chromiumPath] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** HUB_CHROMIUM names another one, or one that is not there. */
export const executablePath = process.env.HUB_CHROMIUM ?? (existsSync(shell) ? shell : chromiumPath);

/** Why tests with a browser are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export const withoutChromium: string | undefined =
  existsSync(executablePath) || process.env.CI === "true" ? undefined : "chromium is not installed";

/**
 * Time-out for events that are certain, on a machine with other work: it only distinguishes a page without the event
 * from a hang.
 */
export const WAIT_MS = 120_000;

/** Nothing of a browser's own that would ask the network. */
const args = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/**
 * A browser that sends requests only to the page's own hosts, and whose pages wait as long as `WAIT_MS`; it may be
 * another program that starts it.
 */
export async function openBrowser({ args: more = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, ...options, args: [...args, ...more] });
  browser.on("context", (context) => context.setDefaultTimeout(WAIT_MS));
  return browser;
}

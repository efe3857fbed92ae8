/** Debian's Chromium for tests of pages: one process for all files of a run. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { sharedChromium } from "./shared-chromium.ts";

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

/**
 * Arguments of the command line for a browser that sends requests only to the page's own hosts; nothing of a browser's
 * own would ask the network.
 */
export const chromiumArguments = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/**
 * The run's browser, whose pages wait as long as `WAIT_MS`: closing it closes the contexts that were opened here. With
 * options, a browser of one's own; it may be another program that starts it.
 */
export async function openBrowser(options?: LaunchOptions): Promise<Browser> {
  const shared = options === undefined ? await sharedChromium() : undefined;
  const browser =
    shared === undefined
      ? await chromium.launch({ executablePath, ...options, args: [...chromiumArguments, ...(options?.args ?? [])] })
      : await chromium.connect(shared);
  browser.on("context", (context) => context.setDefaultTimeout(WAIT_MS));
  return browser;
}

/** Debian's Chromium for tests of pages. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const program = "/usr/bin/chromium";

/** Why tests with a browser are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export const withoutChromium: string | undefined =
  existsSync(program) || process.env.CI === "true" ? undefined : "chromium is not installed";

/** A browser that asks nobody but the page's own hosts for anything. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  });

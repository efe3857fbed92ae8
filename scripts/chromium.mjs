/** Debian's Chromium; the one without windows, where it is installed, takes half of the processor time. */
import { existsSync } from "node:fs";

export const chromiumPath =
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync) ?? "/usr/bin/chromium";

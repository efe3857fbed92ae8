/** Real recordings for tests that want them: beside the checkout, or where HUB_RECORDINGS says. They are no part of it. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the recordings, undefined when there is none. */
export function recordingsFolder(): string | undefined {
  const folder = process.env.HUB_RECORDINGS ?? resolve("../shared/recordings");
  return existsSync(folder) ? folder : undefined;
}

/** The path of one recording, undefined when it is absent. */
export function recordingPath(name: string): string | undefined {
  const folder = recordingsFolder();
  const path = folder && join(folder, name);
  return path && existsSync(path) ? path : undefined;
}

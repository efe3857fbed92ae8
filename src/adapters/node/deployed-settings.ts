/**
 * The boat's deployed configuration as the bridge uses it: the entries of `settings` in deploy.json, read anew whenever the
 * file changes. A file that cannot be understood leaves what was understood before.
 */
import { readFile, stat } from "node:fs/promises";
import type { Log } from "../../ports/log.ts";

/** Entries of `settings` by their name, of two with the same name the first. */
export type DeployedSettings = ReadonlyMap<string, unknown>;

export interface DeployedSettingsFile {
  /** The settings if the file has changed since the last call, else undefined. Never rejects. */
  refresh(): Promise<DeployedSettings | undefined>;
}

export function deployedSettingsFile(path: string, log: Log): DeployedSettingsFile {
  let seen = "";
  return {
    async refresh() {
      try {
        // Taken before reading, so that a change in between is seen the next time.
        const { mtimeMs, ino, size } = await stat(path);
        const stamp = `${mtimeMs} ${ino} ${size}`;
        if (stamp === seen) return undefined;
        seen = stamp;
        const settings = settingsOf(JSON.parse(await readFile(path, "utf8")));
        log.info("deployed configuration read", { file: path, settings: [...settings.keys()] });
        return settings;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (isAbsent(error)) {
          if (seen !== "absent")
            log.info("no deployed configuration, defaults are used until there is one", { file: path });
          seen = "absent";
        } else
          log.warn("the deployed configuration cannot be used, what was read before stays", { file: path, reason });
        return undefined;
      }
    },
  };
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

function settingsOf(document: unknown): DeployedSettings {
  if (typeof document !== "object" || document === null || Array.isArray(document)) throw new Error("not an object");
  const { settings = [] } = document as { settings?: unknown };
  if (!Array.isArray(settings)) throw new Error("settings is not an array");
  const entries = new Map<string, unknown>();
  for (const entry of settings as unknown[]) {
    if (typeof entry !== "object" || entry === null) continue;
    const { name } = entry as { name?: unknown };
    if (typeof name === "string" && !entries.has(name)) entries.set(name, entry);
  }
  return entries;
}

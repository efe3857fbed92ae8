/**
 * The part of the boat's deployed configuration that the bridge uses: the entries of `settings` in deploy.json, read
 * again whenever the file changes. A file that cannot be used leaves the settings in force.
 */
import { stat } from "node:fs/promises";
import type { Log } from "../../../core/ports/log.ts";
import { isNestedTooDeeply } from "../../../core/util/json-nesting.ts";
import { failedWith } from "../system-errors.ts";
import { readRegularFile } from "./regular-file.ts";

/** Entries of `settings` by name; if two have the same name, the first counts. */
export type DeployedSettings = ReadonlyMap<string, unknown>;

export interface DeployedSettingsFile {
  /** The reason why the file could not be used at the last call; undefined: it could, or there has never been one. */
  readonly fault: string | undefined;
  /** The settings if the file has changed since the last call, otherwise undefined. Never rejects. */
  refresh(): Promise<DeployedSettings | undefined>;
}

/** Room for more media than a boat has; parsing takes several times as much memory. */
const MAX_DEPLOYED_BYTES = 64 << 20;

/** Maximum names in the log, and characters of a name. */
const [MAX_LOGGED_NAMES, MAX_LOGGED_NAME] = [10, 64];

export function deployedSettingsFile(path: string, log: Log): DeployedSettingsFile {
  /** Version of the file at the last call, or the code of the error: each is logged once. */
  let lastState = "";
  let fault: string | undefined;
  /** Whether settings of the file are in force. */
  let wasRead = false;

  const report = (error: unknown): void => {
    fault = undefined;
    const isGone = failedWith(error, "ENOENT");
    if (isGone && !wasRead) {
      log.info("no deployed configuration, defaults are used until there is one", { file: path });
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    fault = reason;
    log.warn(
      isGone
        ? "the deployed configuration is gone, the settings in force stay until there is one"
        : "the deployed configuration cannot be used, the settings in force stay",
      { code: "SETTINGS_UNUSABLE", file: path, reason },
    );
  };

  return {
    get fault() {
      return fault;
    },
    async refresh() {
      let state = "";
      try {
        // The status is taken before reading, so that a change in between is noticed at the next call.
        const { ctimeMs, ino, size } = await stat(path);
        state = `${ctimeMs} ${ino} ${size}`;
        if (state === lastState) return undefined;
        const settings = await readSettings(path);
        fault = undefined;
        wasRead = true;
        log.info("deployed configuration read", { file: path, settings: namesOf(settings) });
        return settings;
      } catch (error) {
        // A file that the system failed to read is tried again, a malformed one when it has changed.
        const { code } = error as NodeJS.ErrnoException;
        if (code !== undefined) state = code;
        if (state !== lastState) report(error);
        return undefined;
      } finally {
        lastState = state;
      }
    },
  };
}

/** The first names, truncated, and the number of the others: any client may deploy millions. */
function namesOf(settings: DeployedSettings): readonly string[] {
  const first: string[] = [];
  for (const name of settings.keys()) {
    if (first.length === MAX_LOGGED_NAMES) return [...first, `${settings.size - MAX_LOGGED_NAMES} more`];
    first.push(name.slice(0, MAX_LOGGED_NAME));
  }
  return first;
}

async function readSettings(path: string): Promise<DeployedSettings> {
  const bytes = await readRegularFile(path, { follow: true, maxBytes: MAX_DEPLOYED_BYTES });
  if (bytes === undefined) throw new Error("not a regular file");
  if (isNestedTooDeeply(bytes)) throw new Error("nested too deeply");
  return settingsOf(JSON.parse(new TextDecoder().decode(bytes)));
}

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

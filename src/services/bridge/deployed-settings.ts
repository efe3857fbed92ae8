/**
 * The deployed settings: each entry is read once and given to the parts that follow it. Parts of the settings that cannot
 * be used go to the log and to the health report.
 */
import { type NavigationSettings, unknownNames } from "../../core/nav/settings.ts";
import type { Log } from "../../core/ports/log.ts";
import { type Warning, warningText } from "../../core/report/read-entry.ts";
import { entries } from "../../core/settings/entries.ts";
import type { Health } from "../../core/topics/health.ts";
import type { Boat } from "./boat.ts";
import { type SettingsUse, uses } from "./part.ts";
import { type SettingsPart, settingsPart } from "./settings-parts.ts";

/** A device that is there has sent its NAME and its model by then. */
const DEVICES_KNOWN_AFTER_MS = 60_000;
const MAX_IGNORED = 100;
/** Maximum characters of a text: a mistyped member may be as long as the file. */
const MAX_TEXT = 200;

type Ignored = Health["ignoredSettings"][number];

/** An entry with the parts that follow it, and its settings in force. */
interface Followed {
  readonly part: SettingsPart;
  /** By the name of the follower. */
  readonly uses: Map<string, SettingsUse>;
  inForce: unknown;
}

export class DeployedSettings {
  readonly #log: Log;
  readonly #boat: Pick<Boat, "devices">;
  readonly #followed = new Map<string, Followed>();
  #file = "";
  /** Why the file cannot be used; undefined: it can. */
  #fault: string | undefined;
  /** Warnings by entry, from reading it. */
  readonly #warnings = new Map<string, readonly Warning[]>();
  #navigation: NavigationSettings | undefined;
  /** Monotonic time of the settings in force, and names that were logged since. */
  #since = Number.NaN;
  readonly #logged = new Set<string>();

  /** Each reason is logged, so the log is one without a limited rate. */
  constructor(log: Log, boat: Pick<Boat, "devices">) {
    this.#log = log;
    this.#boat = boat;
    this.follow("names that are looked up", [uses(entries.navigation, (settings) => this.#lookUpNames(settings))]);
  }

  /** Applies the settings in force for a follower, and from now on those of each change; replaces what it followed. */
  follow(name: string, added: readonly SettingsUse[]): void {
    for (const { uses } of this.#followed.values()) uses.delete(name);
    for (const use of added) {
      const followed = this.#followed.get(use.entry.name) ?? this.#read(use);
      followed.uses.set(name, use);
      use.apply(followed.inForce);
    }
  }

  #read({ entry }: SettingsUse): Followed {
    const part = settingsPart(entry, (settings) => {
      followed.inForce = settings;
      for (const use of followed.uses.values()) use.apply(settings);
    });
    const followed: Followed = { part, uses: new Map(), inForce: entry.byDefault };
    this.#followed.set(entry.name, followed);
    return followed;
  }

  /**
   * Applies the entries of `settings` in deploy.json that have changed. A part that cannot be used is logged, and the
   * one in force stays.
   */
  configure(settings: ReadonlyMap<string, unknown>): void {
    for (const { part } of this.#followed.values()) {
      const warnings = part.configure(settings.get(part.entry));
      if (warnings !== undefined) this.note(part.entry, warnings);
    }
  }

  /** The file of the settings, and why it cannot be used; true when that has changed. */
  setFile(file: string, fault: string | undefined): boolean {
    const hasChanged = fault !== this.#fault;
    this.#file = file;
    this.#fault = fault;
    return hasChanged;
  }

  /** Sets the parts of an entry that were ignored when it was read. */
  note(entry: string, warnings: readonly Warning[]): void {
    this.#warnings.set(entry, warnings);
    for (const warning of warnings) this.#warn(entry, warningText(warning));
  }

  #lookUpNames(navigation: NavigationSettings): void {
    this.#navigation = navigation;
    this.#since = Number.NaN;
    this.#logged.clear();
  }

  /** All that is ignored at a monotonic time, milliseconds. */
  list(now: number): Ignored[] {
    const all: readonly (readonly [entry: string, warnings: readonly Warning[]])[] = [
      ["", this.#fault === undefined ? [] : [{ path: [], problem: this.#fault }]],
      ...this.#warnings,
      ["navigation", this.#unknownNames(now)],
    ];
    return all
      .flatMap(([entry, warnings]) => warnings.map((warning) => ({ entry, warning })))
      .slice(0, MAX_IGNORED)
      .map(({ entry, warning }) => ({
        ...{ file: this.#file, entry, reason: warningText(warning).slice(0, MAX_TEXT) },
        path: warning.path.map((step) => (typeof step === "string" ? step.slice(0, MAX_TEXT) : step)),
        problem: warning.problem.slice(0, MAX_TEXT),
      }));
  }

  #unknownNames(now: number): readonly Warning[] {
    if (this.#navigation === undefined) return [];
    if (Number.isNaN(this.#since)) this.#since = now;
    if (now - this.#since < DEVICES_KNOWN_AFTER_MS) return [];
    const heard = new Set<string>();
    for (const { name } of this.#boat.devices.addresses.values()) {
      if (name === undefined) continue;
      for (const each of this.#boat.devices.namesOf(name)) heard.add(String(each));
      const model = this.#boat.devices.modelOf(name);
      if (model !== undefined) heard.add(model);
    }
    const warnings = unknownNames(this.#navigation, (name) => heard.has(name));
    for (const text of warnings.map(warningText)) {
      if (!this.#logged.has(text)) this.#warn("navigation", text);
      this.#logged.add(text);
    }
    return warnings;
  }

  #warn(entry: string, reason: string): void {
    this.#log.warn("a part of the settings cannot be used", { code: "SETTING_IGNORED", entry, reason });
  }
}

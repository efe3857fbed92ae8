/**
 * The deployed settings: each entry is read once and given to the parts that follow it. Parts of the settings that cannot
 * be used go to the log and to the health report.
 */
import { type NavigationSettings, unknownNames } from "../../core/nav/settings.ts";
import type { Log } from "../../core/ports/log.ts";
import { entries } from "../../core/settings/entries.ts";
import type { Health } from "../../core/topics/health.ts";
import type { Boat } from "./boat.ts";
import { type SettingsUse, uses } from "./part.ts";
import { type SettingsPart, settingsPart } from "./settings-parts.ts";

/** A device that is there has sent its NAME and its model by then. */
const DEVICES_KNOWN_AFTER_MS = 60_000;
const MAX_IGNORED = 100;
/** Maximum characters of a reason: a mistyped member may be as long as the file. */
const MAX_REASON = 200;

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
  /** Reasons by entry, from reading it. */
  readonly #reasons = new Map<string, readonly string[]>();
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

  /** Sets the reasons for which parts of an entry were ignored when it was read. */
  note(entry: string, reasons: readonly string[]): void {
    this.#reasons.set(entry, reasons);
    for (const reason of reasons) this.#warn(entry, reason);
  }

  #lookUpNames(navigation: NavigationSettings): void {
    this.#navigation = navigation;
    this.#since = Number.NaN;
    this.#logged.clear();
  }

  /** All that is ignored at a monotonic time, milliseconds. */
  list(now: number): Ignored[] {
    const fault = this.#fault === undefined ? [] : [{ entry: "", reason: this.#fault }];
    const read = [...this.#reasons].flatMap(([entry, reasons]) => reasons.map((reason) => ({ entry, reason })));
    const names = this.#unknownNames(now).map((reason) => ({ entry: "navigation", reason }));
    return [...fault, ...read, ...names]
      .slice(0, MAX_IGNORED)
      .map(({ entry, reason }) => ({ file: this.#file, entry, reason: reason.slice(0, MAX_REASON) }));
  }

  #unknownNames(now: number): readonly string[] {
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
    const reasons = unknownNames(this.#navigation, (name) => heard.has(name));
    for (const reason of reasons) if (!this.#logged.has(reason)) this.#warn("navigation", reason);
    for (const reason of reasons) this.#logged.add(reason);
    return reasons;
  }

  #warn(entry: string, reason: string): void {
    this.#log.warn("a part of the settings cannot be used", { code: "SETTING_IGNORED", entry, reason });
  }
}

/** The parts of the deployed settings that cannot be used, for the log and for the health report. */
import { type NavigationSettings, unknownNames } from "../../core/nav/settings.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Health } from "../../core/topics/health.ts";
import type { Peers } from "./peers.ts";

/** A device that is there has sent its NAME and its model by then. */
const DEVICES_KNOWN_AFTER_MS = 60_000;
const MAX_IGNORED = 100;
/** Maximum characters of a reason: a mistyped member may be as long as the file. */
const MAX_REASON = 200;

type Ignored = Health["ignoredSettings"][number];

export class IgnoredSettings {
  readonly #log: Log;
  readonly #peers: Peers;
  #file = "";
  /** Why the file cannot be used; undefined: it can. */
  #fault: string | undefined;
  /** Reasons by entry, from reading it. */
  readonly #reasons = new Map<string, readonly string[]>();
  #navigation: NavigationSettings | undefined;
  /** Monotonic time of the settings in force, and names that were logged since. */
  #since = Number.NaN;
  readonly #logged = new Set<string>();

  constructor(log: Log, peers: Peers) {
    this.#log = log;
    this.#peers = peers;
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

  /** Sets the settings in force, whose names are looked up. */
  use(navigation: NavigationSettings): void {
    this.#navigation = navigation;
    this.#since = Number.NaN;
    this.#logged.clear();
  }

  /** All of them at a monotonic time, milliseconds. */
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
    for (const { name } of this.#peers.addresses.values()) {
      if (name === undefined) continue;
      heard.add(String(name));
      const model = this.#peers.modelOf(name);
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

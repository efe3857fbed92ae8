/**
 * The device that holds an instance: the first one that sends any value of it, until it is silent. It has all values of
 * the instance that it sends, so that no battery is made of two of one number.
 */
import { SOURCE_SILENT_MS } from "./model.ts";

/** Instances come from the bus; beyond this number they are forgotten, and each device keeps the paths that it has. */
const MAX_INSTANCES = 1000;

export class Holders {
  /** By the beginning of the paths of an instance, such as `electrical.batteries.0`. */
  readonly #holders = new Map<string, { source: string; heardAt: number }>();

  /** Notes that a source sends an instance; returns whether it holds it. */
  hear(instance: string, source: string, now: number): boolean {
    const holder = this.#holders.get(instance);
    if (holder !== undefined && holder.source !== source && now < holder.heardAt + SOURCE_SILENT_MS) return false;
    if (holder === undefined && this.#holders.size >= MAX_INSTANCES) this.#holders.clear();
    this.#holders.set(instance, { source, heardAt: now });
    return true;
  }

  /** See `Model.rename`. */
  rename(renamed: ReadonlyMap<string, string>): void {
    for (const holder of this.#holders.values()) holder.source = renamed.get(holder.source) ?? holder.source;
  }
}

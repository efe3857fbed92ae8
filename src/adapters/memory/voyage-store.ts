/** Voyages in memory. */
import type { VoyageStore } from "../../core/ports/voyage-store.ts";

export interface MemoryVoyageStore extends VoyageStore {
  /** The text of each voyage. */
  readonly files: Map<string, string>;
}

export function memoryVoyageStore(): MemoryVoyageStore {
  const files = new Map<string, string>();
  return {
    files,
    names: async () => [...files.keys()].sort(),
    read: async (name) => files.get(name),
    size: async (name) => files.get(name)?.length ?? 0,
    append: async (name, lines) => {
      files.set(name, (files.get(name) ?? "") + lines.map((line) => `${line}\n`).join(""));
    },
  };
}

/** Voyages in memory. */
import type { Picture, VoyageStore } from "../../../src/core/ports/voyage-store.ts";

export interface MemoryVoyageStore extends VoyageStore {
  /** The text of each voyage. */
  readonly files: Map<string, string>;
  /** Pictures by voyage and number: `2026-11-21T081426Z 7`. */
  readonly pictureFiles: Map<string, Picture>;
}

export function memoryVoyageStore(): MemoryVoyageStore {
  const files = new Map<string, string>();
  const pictures = new Map<string, Picture>();
  return {
    files,
    names: async () => [...files.keys()].sort(),
    read: async (name) => files.get(name),
    size: async (name) => files.get(name)?.length ?? 0,
    piece: async (name, from, length) => new TextEncoder().encode(files.get(name)).subarray(from, from + length),
    pictureFiles: pictures,
    addPicture: async (name, type, bytes, used) => {
      const number = Math.max(pictures.size, used) + 1;
      pictures.set(`${name} ${number}`, { type, bytes: Uint8Array.from(bytes) });
      return number;
    },
    picture: async (name, number) => pictures.get(`${name} ${number}`),
    pictures: async () => ({
      count: pictures.size,
      bytes: [...pictures.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
    }),
    remove: async (name) => {
      files.delete(name);
    },
    create: async (voyages) => {
      for (const [name, lines] of voyages) files.set(name, lines.map((line) => `${line}\n`).join(""));
    },
    append: async (name, lines) => {
      files.set(name, (files.get(name) ?? "") + lines.map((line) => `${line}\n`).join(""));
    },
  };
}

/** Files of applications in memory, for tests and runtimes without files. */
import type { BlobStore } from "../../ports/blob-store.ts";

export const memoryBlobStore = (blobs: Map<string, Uint8Array> = new Map()): BlobStore => ({
  list: async () => [...blobs.keys()].sort(),
  async read(id) {
    const bytes = blobs.get(id);
    return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  },
  async write(id, chunks) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk.slice());
    const whole = new Blob(parts as Uint8Array<ArrayBuffer>[]);
    blobs.set(id, new Uint8Array(await whole.arrayBuffer()));
    return whole.size;
  },
  remove: async (id) => blobs.delete(id),
});

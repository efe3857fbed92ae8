/** Files of applications in memory, for tests and runtimes without files. */
import type { BlobStore } from "../../ports/blob-store.ts";

export const memoryBlobStore = (blobs: Map<string, Uint8Array> = new Map()): BlobStore => ({
  list: async () => [...blobs.keys()].sort(),
  read: async (id) => blobs.get(id),
  async write(id, bytes) {
    blobs.set(id, bytes.slice());
  },
  remove: async (id) => blobs.delete(id),
});

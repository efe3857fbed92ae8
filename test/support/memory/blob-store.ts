/** Files of applications in memory, for tests and runtimes without files. */
import type { BlobStore } from "../../../src/core/ports/blob-store.ts";

export const memoryBlobStore = (blobs: Map<string, Uint8Array> = new Map()): BlobStore => ({
  list: async () => [...blobs.keys()].sort(),
  async read(id) {
    const bytes = blobs.get(id);
    if (bytes === undefined) return undefined;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
  },
  async write(id, chunks) {
    let size = 0;
    const parts: { readonly at: number; readonly bytes: Uint8Array }[] = [];
    for await (const chunk of chunks) {
      parts.push({ at: size, bytes: chunk.slice() });
      size += chunk.length;
    }
    const whole = new Uint8Array(size);
    for (const { at, bytes } of parts) whole.set(bytes, at);
    blobs.set(id, whole);
    return size;
  },
  remove: async (id) => blobs.delete(id),
});

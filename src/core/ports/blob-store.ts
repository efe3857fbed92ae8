/**
 * Storage for applications: opaque bytes by id (`[a-zA-Z0-9-]+`). The guarantees of `project-store.ts` hold here too:
 * changes are atomic, on the medium before the promise resolves, and a SystemError reports a failed system call. Calls
 * may overlap.
 */
export interface BlobStore {
  /** Ids, sorted. */
  list(): Promise<readonly string[]>;
  read(id: string): Promise<ReadableStream<Uint8Array> | undefined>;
  /**
   * Stores the chunks as they arrive and returns their size. If their iterator throws, the error is passed on, and
   * nothing is stored.
   */
  write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** False if there was none. */
  remove(id: string): Promise<boolean>;
}

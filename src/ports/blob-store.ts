/**
 * Storage for applications: opaque bytes by id (`[a-zA-Z0-9-]+`). The promises of `project-store.ts` hold here too:
 * whole or not at all, on the medium before the answer, SystemError when a system call fails. Calls may overlap.
 */
export interface BlobStore {
  /** Ids, sorted. */
  list(): Promise<readonly string[]>;
  read(id: string): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Stores the chunks as they come and gives their size. An error of theirs is passed on, and nothing is stored. */
  write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** False if there was none. */
  remove(id: string): Promise<boolean>;
}

/**
 * Where applications keep what only they understand: bytes by id (`[a-zA-Z0-9-]+`). The promises of `project-store.ts` hold
 * here too: whole or not at all, on the medium before the answer, SystemError when the system says no.
 */
export interface BlobStore {
  /** Ids, sorted. */
  list(): Promise<readonly string[]>;
  read(id: string): Promise<Uint8Array | undefined>;
  write(id: string, bytes: Uint8Array): Promise<void>;
  /** False if there was none. */
  remove(id: string): Promise<boolean>;
}

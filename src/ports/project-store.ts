/**
 * Where projects are kept, one file each, and the one that is deployed. Bytes in, bytes out: what is in them is not its
 * business.
 *
 * A change is on the medium before its promise resolves, and is whole or did not happen; whoever reads meanwhile gets the old
 * bytes or the new, in an array that nobody changes: the same one as the last time, as long as the bytes are the same and the store
 * cares to remember. Changes are made one at a time, the caller sees to that. Every method rejects with a SystemError when the
 * system says no.
 */

export interface ProjectName {
  /** `[a-zA-Z0-9-]{1,63}`. */
  readonly id: string;
  /** A read-only one that came with the package. */
  readonly template: boolean;
}

export interface StoredProject {
  readonly template: boolean;
  readonly bytes: Uint8Array;
}

export interface ProjectStore {
  /** Projects and templates, sorted by id; a project hides the template of its id. */
  list(): Promise<readonly ProjectName[]>;
  /** The project of that id, else the template, else undefined. */
  read(id: string): Promise<StoredProject | undefined>;
  /** Creates or replaces a project. */
  save(id: string, bytes: Uint8Array): Promise<void>;
  /** Gives an existing project an id that is not taken. */
  rename(id: string, newId: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Takes an unreadable project out of the list and keeps its bytes; of each id only the latest. */
  setAside(id: string): Promise<void>;
  /** The configuration the rest of the boat reads; undefined if nothing has been deployed. */
  deployed(): Promise<Uint8Array | undefined>;
  deploy(bytes: Uint8Array): Promise<void>;
}

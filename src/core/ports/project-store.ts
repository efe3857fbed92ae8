/**
 * Storage of projects, one file each, and of the deployed one. Bytes in, bytes out; a store does not look into them.
 *
 * A change is atomic and on the medium before its promise resolves; concurrent readers get the old bytes or the new. A
 * read returns the same pieces while the file is unchanged and cached; after a change these are the pieces that were
 * saved. Callers change neither, and make one change at a time. Every method rejects with a SystemError if a system
 * call fails.
 */

export interface ProjectName {
  /** `[a-zA-Z0-9-]{1,63}`. */
  readonly id: string;
  /** A read-only project that came with the package. */
  readonly template: boolean;
}

export interface StoredProject {
  readonly template: boolean;
  /** The bytes as consecutive pieces. */
  readonly bytes: readonly Uint8Array[];
}

export interface ProjectStore {
  /** Projects and templates, sorted by id; a project hides the template of its id. */
  list(): Promise<readonly ProjectName[]>;
  /** Bytes of a project, a copy, all projects, or the deployed one, without reading them; undefined without a file. */
  size(of: { readonly id: string } | { readonly backup: string } | "all" | "deployed"): Promise<number | undefined>;
  /** The project of that id, or else the template, or else undefined. */
  read(id: string): Promise<StoredProject | undefined>;
  /** Creates or replaces a project. */
  save(id: string, bytes: readonly Uint8Array[]): Promise<void>;
  /** Renames an existing project to an id that is not taken. */
  rename(id: string, newId: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Renames an unreadable project to `<id>.json.bad`, which is not listed; only the latest is kept for each id. */
  setAside(id: string): Promise<void>;
  /** Keeps its bytes as `setAside` does, but the project in its place, until a save replaces it. */
  keepAside(id: string): Promise<void>;
  /** The configuration the rest of the boat reads; undefined if nothing has been deployed. */
  deployed(): Promise<Uint8Array | undefined>;
  deploy(bytes: Uint8Array): Promise<void>;
  /**
   * Waits until what a failed change may have left in a file is on the medium too: a change that finds it there already
   * is acknowledged without a write of its own.
   */
  settle(): Promise<void>;
  /** Copies the deployed configuration unless its newest copy is the same, and keeps thirty copies of deployments. */
  keepBackup(): Promise<void>;
  /** The copies of deployed configurations, daily and of deployments, the newest first. */
  backups(): Promise<readonly Backup[]>;
  /** A copy by its name; undefined if there is none. */
  backup(name: string): Promise<Uint8Array | undefined>;
}

export interface Backup {
  /** Local time of the copy: `2026-11-21_08-14-26`, of the second one in a second `2026-11-21_08-14-26-2`. */
  readonly name: string;
  readonly bytes: number;
  /** Time in UTC. */
  readonly at: string;
}

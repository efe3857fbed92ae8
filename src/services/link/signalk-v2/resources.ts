/**
 * The resources of the boat: waypoints, routes, notes and tracks that apps have stored. They are held in memory, and
 * each change is stored before it counts.
 */
import { createExclusive } from "../../../core/util/exclusive.ts";
import { Refused, storing } from "./refused.ts";
import { faultIn, type Kind, kinds, type Resource, shapes } from "./shapes.ts";

export interface ResourceFiles {
  /** Stores resources before the promise resolves: all, or none if it rejects, also after a restart. */
  save(all: readonly StoredResource[]): Promise<void>;
  remove(kind: Kind, id: string): Promise<void>;
}

export interface StoredResource {
  readonly kind: Kind;
  readonly id: string;
  readonly resource: Resource;
}

export interface ResourcesOptions {
  /** Resources of earlier starts. */
  readonly stored: readonly StoredResource[];
  readonly files: ResourceFiles;
  /** Milliseconds since 1970. */
  wall(): number;
}

/** Told about each change: the resource, or null if it was removed. */
export type ResourceListener = (kind: Kind, id: string, resource: Resource | null) => void;

/** Limits of the resources of a kind, and of the JSON of one and of all of them, in characters. */
export const MAX_RESOURCES = 1000;
export const MAX_LENGTH = 1 << 20;
export const MAX_TOTAL_LENGTH = 16 << 20;

interface Kept {
  readonly resource: Resource;
  readonly length: number;
}

export class Resources {
  readonly #options: ResourcesOptions;
  readonly #kept: Readonly<Record<Kind, Map<string, Kept>>> = {
    waypoints: new Map(),
    routes: new Map(),
    notes: new Map(),
    tracks: new Map(),
  };
  readonly #listeners: ResourceListener[] = [];
  #totalLength = 0;
  /** Changes are stored one after the other. */
  readonly #inTurn = createExclusive();

  constructor(options: ResourcesOptions) {
    this.#options = options;
    for (const { kind, id, resource } of options.stored) this.#keep(kind, id, resource);
  }

  listen(listener: ResourceListener): void {
    this.#listeners.push(listener);
  }

  /** The resources of a kind by their ids. */
  of(kind: Kind): readonly (readonly [id: string, resource: Resource])[] {
    return [...this.#kept[kind]].map(([id, { resource }]) => [id, resource]);
  }

  get(kind: Kind, id: string): Resource | undefined {
    return this.#kept[kind].get(id)?.resource;
  }

  /** Stores a resource in place of any with its id. Throws `Refused` for one that is not of its kind, or too much. */
  put(kind: Kind, id: string, value: unknown): Promise<void> {
    return this.putAll([{ kind, id, resource: value as Resource }]);
  }

  /** Stores resources, none of them if one is refused or cannot be stored. */
  putAll(all: readonly StoredResource[]): Promise<void> {
    return this.#inTurn(async () => {
      const timestamp = new Date(this.#options.wall()).toISOString();
      const valid = all.map(({ kind, id, resource }) => {
        const { success, data, error } = shapes[kind].safeParse(resource);
        if (!success) throw new Refused(400, faultIn(error));
        return { kind, id, resource: { ...data, timestamp, $source: "hub" } as Resource };
      });
      this.#checkRoom(valid);
      await storing(this.#options.files.save(valid));
      for (const { kind, id, resource } of valid) {
        this.#keep(kind, id, resource);
        this.#tell(kind, id, resource);
      }
    });
  }

  /** Removes a resource; false if there is none. */
  remove(kind: Kind, id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const kept = this.#kept[kind].get(id);
      if (kept === undefined) return false;
      await storing(this.#options.files.remove(kind, id));
      this.#kept[kind].delete(id);
      this.#totalLength -= kept.length;
      this.#tell(kind, id, null);
      return true;
    });
  }

  #checkRoom(all: readonly StoredResource[]): void {
    let total = this.#totalLength;
    for (const { kind, id, resource } of all) {
      const { length } = JSON.stringify(resource);
      if (length > MAX_LENGTH) throw new Refused(400, `A resource has ${MAX_LENGTH} characters at most.`);
      total += length - (this.#kept[kind].get(id)?.length ?? 0);
    }
    if (total > MAX_TOTAL_LENGTH) throw new Refused(400, `All resources have ${MAX_TOTAL_LENGTH} characters at most.`);
    for (const kind of kinds) {
      const ids = all.filter((each) => each.kind === kind && !this.#kept[kind].has(each.id)).map(({ id }) => id);
      if (this.#kept[kind].size + new Set(ids).size > MAX_RESOURCES)
        throw new Refused(400, `There are ${MAX_RESOURCES} ${kind} at most.`);
    }
  }

  #keep(kind: Kind, id: string, resource: Resource): void {
    const { length } = JSON.stringify(resource);
    this.#totalLength += length - (this.#kept[kind].get(id)?.length ?? 0);
    this.#kept[kind].set(id, { resource, length });
  }

  #tell(kind: Kind, id: string, resource: Resource | null): void {
    for (const listener of this.#listeners) listener(kind, id, resource);
  }
}

/** Projects in memory, for tests and runtimes without files. */
import type { ProjectName, ProjectStore } from "../../../src/core/ports/project-store.ts";
import { SystemError } from "../../../src/core/ports/system-error.ts";
import { bytesEqual, joined, type Pieces } from "../../../src/core/util/bytes.ts";

export interface MemoryProjects {
  readonly projects: Map<string, Uint8Array>;
  readonly templates: Map<string, Uint8Array>;
  /** Bytes set aside, by id. */
  readonly bad: Map<string, Uint8Array>;
  /** Copies of deployed configurations, by name. */
  readonly backups: Map<string, Uint8Array>;
  deployed: Uint8Array | undefined;
  /** Number of copies that were made of it. */
  copies: number;
  /** Number of writes; a change without effect makes none. */
  writes: number;
  /** The error of the next writes; undefined: they succeed. */
  failure: SystemError | undefined;
}

export const memoryProjects = (): MemoryProjects => ({
  projects: new Map(),
  templates: new Map(),
  bad: new Map(),
  backups: new Map(),
  deployed: undefined,
  copies: 0,
  writes: 0,
  failure: undefined,
});

const RETAINED_COPIES = 30;

/** The pieces that an array was saved as. */
const saved = new WeakMap<Uint8Array, Pieces>();

function need(projects: Map<string, Uint8Array>, id: string): Uint8Array {
  const bytes = projects.get(id);
  if (bytes === undefined) throw new SystemError(2, "ENOENT", "no such file or directory");
  return bytes;
}

function take(projects: Map<string, Uint8Array>, id: string): Uint8Array {
  const bytes = need(projects, id);
  projects.delete(id);
  return bytes;
}

export function memoryProjectStore(memory: MemoryProjects): ProjectStore {
  const { projects, templates, bad, backups } = memory;

  const write = (): void => {
    if (memory.failure !== undefined) throw memory.failure;
    memory.writes += 1;
  };

  return {
    async settle() {},
    async list() {
      const names = new Map<string, ProjectName>();
      for (const id of templates.keys()) names.set(id, { id, template: true });
      for (const id of projects.keys()) names.set(id, { id, template: false });
      return [...names.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    },
    async size(of) {
      if (of === "deployed") return memory.deployed?.length;
      if (typeof of === "object" && "backup" in of) return backups.get(of.backup)?.length;
      if (of !== "all") return (projects.get(of.id) ?? templates.get(of.id))?.length;
      return [...projects.values(), ...templates.values()].reduce((sum, { length }) => sum + length, 0);
    },
    async read(id) {
      const own = projects.get(id);
      if (own !== undefined) return { template: false, bytes: saved.get(own) ?? [own] };
      const bytes = templates.get(id);
      return bytes && { template: true, bytes: [bytes] };
    },
    async save(id, bytes) {
      write();
      const whole = joined(bytes);
      saved.set(whole, bytes);
      projects.set(id, whole);
    },
    async rename(id, newId) {
      write();
      projects.set(newId, take(projects, id));
    },
    async remove(id) {
      write();
      take(projects, id);
    },
    async setAside(id) {
      write();
      bad.set(id, take(projects, id));
    },
    async keepAside(id) {
      write();
      bad.set(id, need(projects, id));
    },
    deployed: async () => memory.deployed,
    async deploy(bytes) {
      write();
      memory.deployed = bytes;
    },
    async keepBackup() {
      const newest = backups.get([...backups.keys()].sort().at(-1) ?? "");
      if (memory.deployed === undefined || (newest !== undefined && bytesEqual(newest, memory.deployed))) return;
      const number = String(++memory.copies).padStart(2, "0");
      backups.set(`2026-11-21_08-14-${number}`, memory.deployed);
      for (const oldest of [...backups.keys()].sort().slice(0, -RETAINED_COPIES)) backups.delete(oldest);
    },
    async backups() {
      const names = [...backups.keys()].sort().reverse();
      return names.map((name) => ({
        name,
        bytes: backups.get(name)!.length,
        at: name.replace(/_(\d\d)-(\d\d)-(\d\d)/, "T$1:$2:$3.000Z"),
      }));
    },
    backup: async (name) => backups.get(name),
  };
}

/**
 * The files of the course and the resources that apps have stored, in the state folder of hub-link: `course.json`, and a
 * GeoJSON file for each resource, such as `resources/waypoints/{id}.json`. Each file is whole or absent after a power
 * cut. A file that cannot be read is set aside under another name, and the rest is served.
 *
 * Several resources at once are stored as one file, `resources/import.json`, so that all of them are there or none. Their
 * own files are made of it afterwards, if need be at the next start.
 */
import { join } from "node:path";
import * as z from "zod";
import {
  changeOrRestore,
  ensureFolder,
  ensureFolders,
  exchangeFile,
  type Files,
  moveFile,
  nodeFiles,
  openInFolder,
  placeFile,
  regularFiles,
  removeFile,
  replaceFile,
  sweep,
  syncFolder,
} from "../adapters/node/files/durable-files.ts";
import { readRegularFile } from "../adapters/node/files/regular-file.ts";
import type { Log } from "../core/ports/log.ts";
import { checked, parsed } from "../core/report/read-entry.ts";
import type { Course, CourseOptions } from "../services/link/signalk-v2/course.ts";
import { featureText, resourceIn } from "../services/link/signalk-v2/resource-feature.ts";
import { MAX_TOTAL_LENGTH, type ResourceFiles, type StoredResource } from "../services/link/signalk-v2/resources.ts";
import {
  courseInfo,
  type Kind,
  kinds,
  RESOURCE_ID,
  type Resource,
  resourceId,
  shapes,
} from "../services/link/signalk-v2/shapes.ts";

/** A character has four bytes at most; a file of an import has all resources. */
const MAX_BYTES = 4 * MAX_TOTAL_LENGTH + (1 << 20);

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface HeldFiles {
  readonly course: Course["info"] | undefined;
  readonly saveCourse: CourseOptions["save"];
  readonly stored: readonly StoredResource[];
  readonly files: ResourceFiles;
}

/** Reads what an earlier start has stored. Rejects if a folder cannot be read or made. */
export async function heldFiles(
  state: string,
  log: Log,
  wall: () => number,
  files: Files = nodeFiles,
): Promise<HeldFiles> {
  const folder = join(state, "resources");
  const course = join(state, "course.json");
  const read = <Value>(path: string, parse: (text: string) => Value) => readOrSetAside(path, parse, log, wall);
  await ensureFolders(files, folder);
  await sweep(files, folder);
  for (const kind of kinds) {
    await ensureFolder(files, join(folder, kind));
    await sweep(files, join(folder, kind));
  }
  const resources = resourceFiles({ folder, files, log, imported: (await read(importIn(folder), importedIn)) ?? [] });
  await resources.settle().catch(() => {});
  const stored = new Map<string, StoredResource>();
  for (const kind of kinds)
    for (const name of await regularFiles(files, join(folder, kind), RESOURCE_FILE)) {
      const id = name.slice(0, -".json".length);
      const resource = await read(fileIn(folder, kind, id), (text) => resourceIn(kind, text));
      if (resource !== undefined) stored.set(`${kind}/${id}`, { kind, id, resource });
    }
  for (const each of resources.unplaced()) stored.set(`${each.kind}/${each.id}`, each);
  return {
    course: await read(course, (text) => parsed(courseInfo, text)),
    saveCourse: async (info) => {
      const bytes = encode(`${JSON.stringify(info, null, 2)}\n`);
      await changeOrRestore(files, course, await bytesOf(course), () => replaceFile(files, course, bytes));
    },
    stored: [...stored.values()],
    files: resources,
  };
}

const fileIn = (folder: string, kind: Kind, id: string): string => join(folder, kind, `${id}.json`);
const importIn = (folder: string): string => join(folder, "import.json");

const bytesOf = (path: string): Promise<Uint8Array | undefined> => readRegularFile(path, { maxBytes: MAX_BYTES });

function importedIn(text: string): readonly StoredResource[] {
  const shape = z.array(z.object({ kind: z.enum(kinds), id: resourceId, resource: z.unknown() }));
  return parsed(shape, text).map(({ kind, id, resource }) => ({
    kind,
    id,
    resource: checked<Resource>(shapes[kind], resource),
  }));
}

/** Files that are written and synced at a time. */
const AT_A_TIME = 8;

interface ResourceFilesOptions {
  readonly folder: string;
  readonly files: Files;
  readonly log: Log;
  /** Those of the file of an import. */
  readonly imported: readonly StoredResource[];
}

function resourceFiles({ folder, files, log, imported }: ResourceFilesOptions) {
  const journal = importIn(folder);
  /** Resources of the import whose own files are not durable yet. */
  let unplaced = imported;
  let placing: Promise<void> = Promise.resolve();

  async function place(): Promise<void> {
    for (let at = 0; at < unplaced.length; at += AT_A_TIME)
      await Promise.all(
        unplaced.slice(at, at + AT_A_TIME).map(({ kind, id, resource }) => {
          const text = encode(featureText(kind, resource));
          return exchangeFile(files, fileIn(folder, kind, id), text, { open: openInFolder });
        }),
      );
    for (const kind of new Set(unplaced.map(({ kind }) => kind))) await syncFolder(files, join(folder, kind));
    await removeFile(files, journal);
    unplaced = [];
  }

  function begin(): Promise<void> {
    placing = place().catch((error) => {
      const reason = (error as Error).message;
      log.error("the files of an import, which is stored, cannot be written", { code: "RESOURCES_NOT_STORED", reason });
      throw error;
    });
    placing.catch(() => {});
    return placing;
  }

  /** Waits until the resources of the last import have files of their own; rejects if they cannot be written. */
  async function settle(): Promise<void> {
    await placing.catch(() => {});
    if (unplaced.length > 0) await begin();
  }

  /** The file of a resource that is to be changed, with its content. */
  async function fileOf(kind: Kind, id: string) {
    if (unplaced.some((each) => each.kind === kind && each.id === id)) await settle();
    const path = fileIn(folder, kind, id);
    return { path, before: await bytesOf(path) };
  }

  return {
    settle,
    unplaced: () => unplaced,

    async save(all: readonly StoredResource[]): Promise<void> {
      const [first, second] = all;
      if (first === undefined) return;
      if (second === undefined) {
        const { path, before } = await fileOf(first.kind, first.id);
        const text = encode(featureText(first.kind, first.resource));
        return changeOrRestore(files, path, before, () => placeFile(files, path, text));
      }
      await settle();
      await changeOrRestore(files, journal, undefined, () => placeFile(files, journal, encode(JSON.stringify(all))));
      unplaced = all;
      void begin();
    },

    async remove(kind: Kind, id: string): Promise<void> {
      const { path, before } = await fileOf(kind, id);
      await changeOrRestore(files, path, before, () => removeFile(files, path));
    },
  };
}

/** Files with other names in the folder are not touched. */
const RESOURCE_FILE = new RegExp(`^${RESOURCE_ID}\\.json$`);

/** The parsed content of a file; undefined if there is none, and if it is damaged, which sets it aside. */
async function readOrSetAside<Value>(
  path: string,
  parse: (text: string) => Value,
  log: Log,
  wall: () => number,
): Promise<Value | undefined> {
  try {
    const bytes = await readRegularFile(path, { maxBytes: MAX_BYTES });
    return bytes === undefined ? undefined : parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const aside = `${path}.damaged-${new Date(wall()).toISOString().replaceAll(":", "")}`;
    const reason = (error as Error).message.slice(0, 200);
    await moveFile(nodeFiles, path, aside);
    log.error("a file is damaged and set aside", { code: "FILE_SET_ASIDE", path, aside, reason });
    return undefined;
  }
}

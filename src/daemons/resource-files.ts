/**
 * The files of the course and the resources that apps have stored, in the state folder of hub-link: `course.json`, and a
 * GeoJSON file for each resource, such as `resources/waypoints/{id}.json`. Each file is whole or absent after a power
 * cut. A file that cannot be read is set aside under another name, and the rest is served.
 */
import { join } from "node:path";
import {
  ensureFolder,
  moveFile,
  nodeFiles,
  placeFile,
  regularFiles,
  removeFile,
  replaceFile,
  sweep,
} from "../adapters/node/files/durable-files.ts";
import { readRegularFile } from "../adapters/node/files/regular-file.ts";
import type { Log } from "../core/ports/log.ts";
import type { Course, CourseOptions } from "../services/link/signalk-v2/course.ts";
import { featureText, resourceIn } from "../services/link/signalk-v2/resource-feature.ts";
import { MAX_LENGTH, type ResourceFiles, type StoredResource } from "../services/link/signalk-v2/resources.ts";
import { courseInfo, type Kind, kinds, RESOURCE_ID } from "../services/link/signalk-v2/shapes.ts";

/** A character has four bytes at most. */
const MAX_BYTES = 4 * MAX_LENGTH + 4096;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface HeldFiles {
  readonly course: Course["info"] | undefined;
  readonly saveCourse: CourseOptions["save"];
  readonly stored: readonly StoredResource[];
  readonly files: ResourceFiles;
}

/** Reads what an earlier start has stored. Rejects if a folder cannot be read or made. */
export async function heldFiles(state: string, log: Log, wall: () => number): Promise<HeldFiles> {
  const folder = join(state, "resources");
  const fileOf = (kind: Kind, id: string) => join(folder, kind, `${id}.json`);
  const course = join(state, "course.json");
  const read = <Value>(path: string, parse: (text: string) => Value) => readOrSetAside(path, parse, log, wall);
  await ensureFolder(nodeFiles, folder);
  const stored: StoredResource[] = [];
  for (const kind of kinds) {
    await ensureFolder(nodeFiles, join(folder, kind));
    await sweep(nodeFiles, join(folder, kind));
    for (const name of await regularFiles(nodeFiles, join(folder, kind), RESOURCE_FILE)) {
      const id = name.slice(0, -".json".length);
      const resource = await read(fileOf(kind, id), (text) => resourceIn(kind, text));
      if (resource !== undefined) stored.push({ kind, id, resource });
    }
  }
  return {
    course: await read(course, (text) => courseInfo.parse(JSON.parse(text))),
    saveCourse: async (info) => {
      await replaceFile(nodeFiles, course, encode(`${JSON.stringify(info, null, 2)}\n`));
    },
    stored,
    files: {
      save: async (kind, id, resource) => {
        await placeFile(nodeFiles, fileOf(kind, id), encode(featureText(kind, resource)));
      },
      remove: (kind, id) => removeFile(nodeFiles, fileOf(kind, id)),
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

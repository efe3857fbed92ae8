/** Projects as files: `configuration/<id>.json` and `deploy.json` under one folder, templates in another. */
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Backup, ProjectName, ProjectStore } from "../../ports/project-store.ts";
import { cachedFileReader } from "./cached-files.ts";
import {
  type Files,
  moveFile,
  nodeFiles,
  placeFile,
  regularFiles,
  removeFile,
  removeIfThere,
  replaceFile,
  sweep,
} from "./durable-files.ts";
import { sizeOfFile } from "./regular-file.ts";
import { failedWith, withSystemErrors } from "./system-errors.ts";

export interface ProjectFolders {
  /** Holds `configuration/` and `deploy.json`; has to exist. */
  readonly folder: string;
  /** Holds read-only projects; may be missing. */
  readonly templates: string;
}

const projectFile = /^[a-zA-Z0-9-]{1,63}\.json$/;

/** A copy of `hub-config-backup`; what follows the hyphen is its name. */
const backupFile = /^deploy\.json-\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$/;
const backupPrefix = "deploy.json-";

/** The one name that others know of a file on its way. */
const deployTemporary = "deploy.json.tmp";

export function nodeProjectStore({ folder, templates }: ProjectFolders, files: Files = nodeFiles): ProjectStore {
  const configuration = join(folder, "configuration");
  const fileOf = (id: string): string => `${configuration}/${id}.json`;
  const deployedFile = join(folder, "deploy.json");
  const backupFolder = join(folder, "backup");
  const readFile = cachedFileReader();

  const idsIn = async (path: string): Promise<readonly string[]> =>
    (await regularFiles(files, path, projectFile)).map((name) => name.slice(0, -".json".length));

  const list = async (): Promise<readonly ProjectName[]> => {
    const names = new Map<string, ProjectName>();
    for (const id of await idsIn(templates)) names.set(id, { id, template: true });
    for (const id of await idsIn(configuration)) names.set(id, { id, template: false });
    return [...names.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  };

  const read: ProjectStore["read"] = async (id) => {
    const own = await readFile(fileOf(id));
    if (own !== undefined) return { template: false, bytes: own };
    const bytes = await readFile(`${templates}/${id}.json`);
    return bytes && { template: true, bytes };
  };

  const size: ProjectStore["size"] = async (of) => {
    if (of === "deployed") return sizeOfFile(deployedFile, { follow: true });
    if (of !== "all") return sizeOfFile(fileOf(of.id)) ?? sizeOfFile(`${templates}/${of.id}.json`);
    return (await sizeOfAll(templates)) + (await sizeOfAll(configuration));
  };

  const deploy = async (bytes: Uint8Array): Promise<void> => {
    await removeIfThere(files, join(folder, deployTemporary));
    await replaceFile(files, deployedFile, bytes, { temporary: deployTemporary });
  };

  const backups = async (): Promise<readonly Backup[]> => {
    const names = (await regularFiles(files, backupFolder, backupFile)).toSorted().reverse();
    const found = names.map(async (name) => ({
      name: name.slice(backupPrefix.length),
      bytes: (await stat(join(backupFolder, name))).size,
    }));
    return Promise.all(found);
  };

  return {
    list: () => withSystemErrors(list()),
    size: (of) => withSystemErrors(size(of)),
    read: (id) => withSystemErrors(read(id)),
    save: (id, bytes) => withSystemErrors(placeFile(files, fileOf(id), bytes)),
    rename: (id, newId) => withSystemErrors(moveFile(files, fileOf(id), fileOf(newId))),
    remove: (id) => withSystemErrors(removeFile(files, fileOf(id))),
    setAside: (id) => withSystemErrors(moveFile(files, fileOf(id), `${fileOf(id)}.bad`)),
    deployed: () => withSystemErrors(readFile(deployedFile, { follow: true })),
    deploy: (bytes) => withSystemErrors(deploy(bytes)),
    backups: () => withSystemErrors(backups()),
    backup: (name) => withSystemErrors(readFile(join(backupFolder, `${backupPrefix}${name}`))),
  };
}

/** Opening a file takes as long as reading some thousand bytes. */
const BYTES_A_FILE = 4096;
/** Enough to call a folder large. */
const MAX_COUNTED_FILES = 256;

async function sizeOfAll(folder: string): Promise<number> {
  let [size, count] = [0, 0];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: MAX_COUNTED_FILES })) {
      if (!projectFile.test(name)) continue;
      size += BYTES_A_FILE + (sizeOfFile(join(folder, name)) ?? 0);
      if (++count === MAX_COUNTED_FILES) break;
    }
  } catch (error) {
    if (!failedWith(error, "ENOENT")) throw error;
  }
  return size;
}

/** Removes the temporary files that processes which have ended left of projects and of the deployed file. */
export async function sweepProjects(folder: string, files: Files = nodeFiles): Promise<void> {
  await removeIfThere(files, join(folder, deployTemporary));
  await sweep(files, join(folder, "configuration"));
}

/** Projects as files: `configuration/<id>.json` and `deploy.json` under one folder, templates in another. */
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Backup, ProjectName, ProjectStore } from "../../../core/ports/project-store.ts";
import { joined, type Pieces } from "../../../core/util/bytes.ts";
import { failedWith, noneIfGone, withSystemErrors } from "../system-errors.ts";
import { cachedFileReader } from "./cached-files.ts";
import { copiesOf, keepDeployment, sweepBackups, timeOf } from "./deploy-backup.ts";
import {
  type Files,
  linkFile,
  moveFile,
  nodeFiles,
  placeFile,
  regularFiles,
  removeFile,
  removeIfThere,
  replaceFile,
  sweep,
  syncFolder,
} from "./durable-files.ts";
import { type ReadOptions, sizeOfFile } from "./regular-file.ts";

export interface ProjectFolders {
  /** Folder with `configuration/` and `deploy.json`; has to exist. */
  readonly folder: string;
  /** Folder with read-only projects; may be missing. */
  readonly templates: string;
}

const projectFile = /^[a-zA-Z0-9-]{1,63}\.json$/;

/** The name of a copy follows it. */
const backupPrefix = "deploy.json-";

/** The folders of the daily copies, and of those that deployments make. */
const copyFoldersIn = (folder: string) => [join(folder, "backup"), join(folder, "deployments")] as const;

const fileOfCopy = (copies: string, name: string): string => join(copies, `${backupPrefix}${name}`);

/** The only name of a temporary file that other programs know. */
const deployTemporary = "deploy.json.tmp";

export function nodeProjectStore({ folder, templates }: ProjectFolders, files: Files = nodeFiles): ProjectStore {
  const configuration = join(folder, "configuration");
  const fileOf = (id: string): string => `${configuration}/${id}.json`;
  const asideOf = (id: string): string => `${fileOf(id)}.bad`;
  const deployedFile = join(folder, "deploy.json");
  const copyFolders = copyFoldersIn(folder);
  const [daily, ofDeployments] = copyFolders;
  const readFile = cachedFileReader();

  const idsIn = async (path: string): Promise<readonly string[]> =>
    (await regularFiles(files, path, projectFile)).map((name) => name.slice(0, -".json".length));

  const list = async (): Promise<readonly ProjectName[]> => {
    const names = new Map<string, ProjectName>();
    for (const id of await idsIn(templates)) names.set(id, { id, template: true });
    for (const id of await idsIn(configuration)) names.set(id, { id, template: false });
    return [...names.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  };

  const save = async (id: string, bytes: Pieces): Promise<void> => {
    readFile.remember(fileOf(id), bytes, await placeFile(files, fileOf(id), bytes));
  };

  const wholeFile = async (path: string, options?: ReadOptions): Promise<Uint8Array | undefined> => {
    const pieces = await readFile(path, options);
    return pieces && joined(pieces);
  };

  const read: ProjectStore["read"] = async (id) => {
    const own = await readFile(fileOf(id));
    if (own !== undefined) return { template: false, bytes: own };
    const bytes = await readFile(`${templates}/${id}.json`);
    return bytes && { template: true, bytes };
  };

  const size: ProjectStore["size"] = async (of) => {
    if (of === "deployed") return sizeOfFile(deployedFile, { follow: true });
    if (typeof of === "object" && "backup" in of)
      return copyFolders.map((copies) => sizeOfFile(fileOfCopy(copies, of.backup))).find((each) => each !== undefined);
    if (of !== "all") return sizeOfFile(fileOf(of.id)) ?? sizeOfFile(`${templates}/${of.id}.json`);
    return (await sizeOfAll(templates)) + (await sizeOfAll(configuration));
  };

  const keepAside = async (id: string): Promise<void> => {
    try {
      await linkFile(files, fileOf(id), asideOf(id));
    } catch (error) {
      if (!failedWith(error, "EPERM")) throw error;
      // Files of another user have no second name (protected_hardlinks), and one that cannot be read has no copy.
      const bytes = await readFile(fileOf(id)).catch(() => undefined);
      if (bytes === undefined) await moveFile(files, fileOf(id), asideOf(id));
      else await replaceFile(files, asideOf(id), bytes);
    }
  };

  const deploy = async (bytes: Uint8Array): Promise<void> => {
    await removeIfThere(files, join(folder, deployTemporary));
    await replaceFile(files, deployedFile, bytes, { temporary: deployTemporary });
  };

  const backups = async (): Promise<readonly Backup[]> => {
    const copies = await copiesOf(copyFolders);
    return copies.map((copy) => ({
      name: copy.name.slice(backupPrefix.length),
      bytes: copy.size,
      at: timeOf(copy).toISOString(),
    }));
  };

  const backup = async (name: string): Promise<Uint8Array | undefined> => {
    for (const copies of copyFolders) {
      const bytes = await wholeFile(fileOfCopy(copies, name));
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };

  // The process before may have been ended between a change and its sync.
  let isSettled = false;
  const changing = <Value>(work: Promise<Value>): Promise<Value> =>
    withSystemErrors(work).catch((error: unknown) => {
      isSettled = false;
      throw error;
    });

  const settle = async (): Promise<void> => {
    if (isSettled) return;
    await syncFolder(files, folder);
    await syncFolder(files, configuration).catch(noneIfGone);
    isSettled = true;
  };

  return {
    list: () => withSystemErrors(list()),
    size: (of) => withSystemErrors(size(of)),
    read: (id) => withSystemErrors(read(id)),
    save: (id, bytes) => changing(save(id, bytes)),
    rename: (id, newId) => changing(moveFile(files, fileOf(id), fileOf(newId))),
    remove: (id) => changing(removeFile(files, fileOf(id))),
    setAside: (id) => changing(moveFile(files, fileOf(id), asideOf(id))),
    keepAside: (id) => changing(keepAside(id)),
    deployed: () => withSystemErrors(wholeFile(deployedFile, { follow: true })),
    deploy: (bytes) => changing(deploy(bytes)),
    settle: () => withSystemErrors(settle()),
    keepBackup: () =>
      withSystemErrors(keepDeployment({ source: deployedFile, folder: ofDeployments, beside: daily }, Date.now)),
    backups: () => withSystemErrors(backups()),
    backup: (name) => withSystemErrors(backup(name)),
  };
}

/** Opening a file takes as long as reading this number of bytes. */
const BYTES_A_FILE = 64 << 10;
/** Enough to call a folder large. */
const MAX_COUNTED_FILES = 256;

async function sizeOfAll(folder: string): Promise<number> {
  let [size, count] = [0, 0];
  const entries = await opendir(folder, { bufferSize: MAX_COUNTED_FILES }).catch(noneIfGone);
  for await (const { name } of entries ?? []) {
    if (!projectFile.test(name)) continue;
    size += BYTES_A_FILE + (sizeOfFile(join(folder, name)) ?? 0);
    if (++count === MAX_COUNTED_FILES) break;
  }
  return size;
}

/**
 * Removes the temporary files that processes which have ended left of projects, of the deployed file, and of its
 * copies.
 */
export async function sweepProjects(folder: string, files: Files = nodeFiles): Promise<void> {
  await removeIfThere(files, join(folder, deployTemporary));
  await sweep(files, join(folder, "configuration"));
  for (const copies of copyFoldersIn(folder)) await sweepBackups(copies);
}

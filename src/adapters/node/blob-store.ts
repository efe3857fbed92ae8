/** Files of applications: one file each in one folder, which is made when it is first needed. */
import { join } from "node:path";
import type { BlobStore } from "../../ports/blob-store.ts";
import { type Files, nodeFiles, placeFile, readRegularFile, regularFiles, removeFile, sweep } from "./durable-files.ts";
import { withSystemErrors } from "./system-errors.ts";

export function nodeBlobStore(folder: string, files: Files = nodeFiles): BlobStore {
  const fileOf = (id: string): string => join(folder, id);

  const list = async (): Promise<readonly string[]> =>
    [...(await regularFiles(files, folder, /^[a-zA-Z0-9-]+$/))].sort();

  const remove = async (id: string): Promise<boolean> => {
    if ((await readRegularFile(fileOf(id))) === undefined) return false;
    await removeFile(files, fileOf(id));
    return true;
  };

  return {
    list: () => withSystemErrors(list()),
    read: (id) => withSystemErrors(readRegularFile(fileOf(id))),
    write: (id, bytes) => withSystemErrors(placeFile(files, fileOf(id), bytes)),
    remove: (id) => withSystemErrors(remove(id)),
  };
}

/** Removes what an interrupted run has left in the folder; `now` in milliseconds since 1970. */
export const sweepBlobs = (folder: string, now: number, files: Files = nodeFiles): Promise<void> =>
  sweep(files, folder, now);

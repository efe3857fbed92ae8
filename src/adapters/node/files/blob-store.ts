/** Files of applications: one file each, in one folder that is made when it is first needed. */
import { join } from "node:path";
import type { BlobStore } from "../../../core/ports/blob-store.ts";
import { noneIfGone, withSystemErrors } from "../system-errors.ts";
import { type Files, nodeFiles, placeFile, regularFiles, removeFile, sweep } from "./durable-files.ts";
import { sizeOfFile, streamRegularFile } from "./regular-file.ts";

export function nodeBlobStore(folder: string, files: Files = nodeFiles): BlobStore {
  const fileOf = (id: string): string => join(folder, id);

  const list = async (): Promise<readonly string[]> =>
    [...(await regularFiles(files, folder, /^[a-zA-Z0-9-]+$/))].sort();

  const remove = async (id: string): Promise<boolean> => {
    if (sizeOfFile(fileOf(id)) === undefined) return false;
    // Another request may remove it meanwhile.
    const isRemoved = await removeFile(files, fileOf(id)).then(() => true, noneIfGone);
    return isRemoved ?? false;
  };

  return {
    list: () => withSystemErrors(list()),
    read: (id) => withSystemErrors(streamRegularFile(fileOf(id))),
    async write(id, chunks) {
      let size = 0;
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const chunk of chunks) {
          size += chunk.length;
          yield chunk;
        }
      }
      await withSystemErrors(placeFile(files, fileOf(id), counted()));
      return size;
    },
    remove: (id) => withSystemErrors(remove(id)),
  };
}

/** Removes the temporary files that processes which have ended left in the folder. */
export const sweepBlobs = (folder: string, files: Files = nodeFiles): Promise<void> => sweep(files, folder);

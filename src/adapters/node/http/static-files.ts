/** A folder of the console's files. */
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { StaticFiles } from "../../../core/ports/static-files.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { failedWith } from "../system-errors.ts";

export const nodeStaticFiles = (folder: string): StaticFiles => ({
  async read(path) {
    if (path.some((name) => name.startsWith("."))) return undefined;
    try {
      const root = await realpath(folder);
      const file = await realpath(join(root, ...path));
      if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
      return await readRegularFile(file);
    } catch (error) {
      if (failedWith(error, "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES")) return undefined;
      throw error;
    }
  },
});

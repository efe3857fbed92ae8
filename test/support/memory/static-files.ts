/** Static files in memory: path, joined by slashes, to content. */
import type { StaticFiles } from "../../../src/core/ports/static-files.ts";

export const memoryStaticFiles = (files: Readonly<Record<string, string>>): StaticFiles => ({
  async read(path) {
    const name = path.join("/");
    return Object.hasOwn(files, name) ? new TextEncoder().encode(files[name]) : undefined;
  },
});

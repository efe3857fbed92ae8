/**
 * Files that are read again and again. Each time the file itself is read, so an edit by hand is seen at once; as long as it
 * holds the same bytes the same array is given, so that whoever has worked on them need not do it again.
 */
import { type ReadOptions, readRegularFile, SMALL } from "./durable-files.ts";

/** So many are kept, those that were read for the first time last; a boat has a project or two. */
const FILES = 8;

/** As `readRegularFile`; the arrays that it gives are nobody's to change. */
export function keptFiles(): (path: string, options?: ReadOptions) => Promise<Uint8Array | undefined> {
  const kept = new Map<string, Uint8Array>();
  return async (path, options) => {
    const known = kept.get(path);
    const bytes = await readRegularFile(path, { ...options, known });
    if (bytes === known) return bytes;
    kept.delete(path);
    if (bytes !== undefined && bytes.length <= SMALL) {
      if (kept.size === FILES) kept.delete(kept.keys().next().value!);
      kept.set(path, bytes);
    }
    return bytes;
  };
}

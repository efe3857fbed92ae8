/** The report that another program of the boat's computer keeps in a file. */
import { joined } from "../../../core/util/bytes.ts";
import { cachedFileReader } from "./cached-files.ts";

/** The bytes of the file; undefined without one, and for one that cannot be read or is longer. Never rejects. */
export function reportReader(path: string, maxBytes: number): () => Promise<Uint8Array | undefined> {
  const readFile = cachedFileReader();
  return async () => {
    const pieces = await readFile(path, { maxBytes }).catch(() => undefined);
    return pieces && joined(pieces);
  };
}

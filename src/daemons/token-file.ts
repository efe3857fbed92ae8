/** Tokens of Signal K in a file, `tokens.json` of a folder, which is whole or absent after a power cut. */
import { join } from "node:path";
import * as z from "zod";
import { nodeFiles, replaceFile, sweep } from "../adapters/node/files/durable-files.ts";
import { readRegularFile } from "../adapters/node/files/regular-file.ts";
import { type StoredToken, storedToken } from "../core/report/link-access.ts";
import { parsed } from "../core/report/read-entry.ts";

const MAX_BYTES = 256 << 10;

const content = z.strictObject({ tokens: z.array(storedToken) });

export interface TokenFile {
  /** None without the file. Rejects for a file that cannot be read, or has something else. */
  read(): Promise<readonly StoredToken[]>;
  save(tokens: readonly StoredToken[]): Promise<void>;
}

export function tokenFile(folder: string): TokenFile {
  const path = join(folder, "tokens.json");
  return {
    async read() {
      await sweep(nodeFiles, folder);
      const bytes = await readRegularFile(path, { maxBytes: MAX_BYTES });
      return bytes === undefined ? [] : parsed(content, new TextDecoder().decode(bytes)).tokens;
    },
    async save(tokens) {
      await replaceFile(nodeFiles, path, new TextEncoder().encode(`${JSON.stringify({ tokens }, null, 2)}\n`));
    },
  };
}

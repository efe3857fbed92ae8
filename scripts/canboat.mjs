/** The public database: that of canboat, from the npm package @canboat/ts-pgns (Apache-2.0). */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The installed database. */
export function canboatDatabase() {
  const require = createRequire(import.meta.url);
  const main = require.resolve("@canboat/ts-pgns");
  return JSON.parse(readFileSync(join(dirname(dirname(main)), "canboat.json"), "utf8"));
}

/** `Type` of a PGN of the database in the terms of `src/core/n2k/field.ts`; of a mixed one each sender chooses. */
export const transports = { Single: "single", Fast: "fast", ISO: "isoTp", Mixed: "fast" };

/** A folder for the files of a test. It is left where it is: those of a run lie in one, see `run-folder.ts`. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const temporaryFolder = (name = "test"): string => mkdtempSync(join(tmpdir(), `hub-${name}-`));

/** A piece of TypeScript as one file that a child process can run, bundled as the daemons are. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { writeProgram } from "../../scripts/bundle.mjs";

/** Writes the bundle of `source`, whose imports are relative to the checkout, into `folder` and returns its path. */
export async function bundled(folder: string, source: string): Promise<string> {
  const outfile = join(folder, `${randomUUID()}.mjs`);
  await writeProgram(outfile, { stdin: { contents: source, loader: "ts", resolveDir: process.cwd() } });
  return outfile;
}

/** Programs of other runtimes as npm has installed them. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * The program at `path` in whichever package of `scope` fits this system, undefined when there is none. The packages'
 * own commands are scripts of Node around it, which would keep signals to themselves.
 */
export function programOf(scope: string, path: string): string | undefined {
  const packages = resolve("node_modules", scope);
  if (!existsSync(packages)) return undefined;
  return readdirSync(packages)
    .map((name) => join(packages, name, path))
    .find(existsSync);
}

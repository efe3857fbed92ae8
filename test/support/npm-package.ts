/**
 * Packages of npm that tests read and that are not dependencies of the project, because with their own dependencies
 * they would be hundreds more.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Hash of the archive, as the registry has it. */
  readonly integrity: string;
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "hub-tests");

/** The folder of a package, fetched once and kept in the user's cache. Throws if npm cannot fetch it. */
export function packageFolder({ name, version, integrity }: NpmPackage): string {
  const folder = join(cache, `${name.replaceAll("/", "-")}-${version}`);
  if (existsSync(folder)) return join(folder, "package");
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", unfinished, `${name}@${version}`], {
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  const archive = join(unfinished, JSON.parse(packed)[0].filename);
  const digest = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (digest !== integrity) throw new Error(`${name} ${version}: ${digest}`);
  execFileSync("tar", ["-xzf", archive, "-C", unfinished]);
  rmSync(archive);
  // Another process may have done so meanwhile.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return join(folder, "package");
}

/** Why tests with the packages are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export function withoutPackages(packages: readonly NpmPackage[]): string | undefined {
  if (process.env.CI === "true") return undefined;
  try {
    for (const each of packages) packageFolder(each);
    return undefined;
  } catch {
    return `npm cannot fetch ${packages.map(({ name }) => name).join(" and ")}`;
  }
}

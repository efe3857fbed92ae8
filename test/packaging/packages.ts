/** The Debian packages as `npm run package` builds them, for tests. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { textOf } from "../support/hub-cand.ts";

/** Architectures of the packages; all but the first need cross compilers, and emulated machines to try them. */
export const architectures = ["amd64", "arm64", "armhf"] as const;

/** Paths of packages by `<name>_<architecture>`. */
export type Packages = ReadonlyMap<string, string>;

/** Time of the last change of the source, in seconds since 1970. */
export const sourceSeconds = (): string =>
  spawnSync("git", ["log", "-1", "--format=%ct"], { encoding: "utf8" }).stdout?.trim() || "0";

/** The output of a program, which ends with 0. */
export function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}${stdout}`);
  return stdout;
}

export interface BuildOptions {
  /** A checkout elsewhere. */
  readonly checkout?: string;
  /** The script that brings what the packages need beside their sources; the set-up by default. */
  readonly preparation?: string;
  readonly architectures?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: string;
}

/** Builds into `folder`, as `npm run package` does. */
export async function buildPackages(folder: string, options: BuildOptions = {}): Promise<Packages> {
  const { checkout = process.cwd(), architectures, environment = {}, umask = "022" } = options;
  const { preparation = "scripts/setup.mjs" } = options;
  const args = [
    ...["scripts/package.mjs", "--out", resolve(folder)],
    ...(architectures === undefined ? [] : ["--architectures", architectures]),
  ];
  const commands = `umask ${umask}; "$0" ${preparation} && exec "$0" "$@"`;
  const child = spawn("sh", ["-c", commands, process.execPath, ...args], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaints = textOf(child.stderr);
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(complaints());
  return packagesIn(folder);
}

/** Packages that are files of a folder. */
export function packagesIn(folder: string): Packages {
  return new Map(
    readdirSync(folder).map((name) => {
      const [, packageName, architecture] = /^([^_]+)_[^_]+_([^_]+)\.deb$/.exec(name)!;
      return [`${packageName}_${architecture}`, resolve(folder, name)];
    }),
  );
}

/** The inputs of the packages. */
const sources = [
  ...["CHANGELOG.md", "binding.gyp", "package-lock.json", "package.json", "tsup.config.ts"],
  ...["docs", "native", "packaging", "scripts", "src"],
];

/** Changes with the sources. */
function digest(): string {
  const hash = createHash("sha256").update(sourceSeconds());
  const add = (path: string): void => {
    hash.update(`${path}\0`);
    if (!statSync(path).isDirectory()) hash.update(readFileSync(path));
    else for (const name of readdirSync(path).sort()) add(join(path, name));
  };
  for (const path of sources) add(path);
  return hash.digest("hex").slice(0, 16);
}

/** An older version of a package, with other snippets for nginx, each with a page of its own. */
const AS_PREVIOUS =
  'sed -i "s/^Version: .*/Version: 0.0.9/" DEBIAN/control && for snippet in etc/nginx/snippets/*.conf; do ! test -f $snippet || { echo "location = /0.0.9/$(basename $snippet) { return 204; }"; echo "# 0.0.9"; } >>$snippet; done';

/** Packs a package again, uncompressed, with a command that changes its files: building another one would take long. */
export function repack(deb: string, target: string, change: string): void {
  const folder = mkdtempSync(`${target}.`);
  const commands = `dpkg-deb --raw-extract "$1" "$0" && (cd "$0" && ${change}) && dpkg-deb --root-owner-group -Znone --build "$0" "$2"`;
  const { status, stderr } = spawnSync("sh", ["-c", commands, folder, deb, target], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(stderr);
}

/**
 * The packages of this checkout, and those of an older version for amd64. The first call builds them, below .packages/;
 * they are rebuilt when an input has changed. (A build of addon or daemons empties build/ and dist/.)
 */
export async function packages(): Promise<{ readonly current: Packages; readonly previous: Packages }> {
  const shelf = resolve(".packages");
  const folder = join(shelf, digest());
  const [current, previous] = [join(folder, "current"), join(folder, "previous")];
  mkdirSync(shelf, { recursive: true });
  const release = await locked(join(shelf, "lock"));
  try {
    if (!existsSync(folder)) {
      for (const name of readdirSync(shelf)) if (name !== "lock") rmSync(join(shelf, name), { recursive: true });
      const unfinished = mkdtempSync(join(shelf, "unfinished-"));
      await buildPackages(join(unfinished, "current"));
      mkdirSync(join(unfinished, "previous"));
      for (const [name, path] of packagesIn(join(unfinished, "current"))) {
        if (/_(all|amd64)$/.test(name))
          repack(path, join(unfinished, "previous", `${name.replace("_", "_0.0.9_")}.deb`), AS_PREVIOUS);
      }
      renameSync(unfinished, folder);
    }
  } finally {
    release();
  }
  return { current: packagesIn(current), previous: packagesIn(previous) };
}

/** Waits for the lock, a file with the process ID of its holder; returns a function that releases it. */
async function locked(path: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path);
    } catch {
      if (!isAlive(path)) rmSync(path, { force: true });
      await delay(100);
    }
  }
}

function isAlive(path: string): boolean {
  try {
    return existsSync(`/proc/${readFileSync(path, "utf8") || "self"}`);
  } catch {
    return true;
  }
}

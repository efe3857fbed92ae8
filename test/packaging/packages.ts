/** The Debian packages as `npm run package` builds them, for tests. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const has = (command: string): boolean =>
  spawnSync(command, ["--version"], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).error === undefined;

/** Why packages are not built here, or undefined; where everything has to run (CI=true) tests fail instead. */
export const withoutPackaging: string | undefined = [
  "dh",
  "dpkg-buildpackage",
  "lintian",
  "aarch64-linux-gnu-g++",
].every(has)
  ? undefined
  : "building packages needs debhelper, lintian and the cross compilers";

/** The display as it was built, or a page in its place where it was not. */
function display(folder: string): string {
  if (existsSync("dist/display/index.html")) return resolve("dist/display");
  const standIn = join(folder, "display");
  mkdirSync(standIn, { recursive: true });
  writeFileSync(join(standIn, "index.html"), "<!doctype html><title>hub-display</title>\n");
  writeFileSync(`${standIn}.meta.json`, '{"outputs": {}}\n');
  return standIn;
}

export interface BuildOptions {
  /** A checkout elsewhere. */
  readonly checkout?: string;
  readonly version?: string;
  readonly architectures?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: string;
}

/** Builds into `folder`, and returns the paths of the packages by `<name>_<architecture>`. */
export async function buildPackages(folder: string, options: BuildOptions = {}): Promise<Map<string, string>> {
  const { checkout = process.cwd(), version, architectures, environment = {}, umask = "022" } = options;
  mkdirSync(folder, { recursive: true });
  const out = join(folder, "packages");
  const args = [
    ...["scripts/package.mjs", "--out", out, "--display", display(folder)],
    ...(version === undefined ? [] : ["--version", version]),
    ...(architectures === undefined ? [] : ["--architectures", architectures]),
  ];
  const child = spawn("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", process.execPath, ...args], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk;
  });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(complaints);
  return new Map(
    readdirSync(out).map((name) => {
      const [, packageName, architecture] = /^([^_]+)_[^_]+_([^_]+)\.deb$/.exec(name)!;
      return [`${packageName}_${architecture}`, join(out, name)];
    }),
  );
}

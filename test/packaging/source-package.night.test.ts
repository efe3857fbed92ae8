/**
 * The source package, in a Debian 13 that has what its control file asks for, and no network: it builds the packages
 * that `npm run package` makes here.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { packages, packagesIn, sourceSeconds } from "./packages.ts";
import { PATH, packagerRoot, writableCopy } from "./roots.ts";

const run = (...[command, ...args]: readonly [string, ...string[]]): SpawnSyncReturns<string> =>
  spawnSync(command, args, {
    encoding: "utf8",
    env: { PATH, HOME: "/nonexistent", SOURCE_DATE_EPOCH: sourceSeconds() },
    maxBuffer: 1 << 28,
  });
const must = (...command: readonly [string, ...string[]]): string => {
  const { status, stdout, stderr } = run(...command);
  expect(status, `${command.join(" ")}: ${stdout.slice(-5000)}${stderr.slice(-5000)}`).toBe(0);
  return stdout;
};

/** Names and texts of the display, without the hashes of contents that the WebAssembly of another compiler changes. */
const withoutHashes = (text: string): string =>
  text.replace(/-[0-9A-Z]{8}(?=\.(?:js|wasm)\b)/g, "").replace(/\b[0-9a-f]{12}\b/g, "");

/** What differs between two builds of one source, by its path, and why. */
const DIFFERENT: readonly RegExp[] = [
  // Another compiler's output: this machine may be another Debian.
  /\/hub_can\.node$/,
  /\/reassembler\.wasm(\.gz|\.br)?$/,
  // Lists the files of the display in the order of their names, with hashes.
  /\/service-worker\.js(\.gz|\.br)?$/,
  // The libraries of that compiler with their licences, as that Debian has them.
  /^hub-display\/usr\/share\/doc\/hub-display\/(?:copyright|hub-display\.cdx\.json\.gz)$/,
  // CHANGELOG.md is a file of the source, and Debian's own changelog has a file of its own.
  /\/changelog(\.Debian)?\.gz$/,
];

/** What a file has: compression of another version gives other bytes for the same content. */
function contentOf(path: string): string {
  const bytes = readFileSync(path);
  if (path.endsWith(".gz")) return gunzipSync(bytes).toString("latin1");
  return (path.endsWith(".br") ? brotliDecompressSync(bytes) : bytes).toString("latin1");
}

/** The contents of a package's files by their paths, which begin with its name. */
function filesOf(deb: string, name: string, folder: string): ReadonlyMap<string, string> {
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  must("dpkg-deb", "--extract", deb, target);
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const named = withoutHashes(`${name}/${relative(target, path)}`);
      if (DIFFERENT.some((pattern) => pattern.test(named))) return [];
      return [[named, withoutHashes(contentOf(path))]];
    }),
  );
}

/** The fields of a package that its source gives; sizes and libraries are the compiler's. */
const fieldsOf = (deb: string): string =>
  must("dpkg-deb", "--field", deb, "Package", "Architecture", "Maintainer", "Homepage", "Recommends", "Description");

test("a bare Debian builds the same packages from the source package, without a network", async () => {
  const { root, remove } = writableCopy(await packagerRoot());
  onTestFinished(remove);
  const folder = temporaryFolder("source-test");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(root, "build"));
  // How small the archives are has no effect on what is built from them.
  must("env", "XZ_OPT=-0", process.execPath, "scripts/source-package.mjs", "--out", join(root, "build"));
  const parts = readdirSync(join(root, "build"));
  expect(parts.map((name) => name.replace(/^hub_[^-]+?(?=-1|\.orig)/, "")).sort()).toEqual([
    ...["-1.debian.tar.xz", "-1.dsc", ".orig-node-modules.tar.xz", ".orig.tar.xz"],
  ]);
  const dsc = readFileSync(join(root, "build", parts.find((name) => name.endsWith(".dsc"))!), "utf8");
  const { homepage, repository } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(dsc).toContain("\nFormat: 3.0 (quilt)\n".trimStart());
  expect(dsc).toContain(`\nHomepage: ${homepage}\n`);
  expect(dsc).toContain(`\nVcs-Git: ${repository.url}\n`);

  must("chroot", root, "chown", "-R", "builder", "/build");
  const build =
    "cd /build && dpkg-source -x *.dsc hub && cd hub && DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -us -uc -b";
  const user = ["setpriv", "--reuid=builder", "--clear-groups"] as const;
  // The files of the packages are compared, not their archives.
  const environment = ["LC_ALL=C.UTF-8", "DPKG_DEB_COMPRESSOR_TYPE=none", `PATH=${PATH}`];
  must("unshare", "-n", "chroot", root, ...user, "env", "-i", ...environment, "sh", "-c", build);

  for (const name of readdirSync(join(root, "build")))
    if (!name.endsWith(".deb")) rmSync(join(root, "build", name), { recursive: true });
  const built = packagesIn(join(root, "build"));
  const { current } = await packages();
  expect([...built.keys()].sort()).toEqual([...current.keys()].filter((name) => /_(all|amd64)$/.test(name)).sort());
  for (const [name, deb] of built) {
    expect(fieldsOf(deb), name).toBe(fieldsOf(current.get(name)!));
    const [package_] = name.split("_") as [string];
    const [there, here] = [deb, current.get(name)!].map((its, at) => filesOf(its, package_, join(folder, `${at}`)));
    expect([...there!.keys()].sort()).toEqual([...here!.keys()].sort());
    expect([...there!].filter(([path, content]) => here!.get(path) !== content).map(([path]) => path)).toEqual([]);
  }
}, 600_000);

/**
 * Makes a signed apt repository of the Debian packages, as static files for any web server:
 *
 *     npm run repository -- --key KEY [--packages FOLDER] [--out FOLDER] [--url URL]
 *
 * Beside them are two files for the boats: hub.sources for /etc/apt/sources.list.d, and 52hub for /etc/apt/apt.conf.d,
 * with which unattended-upgrades takes the packages.
 *
 * KEY is the identity or fingerprint of a secret key of gpg, which signs. Packages of an earlier run stay, so that a boat
 * can go back. Needs apt-utils and gpg.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { endWithMessage, Failure } from "./failure.mjs";
import { root } from "./setup.mjs";

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        key: { type: "string" },
        packages: { type: "string", default: join(root, "dist/packages") },
        out: { type: "string", default: join(root, "dist/repository") },
        url: { type: "string", default: "https://packages.example" },
      },
    });
    return values;
  } catch ({ message }) {
    throw new Failure(
      `${message}\nusage: npm run repository -- --key KEY [--packages FOLDER] [--out FOLDER] [--url URL]`,
    );
  }
}

const SUITE = "hub";
/** Origin and label of the release, by which unattended-upgrades tells repositories apart. */
const NAME = "hub";
const ARCHITECTURES = ["amd64", "arm64", "armhf"];

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, maxBuffer: 1 << 28 });
  if (error !== undefined) throw new Failure(`${command} is missing: apt install apt-utils gpg`);
  if (status !== 0) throw new Failure(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The file by which apt reads the repository, with the key that signs it. */
const sources = (url, key) => `Types: deb
URIs: ${url}
Suites: ${SUITE}
Components: main
Signed-By:
${key.trimEnd().replace(/^$/gm, ".").replace(/^/gm, " ")}
`;

/** Lets unattended-upgrades take packages of the repository: by default it takes those of Debian alone. */
const unattended = `Unattended-Upgrade::Origins-Pattern { "origin=${NAME},label=${NAME}"; };
`;

function main() {
  const options = readOptions();
  const { key } = options;
  if (key === undefined)
    throw new Failure("--key is missing: the identity of the key that signs, see gpg --list-secret-keys");
  if (!/^(https?:\/\/|file:\/)/.test(options.url))
    throw new Failure(`--url ${options.url}: must begin with https://, http:// or file:/`);
  const [from, out] = [resolve(options.packages), resolve(options.out)];
  const debs = existsSync(from) ? readdirSync(from).filter((name) => name.endsWith(".deb")) : [];
  if (debs.length === 0) throw new Failure(`${from} has no packages: npm run package makes them`);
  const publicKey = run("gpg", ["--batch", "--armor", "--export", key]).toString();
  if (publicKey === "") throw new Failure(`gpg has no key ${key}: see gpg --list-secret-keys`);
  // Beside the one that is served, which stays whole if this fails.
  const suite = join(out, "dists", `${SUITE}.new`);
  rmSync(suite, { recursive: true, force: true });
  mkdirSync(join(out, "pool"), { recursive: true });
  for (const name of debs) copyFileSync(join(from, name), join(out, "pool", name));
  for (const architecture of ARCHITECTURES) {
    const folder = join(suite, `main/binary-${architecture}`);
    mkdirSync(folder, { recursive: true });
    const index = run("apt-ftparchive", ["--arch", architecture, "packages", "pool"], out);
    writeFileSync(join(folder, "Packages"), index);
    writeFileSync(join(folder, "Packages.gz"), gzipSync(index, { level: 9 }));
  }
  const about = {
    ...{ Origin: NAME, Label: NAME, Suite: SUITE, Codename: SUITE, Components: "main" },
    Architectures: ARCHITECTURES.join(" "),
  };
  const words = Object.entries(about).flatMap(([name, value]) => ["-o", `APT::FTPArchive::Release::${name}=${value}`]);
  const release = run("apt-ftparchive", [...words, "release", suite], out);
  writeFileSync(join(suite, "Release"), release);
  const sign = (how, name) =>
    run("gpg", [
      ...["--batch", "--yes", "--digest-algo", "SHA512", "--local-user", key],
      ...["--output", join(suite, name), how, join(suite, "Release")],
    ]);
  sign("--clearsign", "InRelease");
  sign("--detach-sign", "Release.gpg");
  const served = join(out, "dists", SUITE);
  rmSync(served, { recursive: true, force: true });
  renameSync(suite, served);
  writeFileSync(join(out, "hub.sources"), sources(options.url, publicKey));
  writeFileSync(join(out, "52hub"), unattended);
  console.log(`${out}: ${readdirSync(join(out, "pool")).length} packages, for apt by ${join(out, "hub.sources")}`);
}

await endWithMessage(main);

/**
 * Makes an OCI image of the Debian packages, with Debian's Node, Mosquitto and nginx: `npm run image`, as root.
 *
 *     node scripts/image.mjs [--packages FOLDER] [--out FILE] [--architectures amd64,arm64]
 *
 * FILE is an archive of all architectures, for `skopeo copy --all oci-archive:FILE` and `podman load`. Two images of one
 * commit and the same packages of Debian have the same digests. Needs mmdebstrap and buildah.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { debianSite, SUITE } from "./debian-site.mjs";
import { endWithMessage, Failure } from "./failure.mjs";
import { root } from "./setup.mjs";
import { project, sourceCommit, sourceSeconds } from "./source.mjs";

const { values: options } = parseArgs({
  options: {
    packages: { type: "string", default: join(root, "dist/packages") },
    out: { type: "string", default: join(root, "dist/hub-image.tar") },
    architectures: { type: "string", default: "amd64,arm64" },
  },
});

/** Debian's programs beside hub; dash starts hub's, and libstdc++6 is their addon's. */
const INCLUDED = "nodejs,libstdc++6,dash,ca-certificates,nginx,mosquitto";

/** Packages of which only scripts of other packages make use, which do not run here; and those that they alone need. */
const LEFT_OUT = new Set([
  ...["adduser", "base-passwd", "debconf", "debianutils", "init-system-helpers", "login.defs", "passwd", "openssl"],
  ...["iproute2", "libbpf1", "libelf1t64", "libmnl0", "libxtables12", "libcap2-bin", "sysvinit-utils"],
  ...["libpam0g", "libpam-modules", "libpam-modules-bin", "libdb5.3t64", "libaudit1", "libaudit-common", "libcap-ng0"],
  ...[
    "libsemanage2",
    "libsemanage-common",
    "libsepol2",
    "libselinux1",
    "libbz2-1.0",
    "libdebconfclient0",
    "node-corepack",
  ],
  ...["libtirpc3t64", "libtirpc-common", "libacl1", "libattr1", "libmd0", "libbsd0"],
]);

/** Folders of libraries by architecture. */
const LIBRARIES = { amd64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu", armhf: "arm-linux-gnueabihf" };

/** Parts of Debian's packages that no program in the image reads. */
const REMOVED = [
  ...["etc/apt", "etc/cron.daily", "etc/default", "etc/init.d", "etc/logrotate.d", "etc/ufw"],
  ...["usr/lib/systemd", "usr/lib/tmpfiles.d", "usr/lib/sysusers.d", "usr/share/bash-completion", "usr/share/bug"],
  ...["usr/share/info", "usr/share/lintian", "usr/share/locale", "usr/share/man"],
  ...Object.values(LIBRARIES).map((name) => `usr/lib/${name}/gconv`),
  ...["usr/share/nodejs/@types", "usr/share/nodejs/corepack", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log"],
];

/** The user of all programs. A number, so that a container without a table of users can be checked not to be root. */
const USER = 10_001;

/** Folders in which programs write; they belong to the user, and so do volumes in their place. */
const WRITABLE = [
  "etc/hub",
  "var/lib/hub-cand",
  "var/lib/hub-config-fetch",
  "var/lib/hub-history",
  "var/lib/hub-link",
  "var/lib/mosquitto",
];

function run(command, args) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error !== undefined) throw new Failure(`${command} is missing: apt install mmdebstrap buildah`);
  if (status !== 0) throw new Failure(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** The entry of an installed package in dpkg's table, by which scanners know what is in the image. */
const statusOf = (deb) => run("dpkg-deb", ["-f", deb]).replace(/^(Package: .*)$/m, "$1\nStatus: install ok installed");

const debsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".deb"))
    .sort()
    .map((name) => join(folder, name));

/** Fetches Debian's packages for an architecture into a folder; returns the paths of those that are wanted. */
function fetchDebian(folder, architecture) {
  // Fetched by a hook, because mmdebstrap would unpack what it includes, and makeRoot unpacks the wanted ones.
  const install = `apt-get --yes --quiet --download-only install ${INCLUDED.replaceAll(",", " ")}`;
  run("mmdebstrap", [
    ...["--variant=extract", `--extract-hook=APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" ${install}`],
    ...[`--architectures=${architecture}`, "--skip=cleanup/apt,cleanup/apt/cache", SUITE, folder, debianSite()],
  ]);
  return debsIn(join(folder, "var/cache/apt/archives")).filter((deb) => !LEFT_OUT.has(basename(deb).split("_", 1)[0]));
}

/** Unpacks packages, and makes of their files a root in which programs run. */
function makeRoot(folder, debs) {
  for (const deb of debs) run("dpkg-deb", ["-x", deb, folder]);
  for (const path of REMOVED) rmSync(join(folder, path), { recursive: true, force: true });
  for (const name of readdirSync(join(folder, "usr/share/doc")))
    if (!name.startsWith("hub-")) keepCopyright(join(folder, "usr/share/doc", name));
  for (const name of ["bin", "lib", "sbin", ...(existsSync(join(folder, "usr/lib64")) ? ["lib64"] : [])])
    if (!existsSync(join(folder, name))) symlinkSync(`usr/${name}`, join(folder, name));
  if (!existsSync(join(folder, "usr/bin/sh"))) symlinkSync("dash", join(folder, "usr/bin/sh"));
  for (const name of ["proc", "run", "sys", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
  chmodSync(join(folder, "tmp"), 0o1777);
  writeUsers(join(folder, "etc"));
  writeCertificates(folder);
}

/** The copyright file of a package of Debian is the part of its documentation that has to stay. */
function keepCopyright(folder) {
  for (const name of readdirSync(folder)) if (name !== "copyright") rmSync(join(folder, name), { recursive: true });
}

function writeUsers(folder) {
  writeFileSync(
    join(folder, "passwd"),
    `root:x:0:0:root:/root:/usr/sbin/nologin\nhub:x:${USER}:${USER}:hub:/nonexistent:/usr/sbin/nologin\n`,
  );
  writeFileSync(join(folder, "group"), `root:x:0:\nhub:x:${USER}:\n`);
}

/** The bundle of certificates, which the scripts of Debian's package would make. */
function writeCertificates(folder) {
  const from = join(folder, "usr/share/ca-certificates/mozilla");
  const certificates = readdirSync(from).sort();
  mkdirSync(join(folder, "etc/ssl/certs"), { recursive: true });
  const bundle = certificates.map((name) => readFileSync(join(from, name), "utf8")).join("");
  writeFileSync(join(folder, "etc/ssl/certs/ca-certificates.crt"), bundle);
}

/** Configures Mosquitto and nginx, and makes the folders in which programs write. */
function configure(folder) {
  const inImage = (name) => join(root, "packaging/image", name);
  const example = (name) => join(root, "packaging/examples", name);
  for (const [from, to] of [
    [inImage("nginx.conf"), "etc/nginx/nginx.conf"],
    [inImage("mosquitto.conf"), "etc/mosquitto/mosquitto.conf"],
    [example("hub.mosquitto.conf"), "etc/mosquitto/conf.d/hub.conf"],
    [example("hub.acl"), "etc/mosquitto/hub.acl"],
    [example("hub-displays.acl"), "etc/mosquitto/hub-displays.acl"],
  ]) {
    mkdirSync(join(folder, to, ".."), { recursive: true });
    copyFileSync(from, join(folder, to));
    chmodSync(join(folder, to), 0o644);
  }
  const site = readFileSync(example("boat.nginx"), "utf8").replaceAll(/(listen (?:\[::\]:)?)80\b/g, "$18080");
  rmSync(join(folder, "etc/nginx/sites-enabled"), { recursive: true, force: true });
  mkdirSync(join(folder, "etc/nginx/sites-enabled"), { recursive: true });
  writeFileSync(join(folder, "etc/nginx/sites-enabled/boat"), site);
  for (const name of WRITABLE) {
    mkdirSync(join(folder, name), { recursive: true });
    chownSync(join(folder, name), USER, USER);
  }
}

function main() {
  if (process.getuid?.() !== 0) throw new Failure("an image is made by root, whose files are in it");
  const from = resolve(options.packages);
  const debs = existsSync(from) ? debsIn(from) : [];
  const { version, description, license, homepage, repository } = project();
  const labels = { title: "hub", description, version, licenses: license, url: homepage, source: repository };
  const revision = sourceCommit();
  const timestamp = String(sourceSeconds());
  const work = mkdtempSync(join(tmpdir(), "hub-image-"));
  const buildah = (...args) =>
    run("buildah", [
      ...["--root", join(work, "store"), "--runroot", join(work, "run"), "--storage-driver", "vfs"],
      ...args,
    ]);
  const name = `hub:${version}`;
  try {
    buildah("manifest", "create", name);
    for (const architecture of options.architectures.split(",")) {
      const own = debs.filter((deb) => isFor(deb, architecture));
      if (!own.some((deb) => basename(deb).startsWith("hub-cand_")))
        throw new Failure(`${from} has no packages for ${architecture}: npm run package makes them`);
      const fetched = fetchDebian(join(work, architecture), architecture);
      const container = buildah("from", "--arch", architecture, "scratch");
      const folder = buildah("mount", container);
      const all = [...fetched, ...own];
      makeRoot(folder, all);
      configure(folder);
      mkdirSync(join(folder, "var/lib/dpkg"), { recursive: true });
      writeFileSync(join(folder, "var/lib/dpkg/status"), `${all.map(statusOf).join("\n\n")}\n`);
      buildah(
        "config",
        ...["--arch", architecture, "--os", "linux", "--user", `${USER}:${USER}`, "--workingdir", "/"],
        ...["--env", "PATH=/usr/sbin:/usr/bin", "--env", "MALLOC_TRIM_THRESHOLD_=131072"],
        ...Object.entries({ ...labels, ...(revision && { revision }) }).flatMap(([key, value]) => [
          "--label",
          `org.opencontainers.image.${key}=${value}`,
        ]),
        container,
      );
      buildah("commit", "--rm", "--quiet", "--timestamp", timestamp, "--manifest", name, container);
    }
    rmSync(options.out, { force: true });
    buildah("manifest", "push", "--all", name, `oci-archive:${resolve(options.out)}:${name}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(resolve(options.out));
}

const isFor = (deb, architecture) => deb.endsWith("_all.deb") || deb.endsWith(`_${architecture}.deb`);

await endWithMessage(main);

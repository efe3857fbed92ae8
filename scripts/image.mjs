/**
 * Makes an image for containers from the Debian packages, for amd64 and arm64: an archive by the OCI Image Format
 * Specification 1.0. `npm run image`, after `npm run package`.
 *
 *     node scripts/image.mjs [--packages FOLDER] [--out FOLDER] [--bases FOLDER] [--architectures amd64,arm64]
 *
 * A layer has the files of Debian's own packages, which this machine's apt brings, another those of hub's. The same
 * commit, tools and packages of Debian give the same bytes. --bases keeps Debian's unpacked packages in FOLDER, and
 * takes them from there. Needs root and mmdebstrap.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  copyFileSync,
  createWriteStream,
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
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs, promisify } from "node:util";
import { createGzip } from "node:zlib";
import { endWithMessage, Failure } from "./failure.mjs";
import { root } from "./setup.mjs";
import { project, sourceCommit, sourceSeconds } from "./source.mjs";

const { values: options } = parseArgs({
  options: {
    packages: { type: "string", default: join(root, "dist/packages") },
    out: { type: "string", default: join(root, "dist/image") },
    bases: { type: "string" },
    architectures: { type: "string", default: "amd64,arm64" },
  },
});

/** Debian's packages that the programs need, and the two servers that stand beside them on a boat's computer. */
const DEBIAN = "base-files,ca-certificates,dash,libstdc++6,mosquitto,nginx,nodejs";

const shared = (path) => `usr/share/${path}`;

/** Programs of Debian's packages that stay: none of them runs as another user. */
const PROGRAMS = ["dash", "mosquitto", "mosquitto_passwd", "nginx", "node", "sh"];

/** Paths that no program in the image reads; the copyright files stay. */
const UNREAD = [
  ...["boot", "home", "media", "mnt", "opt", "root", "srv", "var/backups", "var/cache", "var/lib/apt", "var/log"],
  ...[
    "etc/apt",
    "etc/fstab",
    "etc/hostname",
    "etc/resolv.conf",
    "etc/init.d",
    "etc/default",
    "etc/logrotate.d",
    "etc/ufw",
  ],
  ...["usr/include", "usr/lib/init", "usr/lib/systemd", "usr/lib/sysctl.d", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d"],
  ...["apport", "bash-completion", "bug", "ca-certificates", "debconf", "dict", "doc-base", "gcc", "gdb", "info"].map(
    shared,
  ),
  ...["lintian", "locale", "man", "menu", "nodejs/@types", "nodejs/corepack", "perl5", "pixmaps", "vim"].map(shared),
  "etc/nginx/sites-available",
];

/** The user, who owns the folders in which the programs keep their state. */
const USER = 65532;
const STATE = [
  ...["etc/hub", "var/lib/hub-cand", "var/lib/hub-config-fetch", "var/lib/hub-history", "var/lib/hub-link"],
  ...["var/lib/hub-display/pages", "var/lib/hub-display/charts", "var/lib/mosquitto"],
];
const ACCOUNTS = {
  "etc/passwd": `root:x:0:0:root:/root:/usr/sbin/nologin\nhub:x:${USER}:${USER}:Boat data:/nonexistent:/usr/sbin/nologin\n`,
  "etc/group": `root:x:0:\nhub:x:${USER}:\n`,
};

async function run(command, ...args) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 1 << 28 }).catch((error) => {
    if (error.code === "ENOENT") throw new Failure(`${command} is missing: apt install mmdebstrap dpkg-dev`);
    throw new Failure(`${command} ${args.join(" ")}: ${error.stderr}`);
  });
  return stdout;
}

const debsIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".deb"))
        .sort()
        .map((name) => join(folder, name))
    : [];

/** Writes of each package what it is, where the scanners of images look for the packages of an image without dpkg. */
async function noteDebs(folder, debs) {
  mkdirSync(join(folder, "var/lib/dpkg/status.d"), { recursive: true });
  for (const deb of debs) {
    const fields = await run("dpkg-deb", "--field", deb);
    const [, name = ""] = /^Package: (.*)$/m.exec(fields) ?? [];
    writeFileSync(join(folder, "var/lib/dpkg/status.d", name), fields);
  }
}

/** Removes what is not read: of the documentation all but copyright files and bills of materials. */
function strip(folder) {
  for (const path of UNREAD) rmSync(join(folder, path), { recursive: true, force: true });
  // The converters of character sets of glibc: Node has its own.
  for (const triplet of readdirSync(join(folder, "usr/lib")).filter((name) => name.endsWith("-linux-gnu")))
    rmSync(join(folder, "usr/lib", triplet, "gconv"), { recursive: true, force: true });
  const doc = join(folder, "usr/share/doc");
  for (const name of readdirSync(doc)) {
    for (const file of readdirSync(join(doc, name)))
      if (file !== "copyright" && !file.endsWith(".cdx.json")) rmSync(join(doc, name, file), { recursive: true });
  }
}

/** The files of Debian's packages for an architecture, in a folder. */
async function baseOf(architecture, work) {
  const kept = options.bases === undefined ? undefined : join(resolve(options.bases), architecture);
  if (kept !== undefined && existsSync(kept)) return kept;
  const folder = join(work, `base-${architecture}`);
  const [site] = (
    await run("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Label: Debian")
  ).split("\n");
  if (!site) throw new Failure("apt has no lists of Debian: apt-get update");
  await run(
    ...["mmdebstrap", "--quiet", "--variant=extract", "--skip=cleanup/apt", `--architectures=${architecture}`],
    ...[`--include=${DEBIAN}`, "trixie", folder, site],
  );
  await noteDebs(folder, debsIn(join(folder, "var/cache/apt/archives")));
  // As update-ca-certificates writes it, which has not run.
  const authorities = join(folder, "usr/share/ca-certificates/mozilla");
  const certificates = readdirSync(authorities).sort();
  writeFileSync(
    join(folder, "etc/ssl/certs/ca-certificates.crt"),
    certificates.map((name) => readFileSync(join(authorities, name), "utf8")).join(""),
  );
  for (const [path, text] of Object.entries(ACCOUNTS)) writeFileSync(join(folder, path), text);
  for (const place of ["usr/bin", "usr/sbin"]) {
    for (const name of readdirSync(join(folder, place)))
      if (!PROGRAMS.includes(name)) rmSync(join(folder, place, name));
  }
  strip(folder);
  if (kept === undefined) return folder;
  mkdirSync(dirname(kept), { recursive: true });
  await run("cp", "--archive", folder, `${kept}.${process.pid}`);
  renameSync(`${kept}.${process.pid}`, kept);
  return kept;
}

/** The files of hub's packages, with the boat's site and broker of their examples. */
async function hubOf(architecture, work, debs) {
  const folder = join(work, `hub-${architecture}`);
  const its = debs.filter((deb) => deb.endsWith(`_${architecture}.deb`) || deb.endsWith("_all.deb"));
  if (!its.some((deb) => deb.endsWith(`_${architecture}.deb`)))
    throw new Failure(`${options.packages} has no packages for ${architecture}: npm run package makes them`);
  for (const deb of its) await run("dpkg-deb", "--extract", deb, folder);
  await noteDebs(folder, its);
  strip(folder);
  const packaging = (path) => join(root, "packaging", path);
  const etc = (path) => join(folder, "etc", path);
  for (const name of ["nginx/sites-enabled", "mosquitto/conf.d"]) mkdirSync(etc(name), { recursive: true });
  for (const name of ["nginx", "mosquitto"]) copyFileSync(packaging(`image/${name}.conf`), etc(`${name}/${name}.conf`));
  // A port below 1024 would need a privilege in the network of the host.
  const site = readFileSync(packaging("examples/boat.nginx"), "utf8");
  writeFileSync(etc("nginx/sites-enabled/boat"), site.replace(/^( *listen .*)\b80 /gm, "$18080 "));
  copyFileSync(packaging("examples/hub.mosquitto.conf"), etc("mosquitto/conf.d/hub.conf"));
  for (const name of ["hub.acl", "hub-displays.acl"])
    copyFileSync(packaging(`examples/${name}`), etc(`mosquitto/${name}`));
  for (const path of STATE) {
    mkdirSync(join(folder, path), { recursive: true });
    chownSync(join(folder, path), USER, USER);
  }
  return folder;
}

const sha256 = () => createHash("sha256");

/** An image in the making, as a folder: files named after their content, and index.json. */
class Layout {
  constructor(folder) {
    this.folder = folder;
    mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
    writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  }

  /** Stores a document; returns its descriptor. */
  add(mediaType, document) {
    const bytes = Buffer.from(JSON.stringify(document));
    const hash = sha256().update(bytes).digest("hex");
    writeFileSync(join(this.folder, "blobs/sha256", hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  }

  /** Stores a folder as a layer, its files changed at `seconds`; returns descriptor and hash of the archive in it. */
  async addLayer(folder, seconds) {
    const unnamed = join(this.folder, basename(folder));
    const [whole, packed] = [sha256(), sha256()];
    const order = ["--sort=name", "--format=gnu", "--numeric-owner", `--mtime=@${seconds}`];
    const tar = spawn("tar", [...order, "--create", "--directory", folder, "."], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(tar, "close");
    await pipeline(tar.stdout, tapped(whole), createGzip(), tapped(packed), createWriteStream(unnamed));
    const [status] = await ended;
    if (status !== 0) throw new Failure(`tar of ${folder} ended with ${status}`);
    const hash = packed.digest("hex");
    renameSync(unnamed, join(this.folder, "blobs/sha256", hash));
    const { size } = statSync(join(this.folder, "blobs/sha256", hash));
    const mediaType = "application/vnd.oci.image.layer.v1.tar+gzip";
    return { descriptor: { mediaType, digest: `sha256:${hash}`, size }, diffId: `sha256:${whole.digest("hex")}` };
  }

  /** Names an index of images, and packs all. */
  async pack(index, name, archive, seconds) {
    const manifests = [{ ...index, annotations: { "org.opencontainers.image.ref.name": name } }];
    writeFileSync(join(this.folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
    const order = ["--sort=name", "--format=gnu", "--numeric-owner", "--owner=0", "--group=0", `--mtime=@${seconds}`];
    await run("tar", ...order, "--create", "--file", archive, "--directory", this.folder, ".");
  }
}

/** Passes on what it is given, and hashes it. */
const tapped = (hash) =>
  async function* (chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };

/** Adds the image of an architecture; returns its descriptor. */
async function addImage(layout, architecture, work, debs, seconds) {
  // The same for every version of hub, unless Debian has newer packages: a boat fetches it once.
  const base = await layout.addLayer(await baseOf(architecture, work), 0);
  const hub = await layout.addLayer(await hubOf(architecture, work, debs), seconds);
  const created = new Date(seconds * 1000).toISOString().replace(".000", "");
  const { version, description, license, homepage, repository } = project();
  const labels = {
    title: "hub",
    ...{ description, version, created, licenses: license, url: homepage, source: repository },
    ...(sourceCommit() !== undefined && { revision: sourceCommit() }),
  };
  const platform = { architecture, os: "linux" };
  const config = layout.add("application/vnd.oci.image.config.v1+json", {
    created,
    ...platform,
    config: {
      User: `${USER}:${USER}`,
      Env: ["PATH=/usr/bin:/usr/sbin", "MALLOC_TRIM_THRESHOLD_=131072"],
      Cmd: ["hub-cand", "--help"],
      Labels: Object.fromEntries(Object.entries(labels).map(([key, it]) => [`org.opencontainers.image.${key}`, it])),
    },
    rootfs: { type: "layers", diff_ids: [base.diffId, hub.diffId] },
    history: ["packages of Debian", "packages of hub"].map((comment) => ({ created, comment })),
  });
  const manifest = layout.add("application/vnd.oci.image.manifest.v1+json", {
    ...{ schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json" },
    ...{ config, layers: [base.descriptor, hub.descriptor] },
  });
  return { ...manifest, platform };
}

async function main() {
  if (process.getuid?.() !== 0) throw new Failure("the files of an image belong to root: run this as root");
  process.umask(0o022);
  const debs = debsIn(resolve(options.packages));
  const seconds = sourceSeconds();
  const work = mkdtempSync(join(tmpdir(), "hub-image-"));
  try {
    const layout = new Layout(join(work, "layout"));
    const making = options.architectures.split(",").map((name) => addImage(layout, name, work, debs, seconds));
    const manifests = await Promise.all(making);
    const mediaType = "application/vnd.oci.image.index.v1+json";
    const index = layout.add(mediaType, { schemaVersion: 2, mediaType, manifests });
    mkdirSync(options.out, { recursive: true });
    const archive = join(options.out, "hub.oci.tar");
    await layout.pack(index, "localhost/hub:latest", archive, seconds);
    copyFileSync(join(root, "packaging/image/compose.yaml"), join(options.out, "compose.yaml"));
    console.log(`${archive}: ${index.digest}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await endWithMessage(main);

/**
 * The files that a guest boots from, made once per kind and kept in a cache folder: Debian's stock kernel or its User
 * Mode Linux, the modules that CAN and the guest need, an initramfs, and for another architecture than the host's a
 * small Debian.
 *
 * Packages are downloaded by apt as for an empty machine of that architecture and only unpacked, without root and
 * without touching the packages of the host. Needs apt, dpkg, tar, xz and npm.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { cpio } from "./cpio.mjs";

/** Part of the folder name; changes with the content, so that no older files are booted. */
const EDITION = 3;

/** Loaded in this order, each after its dependencies; those that the kernel has built in are skipped. */
const bootModules = ["virtio_pci", "virtio_rng", "virtio_console", "9pnet_virtio", "9p", "overlay"];
const canModules = ["can", "can-raw", "vcan", "kvaser_pci", "vhci-hcd", "gs_usb"];
/** The folders of these modules and their dependencies; unpacking all modules would take far longer. */
const canFolders = ["net/can", "drivers/net/can", "fs/overlayfs"];
const moduleFolders = [
  ...[...canFolders, "net/9p", "fs/9p", "fs/netfs", "fs/fscache"],
  ...["usb", "virtio", "char"].map((folder) => `drivers/${folder}`),
];

/** Packages for a guest that cannot run the programs of the host. */
const rootPackages = [
  ...["bash", "coreutils", "debianutils", "findutils", "grep", "sed", "procps", "util-linux", "iproute2", "can-utils"],
  ...["mosquitto", "mosquitto-clients", "libstdc++6", "libgcc-s1"],
];
/** Node for such a guest. */
const NODE_VERSION = "20.20.2";

/** Runs a program; returns its output, throws its standard error. */
async function run(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const out = [];
  let complaint = "";
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${complaint.trim()}`);
  return Buffer.concat(out);
}

/** apt as for a machine of its own below `folder`, with the host's sources and keys. */
function aptIn(folder, architecture) {
  for (const name of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "status"), "");
  const configuration = join(folder, "apt.conf");
  writeFileSync(
    configuration,
    `APT::Architecture "${architecture}"; APT::Architectures { "${architecture}"; }; APT::Sandbox::User "";
APT::Install-Recommends "false"; Acquire::Languages "none"; Debug::NoLocking "true";
Dir::State "${folder}"; Dir::State::lists "${folder}/lists"; Dir::State::status "${folder}/status"; Dir::Cache "${folder}/cache";
`,
  );
  return (command, ...args) =>
    run(command, args, { cwd: folder, env: { ...process.env, APT_CONFIG: configuration, LC_ALL: "C" } });
}

/** Unpacks the files of a package that match the patterns, or all. */
const unpack = (deb, into, ...patterns) =>
  run("sh", [
    "-c",
    'dpkg-deb --fsys-tarfile "$0" | { into=$1; shift; tar -x -C "$into" --wildcards "$@"; }',
    deb,
    into,
    ...patterns,
  ]);

const debIn = (folder, name) => join(folder, readdirSync(folder).find((file) => file.startsWith(`${name}_`)) ?? name);

/** Unpacks kernel and modules of User Mode Linux below `folder`, at the places of other kernels. */
async function unpackUserModeLinux(apt, folder) {
  await apt("apt-get", "-qq", "download", "user-mode-linux");
  const patterns = canFolders.map((path) => `./usr/lib/uml/modules/*/kernel/${path}/*`);
  await unpack(debIn(join(folder, "apt"), "user-mode-linux"), folder, "./usr/bin/linux.uml", ...patterns);
  renameSync(join(folder, "usr/bin/linux.uml"), join(folder, "kernel"));
  renameSync(join(folder, "usr/lib/uml"), join(folder, "lib"));
}

/** Unpacks kernel and modules below `folder`. */
async function unpackKernel(apt, folder, architecture) {
  const depends = (await apt("apt-cache", "depends", `linux-image-${architecture}`)).toString();
  const name = /^ *Depends: (linux-image-\S+)$/m.exec(depends)?.[1];
  if (name === undefined) throw new Error(`linux-image-${architecture} names no kernel`);
  await apt("apt-get", "-qq", "download", name);
  const patterns = moduleFolders.map((path) => `./lib/modules/*/kernel/${path}/*`);
  await unpack(debIn(join(folder, "apt"), name), folder, "./boot/vmlinuz-*", ...patterns);
  const image = readFileSync(join(folder, "boot", readdirSync(join(folder, "boot"))[0]));
  writeFileSync(join(folder, "kernel"), await unpackedKernel(image, folder));
}

/**
 * The kernel inside a bzImage, unpacked here because an emulated processor is slow; other formats are returned as they
 * are.
 */
async function unpackedKernel(image, folder) {
  const at = image.indexOf(Buffer.from("\xfd7zXZ\0", "latin1"));
  if (at === -1) return image;
  const packed = join(folder, "kernel.xz");
  writeFileSync(packed, image.subarray(at));
  const kernel = await run("sh", ["-c", 'xz -dc --single-stream "$0" || :', packed]);
  rmSync(packed);
  return kernel.subarray(0, 4).equals(Buffer.from("\x7fELF", "latin1")) ? kernel : image;
}

/** The modules and their dependencies, each after its own, as `{ name, content }`. */
async function modulesOf(folder, names) {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.ko(\.xz)?$/.test(path))
      .map((path) => [
        basename(path)
          .replace(/\.ko.*$/, "")
          .replaceAll("-", "_"),
        join(folder, path),
      ]),
  );
  const modules = new Map();
  const add = async (name) => {
    const key = name.replaceAll("-", "_");
    const file = files.get(key);
    if (file === undefined || modules.has(key)) return;
    const content = file.endsWith(".xz") ? await run("xz", ["-dc", file]) : readFileSync(file);
    const depends = /\0depends=([^\0]*)\0/.exec(content.toString("latin1"))?.[1] ?? "";
    for (const needed of depends.split(",")) await add(needed);
    modules.set(key, { name: key, content });
  };
  for (const name of names) await add(name);
  return [...modules.values()];
}

/** The initramfs: busybox, the modules, and a program that makes the real root. */
function initramfs(busybox, modules) {
  const folders = ["bin", "mod", "proc", "new", "lower", "over"].map((path) => ({ path, mode: 0o40755 }));
  const numbered = modules.map(({ name, content }, at) => ({
    path: `mod/${String(at).padStart(2, "0")}-${name}`,
    mode: 0o100644,
    content,
  }));
  const init = readFileSync(new URL("init.sh", import.meta.url));
  return cpio([
    ...folders,
    { path: "bin/busybox", mode: 0o100755, content: busybox },
    ...numbered,
    { path: "init", mode: 0o100755, content: init },
  ]);
}

/** Unpacks a root of `architecture` below `folder`, with Node and the programs of the tests. */
async function unpackRoot(apt, folder, architecture) {
  const into = join(folder, "root");
  mkdirSync(into);
  await apt("apt-get", "-qq", "install", "-y", "--download-only", ...rootPackages);
  const archives = join(folder, "apt/cache/archives");
  for (const deb of readdirSync(archives).filter((file) => file.endsWith(".deb"))) {
    await run("dpkg-deb", ["-x", join(archives, deb), into]);
  }
  symlinkSync("bash", join(into, "bin/sh.new"));
  renameSync(join(into, "bin/sh.new"), join(into, "bin/sh"));
  const users = [
    "root:x:0:0:root:/root:/bin/sh",
    "mosquitto:x:900:900::/:/bin/false",
    "nobody:x:65534:65534::/:/bin/false",
  ];
  writeFileSync(join(into, "etc/passwd"), `${users.join("\n")}\n`);
  writeFileSync(join(into, "etc/group"), "root:x:0:\nmosquitto:x:900:\nnogroup:x:65534:\n");
  writeFileSync(join(into, "etc/hosts"), "127.0.0.1 localhost\n");
  const node = await unpackNpm(`node-linux-${architecture}@${NODE_VERSION}`, folder);
  copyFileSync(join(node, "bin/node"), join(into, "usr/bin/node"));
}

/** Downloads an npm package for any machine; returns the folder of its files. */
async function unpackNpm(specification, folder) {
  const into = mkdtempSync(join(folder, "npm-"));
  const packed = (await run("npm", ["pack", "--silent", specification], { cwd: into }))
    .toString()
    .trim()
    .split("\n")
    .at(-1);
  await run("tar", ["-xzf", packed], { cwd: into });
  return join(into, "package");
}

/** Downloads Node for a Debian architecture from npm, once; returns the path of the program. */
export async function nodeFor(name, version) {
  return once_(`${name}-${version}`, async (folder) => {
    const unpacked = await unpackNpm(`${name}@${version}`, folder);
    renameSync(join(unpacked, "bin/node"), join(folder, "node"));
  }).then((folder) => join(folder, "node"));
}

/** A folder of the cache, made by `make` unless it exists; never incomplete. */
async function once_(name, make) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hub-guest");
  const folder = join(cache, `${name}-${EDITION}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, `${name}.`));
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The files that a guest of this kind boots from; `root` is the tree that it shares. */
export async function prepare(kind) {
  const isUml = kind === "uml";
  const isForeign = kind === "arm64";
  const folder = await once_(kind, async (unfinished) => {
    console.error(`hub: preparing the ${kind} guest (once)`);
    const aptFolder = join(unfinished, "apt");
    const apt = aptIn(aptFolder, isUml ? "amd64" : kind);
    await apt("apt-get", "-qq", "update");
    await (isUml ? unpackUserModeLinux(apt, unfinished) : unpackKernel(apt, unfinished, kind));
    await apt("apt-get", "-qq", "download", "busybox-static");
    const tools = join(unfinished, "tools");
    mkdirSync(tools);
    await run("dpkg-deb", ["-x", debIn(aptFolder, "busybox-static"), tools]);
    const [busybox] = ["bin/busybox", "usr/bin/busybox"].map((path) => join(tools, path)).filter(existsSync);
    const modules = await modulesOf(join(unfinished, "lib/modules"), [...bootModules, ...canModules]);
    writeFileSync(join(unfinished, "initramfs"), initramfs(readFileSync(busybox), modules));
    if (isForeign) await unpackRoot(apt, unfinished, kind);
    for (const name of readdirSync(unfinished)) {
      if (["kernel", "initramfs", "root"].includes(name)) continue;
      rmSync(join(unfinished, name), { recursive: true });
    }
  });
  return {
    kernel: join(folder, "kernel"),
    initramfs: join(folder, "initramfs"),
    root: isForeign ? join(folder, "root") : "/",
  };
}

/**
 * Folders with a small Debian 13 in them, made by mmdebstrap from where this machine's apt has Debian from, once, and
 * kept in the user's cache. Needs root.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { debianSite, SUITE } from "../../scripts/debian-site.mjs";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Programs of the system are not in the PATH of all users. */
export const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

/** The folder for files that take long to make. */
export const cache: string = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "hub-tests");

/** Increased with each change of the content, so that roots of older versions are not used. */
const EDITION = 3;

/** Attempts to read from the mirror, and the time between them. */
const MIRROR_ATTEMPTS = 2;
const MIRROR_PAUSE_MS = 20_000;

/** Programs of a boat beside hub. Installed with the root, so that installing hub needs no network. */
const boat =
  "systemd,systemd-sysv,nodejs,nginx-light,mosquitto,mosquitto-clients,avahi-daemon,avahi-utils,curl,ca-certificates,iproute2,can-utils,victoria-metrics";

/** A boat's computer before hub is installed, to be copied or covered by a layer, never written to. */
export const boatRoot = (): Promise<string> =>
  made("boat", boat, ["--variant=minbase"], (root) => {
    // These two are the building machine's.
    writeFileSync(join(root, "etc/hostname"), "boat\n");
    writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 boat\n");
  });

/** Debian's packages that README names for building from the source, and certificates for the registry. */
const builder = "nodejs,npm,git,g++,make,python3,ca-certificates";

/** A computer on which nothing of hub is yet, with a user `sailor`; never written to. */
export const builderRoot = (): Promise<string> =>
  made("builder", builder, ["--variant=minbase", "--customize-hook=chroot $1 useradd --create-home sailor"], () => {});

/** What `packaging/debian/control` names for building, and Debian's tools for it; never written to. */
export const packagerRoot = (): Promise<string> => {
  const [, named] = /^Build-Depends: (.*(?:\n .*)*)/m.exec(readFileSync("packaging/debian/control", "utf8"))!;
  const names = named!.split(/,\s*/).map((each) => each.replace(/ .*/, ""));
  const needed = names.filter((name) => !name.startsWith("dh-sequence-") && !name.startsWith("debhelper-"));
  const include = ["build-essential", "debhelper", ...needed].join();
  return made("packager", include, ["--variant=minbase", "--customize-hook=chroot $1 useradd builder"], () => {});
};

/** The files of Debian's Node and its libraries for another architecture, unpacked and nothing more. */
export const nodeRoot = (architecture: string): Promise<string> =>
  made(`node-${architecture}`, "nodejs,libstdc++6", ["--variant=extract", `--architectures=${architecture}`], (root) =>
    symlinkSync("usr/lib", join(root, "lib")),
  );

/** The kernel of a Raspberry Pi with the device trees of its boards, unpacked and nothing more. */
export const kernelRoot = (): Promise<string> =>
  made("kernel-arm64", "linux-image-arm64", ["--variant=extract", "--architectures=arm64"], () => {});

/** Debian's server of NATS, unpacked. */
export const natsRoot = (): Promise<string> => made("nats", "nats-server", ["--variant=extract"], () => {});

/**
 * OpenCPN and a display server, unpacked; of the configuration of their packages only the types of files are needed.
 */
export const openCpnRoot = (): Promise<string> =>
  made("opencpn", "opencpn,xvfb,fonts-dejavu-core,dash", ["--variant=extract"], (root) => {
    const { status, stderr } = spawnSync("chroot", [root, "update-mime-database", "/usr/share/mime"], {
      env: { PATH },
    });
    if (status !== 0) throw new Error(`update-mime-database: ${stderr}`);
  });

/** A copy of such a folder that is written to a layer of its own. */
export function writableCopy(lower: string): { readonly root: string; readonly remove: () => void } {
  const folder = temporaryFolder("root");
  const must = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(args[0]!, args.slice(1), { env: { PATH }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  };
  const [upper, work, root] = ["upper", "work", "root"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [upper, work, root]) mkdirSync(path);
  must("mount", "-t", "overlay", "overlay", "-o", `lowerdir=${lower},upperdir=${upper},workdir=${work}`, root);
  const remove = (): void => {
    must("umount", root);
    rmSync(folder, { recursive: true });
  };
  return { root, remove };
}

async function made(
  name: string,
  include: string,
  options: readonly string[],
  finish: (root: string) => void,
): Promise<string> {
  const digest = createHash("sha256").update(include).digest("hex").slice(0, 8);
  const root = join(cache, `${SUITE}-${name}-${EDITION}-${digest}`);
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(`${root}.`);
  const unfinished = join(folder, "root");
  await bootstrapped(unfinished, [...options, `--include=${include}`, SUITE, unfinished, debianSite()]);
  finish(unfinished);
  // Another process may have created it meanwhile.
  if (!existsSync(root)) renameSync(unfinished, root);
  rmSync(folder, { recursive: true });
  return root;
}

/** Runs mmdebstrap; a mirror that is just being updated has lists that do not fit one another for some minutes. */
async function bootstrapped(root: string, args: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const child = spawn("mmdebstrap", args, { env: { ...process.env, PATH }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    const [status] = await once(child, "close");
    if (status === 0) return;
    if (attempt === MIRROR_ATTEMPTS || !output.includes("Failed to fetch")) throw new Error(output);
    rmSync(root, { recursive: true, force: true });
    await setTimeout(MIRROR_PAUSE_MS);
  }
}
